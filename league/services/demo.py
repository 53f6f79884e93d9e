"""A club to look at: what an empty installation shows at its first start.

Promises: everything goes in through the services that real results take; the scores are drawn from a fixed seed and
plausible by the rules; the passwords and the token are random and handed to `save` before anything is committed, so
that there is never a demo club that nobody can enter.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from random import Random

from django.db import transaction
from tqdm import tqdm

from games.catalog import GAMES, GameInfo
from league.models import (
    Player,
    PlayerKind,
    Role,
    Scope,
    Session,
    SessionFormat,
    SessionStatus,
    SignUpState,
    Tournament,
    User,
)
from league.scoring.sessions import PURE_XXL
from league.services import (
    bot_matches,
    clubs,
    planned_evenings,
    players,
    results,
    seasons,
    tokens,
    tournament_entries,
    tournament_rounds,
    tournaments,
)
from league.services.access import Access, Actor
from league.services.bot_matches import BotMatchInput
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput

CLUB_SLUG = "demo"
LEAGUE_SLUG = "monday-league"
SEASON_SLUG = "2026"
_START = date(2026, 9, 7)
_PEOPLE = ("Ann", "Ben", "Cem", "Dora", "Eva", "Finn", "Gül", "Henrik")
# One of those who have not said yet whether they come to the next evening.
_MEMBER_PLAYS_AS = "Finn"
_BOTS = ("Robo Rot", "Robo Gelb", "Robo Grün", "Robo Blau")
_ACCOUNTS = (("owner", Role.OWNER), ("scorekeeper", Role.SCOREKEEPER), ("member", Role.MEMBER))
_EVENINGS = 8
_COMING = 5
_CUP_GAME = "xxl-6-plus"


def fill(*, save: Callable[[Sequence[str]], None], now: datetime, progress: bool = False) -> None:
    """Fill an empty database with the demo club. `save` gets the lines with all access, before the commit."""
    with transaction.atomic():
        passwords = {name: secrets.token_urlsafe(12) for name, _role in _ACCOUNTS}
        owner = User.objects.create_user("owner", password=passwords["owner"], is_staff=True, is_superuser=True)
        club = clubs.create(owner=owner, name="Kartenclub Herz & Zehn", slug=CLUB_SLUG, now=now)
        access = Access(club=club, role=Role.OWNER, actor=Actor(user_id=owner.pk))
        members: dict[str, int] = {}
        for name, role in _ACCOUNTS[1:]:
            User.objects.create_user(name, password=passwords[name])
            members[name] = clubs.add_member(access=access, username=name, role=role, now=now).pk
        _token, raw = tokens.create(access=access, name="Demo", scope=Scope.RESULTS_WRITE, expires_at=None, now=now)
        league = seasons.create_league(access=access, name="Monday League", slug=LEAGUE_SLUG, now=now)
        season = seasons.create_season(
            access=access,
            league_id=league.pk,
            fields={"name": "2026", "slug": SEASON_SLUG, "starts_on": _START.replace(day=1)},
            now=now,
        )
        # The member finds the own tables and signs up for evenings as this player.
        linked = {_MEMBER_PLAYS_AS: members["member"]}
        people = [players.create(access=access, name=name, member_id=linked.get(name), now=now) for name in _PEOPLE]
        bots = [players.create(access=access, name=name, kind=PlayerKind.BOT, bot="random", now=now) for name in _BOTS]
        evenings = list(_evenings(people, season.pk))
        for evening in tqdm(evenings, desc="Demo club", unit="evening", disable=not progress, leave=False):
            results.record(access=access, data=evening, confirm=frozenset(), now=now)
        _plan_the_next(access, season.pk, people, now)
        _tournaments(access, people, now)
        bot_matches.request(
            access=access,
            data=BotMatchInput(game="xxl-6", players=tuple(bot.pk for bot in bots), seed=7, deals=4),
            now=now,
        )
        save(
            [
                *(f"{name:<12} password  {passwords[name]}" for name, _role in _ACCOUNTS),
                f"{'API token':<12}           {raw}",
            ]
        )


def _plan_the_next(access: Access, season: int, people: Sequence[Player], now: datetime) -> None:
    """The Monday after, at the club's usual time; five have said that they come."""
    today = now.astimezone(access.club.zone)
    monday = today + timedelta(days=7 - today.weekday())
    evening = planned_evenings.plan(
        access=access,
        fields={
            "starts_at": monday.replace(hour=19, minute=30, second=0, microsecond=0),
            "location": "Café Rot",
            "season": season,
            "capacity": 6,
        },
        now=now,
    )
    for player in people[:_COMING]:
        planned_evenings.answer(
            access=access, evening_id=evening.pk, state=SignUpState.COMING, player_id=player.pk, now=now
        )


def _tournaments(access: Access, people: Sequence[Player], now: datetime) -> None:
    """One that is over: three rounds at tables of four, then the best four at a final table; and one that goes on: a
    bracket whose semi-finals are played just now."""
    rng = Random(8)  # any would do
    today = now.astimezone(access.club.zone).date()
    autumn = _tournament(
        access,
        people,
        {"name": "Autumn Cup", "slug": "autumn-cup", "starts_on": today - timedelta(days=23), "seed": 4},
        [StageInput("table_swiss", {"rounds": 3}, advance=4), StageInput("final_tables")],
        now,
    )
    for _round in range(3):
        _play(access, autumn, _pair(access, autumn, now), rng, now)
    tournament_rounds.open_next_stage(access=access, tournament_id=autumn.pk, now=now)
    _play(access, autumn, _pair(access, autumn, now), rng, now)
    tournaments.finish(access=access, tournament_id=autumn.pk, now=now)
    duels = _tournament(
        access,
        people,
        {
            "name": "Knock-out Night",
            "slug": "knock-out-night",
            "starts_on": today,
            "seed": 5,
            "round_minutes": 45,
            "announcement": "The final begins at nine.",
        },
        [StageInput("single_elimination", {"third_place": True})],
        now,
    )
    _play(access, duels, _pair(access, duels, now), rng, now)
    number = _pair(access, duels, now)
    tournament_rounds.set_clock(access=access, tournament_id=duels.pk, number=number, runs=True, now=now)


def _tournament(
    access: Access, people: Sequence[Player], fields: dict[str, object], stages: Sequence[StageInput], now: datetime
) -> Tournament:
    """A tournament of single games at the café, begun with all of these people, by lot."""
    played = {"session_format": SessionFormat.SINGLE_GAME, "game": _CUP_GAME, "location": "Café Rot"}
    made = tournaments.create(access=access, fields={**played, **fields}, stages=stages, now=now)
    entries = [EntryInput(player=one.pk, checked_in=True) for one in people]
    tournament_entries.enter(access=access, tournament_id=made.pk, entries=entries, now=now)
    tournament_entries.seed_by_lot(access=access, tournament_id=made.pk, now=now)
    tournament_rounds.start(access=access, tournament_id=made.pk, now=now)
    return made


def _pair(access: Access, tournament: Tournament, now: datetime) -> int:
    """Pair the next round and publish it; its number."""
    (made,) = tournament_rounds.pair(access=access, tournament_id=tournament.pk, now=now).rounds
    tournament_rounds.publish(access=access, tournament_id=tournament.pk, number=made.number, now=now)
    return made.number


def _play(access: Access, tournament: Tournament, number: int, rng: Random, now: datetime) -> None:
    """Let every table of a round be played."""
    sessions = Session.objects.filter(table__round__tournament=tournament, table__round__number=number)
    for session in sessions.order_by("table__number"):
        seated = [seat.player_id for seat in session.seats.order_by("number")]
        points = plausible_points(GAMES[_CUP_GAME], len(seated), rng)
        scores = tuple(ScoreInput(player, points=one) for player, one in zip(seated, points, strict=True))
        results.record_round(
            access=access, session_id=session.pk, data=RoundInput(_CUP_GAME, scores), confirm=frozenset(), now=now
        )


def _evenings(people: Sequence[Player], season: int) -> Iterator[SessionInput]:
    """Weekly evenings of Pure XXL at tables of three to six."""
    rng = Random(55)  # the number of cards in the deck; any would do
    for week in range(_EVENINGS):
        table = rng.sample(people, 3 + week % 4)
        yield SessionInput(
            format=SessionFormat.PURE_XXL,
            played_on=_START + timedelta(weeks=week),
            location="Café Rot",
            season=season,
            players=tuple(SeatInput(player.pk) for player in table),
            rounds=tuple(
                RoundInput(
                    key,
                    tuple(
                        ScoreInput(player.pk, points)
                        for player, points in zip(table, plausible_points(GAMES[key], len(table), rng), strict=True)
                    ),
                )
                for key in PURE_XXL
            ),
            status=SessionStatus.COMPLETE,
        )


def plausible_points(game: GameInfo, count: int, rng: Random) -> list[int]:
    """Points of a table of `count` players that the rules page calls plausible, for any XXL game that has points."""
    bounds = game.bounds.for_table(count, "")
    low, high = bounds.together_low or 0, bounds.together_high or bounds.together_maximum or 0
    if bounds.zero == "any" and bounds.cheapest is None:
        total = rng.randint((2 * low + high) // 3, (low + 2 * high) // 3)
        weights = [rng.uniform(0.5, 1.5) for _player in range(count)]
        points = [int(total * weight / sum(weights)) for weight in weights]
        points[-1] += total - sum(points)
    else:
        points = [rng.randint(bounds.cheapest or 4, 70) for _player in range(count)]
        if bounds.zero == "exactly_one":
            points[0] = 0
    rng.shuffle(points)
    return points
