"""A person forgotten: what says who a player is goes for good, the results stay.

Promises: afterwards no row of the club holds the name but free text that people wrote (comments, locations); the player
drops out of tournaments that are not finished; a repeat of a request under an earlier Idempotency-Key still has no
second effect. There is no way back.
"""

import html
import json
import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from league.exchange import archive_plays, csv_plays
from league.models import (
    OVER,
    ApiToken,
    AuditEvent,
    Club,
    EntryStatus,
    IdempotencyRecord,
    ImportBatch,
    ImportState,
    Invite,
    Job,
    JobState,
    Member,
    Player,
    PlayerMerge,
    Role,
    Seat,
    Session,
    Tournament,
    TournamentEntry,
    TournamentSeat,
    TournamentStatus,
    name_key,
)
from league.models.clubs import new_board_state
from league.services import audit, board_states, tournament_drop_outs, tournament_file_jobs
from league.services.access import Access
from league.services.errors import Conflict, NeedsConfirmation, NotFound, Problem, overtaken

CONFIRM = "erase"


def erase(*, access: Access, player_id: int, confirmed: bool, now: datetime) -> Player:
    """Make a player, and those merged into it, nobody known: a neutral name, no member, archived.

    Raises NeedsConfirmation (`erase`) unless confirmed, Conflict for a bot, which is no person, and for one erased
    before.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        tournament_file_jobs.lock_files(club=access.club)
        tournaments = _locked_tournaments(access, player_id)
        player = Player.objects.select_for_update(of=("self",)).filter(club=access.club, pk=player_id).first()
        if player is None:
            raise NotFound(player_id)
        if player.bot:
            raise Conflict("not_a_person", _("A bot is no person: archive it."))
        if player.erased_at is not None:
            raise Conflict("player_erased", _("This player is erased already."))
        if not confirmed:
            message = _("The name is gone for good: this can't be undone. All results stay.")
            raise NeedsConfirmation([Problem(("confirm",), CONFIRM, message)])
        erased = [player, *_merged_into(player)]
        tournament_file_jobs.drop_files(access=access, players=erased, now=now)
        for one in erased:
            _erase(access.club, one, now)
        _withdraw(access, player, now)
        Tournament.objects.filter(pk__in=tournaments).update(version=F("version") + 1, board_state=new_board_state())
        audit.write(access=access, action="player.erased", object_id=player.pk, data={}, now=now)
        board_states.renew_club(access.club.pk)
    return player


def _locked_tournaments(access: Access, player_id: int) -> list[int]:
    """Lock the tournaments that the player has entered, after the sessions there, as whoever records a result does.

    Also where somebody sits in for the player: the drop-out may end those. Raises Conflict where one is new since.
    """
    of_seats = Seat.objects.filter(player=player_id, session__table__isnull=False).values("session")
    of_entries = TournamentSeat.objects.filter(entry__player=player_id).values("table")
    sessions = Session.objects.filter(Q(pk__in=of_seats) | Q(table__in=of_entries), club=access.club)
    held = {one.pk for one in sessions.select_for_update(of=("self",)).order_by("pk")}
    entered = TournamentEntry.objects.filter(player=player_id).values("tournament")
    locked = Tournament.objects.select_for_update(of=("self",)).filter(club=access.club, pk__in=entered)
    tournaments = [tournament.pk for tournament in locked.order_by("pk")]
    if not held.issuperset(sessions.values_list("pk", flat=True)):
        raise overtaken()
    return tournaments


def _withdraw(access: Access, player: Player, now: datetime) -> None:
    """Let the player drop out of the tournaments that are not finished, which are locked: an erased player is archived,
    and no tournament round with one can be published. Who did not come is no more let in by taking the start back.
    """
    entries = TournamentEntry.objects.filter(player=player).exclude(status=EntryStatus.WITHDRAWN)
    going_on = entries.exclude(tournament__status=TournamentStatus.FINISHED).select_related("tournament")
    for entry in going_on.order_by("tournament"):
        entry.status = EntryStatus.WITHDRAWN
        entry.save(update_fields=["status"])
        tournament_drop_outs.settle(entry.tournament, entry)
        data = {"entry": entry.pk}
        audit.write(access=access, action="tournament.withdrawn", object_id=entry.tournament_id, data=data, now=now)


def _merged_into(player: Player) -> Iterable[Player]:
    """Everybody whose results the player has: other names of the same person."""
    for one in Player.objects.select_for_update(of=("self",)).filter(merged_into=player):
        yield from (one, *_merged_into(one))


def _erase(club: Club, player: Player, now: datetime) -> None:
    name, nickname = player.name, player.nickname
    player.name, player.nickname = _neutral_name(player), ""
    player.member, player.is_guest = None, False
    player.archived_at, player.erased_at = player.archived_at or now, now
    player.save(update_fields=["name", "nickname", "member", "is_guest", "archived_at", "erased_at"])
    PlayerMerge.objects.filter(Q(source=player) | Q(target=player)).update(member=None)
    Invite.objects.filter(club=club, player=player).update(note="", player=None)
    TournamentEntry.objects.filter(player=player).update(home_club="", user=None)
    for told in filter(None, (name, nickname)):
        _replace_in_answers(club, player, told)
    _replace_in_imports(club, name, player.name)
    _replace_in_jobs(club, name, player.name)
    LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk)).update(
        object_repr=player.name
    )


def _neutral_name(player: Player) -> str:
    """`Player 17` by the id, not translated, since it is stored; with a number behind it where that is taken."""
    others = Player.objects.filter(club=player.club_id).exclude(pk=player.pk)
    name, number = f"Player {player.pk}", 1
    while others.filter(name_key=name_key(name)).exists():
        number += 1
        name = f"Player {player.pk} ({number})"
    return name


def _replaced(value: Any, name: str, neutral: str) -> Any:
    """The JSON value with each text that is just the name, as value or as key, put right."""
    if isinstance(value, str):
        return neutral if name_key(value) == name_key(name) else value
    if isinstance(value, list):
        return [_replaced(one, name, neutral) for one in value]
    if isinstance(value, dict):
        return {_replaced(key, name, neutral): _replaced(one, name, neutral) for key, one in value.items()}
    return value


def _replace_in_answers(club: Club, player: Player, name: str) -> None:
    """Kept answers of the club's actors: changed, not dropped, since a repeat has to find that it was carried out."""
    tokens = ApiToken.objects.filter(club=club).values_list("pk", flat=True)
    users = {
        *Member.objects.filter(club=club).values_list("user", flat=True),
        *AuditEvent.objects.filter(club=club, user__isnull=False).values_list("user", flat=True).distinct(),
    }
    actors = [*(f"token:{pk}" for pk in tokens), *(f"user:{pk}" for pk in users)]
    # Whoever is named in an answer stands beside the id: the same name in another club is somebody else.
    for record in IdempotencyRecord.objects.filter(actor__in=actors, body__contains=str(player.pk)):
        body = json.loads(record.body)
        changed = _replaced(body, name, player.name)
        if changed != body:
            record.body = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
            record.save(update_fields=["body"])


def _replace_in_imports(club: Club, name: str, neutral: str) -> None:
    """What imports keep of names; a file that still waits for a decision goes with its preview."""
    for batch in ImportBatch.objects.filter(club=club).select_related("job"):
        named = batch.content is not None and _may_name(bytes(batch.content), name)
        decisions, outcome = _replaced(batch.decisions, name, neutral), _without(batch.outcome, name, neutral)
        changed = (decisions, outcome) != (batch.decisions, batch.outcome)
        if batch.state == ImportState.PREVIEW and (named or changed):
            batch.delete()
            continue
        # A worker that goes on drops the file when it is done.
        if named and batch.job is not None and batch.job.state == JobState.FAILED:
            batch.content, changed = None, True
        if changed:
            batch.decisions, batch.outcome = decisions, outcome
            batch.save(update_fields=["content", "decisions", "outcome"])


def _replace_in_jobs(club: Club, name: str, neutral: str) -> None:
    """Why jobs failed, as where somebody who is archived was to play. Of one that goes on a worker holds the row, and
    what it says now is gone with its end.
    """
    named = Q(error__contains=name) | Q(trace__contains=name)
    for job in Job.objects.filter(named, club=club, state__in=OVER).only("error", "trace"):
        job.error, job.trace = (_in_sentence(text, name, neutral) for text in (job.error, job.trace))
        job.save(update_fields=["error", "trace"])


def _without(outcome: Any, name: str, neutral: str) -> Any:
    """What is said of an import without the name, also within the sentences of its problems."""
    replaced = _replaced(outcome, name, neutral)
    for told in (replaced, replaced.get("preview", {})):
        for problem in told.get("problems", ()):
            problem[-1] = _in_sentence(problem[-1], name, neutral)
    return replaced


def _in_sentence(sentence: str, name: str, neutral: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _found: neutral, sentence)


def _may_name(content: bytes, name: str) -> bool:
    """Whether a file may hold the name, however its format writes the letters."""
    if archive_plays.is_zip(content):
        return True
    text = csv_plays.decode(content)
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False)
    # In XML, JSON and CSV each after its own way.
    text = html.unescape(text).replace('\\"', '"').replace("\\\\", "\\").replace('""', '"')
    return _folded(name) in _folded(text)


def _folded(text: str) -> str:
    # As `name_key`, which takes too long for a whole file, but for what is invisible.
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
