"""Where login sessions are kept: the database, as the framework does it.

Promises: a cookie that can't be a session's key is no session, and the database is not asked about it. A quoted
cookie may hold any character by its octal number; at a NUL, PostgreSQL's driver raises instead of finding nothing.
"""

import re

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

_KEY = re.compile(r"[0-9a-z]{32}")


class SessionStore(DatabaseStore):
    """The framework's sessions, with keys of the one form that it makes."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and _KEY.fullmatch(key) is not None
