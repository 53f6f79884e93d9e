"""Mail that the product sends: links for a new password, and nothing else.

Promises: a page answers in the same time whether a mail is sent or not, so that nobody learns from it which addresses
are known here; a mail that can't be sent is logged. Without `EMAIL_URL` nothing is ever sent.
"""

import logging
from concurrent.futures import Future, ThreadPoolExecutor

from django.conf import settings
from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

# One thread a process, which begins with its first mail.
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def is_configured() -> bool:
    """Whether this installation can send mail."""
    return settings.MAIL_ENABLED


def send(message: EmailMessage) -> "Future[bool]":
    """Send a mail soon; the result is whether that worked."""
    return _sender.submit(_send, message)


def _send(message: EmailMessage) -> bool:
    try:
        return bool(message.send())
    except Exception:
        # Whatever the mail server does must not end the thread. The address is nobody's business but its owner's.
        logger.exception("a mail could not be sent; is EMAIL_URL right?")
        return False
