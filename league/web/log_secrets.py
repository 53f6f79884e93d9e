"""Log lines without the secrets that some addresses are: table links, invitations, calendars, new passwords, set-up.

Django logs the path of every request that is refused, and two phones that enter the same round are refused every time.
Promises: who reads the log can open nothing with it, and a request that was refused is one line of it, without the way
through the program. Never: changes what an address without a secret looks like.
"""

import logging
import re

_SECRET = re.compile(r"(/(?:table|invites|setup)/|/account/reset/|/[^/]+/calendar/)[^/].*", re.DOTALL)


class WithoutSecrets(logging.Filter):
    """Put `…` in place of each secret among the arguments of a line, of what was refused keep the line alone.

    It lets every line pass.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """True; the record is changed."""
        if isinstance(record.args, tuple):
            record.args = tuple(_masked(one) for one in record.args)
        # Django tells the answer's status beside.
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = None
        return True


def _masked(argument: object) -> object:
    if isinstance(argument, str) and (found := _SECRET.fullmatch(argument)):
        return found[1] + "…"
    return argument
