"""The history of a session: what it said after each change, who made it and why.

Terms: a *revision* is the whole session as it was after one change; its number is the session's `revision` of then.
Promises: rows are added and never changed or removed; they hold ids of players, never names, so that erasing a person
leaves the history whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.sessions import Session
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class RevisionKind(models.TextChoices):
    RECORDED = "recorded", _("recorded")
    ROUND_RECORDED = "round_recorded", _("round recorded")
    SEATS_CHANGED = "seats_changed", _("seats changed")
    ENDED = "ended", _("ended early")
    CORRECTED = "corrected", _("corrected")
    VOIDED = "voided", _("voided")
    RESTORED = "restored", _("restored")
    CONFIRMED = "confirmed", _("confirmed")
    DISPUTED = "disputed", _("disputed")


class SessionRevision(ClubOwned):
    """A session as it was after one change."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="revisions", verbose_name=_("session"))
    number = models.PositiveIntegerField(_("number"), help_text=_("From 1."))
    kind = models.CharField(_("kind"), max_length=14, choices=RevisionKind)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    at = models.DateTimeField(_("at"))
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    # Filled in by `history`.
    changes: "list[Difference]"

    data = models.JSONField(_("data"), help_text=_("The session in whole: seats, rounds, scores, status."))

    class Meta:
        verbose_name = _("revision of a session")
        verbose_name_plural = _("revisions of sessions")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="revision_number_once_a_session"),
            models.CheckConstraint(condition=models.Q(kind__in=RevisionKind.values), name="revision_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.session}: {self.number}"


@dataclass(frozen=True, slots=True)
class Difference:
    """One place of a session that a revision changed: a JSON Pointer (RFC 6901); None where there was or is nothing."""

    path: str
    before: Any
    after: Any


def differences(before: Any, after: Any, path: str = "") -> Iterator[Difference]:
    """Yield where two snapshots differ, in the order of the fields; lists are compared place by place."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from differences(before.get(key), after.get(key), f"{path}/{key}")
    elif isinstance(before, list) and isinstance(after, list):
        for index, (old, new) in enumerate(zip_longest(before, after)):
            yield from differences(old, new, f"{path}/{index}")
    elif before != after:
        yield Difference(path, before, after)


def history(session: Session) -> list[SessionRevision]:
    """All revisions, oldest first, each with `changes`: what is different from the one before."""
    found = list(SessionRevision.objects.filter(session=session).select_related("user", "token").order_by("number"))
    before: Any = None
    for one in found:
        one.changes = list(differences(before, one.data)) if before is not None else []
        before = one.data
    return found
