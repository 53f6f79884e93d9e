"""Log lines without the secrets that some addresses are: table links, invitations, calendars, new passwords, set-up.

Django logs the path of every request that is refused, and two phones that enter the same round are refused every time.
Promises: who reads the log can open nothing with it. Never: changes what an address without a secret looks like.
"""

import logging
import re

_SECRET = re.compile(r"(/(?:table|invites|setup)/|/account/reset/|/[^/]+/calendar/)[^/].*", re.DOTALL)


class WithoutSecrets(logging.Filter):
    """Put `…` in place of each secret among the arguments of a line; lets every line pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        """True; the record is changed."""
        if isinstance(record.args, tuple):
            record.args = tuple(_masked(one) for one in record.args)
        return True


def _masked(argument: object) -> object:
    if isinstance(argument, str) and (found := _SECRET.fullmatch(argument)):
        return found[1] + "…"
    return argument
