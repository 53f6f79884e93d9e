"""Players: the people and bots who sit at a club's tables.

Terms: a *player* plays, with or without a login; a *guest* plays without belonging to the club; a *bot* is played by
a program of `games/bots`. Promises: within a club a name is unique whatever its case, so that programs may name
players by name.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Member
from league.models.tenancy import ClubOwned


class PlayerKind(models.TextChoices):
    PERSON = "person", _("person")
    BOT = "bot", _("bot")


def name_key(name: str) -> str:
    """The form in which two names are compared: Unicode NFKC, case folded, single spaces, nothing invisible."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    folded = unicodedata.normalize("NFKC", seen).casefold()
    # Once more, since folding takes some letters apart, as the Greek ΐ.
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def public_name(prefix: str = "") -> models.Case:
    """`Player.public_name` in a query; `prefix` leads to the player, as `player__`."""
    return models.Case(
        models.When(**{f"{prefix}nickname": ""}, then=models.F(f"{prefix}name")), default=models.F(f"{prefix}nickname")
    )


class Player(ClubOwned):
    """A person or bot who plays; may be linked to a member, may be a guest."""

    name = models.CharField(_("name"), max_length=60)
    # Stored, since SQLite folds the case of ASCII letters only and "Özlem" has to meet "özlem" on both databases.
    name_key = models.CharField(max_length=180, editable=False)
    nickname = models.CharField(
        _("nickname"), max_length=60, blank=True, help_text=_("Shown instead of the name to all but members.")
    )
    kind = models.CharField(_("kind"), max_length=6, choices=PlayerKind, default=PlayerKind.PERSON)
    bot = models.CharField(_("bot"), max_length=30, blank=True, help_text=_("Which bot plays; empty for people."))
    member = models.OneToOneField(
        Member,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="player",
        verbose_name=_("member"),
    )
    is_guest = models.BooleanField(_("guest"), default=False)
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)
    merged_into = models.ForeignKey(
        "self",
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="merged",
        verbose_name=_("merged into"),
        help_text=_("The player who has this one's results now."),
    )
    erased_at = models.DateTimeField(_("erased at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name_key"], name="player_name_once_a_club"),
            models.CheckConstraint(condition=~models.Q(name_key=""), name="player_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(kind="person", bot="") | (models.Q(kind="bot") & ~models.Q(bot="")),
                name="player_bot_named_for_bots_only",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="person") | models.Q(member=None, is_guest=False),
                name="player_bot_is_no_member_or_guest",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def public_name(self) -> str:
        """The name that is shown to those who are no members of the club."""
        return self.nickname or self.name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        self.name = " ".join(self.name.split())
        self.name_key = name_key(self.name)
        if update_fields is not None and "name" in update_fields:
            update_fields = {*update_fields, "name_key"}
        super().save(*args, update_fields=update_fields, **kwargs)


class PlayerMerge(ClubOwned):
    """One player's results given to another, with what is needed to take that back."""

    source = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", verbose_name=_("merged player"))
    target = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", verbose_name=_("remaining player"))
    sessions = models.JSONField(
        _("sessions"), default=list, help_text=_("Ids of the sessions in which the merged player sat.")
    )
    member = models.ForeignKey(
        Member,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("member"),
        help_text=_("Whom the merged player was linked to."),
    )
    was_archived_at = models.DateTimeField(_("was archived at"), null=True, blank=True)
    merged_at = models.DateTimeField(_("merged at"))
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(source=models.F("target")), name="merge_of_two_players"),
            models.UniqueConstraint(fields=["source"], condition=models.Q(undone_at=None), name="merge_once_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.source} → {self.target}"
