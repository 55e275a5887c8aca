"""Founding a club, opening it by its link, and a passkey where there is TLS."""

import datetime
import ipaddress
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core import mail
from playwright.sync_api import Page, expect

from clubs.club import founding
from clubs.models import Club
from tests.browser.conftest import PHONE
from tests.ports import free_port, is_open
from tests.waiting import until

CODE = re.compile(r"\b[B-Z]{4}-[B-Z]{4}\b")


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url


@pytest.mark.journey
def test_club_is_founded_settled_and_shown_to_who_scans_its_code(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    ann = open_page(PHONE | {"viewport": {"width": 360, "height": 664}})

    def looked(heading: str = "") -> None:
        """Look the page over, once it shows this heading: a tap does not wait for the page that it leads to."""
        if heading:
            expect(ann.get_by_role("heading", name=heading, level=1)).to_be_visible()
        axe(ann)
        fits(ann)

    ann.goto(f"/clubs/found/?code={founding.new_code()}")
    looked()
    ann.get_by_label("Your email address").fill("ann@example.org")
    ann.get_by_role("button", name="Send me a code").click()
    ann.get_by_label("The code from the email").fill("AAAA-BBBB")
    ann.get_by_role("button", name="Sign in").click()
    expect(ann.get_by_text("That is not the code.")).to_be_visible()
    looked()
    code = CODE.search(mail.outbox[-1].body)
    assert code
    ann.get_by_label("The code from the email").fill(code[0].lower())
    ann.get_by_role("button", name="Sign in").click()
    looked("Start a club")
    ann.get_by_label("What is the club called?").fill("M" * 40)
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Start the club").click()
    expect(ann.get_by_role("heading", name="Organise")).to_be_visible()
    looked()
    ann.get_by_role("link", name="Settings").click()
    looked("Settings")
    ann.get_by_label("Where does it meet?").fill("The old kitchen")
    ann.get_by_role("button", name="Save").click()
    ann.get_by_role("link", name="The QR code of the club").click()
    expect(ann.locator("svg.qr")).to_be_visible()
    looked()
    club = Club.objects.get()
    assert club.place == "The old kitchen"

    bo = open_page()
    bo.goto(ann.locator(".address").inner_text().strip())
    expect(bo.get_by_role("heading", name="M" * 40)).to_be_visible()
    fits(bo)
    ann.goto(f"/clubs/{club.slug}/settings/")
    ann.get_by_text("A new link and QR code").click()
    ann.get_by_role("button", name="New link").click()
    expect(ann.get_by_role("heading", name="Settings")).to_be_visible()
    axe(ann)
    ann.goto(f"/clubs/{club.slug}/diary/")
    expect(ann.get_by_text("Gave the club a new link")).to_be_visible()
    looked()
    ann.get_by_role("button", name="Sign out").click()
    expect(ann.get_by_role("link", name="Sign in")).to_be_visible()
    looked()


@pytest.mark.allow_statuses(403)
def test_who_is_shown_nothing_is_offered_to_sign_in(dark_desk: Page, axe: Callable[[Page], None]) -> None:
    dark_desk.goto("/clubs/never-was/")
    axe(dark_desk)
    with dark_desk.expect_navigation():
        dark_desk.get_by_role("link", name="Sign in").click()
    axe(dark_desk)
    with dark_desk.expect_navigation():
        dark_desk.get_by_role("link", name="With a password").click()
    axe(dark_desk)
    assert dark_desk.locator("[name=next]").first.input_value() == "/clubs/never-was/"
    dark_desk.goto("/clubs/")
    axe(dark_desk)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that nobody has signed, and its key."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "box")]),
    )
    now = datetime.datetime.now(datetime.UTC)
    names: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    signed = made.add_extension(x509.SubjectAlternativeName(names), critical=False).sign(key, hashes.SHA256())
    (folder / "c.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "k.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    return folder / "c.pem", folder / "k.pem"


@pytest.fixture
def site_with_tls(project: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a site of its own that is served over TLS, and what its terminal says."""
    port = free_port()
    crt, key = certificate(tmp_path)
    settings = {"VAR": str(tmp_path / "var"), "SETTINGS_FILE": os.devnull, "PORT": str(port), "DEMO": "0"}
    settings |= {"TLS_CERTIFICATE": str(crt), "TLS_KEY": str(key), "WORKERS": "1", "PATH": os.environ["PATH"]}
    said = tmp_path / "said"
    with said.open("w") as terminal:
        serve = [sys.executable, "-u", "manage.py", "serve"]
        site = subprocess.Popen(serve, cwd=project, env=settings, stdout=terminal, stderr=terminal)
        try:
            until(lambda: site.poll() is not None or is_open(port))
            yield f"https://localhost:{port}", said
        finally:
            site.terminate()
            site.wait(20)


def test_passkey_signs_in_where_there_is_tls_and_no_lock_comes_with_it(
    site_with_tls: tuple[str, Path], open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    address, said = site_with_tls
    page = open_page(PHONE, base_url=address, ignore_https_errors=True)
    phone = page.context.new_cdp_session(page)
    phone.send("WebAuthn.enable")
    keeps = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
    keeps |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    phone.send("WebAuthn.addVirtualAuthenticator", {"options": keeps})

    def by_code() -> None:
        codes = len(CODE.findall(said.read_text()))
        page.goto("/account/login/code/?next=/account/")
        page.get_by_label("Your email address").fill("ann@example.org")
        page.get_by_role("button", name="Send me a code").click()
        until(lambda: len(CODE.findall(said.read_text())) > codes)
        page.get_by_label("The code from the email").fill(CODE.findall(said.read_text())[-1])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Your account")).to_be_visible()

    by_code()
    axe(page)
    page.get_by_role("link", name="Passkeys").click()
    with page.expect_navigation():
        page.get_by_role("link", name="Add a passkey").click()
    axe(page)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Your passkeys").click()
    expect(page.get_by_role("link", name="Remove My phone")).to_be_visible()
    axe(page)
    page.goto("/account/")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/account/login/code/?next=/account/")
    page.get_by_role("button", name="With a passkey").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    # The phone is lost: a code still does, and takes the passkey away.
    by_code()
    page.get_by_role("link", name="Passkeys").click()
    page.get_by_role("link", name="Remove").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("link", name="Remove My phone")).to_have_count(0)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_older_tls_is_refused_and_the_newest_preferred(site_with_tls: tuple[str, Path]) -> None:
    there = ("localhost", int(site_with_tls[0].rpartition(":")[2]))

    def spoken(version: ssl.TLSVersion | None) -> str | None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if version:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = version
        try:
            with socket.create_connection(there) as plain, context.wrap_socket(plain) as secure:
                return secure.version()
        except ssl.SSLError:
            return None

    assert spoken(None) == "TLSv1.3"
    assert spoken(ssl.TLSVersion.TLSv1_2) == "TLSv1.2"
    assert spoken(ssl.TLSVersion.TLSv1_1) is None
    assert spoken(ssl.TLSVersion.TLSv1) is None
