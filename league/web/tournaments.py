"""A tournament as its pages show it: to whom, with which names, and no more than is published.

Terms: see `league/services/tournament_state.py`. Promises: who is no member reads public names and published rounds
alone; the state that tells one version of a page from another (`told_by`) needs no more than the tournament's own row.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.utils.crypto import constant_time_compare
from django.utils.translation import ngettext

from league.models import Club, EntryStatus, SessionFormat, Tournament, TournamentEntry, Visibility
from league.models.games import games_by_key
from league.pairing.values import Reason
from league.services import tournament_standings, tournament_state
from league.services.pairing_words import sentence_of
from league.services.tournament_state import EntryValue, RoundValue, TableValue, TournamentState
from league.services.wording import game_title
from league.web.reading import Reader, Rights, rights_of, role_of


@dataclass(frozen=True, slots=True)
class ShownTournament:
    """A tournament with the reader's rights; `names` by entry, as the reader may see them."""

    row: Tournament
    rights: Rights
    state: TournamentState
    names: Mapping[int, str]

    @property
    def rounds(self) -> list[RoundValue]:
        """The tournament rounds that the reader may see."""
        return [one for one in self.state.rounds if one.is_published or self.rights.write]

    def round(self, number: int) -> RoundValue:
        """One of them. Raises Http404."""
        found = next((one for one in self.rounds if one.row.number == number), None)
        if found is None:
            raise Http404
        return found

    def seated(self, table: TableValue) -> list[str]:
        """The names at a table, in order of seats."""
        return [self.names[entry] for entry in table.entries]

    def reasons(self, round_: RoundValue) -> list[str]:
        """What is odd in a tournament round, in sentences."""
        return [
            sentence_of(Reason(code=one["code"], entrants=tuple(one["entries"]), figures=one["figures"]), self.names)
            for one in round_.row.reasons
        ]

    def tables(self) -> list[tournament_standings.GroupTable]:
        """Where everybody stands, by stage and group."""
        return tournament_standings.tables_of(self.state)


def find(*, reader: Reader, club: str, slug: str, key: str = "") -> tuple[Tournament, Rights]:
    """A tournament that the reader may see: a public one, one opened by its key, or one of a club of the reader's.

    Raises Http404 otherwise.
    """
    rows = (
        Tournament.objects.select_related("club", "season__league", "pairing_job")
        # Of a thousand players it is long, and few pages ask for it.
        .defer("pairing_job__outcome")
        .annotate(reader_role=role_of(reader, "club"))
    )
    found = rows.filter(club__slug=club, slug=slug).first()
    if found is None:
        raise Http404
    if found.reader_role is not None:
        return found, rights_of(found.reader_role)
    if found.visibility == Visibility.LINK and constant_time_compare(key, found.board_key):
        return found, Rights(key=found.board_key)
    if found.visibility != Visibility.PUBLIC:
        raise Http404
    return found, Rights()


def listed(club: Club, rights: Rights) -> "QuerySet[Tournament]":
    """The tournaments of a club that the reader finds in its lists, with how many `entered` and are not gone."""
    rows = Tournament.objects.filter(club=club)
    if not rights.member:
        rows = rows.filter(visibility=Visibility.PUBLIC)
    gone = Q(entries__status__in=[EntryStatus.WITHDRAWN, EntryStatus.NO_SHOW])
    return rows.annotate(entered=Count("entries", filter=~gone))


def told_by(tournament: Tournament) -> tuple[object, ...]:
    """What is another value after each change of what the tournament's pages show, beside rights and language."""
    job = tournament.pairing_job
    return (
        tournament.pk,
        tournament.board_state,
        tournament.club.board_state,
        (job.state, job.done) if job is not None else None,
    )


def shown(tournament: Tournament, rights: Rights, *, tables_of: Collection[int] | None = None) -> ShownTournament:
    """The tournament with all that its pages read; `tables_of` as in `tournament_state.load`."""
    state = tournament_state.load(tournament, tables_of=tables_of)
    names = {pk: shown_name(entry, rights) for pk, entry in state.entries.items()}
    return ShownTournament(row=tournament, rights=rights, state=state, names=names)


def shown_name(entry: TournamentEntry | EntryValue, rights: Rights) -> str:
    """The name of who entered, as the reader may see it."""
    return entry.player.name if rights.member else entry.player.public_name


def what_is_played(row: Tournament) -> str:
    """What is played at a table, in words."""
    game = games_by_key(row.club_id, [row.game]).get(row.game) if row.game else None
    if game is None:
        return str(SessionFormat(row.session_format).label)
    title = game_title(game)
    if row.minimum is None:
        return title
    words = ngettext(
        "%(game)s, at least %(number)d card in a turn", "%(game)s, at least %(number)d cards in a turn", row.minimum
    )
    return words % {"game": title, "number": row.minimum}
