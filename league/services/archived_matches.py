"""Bot matches that come in with an archive: chunks are held against their match, and what is unplayed is queued.

Terms: see `bot_matches.py`; a *record* is what archives of formats 1 and 2 have of each deal. Promises: of whatever an
archive says, a chunk is taken only if pages can show it and its deals are those of its match; a match of an older
format comes out as `migrations/0009_bot_matches.py` makes it of the same rows.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from games.catalog import GAMES
from games.core import BadSetup
from games.series import BadPackage, Deal, Plan, Tally, pack, unpack
from league.models import OVER, BotMatch, BotMatchChunk, Club, Score, SessionFormat
from league.services.bot_matches import lay_out, plan_of

_LISTS = ("scores", "places", "squares", "firsts")


class Astray(Exception):
    """Rows of a bot match that don't fit each other, with their topic."""

    def __init__(self, topic: str) -> None:
        super().__init__(topic)
        self.topic = topic


def as_of_today(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of bot matches with what older formats do not say of it."""
    if "records" not in row:
        return dict(row)
    info = GAMES.get(row["game"])
    series = SessionFormat.INDIVIDUAL_XXL if info is not None and info.family == "xxl" else SessionFormat.SERIES
    return {**row, "format": series if row["deals"] > 1 else SessionFormat.SINGLE_GAME, "options": {}, "engine": ""}


def moves_of(row: Mapping[str, Any]) -> bytes | None:
    """The moves of a row of an older format, packed until the seats are known; None where it has none."""
    records = row.get("records") or []
    # A match that is not done has no result that the moves could belong to.
    if not records or row["session"] is None:
        return None
    game = row["game"]
    deals = [Deal(game, (), None, "", tuple(word for _seat, word in record["moves"])) for record in records]
    return pack(deals, {game: records[0]["version"]})


def settle(*, club: Club, moves: Mapping[int, bytes], now: datetime) -> None:
    """Check all chunks of a club that came in, pack what `moves` (by match) has, queue what is still to be played.

    Raises Astray.
    """
    for match in BotMatch.objects.filter(club=club).select_related("job").order_by("pk"):
        if match.pk in moves:
            _pack(match, moves[match.pk])
        _check(match)
        if match.job.state not in OVER:
            try:
                plan_of(match).check()
            except (BadSetup, LookupError) as error:
                raise Astray("bot_matches") from error
            lay_out(match=match, now=now)


def _pack(match: BotMatch, moves: bytes) -> None:
    """One chunk with all deals of a match of an older format; points and places are those of its session."""
    seats = list(match.seats.order_by("number").values_list("player_id", flat=True))
    rounds: dict[int, dict[int, tuple[int, int | None]]] = {}
    scores = Score.objects.filter(round__session=match.session_id).order_by("round__number")
    for number, player, points, place in scores.values_list("round__number", "player_id", "points", "place"):
        rounds.setdefault(number, {})[player] = (points or 0, place)
    versions, deals = unpack(moves)
    if len(deals) != len(rounds) or any(set(of_round) != set(seats) for of_round in rounds.values()):
        raise Astray("bot_matches")
    played = [
        _with_result(deal, [of_round[player] for player in seats])
        for deal, of_round in zip(deals, rounds.values(), strict=True)
    ]
    BotMatchChunk.objects.create(
        club=match.club,
        bot_match=match,
        first_deal=0,
        deals=len(played),
        tally=Tally.of(played, len(seats)).to_json(),
        records=pack(played, versions),
    )


def _with_result(deal: Deal, of_seats: Iterable[tuple[int, int | None]]) -> Deal:
    scores, places = zip(*of_seats, strict=True)
    return replace(deal, scores=scores, places=None if None in places else places)


def _check(match: BotMatch) -> None:
    """Raise Astray unless the chunks are runs of the match's deals, one behind the other, of its seats and games."""
    seats, plan, end = match.seats.count(), plan_of(match), 0
    for chunk in match.chunks.order_by("first_deal").iterator(chunk_size=20):
        tally = Tally.from_json(chunk.tally or {})
        sizes = {len(getattr(tally, name)) for name in _LISTS}
        fits = end <= chunk.first_deal and chunk.first_deal + chunk.deals <= match.deals
        counted = tally.deals == chunk.deals == sum(tally.ends.values())
        if not fits or not counted or sizes != {seats}:
            raise Astray("bot_match_chunks")
        if chunk.records is not None and not _are_of(plan, seats, chunk):
            raise Astray("bot_match_chunks")
        end = chunk.first_deal + chunk.deals


def _are_of(plan: Plan, seats: int, chunk: BotMatchChunk) -> bool:
    try:
        versions, deals = unpack(bytes(chunk.records or b""))
    except BadPackage:
        return False
    return len(deals) == chunk.deals and all(
        deal.game in versions
        and deal.game == plan.games[number % len(plan.games)]
        and {len(deal.scores), len(deal.places or deal.scores)} == {seats}
        for number, deal in enumerate(deals, chunk.first_deal)
    )
