"""The samples in `fixtures/deploy/` are what their programs read, and agree with the code and with each other."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings as django_settings
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver, get_resolver

from clubs.management.commands import serve
from clubs.postgresql import programs
from clubs.server.request_bodies import Limits
from tests.bench.live_site import LiveSite
from tests.conftest import PROJECT
from tests.ports import free_port
from tests.waiting import until

FOLDER = PROJECT / "fixtures" / "deploy"
HOOK = FOLDER / "renewal-hook.sh"
NAMES_IN_CODE = r"""(?:env\.\w+|environ\.get)\(\s*"([A-Z_]+)\""""


def text_of(name: str) -> str:
    return (FOLDER / name).read_text()


def settings_of_the_site() -> set[str]:
    """The names that the site reads from its environment."""
    return {
        name
        for file in ("clubs/settings.py", "clubs/management/commands/serve.py")
        for name in re.findall(NAMES_IN_CODE, (PROJECT / file).read_text())
    }


def default_of(name: str) -> int:
    """The default of a setting that is a number."""
    default = re.search(rf'"{name}", default=([0-9]+)\)', (PROJECT / "clubs" / "settings.py").read_text())
    assert default
    return int(default[1])


def largest_post() -> int:
    """The most bytes that any page of the site takes."""

    def views(patterns: list[Any]) -> Iterator[Any]:
        for each in patterns:
            if isinstance(each, URLResolver):
                yield from views(each.url_patterns)
            elif isinstance(each, URLPattern):
                yield each.callback

    return max(getattr(view, "takes_up_to", 0) for view in views(get_resolver().url_patterns))


def instructions(kind: str) -> list[str]:
    """What stands behind an instruction of the Containerfile, each time."""
    return re.findall(rf"^{kind} (.+)$", text_of("Containerfile"), re.MULTILINE)


def blocks_of_settings() -> list[dict[str, str]]:
    """The two `.env` in the folder's README."""
    blocks = re.findall(r"(?:^    [A-Z_]+=.*\n)+", text_of("README.md"), re.MULTILINE)
    return [dict(line.strip().split("=", 1) for line in block.splitlines()) for block in blocks]


def unit() -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string(text_of("box-and-circle.service"))
    return read


@pytest.fixture
def compose() -> Any:
    return yaml.safe_load(text_of("compose.yaml"))


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A folder as certbot makes it, for a name of this machine."""
    folder = tmp_path / "live" / "cards.example.org"
    make_certificate(folder, "rsa:2048")
    return folder


def program(name: str) -> str:
    """A program that may be missing: the test is skipped then."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if not path:
        pytest.skip(f"{name} is not on this machine")
    return path


def run(*command: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


def make_certificate(folder: Path, key: str) -> None:
    """A certificate for localhost; its key in the form that programs of long ago write."""
    folder.mkdir(parents=True, exist_ok=True)
    new, old, crt = (str(folder / name) for name in ("pkcs8.pem", "privkey.pem", "fullchain.pem"))
    kind = ["-newkey", key, *(["-pkeyopt", "ec_paramgen_curve:P-256"] if key == "ec" else [])]
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    made = run(
        program("openssl"), "req", "-x509", *kind, "-nodes", "-days", "2", "-keyout", new, "-out", crt,
        "-subj", "/CN=localhost", "-addext", names,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert run("openssl", "pkey", "-traditional", "-in", new, "-out", old).returncode == 0
    assert " PRIVATE KEY" in Path(old).read_text()
    assert "BEGIN PRIVATE KEY" not in Path(old).read_text()


# The unit of systemd


def test_unit_starts_the_site_where_the_readme_puts_it() -> None:
    service = unit()["Service"]
    assert service["User"] == "cards"
    assert service["WorkingDirectory"] == "/srv/box-and-circle/site"
    assert service["ExecStart"] == "/usr/bin/make run"
    assert re.search(r"^run:", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert unit()["Unit"]["StartLimitIntervalSec"] == "0"
    # The port of the sample with a certificate of its own is below 1024.
    assert int(blocks_of_settings()[0]["PORT"]) < 1024
    assert service["AmbientCapabilities"] == "CAP_NET_BIND_SERVICE"


def test_systemd_takes_the_unit() -> None:
    checked = run(program("systemd-analyze"), "verify", str(FOLDER / "box-and-circle.service"))
    assert (checked.returncode, checked.stderr) == (0, "")


def test_readme_writes_the_settings_before_it_starts_the_unit(tmp_path: Path) -> None:
    """Its lines are run with another folder and without root: whoever follows them is reached by a phone."""
    chapter = (PROJECT / "README.md").read_text().partition("### On the club's own machine")[2].partition("\n### ")[0]
    (lines,) = (block for block in re.findall(r"(?:^    .*\n)+", chapter, re.MULTILINE) if "systemctl enable" in block)
    assert lines.index(".env") < lines.index("systemctl enable --now")
    (command,) = re.findall(r"^    runuser -u cards -- (sh .*?^    END)$", lines, re.MULTILINE | re.DOTALL)
    site, script = "/srv/box-and-circle/site", re.sub(r"^    ", "", command, flags=re.MULTILINE)
    assert run("sh", "-c", f"umask 022\n{script.replace(site, str(tmp_path))}").returncode == 0
    written = tmp_path / ".env"
    given = dict(line.split("=", 1) for line in written.read_text().splitlines())
    assert written.stat().st_mode & 0o777 == 0o600
    assert (given["HOST"], given["DEMO"]) == ("0.0.0.0", "0")
    # Without TLS: with an https address browsers would not send the cookies back.
    assert re.fullmatch(rf"http://[\d.]+:{default_of('PORT')}", given["ADDRESS"])
    assert set(given) <= settings_of_the_site()
    for name in ("journalctl -u box-and-circle", "manage.py owner "):
        assert name in chapter


# The web servers in front


def nginx_values(name: str) -> list[str]:
    return re.findall(rf"^\s*{name}\s+(.+);$", text_of("nginx.conf"), re.MULTILINE)


def test_nginx_has_the_limits_of_the_site() -> None:
    assert nginx_values("limit_conn") == [f"cards {default_of('CONNECTIONS_PER_ADDRESS')}"]
    assert nginx_values("client_body_timeout") == [f"{Limits().silence:.0f}s"]
    assert nginx_values("keepalive_timeout") == [f"{serve.IDLE}s"]
    megabytes = int(nginx_values("client_max_body_size")[0].removesuffix("m"))
    assert largest_post() <= megabytes * 1024**2 < largest_post() + 1024**2
    assert nginx_values("ssl_protocols") == ["TLSv1.2 TLSv1.3"]


def test_caddy_has_the_limits_of_the_site() -> None:
    caddy = text_of("Caddyfile")
    # Its MB are those of a thousand thousand.
    megabytes = int(re.findall(r"^\s*max_size ([0-9]+)MB$", caddy, re.MULTILINE)[0])
    assert largest_post() <= megabytes * 1000**2 < largest_post() + 1000**2
    assert re.findall(r"^\s*idle (\w+)$", caddy, re.MULTILINE) == [f"{serve.IDLE}s"]


def test_web_servers_call_the_site_where_it_listens() -> None:
    behind = blocks_of_settings()[1]
    place = f"{behind['HOST']}:{behind['PORT']}"
    assert nginx_values("proxy_pass") == [f"http://{place}"]
    assert f"reverse_proxy {place}\n" in text_of("Caddyfile")
    assert int(behind["PORT"]) == default_of("PORT")
    name = behind["ADDRESS"].removeprefix("https://")
    assert set(nginx_values("server_name")) == {name}
    assert f"\n{name} {{\n" in text_of("Caddyfile")


def test_web_servers_write_no_address_of_a_page() -> None:
    assert nginx_values("access_log") == ["off"] * text_of("nginx.conf").count("\nserver {")
    assert {line.split()[-1] for line in nginx_values("error_log")} == {"emerg"}
    # A broken page is logged by the first, an answer that was broken off by the second: with the whole request.
    assert "\t\texclude http.log.error http.handlers.reverse_proxy\n" in text_of("Caddyfile")
    assert not re.search(r"^cards\.example\.org \{.*\blog\b", text_of("Caddyfile"), re.DOTALL | re.MULTILINE)


def nginx_here(folder: Path, certificate: Path, *others: tuple[str, str]) -> Path:
    """The sample as a whole configuration of an nginx that runs in a folder."""
    sample = text_of("nginx.conf").replace("/etc/letsencrypt/live/cards.example.org", str(certificate))
    sample = sample.replace("/var/log/nginx", str(folder))
    for old, new in others:
        sample = sample.replace(old, new)
    whole = f"pid {folder}/pid; error_log {folder}/log; daemon off; events {{}}\nhttp {{\n{sample}\n}}\n"
    (folder / "nginx.conf").write_text(whole)
    return folder / "nginx.conf"


def test_nginx_takes_the_sample(tmp_path: Path, certificate: Path) -> None:
    checked = run(program("nginx"), "-t", "-p", str(tmp_path), "-c", str(nginx_here(tmp_path, certificate)))
    assert checked.returncode == 0, checked.stderr


def test_caddy_takes_the_sample(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    caddyfile = str(FOLDER / "Caddyfile")
    checked = run(program("caddy"), "validate", "--adapter", "caddyfile", "--config", caddyfile, env=environment)
    assert checked.returncode == 0, checked.stderr


def test_nginx_sample_says_where_its_certificate_comes_from_and_who_reloads_it() -> None:
    line = next(line for line in text_of("nginx.conf").splitlines() if "certbot certonly" in line)
    assert f"--domain {nginx_values('server_name')[0]} " in line
    assert '--deploy-hook "systemctl reload nginx"' in line


# A certificate of your own


def test_certificate_by_the_command_of_the_readme_is_one_that_apple_takes(tmp_path: Path) -> None:
    program("openssl")
    (command,) = re.findall(r"`(openssl req -x509 .+)`", (PROJECT / "README.md").read_text())
    assert run(*shlex.split(command), cwd=tmp_path).returncode == 0
    shown = run("openssl", "x509", "-in", str(tmp_path / "certificate.pem"), "-noout", "-text").stdout
    assert "TLS Web Server Authentication" in shown
    assert "IP Address:192.168.1.7" in shown
    key = (tmp_path / "key.pem").read_text()
    assert key.startswith("-----BEGIN PRIVATE KEY-----"), "the server takes PKCS#8"


def test_certificate_of_certbot_is_asked_for_by_the_same_command_everywhere() -> None:
    command = f"certbot certonly --standalone --domain {blocks_of_settings()[0]['ADDRESS'].removeprefix('https://')}"
    for text in ((PROJECT / "README.md").read_text(), text_of("README.md"), HOOK.read_text()):
        assert re.findall(r"certbot certonly --standalone --domain [\w.-]+", text) == [command]


# The hook of certbot


def call_hook(tmp_path: Path, lineage: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """The hook as certbot calls it, with another place for what it writes and a systemctl that only notes its call."""
    tools = tmp_path / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "systemctl").write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/called\n')
    (tools / "systemctl").chmod(0o755)
    environment = {"PATH": f"{tools}:{os.environ['PATH']}", "FOLDER": str(tmp_path / "tls")}
    environment |= {"OWNER": run("id", "-un").stdout.strip(), "RENEWED_LINEAGE": str(lineage)}
    return run(str(HOOK), env=environment | {"RENEWED_DOMAINS": "www.example.org cards.example.org"} | more)


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.parametrize("kind", ["rsa:2048", "ec"])
def test_hook_brings_a_key_that_the_server_takes(tmp_path: Path, kind: str) -> None:
    lineage = tmp_path / "live"
    make_certificate(lineage, kind)
    called = call_hook(tmp_path, lineage)
    assert called.returncode == 0, called.stderr
    key, crt = tmp_path / "tls" / "key.pem", tmp_path / "tls" / "certificate.pem"
    assert sorted(file.name for file in (tmp_path / "tls").iterdir()) == ["certificate.pem", "key.pem"]
    assert "BEGIN PRIVATE KEY" in key.read_text()
    assert [file.stat().st_mode & 0o777 for file in (key, crt, key.parent)] == [0o600, 0o600, 0o700]
    assert (tmp_path / "called").read_text() == "restart box-and-circle\n"
    with TlsSite(tmp_path / "var", TLS_CERTIFICATE=str(crt), TLS_KEY=str(key)) as site:
        assert site.answer.startswith(b"HTTP/1.1 200")


def test_hook_leaves_other_certificates_alone(tmp_path: Path, certificate: Path) -> None:
    assert call_hook(tmp_path, certificate, RENEWED_DOMAINS="www.example.org").returncode == 0
    assert not (tmp_path / "tls").exists()
    assert not (tmp_path / "called").exists()


def test_hook_refuses_a_key_of_another_certificate(tmp_path: Path, certificate: Path) -> None:
    assert call_hook(tmp_path, certificate).returncode == 0
    before = (tmp_path / "tls" / "key.pem").read_text()
    make_certificate(tmp_path / "other", "ec")
    shutil.copy(tmp_path / "other" / "privkey.pem", certificate / "privkey.pem")
    refused = call_hook(tmp_path, certificate)
    assert refused.returncode == 1
    assert "nothing was changed" in refused.stderr
    assert (tmp_path / "tls" / "key.pem").read_text() == before
    assert len(list((tmp_path / "tls").iterdir())) == 2
    assert (tmp_path / "called").read_text() == "restart box-and-circle\n"


def test_hook_is_sound_and_writes_where_the_settings_look() -> None:
    text, own = HOOK.read_text(), blocks_of_settings()[0]
    assert os.access(HOOK, os.X_OK)
    folder = Path(own["TLS_KEY"]).parent
    assert f"FOLDER:-{folder}}}" in text
    assert Path(own["TLS_CERTIFICATE"]).parent == folder
    for name in ("TLS_CERTIFICATE", "TLS_KEY"):
        assert f'"$FOLDER/{Path(own[name]).name}"' in text
    assert f"OWNER:-{unit()['Service']['User']}}}" in text
    assert f"NAME:-{own['ADDRESS'].removeprefix('https://')}}}" in text
    assert "UNIT:-box-and-circle}" in text
    checked = run(program("shellcheck"), str(HOOK))
    assert checked.returncode == 0, checked.stdout


class TlsSite(LiveSite):
    """The site with a certificate of its own; `answer` is what it said of its health."""

    answer = b""

    def wait_for_answer(self, seconds: float = 60) -> None:
        trusted = ssl.create_default_context(cafile=self.environment["TLS_CERTIFICATE"])
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process and self.process.poll() is None:
            try:
                with trusted.wrap_socket(connect(self.port), server_hostname="localhost") as line:
                    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    self.answer = line.recv(64)
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"The site did not open:\n{self.journal.read_text()[-3000:]}")


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


# The containers


@pytest.mark.thorough
def test_image_has_what_the_site_needs(compose: Any, tmp_path: Path) -> None:
    """The same files in an empty folder, the same command, and the probe of `compose.yaml`; no container engine."""
    for each in instructions("COPY"):
        *sources, target = each.split()
        for source in sources:
            place = tmp_path / "site" / target / (source if target == "./" else "")
            place.parent.mkdir(parents=True, exist_ok=True)
            if (PROJECT / source).is_dir():
                shutil.copytree(PROJECT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(PROJECT / source, place)
    _, _, *command = json.loads(instructions("CMD")[0])
    port = str(free_port())
    environment = {"PATH": os.environ["PATH"], "HOST": "127.0.0.1", "PORT": port, "VAR": str(tmp_path / "var")}
    environment |= {"DEMO": "1", "ADDRESS": compose["services"]["site"]["environment"]["ADDRESS"]}
    kind, _, *probe = compose["services"]["site"]["healthcheck"]["test"]
    assert kind == "CMD"
    assert str(default_of("PORT")) in probe[-1]
    probe[-1] = probe[-1].replace(str(default_of("PORT")), port)
    with (tmp_path / "journal").open("wb") as journal:
        site = subprocess.Popen(
            [sys.executable, "manage.py", *command], cwd=tmp_path / "site", env=environment, stdin=subprocess.DEVNULL,
            stdout=journal, stderr=journal,
        )  # fmt: skip
        try:
            until(lambda: site.poll() is not None or not run(sys.executable, *probe).returncode, limit=180)
            assert site.poll() is None, (tmp_path / "journal").read_text()
        finally:
            site.terminate()
            site.wait(60)
    assert (tmp_path / "var" / "demo-loaded").exists()


def test_image_is_made_from_files_that_exist() -> None:
    (base,) = instructions("FROM")
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert base == f"python:{version.removeprefix('>=')}-slim"
    assert "--require-hashes --requirement requirements-postgres.txt" in text_of("Containerfile")
    # For backups of the database that compose.yaml has.
    assert f"--no-install-recommends {programs.PACKAGE} " in text_of("Containerfile")
    sources = [source for each in instructions("COPY") for source in each.split()[:-1]]
    assert {source for source in sources if not (PROJECT / source).exists()} == set()
    assert {"clubs", "rules", "scoresheets", "templates", "static", "fixtures/demo"} <= set(sources)
    given = dict(pair.split("=", 1) for each in instructions("ENV") for pair in each.split())
    assert {name for name in given if not name.startswith("PYTHON")} <= settings_of_the_site()
    assert instructions("EXPOSE") == [given["PORT"]] == [str(default_of("PORT"))]
    assert instructions("VOLUME") == [given["VAR"]]
    assert instructions("USER") == [unit()["Service"]["User"]]
    assert instructions("WORKDIR") == [unit()["Service"]["WorkingDirectory"]]


def test_image_has_no_password_and_nothing_the_site_wrote(compose: Any) -> None:
    """compose.yaml has the password in `.env` beside it, which is below the folder that the image is made from."""
    assert "> .env" in text_of("compose.yaml")
    sources = {(PROJECT / source).resolve() for each in instructions("COPY") for source in each.split()[:-1]}
    assert not sources & {FOLDER, *FOLDER.parents}
    # Docker and Podman read it at the top of what they are given, and send nothing of what it names.
    context = (FOLDER / compose["services"]["site"]["build"]["context"]).resolve()
    left_out = (context / ".dockerignore").read_text().splitlines()
    assert {"**/.env", "var", ".venv", ".git"} <= set(left_out)
    assert not [line for line in left_out if line.startswith("!")]


def test_readme_of_the_folder_makes_an_owner_in_the_container(compose: Any) -> None:
    service, command = re.findall(r"docker compose exec (\w+) python manage.py (\w+) ", text_of("README.md"))[0]
    assert service in compose["services"]
    assert get_commands()[command] == "clubs"


def test_compose_agrees_with_the_image_and_the_settings(compose: Any) -> None:
    site, database = compose["services"]["site"], compose["services"]["database"]
    assert (FOLDER / site["build"]["context"] / site["build"]["dockerfile"]).resolve() == FOLDER / "Containerfile"
    environment = site["environment"]
    assert set(environment) <= settings_of_the_site()
    assert environment["ADDRESS"] == blocks_of_settings()[1]["ADDRESS"]
    port = default_of("PORT")
    # Only the web server on this machine reaches it, at the place the samples call.
    assert site["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"http://127.0.0.1:{port}/healthz" in site["healthcheck"]["test"][-1]
    assert site["ulimits"]["nofile"] == int(unit()["Service"]["LimitNOFILE"])
    named = [volume.split(":") for service in (site, database) for volume in service["volumes"]]
    assert {name for name, _ in named} == set(compose["volumes"])
    assert site["volumes"][0].split(":")[1] == instructions("VOLUME")[0]
    network = compose["networks"]["default"]["ipam"]["config"][0]
    assert environment["TRUSTED_PROXIES"] == network["gateway"]
    user, name = database["environment"]["POSTGRES_USER"], database["environment"]["POSTGRES_DB"]
    password = database["environment"]["POSTGRES_PASSWORD"]
    assert environment["DATABASE_URL"] == f"postgres://{user}:{password}@database:5432/{name}"
    assert database["healthcheck"]["test"][1:] == ["pg_isready", f"--username={user}", f"--dbname={name}"]
    assert set(site["depends_on"]) | {"site"} == set(compose["services"])


# All of them


def test_samples_name_settings_that_exist() -> None:
    assert len(blocks_of_settings()) == 2
    for block in blocks_of_settings():
        assert set(block) <= settings_of_the_site()
    assert {"HOST", "PORT", "ADDRESS", "DEMO"} <= set(blocks_of_settings()[1])
    assert not {"TLS_CERTIFICATE", "TLS_KEY"} & set(blocks_of_settings()[1])


def test_readme_of_the_folder_names_all_files_and_no_other() -> None:
    named = set(re.findall(r"`([\w.-]+)`", "".join(re.findall(r"^\|.*", text_of("README.md"), re.MULTILINE))))
    assert named == {file.name for file in FOLDER.iterdir() if file.suffix != ".md" and file.name != ".env"}
    for path in re.findall(r"`(tests/[\w/.]+)`", text_of("README.md")):
        assert (Path(django_settings.BASE_DIR) / path).exists()
