"""The settings of the site. Each can be given in the environment or in `.env`.

README.md has the table of those meant for the owner of a site.
"""

from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from clubs.site.databases import with_options
from clubs.site.secret_key import standing_secret

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(env.str("SETTINGS_FILE", default=str(BASE_DIR / ".env")))

# Everything the site writes lies in one folder: database, secret, backups, collected static files.
VAR = Path(env.str("VAR", default=str(BASE_DIR / "var"))).resolve()
VAR.mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or standing_secret(VAR / "secret")

# Where it is reached

HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000)
TLS_CERTIFICATE = env.str("TLS_CERTIFICATE", default="")
TLS_KEY = env.str("TLS_KEY", default="")
# The address people type, when it is not simply HOST and PORT: "https://cards.example.org".
ADDRESS = env.str("ADDRESS", default="").rstrip("/")
WORKERS = env.int("WORKERS", default=2)
# How many connections one address may keep open to each of them (clubs/server/connections.py).
CONNECTIONS_PER_ADDRESS = env.int("CONNECTIONS_PER_ADDRESS", default=1500)
# Seconds after which a request counts as stuck (clubs/server/watchdog.py). Nobody waits for the database longer than
# ten, and a phone gives up after fifteen.
LONGEST_REQUEST = env.float("LONGEST_REQUEST", default=30.0)

SERVED_OVER_TLS = ADDRESS.startswith("https://") or (not ADDRESS and bool(TLS_CERTIFICATE))

# Whose word is taken for where a request came from and whether it came over TLS. Who gives the site
# an https address but no certificate has a proxy in front of it, on this machine if nothing else is said.
TRUSTED_PROXIES = env.list(
    "TRUSTED_PROXIES", default=["127.0.0.1", "::1"] if SERVED_OVER_TLS and not TLS_CERTIFICATE else []
)

ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1", "[::1]"]
if HOST not in ("0.0.0.0", "::"):  # noqa: S104 - compared with, not bound to
    ALLOWED_HOSTS.append(f"[{HOST}]" if ":" in HOST else HOST)
CSRF_TRUSTED_ORIGINS = []
if ADDRESS:
    hostname = urlsplit(ADDRESS).hostname
    if hostname is None:
        raise ImproperlyConfigured(
            f"ADDRESS must be a whole address such as https://cards.example.org, not {ADDRESS!r}."
        )
    ALLOWED_HOSTS.append(hostname)
    CSRF_TRUSTED_ORIGINS.append(ADDRESS)

# What it is made of

INSTALLED_APPS = [
    "clubs",
    "scoresheets",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "django_tables2",
]

MIDDLEWARE = [
    "clubs.site.middleware.one_line_a_request",
    "clubs.site.middleware.any_host_for_a_probe",
    "clubs.site.middleware.programs_of_other_sites",
    "clubs.site.middleware.cookies_of_this_host",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "clubs.site.bundles.send_bundles",
    "csp.middleware.CSPMiddleware",
    # What an attacker could learn from lengths it hides behind padding of random length.
    "django.middleware.gzip.GZipMiddleware",
    "clubs.site.middleware.nothing_unreadable",
    "clubs.site.middleware.nothing_too_big",
    "clubs.site.middleware.no_sheet_in_a_search_engine",
    "clubs.site.middleware.no_club_and_no_sheet_in_a_store",
    "clubs.site.middleware.a_sentence_for_the_wrong_method",
    # Behind it nothing is read from the database, and nothing written, while a backup is restored.
    "clubs.site.maintenance.nobody_while_closed",
    "django.contrib.sessions.middleware.SessionMiddleware",
    # It sets Content-Length; without that, granian answers kept-alive requests in chunks.
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    # What is offered to be sent again has passed the one above.
    "clubs.site.middleware.NothingTooLate",
    "clubs.accounts.sessions.note_use_of_sessions",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "clubs.accounts.again.SignInAgain",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "clubs.access.owner_changes.tell_clubs_of_changes",
    "clubs.access.club_key.open_by_key",
]

ROOT_URLCONF = "clubs.urls"
WSGI_APPLICATION = "clubs.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
    "clubs.access.permissions.ClubBackend",
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The database

DATABASES = {"default": with_options(env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'box-and-circle.sqlite3'}"))}

# Static files

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "clubs.site.storage.HashedStaticFiles"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATIC_STORAGE},
}

# Language and time: stored in UTC, shown in the zone of the club

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# Security

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
# A sheet's address is its key: it must not travel to another site.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Over plain http browsers ignore it, and say so on the console of every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if SERVED_OVER_TLS else None

SESSION_COOKIE_SECURE = SERVED_OVER_TLS
CSRF_COOKIE_SECURE = SERVED_OVER_TLS
CSRF_FAILURE_VIEW = "clubs.site.error_views.stale_form"
SECURE_SSL_REDIRECT = SERVED_OVER_TLS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600 if SERVED_OVER_TLS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SERVED_OVER_TLS
# To have its name built into browsers is for the owner of a domain to ask for, not for a score sheet.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

# A sheet of 25 players and 18 hands posts a few hundred bytes; the largest sheet file is far below this.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 1

# Signing in: by a code that is mailed, else by a password; by a passkey where browsers allow one

LOGIN_URL = "account_request_login_code"
LOGIN_REDIRECT_URL = "clubs"
LOGOUT_REDIRECT_URL = "clubs"
ACCOUNT_ADAPTER = "clubs.accounts.adapter.Accounts"
ACCOUNT_FORMS = {
    "add_email": "clubs.accounts.forms.OtherAddress",
    "change_password": "clubs.accounts.forms.OtherPassword",
    "confirm_email_verification_code": "clubs.accounts.forms.TypeCodeForAddress",
    "confirm_login_code": "clubs.accounts.forms.TypeCode",
    "confirm_password_reset_code": "clubs.accounts.forms.TypeCodeForPassword",
    "login": "clubs.accounts.forms.SignIn",
    "reauthenticate": "clubs.accounts.forms.IsItYou",
    "request_login_code": "clubs.accounts.forms.AskForCode",
    "reset_password": "clubs.accounts.forms.AskForPassword",
    "reset_password_from_key": "clubs.accounts.forms.NewPassword",
    "set_password": "clubs.accounts.forms.FirstPassword",
}
ACCOUNT_LOGIN_METHODS = {"email"}
# Nobody signs up (clubs.accounts.adapter); but only with a password here has the form to sign in a field for one.
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
# Seconds: mail may take its time, and so may who reads it. Longer than this no code should last (tests/trust/security).
CODE_LASTS = 10 * 60
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = CODE_LASTS
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 5
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = CODE_LASTS
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = CODE_LASTS
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SERVED_OVER_TLS else "http"
# Who has neither password nor passkey signs in once more, with a code by email (`clubs.accounts.again`).
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
# A whole club sits behind one router: what one network may try is far above what it may try with one account. Nothing
# counts an account alone: whoever knows its address could keep its owner out (`clubs.accounts.adapter.from_network`).
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "login_failed": "100/m/ip,5/5m/key",
    "request_login_code": "120/m/ip",
    "reset_password": "60/m/ip",
    "mail_code": "3/m/key,15/h/key",
    "reset_password_from_key": "100/m/ip",
    "signup": "60/m/ip",
    # Guesses at the code that founds a club.
    "found_club": "20/10m/ip,10/10m/user",
    # ... and at the code of a guest.
    "claim": "60/10m/ip",
    "test_webhook": "10/10m/user",
    # Each looks a name up, and a name server may take its time.
    "name_webhook": "20/10m/user",
}
MFA_RATE_LIMITS = {"webauthn_login": "300/m/ip"}
MFA_SUPPORTED_TYPES = ["webauthn"] if SERVED_OVER_TLS else []
MFA_PASSKEY_LOGIN_ENABLED = SERVED_OVER_TLS
MFA_ADAPTER = "clubs.accounts.adapter.Passkeys"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "clubs.accounts.passwords.NotEasilyGuessed"},
]
# A browser stays signed in for two months after its last use: long enough for who comes to every second monthly night,
# and a phone that was lost or given away is out by itself. Until then its owner signs it out from another browser.
SESSION_ENGINE = "clubs.models.session"
SESSION_COOKIE_AGE = 60 * 24 * 3600
# However often it is used, it signs in anew after a year.
SIGNED_IN_AT_MOST = 365 * 24 * 3600

# Mail: where it goes. Without an address of a mail server it is printed where the site runs.
MAIL = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(MAIL)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str(
    "MAIL_FROM", default=f"Box & Circle <cards@{(ADDRESS and urlsplit(ADDRESS).hostname) or 'localhost'}>"
)

# Whether an organiser may have the site send messages to addresses in its own network (clubs/outbox/http_post.py), and
# without TLS.
PRIVATE_WEBHOOKS = env.bool("PRIVATE_WEBHOOKS", default=False)

# What all its processes must remember together for a while, such as who tried how often.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "clubs_cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Opening sheets without an account

OPEN_SHEETS_WITHOUT_ACCOUNT = env.bool("OPEN_SHEETS_WITHOUT_ACCOUNT", default=True)
OPEN_SHEETS_PER_HOUR = env.int("OPEN_SHEETS_PER_HOUR", default=60)
# How many hands one sheet may have; a long evening has thirty (scoresheets/log/limits.py).
HANDS_PER_SHEET = env.int("HANDS_PER_SHEET", default=120)
# A sheet nothing was written on but its set-up is swept away after so many hours.
BLANK_SHEETS_STAY_HOURS = env.int("BLANK_SHEETS_STAY_HOURS", default=24)
# Sheets without a club that nobody has opened for so many days are offered to the owner for deletion; 0: none ever.
SHEETS_FORGOTTEN_AFTER_DAYS = env.int("SHEETS_FORGOTTEN_AFTER_DAYS", default=365)

# The journal: one line a request, and everything that went wrong

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {message}", "style": "{"}},
    "handlers": {"terminal": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["terminal"], "level": "WARNING"},
    "loggers": {
        "clubs.requests": {"level": env.str("LOG_LEVEL", default="INFO")},
        "django": {"handlers": ["terminal"], "level": "WARNING", "propagate": False},
        # It writes raw paths, and the path of a sheet is its key; the line of the request says enough.
        "django.request": {"handlers": [], "level": "CRITICAL", "propagate": False},
        "django.security": {"handlers": [], "level": "CRITICAL", "propagate": False},
        "django.server": {"handlers": [], "level": "CRITICAL", "propagate": False},
    },
}
