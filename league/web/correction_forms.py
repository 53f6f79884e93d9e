"""Forms that correct what is stored: a round, a session, or whether it stands at all.

Terms: a form is *stale* when the session has another revision than the one it was made for. Promises: a stale form
keeps what was typed; what was not touched becomes what is stored now.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.models import Club, Player, Season, SeasonStatus, Session, SessionStatus
from league.models.sheets import ScoreSheet, SheetRound
from league.services.corrections import MAXIMUM_REASON
from league.services.errors import Path, Stale
from league.services.evenings import SessionInput
from league.services.players import PlayerRef
from league.services.wording import game_title
from league.web.fields import WholeNumberField
from league.web.forms import PlayerNameField, RoundForm, ServiceForm, date_field

T = TypeVar("T")

# The name of the button that asks what would move.
PREVIEW = "preview"


class ReasonForm(ServiceForm):
    """Why something is done, and the revision of the session that was seen when it was decided."""

    reason = forms.CharField(
        label=_l("Reason"),
        max_length=MAXIMUM_REASON,
        help_text=_l("Stands in the session's history, which members of the club can read."),
    )
    revision = WholeNumberField(widget=forms.HiddenInput, required=False)

    # Whether the session was changed by others between the reading of the page and this moment.
    overtaken = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Whoever only looks need not say why.
        self.fields["reason"].required = not self.is_preview

    @property
    def is_preview(self) -> bool:
        """Whether nothing is to be stored."""
        return PREVIEW in self.data

    @property
    def expected(self) -> int:
        """The revision that the form was made for; 0, which there never is, where it does not say."""
        return self.cleaned_data.get("revision") or 0

    @property
    def said(self) -> str:
        """The reason, or a stand-in where none is needed."""
        return self.cleaned_data["reason"] or "\N{EN DASH}"

    def attempt(self, call: Callable[[], T]) -> T | None:
        try:
            return super().attempt(call)
        except Stale:
            self.overtaken = True
            return None

    def renew(self, revision: int) -> None:
        """Make the form one for another revision: fields that nobody touched take what is stored then."""
        # Of a form that a browser sent.
        data = cast(QueryDict, self.data).copy()
        for name in self.fields:
            field = self[name]
            if not field.field.show_hidden_initial:
                continue
            present = field.initial
            untouched = field.html_initial_name in data and name not in self.changed_data
            if untouched or field.html_name not in data:
                _put(data, field.html_name, present)
            _put(data, field.html_initial_name, present)
        data["revision"] = str(revision)
        self.data = data


def _put(data: Any, name: str, value: Any) -> None:
    if value is None or value is False:
        # As a browser sends an empty select or a box without a tick.
        data.pop(name, None)
    else:
        data[name] = str(value)


def _remember(form: forms.Form, *names: str) -> None:
    """Let the page bear what these fields were when it was made."""
    for name in names:
        form.fields[name].show_hidden_initial = True


class RoundCorrectionForm(ReasonForm, RoundForm):
    """A stored round as it should have been noted down: the form of a new round, filled in."""

    # Which round is meant, the address says.
    number = None  # type: ignore[assignment]  # how a form drops an inherited field

    def __init__(self, *args: Any, round_: SheetRound, sheet: ScoreSheet, revision: int, **kwargs: Any) -> None:
        scores = {one.player: cell for one, cell in zip(sheet.players, round_.cells, strict=True) if cell is not None}
        kind = "place" if all(cell.points is None for cell in scores.values()) else "points"
        initial: dict[str, Any] = {
            "game": round_.game.key,
            "note": round_.note,
            "kind": kind,
            "revision": revision,
            **{f"score_{player.pk}": cell.place if kind == "place" else cell.points for player, cell in scores.items()},
        }
        super().__init__(*args, players=list(scores), following=round_.game.key, initial=initial, **kwargs)
        _remember(self, "game", "note", "kind", *(f"score_{player.pk}" for player in scores))


class SessionCorrectionForm(ReasonForm):
    """What stands at the head of a score sheet, who sat there, and whether the last round belongs to it."""

    season = forms.TypedChoiceField(label=_l("Season"), required=False, coerce=int, empty_value=None)
    played_on = date_field(label=_l("Played on"))
    location = forms.CharField(label=_l("Location"), max_length=100, required=False)
    comment = forms.CharField(label=_l("Comment"), max_length=500, required=False)
    take_away = forms.BooleanField(required=False)
    go_on = forms.BooleanField(
        label=_l("Let the session go on"),
        required=False,
        help_text=_l("Rounds that are missing can be entered then; until its end the session counts for nothing."),
    )

    def __init__(self, *args: Any, club: Club, sheet: ScoreSheet, **kwargs: Any) -> None:
        session = sheet.session
        initial = {
            "season": session.season_id if session.season_id is not None else "",
            "played_on": session.played_on.isoformat(),
            "location": session.location,
            "comment": session.comment,
            "revision": session.revision,
            **{_seat(one.player): one.player.name for one in sheet.players},
        }
        super().__init__(*args, initial=initial, **kwargs)
        self._sheet = sheet
        self.fields["season"].choices = _seasons(club, session)  # type: ignore[attr-defined]
        if not sheet.rounds:
            del self.fields["take_away"]
        else:
            last = sheet.rounds[-1]
            words = {"number": last.number, "game": game_title(last.game)}
            self.fields["take_away"].label = _("Take away the last round: %(number)d. %(game)s") % words
        if session.status == SessionStatus.OPEN:
            del self.fields["go_on"]
        active = list(Player.objects.filter(club=club, archived_at=None).values_list("pk", "name", "name_key"))
        self.names = [name for _pk, name, _key in active]
        # Whoever sits there may stay though archived since.
        self._ids = {one.player.name_key: one.player.pk for one in sheet.players} | {
            key: pk for pk, _name, key in active
        }
        for one in sheet.players:
            label = _seat_label(one.seat, one.from_round, one.until_round)
            self.fields[_seat(one.player)] = PlayerNameField(label=label, ids=self._ids)
            self.fields[_seat(one.player)].required = True
        _remember(self, "season", "played_on", "location", "comment", *(_seat(one.player) for one in sheet.players))

    @property
    def seats(self) -> list[forms.BoundField]:
        return [self[_seat(one.player)] for one in self._sheet.players]

    @property
    def steps(self) -> list[forms.BoundField]:
        """The boxes that change how many rounds there are."""
        return [self[name] for name in ("take_away", "go_on") if name in self.fields]

    def field_of(self, path: Path) -> str | None:
        match path:
            case ("players", int(index), *_rest):
                seats = list(self._sheet.session.seats.all())
                return f"seat_{seats[index].player_id}"
            case ("status",):
                return "go_on" if "go_on" in self.fields else None
            case ("rounds", *_rest):
                return "take_away" if self.cleaned_data.get("take_away") else None
        return super().field_of(path)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        known = frozenset(self._ids.values())
        for name in (_seat(one.player) for one in self._sheet.players):
            # Told here: the service would say it again for each round.
            if name in data and data[name] not in known:
                message = _("No active player of this club is “%(player)s”: give the id or the name of one.")
                self.add_error(name, message % {"player": data[name]})
        complete = len(self._sheet.rounds) >= self._sheet.session.planned_rounds
        if data.get("go_on") and complete and not data.get("take_away"):
            self.add_error("go_on", _("All rounds agreed are there: take the last one away as well."))
        return data

    def changes(self, stored: SessionInput) -> Mapping[str, Any]:
        """What the session is to be, as `corrections.correct` takes it."""
        data = self.cleaned_data
        comes: dict[PlayerRef, int] = {one.player.pk: data[_seat(one.player)] for one in self._sheet.players}
        rounds = stored.rounds[:-1] if data.get("take_away") else stored.rounds
        return {
            **{name: data[name] for name in ("season", "played_on", "location", "comment")},
            "players": tuple(replace(seat, player=comes.get(seat.player, seat.player)) for seat in stored.players),
            "rounds": tuple(
                replace(
                    one,
                    scores=tuple(replace(score, player=comes.get(score.player, score.player)) for score in one.scores),
                )
                for one in rounds
            ),
            **({"status": SessionStatus.OPEN} if data.get("go_on") else {}),
        }


def _seat(player: Player) -> str:
    return f"seat_{player.pk}"


def _seat_label(seat: int, first: int, last: int | None) -> str:
    words = {"number": seat + 1, "first": first, "last": last}
    if last is not None:
        return _("Seat %(number)d, rounds %(first)d to %(last)d") % words
    return (_("Seat %(number)d, from round %(first)d on") if first > 1 else _("Seat %(number)d")) % words


def _seasons(club: Club, session: Session) -> list[tuple[int | str, str]]:
    seasons = Season.objects.filter(club=club, status=SeasonStatus.OPEN).select_related("league")
    found: dict[int | str, str] = {one.pk: str(one) for one in seasons}
    if session.season is not None:
        found.setdefault(session.season.pk, str(session.season))
    return [*found.items(), ("", _("none"))]
