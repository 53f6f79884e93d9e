"""The product's settings for tests that run in the process of pytest.

What differs from the product is here and nowhere else: the servers' addresses, a throw-away data folder, and two
things that only cost time. `TISCHLIGA_TEST_DB=sqlite` chooses the embedded set-up (SQLite, no Redis). A product
process that a test starts runs with `league.settings` itself.
"""

import os

from tests.servers import Servers

SERVERS = Servers(os.environ, sqlite=os.environ.get("TISCHLIGA_TEST_DB") == "sqlite")
os.environ["DATA_DIR"] = str(SERVERS.folder / "data")

from league.settings import *  # noqa: E402, F403 - league.settings reads the environment that was just set
from league.settings import DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

if os.environ.get("TISCHLIGA_TEST_DB") == "sqlite":
    # A file, not memory: other threads and the product's own processes share it.
    DATABASES["default"]["TEST"] = {"NAME": str(SERVERS.folder / "tests.sqlite3")}

# The first is quick; the second is the product's own, for users who log in to a running product.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
# Most tests send more in a minute than a program does; those of the limit set one.
RATE_LIMIT = 0
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
# Nothing is collected for tests, but the middleware that serves static files asks for the folder.
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
