"""The settings of the site, in a folder of their own that is gone when the tests are done."""

import atexit
import os
import shutil
import tempfile

VAR_OF_THE_TESTS = tempfile.mkdtemp(prefix="box-and-circle-tests-")
atexit.register(shutil.rmtree, VAR_OF_THE_TESTS, ignore_errors=True)

# What the owner of this machine has set for the site is not for the tests.
for name in (
    "ADDRESS",
    "ALLOWED_HOSTS",
    "CONNECTIONS_PER_ADDRESS",
    "DEBUG",
    "EMAIL_URL",
    "HANDS_PER_SHEET",
    "HOST",
    "HSTS_SECONDS",
    "MAIL_FROM",
    "OPEN_SHEETS_PER_HOUR",
    "OPEN_SHEETS_WITHOUT_ACCOUNT",
    "PORT",
    "PRIVATE_WEBHOOKS",
    "SECRET_KEY",
    "TIME_ZONE",
    "TLS_CERTIFICATE",
    "TLS_KEY",
    "TRUSTED_PROXIES",
    "WORKERS",
):
    os.environ.pop(name, None)
os.environ["SETTINGS_FILE"] = os.devnull
os.environ["VAR"] = VAR_OF_THE_TESTS

from clubs.settings import *  # noqa: E402, F403
from clubs.settings import DATABASES, LOGGING, STORAGES, VAR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Plain names, so that the tests need no collected files.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True

if DATABASES["default"]["ENGINE"] == "clubs.sqlite":
    # A file, because a database in memory knows neither the write-ahead log nor a second writer.
    # No power cut is expected during a test, so nothing waits for the disk.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"] = DATABASES["default"]["OPTIONS"] | {
        "init_command": DATABASES["default"]["OPTIONS"]["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    }

# pytest shows what was logged beside the test that failed. A terminal it has none: its own was put aside.
LOGGING["handlers"] = {"terminal": {"class": "logging.NullHandler"}}
