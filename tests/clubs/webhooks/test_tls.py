"""A real handshake with a receiver on this machine: sent where the certificate is good, and nowhere else."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from clubs.models import Club, Delivery, Event, Webhook
from clubs.outbox.events import announce
from clubs.outbox.http_post import OTHER_NAME
from tests.clubs.outbox.sending import deliver_due
from tests.clubs.visitors import account, get, text
from tests.receiver import receiving

pytestmark = pytest.mark.django_db
A_DAY = datetime.timedelta(days=1)
SIGNS_CERTIFICATES = x509.KeyUsage(
    key_cert_sign=True, digital_signature=False, content_commitment=False, key_encipherment=False,
    data_encipherment=False, key_agreement=False, crl_sign=False, encipher_only=False, decipher_only=False,
)  # fmt: skip
LOOPBACK = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))


@dataclass
class Authority:
    """Signs certificates of receivers."""

    folder: Path
    name: str

    def __post_init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self.name)])
        now = datetime.datetime.now(datetime.UTC)
        built = self.begun(self.subject, self.key, now - A_DAY, now + A_DAY)
        built = built.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        # Python 3.13 trusts no authority that does not say so.
        built = built.add_extension(SIGNS_CERTIFICATES, critical=True)
        self.certificate = built.sign(self.key, hashes.SHA256())
        self.file = self.folder / f"{self.name}.pem"
        self.file.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def begun(self, subject: Any, key: Any, start: Any, end: Any) -> x509.CertificateBuilder:
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self.subject)
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(start).not_valid_after(end)
        theirs = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        ours = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        return builder.add_extension(theirs, critical=False).add_extension(ours, critical=False)

    def server(self, name: x509.GeneralName = LOOPBACK, *, days: int = 1) -> ssl.SSLContext:
        """What a receiver shows: a certificate for that name, good for so many days from the day before yesterday."""
        key = ec.generate_private_key(ec.SECP256R1())
        start = datetime.datetime.now(datetime.UTC) - 2 * A_DAY
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receiver")])
        built = self.begun(subject, key, start, start + (2 + days) * A_DAY)
        built = built.add_extension(x509.SubjectAlternativeName([name]), critical=False)
        file = self.folder / f"{self.name}-receiver.pem"
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + built.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Authority:
    """An authority that this machine trusts."""
    settings.PRIVATE_WEBHOOKS = True
    authority = Authority(tmp_path, "known")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    return authority


def sent_over(club: Club, tls: ssl.SSLContext) -> int:
    """Send a test to a receiver with that certificate; how many arrived."""
    with receiving(tls=tls) as receiver:
        webhook = Webhook.objects.create(club=club, form="signed", url=receiver.url(), secret="s")
        announce(club, Event.Kind.TEST, "1", webhook=webhook.pk)
        assert deliver_due() == 1
        return len(receiver.got)


def test_message_goes_to_a_receiver_whose_certificate_is_good(club: Club, known: Authority) -> None:
    assert sent_over(club, known.server()) == 1
    assert Delivery.objects.get().delivered_at is not None


@pytest.mark.parametrize(("fault", "says"), [
    ("nobody signed it", "Its certificate is not valid: "),
    ("it has run out", "Its certificate is not valid: certificate has expired."),
    ("it is for another name", OTHER_NAME),
])  # fmt: skip
def test_bad_certificate_is_not_sent_to_and_the_organiser_reads_why(
    club: Club, known: Authority, tmp_path: Path, fault: str, says: str
) -> None:
    tls = {
        "nobody signed it": Authority(tmp_path, "stranger").server(),
        "it has run out": known.server(days=-1),
        "it is for another name": known.server(x509.DNSName("cards.example.org")),
    }[fault]
    assert sent_over(club, tls) == 0
    row = Delivery.objects.get()
    assert (row.delivered_at, row.given_up_at) == (None, None), "it may be mended"
    assert row.problem.startswith(says)
    organiser, _ = account(club, "organiser", name="Flo")
    assert f"{says}" in text(get(organiser, "webhooks", club))
