"""Every setting of the product, driven by environment variables; docs/operations.md has the table of them.

Nothing has to be set: without any variable this is the embedded set-up (SQLite, a broker of files, one
machine). `DATABASE_URL` and `REDIS_URL` turn the same code into the set-up with servers. `SITE_URL` is the one
variable that a public installation needs: hosts, CSRF origins and cookie flags follow from it.
"""

import os
import secrets
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

VERSION = "0.1.0"
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR") or BASE_DIR / "data").absolute()


def _use_a_sound_sqlite() -> None:
    """Prefer the bundled SQLite where Python's own is below 3.51.3: those corrupt a WAL that is reset while read."""
    import sqlite3

    if sqlite3.sqlite_version_info < (3, 51, 3):
        try:
            import pysqlite3
        except ImportError:  # not shipped for this platform: the system's SQLite has to do
            return
        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2


def _secret_key() -> str:
    """`SECRET_KEY`, else the key in the data folder, made at the first start and readable by its owner alone."""
    given = os.environ.get("SECRET_KEY")
    if given:
        return given
    path = DATA_DIR / "secret-key"
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        # Not the process's number: in containers that share the folder each has the same.
        candidate = path.with_name(f"secret-key.{secrets.token_hex(8)}")
        descriptor = os.open(candidate, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(file.fileno())
        # link() never replaces: when web and worker start together, the first key wins and is read whole.
        try:
            os.link(candidate, path)
        except FileExistsError:
            pass
        finally:
            candidate.unlink()
    return path.read_text().strip()


def _number(name: str, default: int) -> int:
    """A variable that holds a whole number, 0 or above."""
    text = os.environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ImproperlyConfigured(f"{name} is {text!r}: give a whole number from 0.")
    return int(text)


def _site_url() -> str:
    url = os.environ.get("SITE_URL", "").rstrip("/")
    if url:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path:
            raise ImproperlyConfigured(
                f"SITE_URL is {url!r}: give scheme and host only, as in https://liga.example.org"
            )
    return url


def _switch(name: str) -> bool:
    """Whether the variable is 1; unset or 0 is off."""
    value = os.environ.get(name) or "0"
    if value not in {"0", "1"}:
        raise ImproperlyConfigured(f"{name} is {value!r}: give 1 for on or 0 for off.")
    return value == "1"


_use_a_sound_sqlite()

SECRET_KEY = _secret_key()
DEBUG = False
SITE_URL = _site_url()
_site = urlsplit(SITE_URL)
_https = _site.scheme == "https"
# The loopback names stay allowed beside the public one: health checks ask there.
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *([_site.hostname] if _site.hostname else [])]
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []

INSTALLED_APPS = [
    "league.apps.LeagueConfig",
    "api.apps.ApiConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "league.web.board_keys.keep_keys",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
AUTH_USER_MODEL = "league.User"
LOGIN_URL = "web:login"
LOGIN_REDIRECT_URL = "web:home"
LOGOUT_REDIRECT_URL = "web:home"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "league" / "web" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["league.web.words"],
        },
    }
]

# --- Database -------------------------------------------------------------------------------------------------------

DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'tischliga.sqlite3'}",
        conn_max_age=60,
        conn_health_checks=True,
    )
}
_database = DATABASES["default"]
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database["OPTIONS"] = {
        # Every transaction takes the write lock at its start: a read that turns into a write can't fail half-way.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: NORMAL may lose the last commits on a power cut, and an acknowledged result must not be lost.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
elif _database["ENGINE"] == "django.db.backends.postgresql":
    # A request that waits this long for a lock gives up with an error that asks for a repeat.
    _database.setdefault("OPTIONS", {})["options"] = "-c lock_timeout=10s -c idle_in_transaction_session_timeout=60s"
    _database["OPTIONS"].setdefault("connect_timeout", 5)
else:
    raise ImproperlyConfigured("DATABASE_URL must start with postgres:// or sqlite://")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Celery: the doorbell of the jobs table (docs/architecture.md) ----------------------------------------------------

REDIS_URL = os.environ.get("REDIS_URL", "")
# Above the longest task: Redis hands a message out again when it was not acknowledged for so long.
_visibility_timeout = 3600
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_PUBLISH_RETRY = False
CELERY_IMPORTS = (
    "league.services.bot_chunks",
    "league.services.deliveries",
    "league.services.figures",
    "league.services.imports",
    "league.services.par",
    "league.services.tournament_file_jobs",
    "league.services.tournament_jobs",
)
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": _visibility_timeout,
        # Both at 1: messages of a killed worker come back within seconds of the time-out, not minutes.
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        # A request waits for its ring: one that finds no broker, or one that hangs, gives up soon, and the sweep
        # rings again. A worker, which waits for messages, has more patience (league/celery.py).
        "socket_timeout": 2,
        "socket_connect_timeout": 2,
        "max_retries": 0,
        "socket_keepalive": True,
        "health_check_interval": 25,
    }
    CELERY_BROKER_CHANNEL_ERROR_RETRY = True
    CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": _visibility_timeout}
    CELERY_VISIBILITY_TIMEOUT = _visibility_timeout
else:
    _broker = DATA_DIR / "broker"
    # Here, since web server and worker both fail without them, whichever comes first.
    for _folder in (_broker / "queue", _broker / "control"):
        _folder.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "folder://localhost"  # league/broker.py
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_broker / "queue"),
        "data_folder_out": str(_broker / "queue"),
        "control_folder": str(_broker / "control"),
        "polling_interval": 0.1,
    }

# --- API --------------------------------------------------------------------------------------------------------------

# Requests a minute by one token or one login, where a token has no limit of its own; 0 for none.
RATE_LIMIT = _number("RATE_LIMIT", 600)

# How many deals of each game the bots of every club play each other at night; 0 for none.
BOT_LEAGUE_DEALS = _number("BOT_LEAGUE_DEALS", 0)
# For how many days the moves of a bot match are kept, to be looked at card by card; 0 for ever.
BOT_RECORD_DAYS = _number("BOT_RECORD_DAYS", 365)
# For how many seconds a bot may think about one choice before a worker gives the attempt up; 0 for ever.
BOT_CHOICE_SECONDS = _number("BOT_CHOICE_SECONDS", 60)
# How many bot matches of a club may be queued or running at once, those of the nightly league apart.
BOT_MATCHES_OPEN = _number("BOT_MATCHES_OPEN", 20)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.authentication.HasCredentials"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.negotiation.AlwaysJSON",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.handler",
    "UNAUTHENTICATED_USER": None,
    # `format` is a filter of sessions, not a choice of renderers.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tischliga",
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/(clubs/{club}/)?",
    # Shapes that come in and shapes that go out are classes of their own.
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "BotMatchState": "league.models.JobState",
        "DeliveryState": "league.models.DeliveryState",
        "EntryStatus": "league.models.EntryStatus",
        "InviteState": "league.models.InviteState",
        "ImportGameAction": "api.serializers.imports.GAME_ACTIONS",
        "ImportPlayerAction": "api.serializers.imports.PLAYER_ACTIONS",
        "ImportState": "league.models.ImportState",
        "JobKind": "league.models.JobKind",
        "NewTokenScope": "league.services.tokens.SCOPES",
        "OutlookAnswer": "api.serializers.outlook.ANSWERS",
        "OutlookReason": "api.serializers.outlook.REASONS",
        "MatchSourceKind": "api.serializers.tournament_rounds.SOURCES",
        "MatchState": "api.serializers.tournament_rounds.STATES",
        "OutlookVerdict": "api.serializers.outlook.VERDICTS",
        "PairWishKind": "api.serializers.tournaments.WISHES",
        "PlayerKind": "league.models.PlayerKind",
        "ReportFileFormat": "api.serializers.tournament_files.FORMATS",
        "RevisionKind": "league.models.RevisionKind",
        "RoundStatus": "league.models.RoundStatus",
        "SeasonStatus": "league.models.SeasonStatus",
        "SessionFormat": "league.models.SessionFormat",
        "SessionStatus": "league.models.SessionStatus",
        "StageFormat": "league.models.StageFormat",
        "StageStatus": "league.models.StageStatus",
        "TieBreakCode": "league.models.TieBreakCode",
        "TokenScope": "league.models.Scope",
        "TournamentStatus": "league.models.TournamentStatus",
        "TournamentTableKind": "league.models.TournamentTableKind",
        "TournamentTieBreak": "api.serializers.tournaments.TIE_BREAK_CODES",
    },
    "PATH_CONVERTER_OVERRIDES": {
        "id": {"type": "integer", "minimum": 1, "maximum": 10**18 - 1},
        "slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    },
    "GET_LIB_DOC_EXCLUDES": "api.schema.library",
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "api.schema.finish"],
}

# --- Webhooks ---------------------------------------------------------------------------------------------------------

# Off: a member who may set up webhooks must not reach what only this server can.
WEBHOOK_ALLOW_PRIVATE = _switch("WEBHOOK_ALLOW_PRIVATE")

# --- Languages, pages, static files -----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
FORMAT_MODULE_PATH = ["league.web.formats"]
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
TIME_ZONE = os.environ.get("TIME_ZONE") or "Europe/Berlin"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or DATA_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "league" / "web" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- Mail -------------------------------------------------------------------------------------------------------------


def _mail(url: str) -> dict[str, Any]:
    """Django's settings for an `EMAIL_URL`; none where it is empty, and then nothing is ever sent."""
    parts = urlsplit(url)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname or parts.path not in {"", "/"}:
        raise ImproperlyConfigured(
            "EMAIL_URL begins with smtp://, smtp+tls:// or smtps:// and names a host, as in "
            "smtp+tls://user:password@mail.example.org:587 (or it is console:// for trying out)."
        )
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured("The port in EMAIL_URL is no number from 0 to 65535.") from error
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or ports[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
    }


MAIL_ENABLED: bool = bool(os.environ.get("EMAIL_URL"))
if MAIL_ENABLED:
    globals().update(_mail(os.environ["EMAIL_URL"]))
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM") or f"Tischliga <tischliga@{_site.hostname or 'localhost'}>"

# --- Security ---------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "base-uri": [NONE],
        "object-src": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
SESSION_ENGINE = "league.web.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = _https
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = _https
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
CSRF_FAILURE_VIEW = "league.web.errors.csrf_failure"
if _https:
    # TLS ends at a proxy, which has to set this header itself (docs/operations.md).
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# How many proxies stand before this server, each adding to X-Forwarded-For whom it was asked by. 0: that header is
# anyone's to write, and only the connection tells an address.
PROXIES = _number("PROXIES", 1 if _https else 0)
# A link for a new password, in seconds.
PASSWORD_RESET_TIMEOUT = 24 * 3600
# A club's host is often one of many under a domain: speaking for all of them (W005) or for ever (W021) is not ours.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"secrets": {"()": "league.web.log_secrets.WithoutSecrets"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["secrets"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"league": {"level": "INFO"}},
}
