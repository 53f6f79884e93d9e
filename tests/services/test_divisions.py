"""Divisions: tables of their own, and the season that follows with those who move up and down."""

from datetime import date
from typing import Any

import pytest

from league.models import AuditEvent, Division, DivisionPlayer, Player, Season, SeasonRulesVersion, Standing
from league.services import divisions, seasons, standings
from league.services.divisions import Moves, Place, Tie, moves
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from tests.people import NOW, People
from tests.services.given import record, series

NOBODY: Any = {"up": (), "down": ()}

# --- Who moves: pure numbers ------------------------------------------------------------------------------------------


def cut(
    ranks: str, promoted: int, relegated: int, up: str = "", down: str = ""
) -> tuple[str, str, list[tuple[str, int, str]]]:
    """Players a, b, c, … with these ranks (- for none): who moves up, who down, and the ties with their numbers."""
    table = [Place(index, None if rank == "-" else int(rank)) for index, rank in enumerate(ranks)]
    chosen: Any = {"up": {ord(one) - 97 for one in up}, "down": {ord(one) - 97 for one in down}}
    found = moves(division="x", table=table, promoted=promoted, relegated=relegated, chosen=chosen)

    def letters(players: Any) -> str:
        return "".join(sorted(chr(97 + player) for player in players))

    return letters(found.up), letters(found.down), [(one.way, one.moving, letters(one.players)) for one in found.ties]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("1234", 1, 1), ("a", "d", [])),
        (("1234", 0, 0), ("", "", [])),
        # A shared rank on one side of the line is no question.
        (("1134", 2, 1), ("ab", "d", [])),
        (("1233", 1, 2), ("a", "cd", [])),
        # Across the line it is.
        (("1134", 1, 1), ("", "d", [("up", 1, "ab")])),
        (("1233", 1, 1), ("a", "", [("down", 1, "cd")])),
        (("1222", 2, 1), ("a", "", [("up", 1, "bcd"), ("down", 1, "bcd")])),
        # Somebody said who.
        (("1134", 1, 1, "b"), ("b", "d", [])),
        (("1233", 1, 1, "", "c"), ("a", "c", [])),
        (("1222", 2, 1, "c", "d"), ("ac", "d", [])),
        # Said of too many, or of somebody who is not in question.
        (("1134", 1, 1, "ab"), ("", "d", [("up", 1, "ab")])),
        (("1134", 1, 1, "c"), ("", "d", [("up", 1, "ab")])),
        (("1234", 1, 1, "d", "a"), ("a", "d", [])),
        # Who has no rank never moves up, and moves down first.
        (("1---", 2, 3), ("a", "bcd", [])),
        (("12--", 1, 1), ("a", "", [("down", 1, "cd")])),
        (("12--", 1, 1, "", "d"), ("a", "d", [])),
        # Smaller than its moves: up first.
        (("12", 2, 2), ("ab", "", [])),
        (("123", 2, 2), ("ab", "c", [])),
        (("", 2, 2), ("", "", [])),
    ],
)
def test_who_moves(given: Any, expected: Any) -> None:
    assert cut(*given) == expected


def test_what_a_tie_says() -> None:
    table = [Place(7, 1), Place(5, 1), Place(6, 3)]
    found = moves(division="Liga 2", table=table, promoted=1, relegated=0, chosen=NOBODY)
    assert found == Moves((), (), (Tie("Liga 2", "up", 1, (5, 7)),))


# --- Stored -----------------------------------------------------------------------------------------------------------


def make(people: People, name: str, **fields: Any) -> Division:
    access = people.access(people.admin)
    given = {"name": name, **fields}
    return divisions.create(access=access, season_id=people.season.pk, fields=given, now=NOW)


def put(people: People, **names: Division | None) -> None:
    """Ann=division puts her there; names may be given together, as AnnBen."""
    ids = {player.name: player.pk for player in people.players}
    places = {
        ids[name]: division.pk if division else None
        for together, division in names.items()
        for name in ids
        if name in together
    }
    divisions.assign(access=people.access(people.admin), season_id=people.season.pk, places=places, now=NOW)


def tables(season: Season) -> dict[str | None, list[tuple[int | None, str]]]:
    """By division the ranks and names from the top, in the order of the page."""
    season.refresh_from_db()
    found: dict[str | None, list[tuple[int | None, str]]] = {}
    for row in Standing.objects.table(season):
        name = row.division.name if row.division else None
        found.setdefault(name, []).append((vars(row)["rank"], row.player.name))
    return found


def levels(season: Season) -> list[tuple[int, str]]:
    return list(season.divisions.order_by("level").values_list("level", "name"))


@pytest.mark.django_db
def test_each_division_has_a_table_of_its_own(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3, "Dora": 4}))
    assert tables(people.season) == {None: [(1, "Ann"), (2, "Ben"), (3, "Cem"), (4, "Dora")]}
    first, second = make(people, "Liga 1"), make(people, "Liga 2")
    put(people, AnnCem=first, BenEva=second)
    expected = {"Liga 1": [(1, "Ann"), (2, "Cem")], "Liga 2": [(1, "Ben")], None: [(1, "Dora")]}
    assert tables(people.season) == expected
    assert people.season.has_divisions
    assert standings.differences(season=people.season) == []
    # A result of somebody in a division stays there; who plays for the first time comes into the own one.
    record(people, series({"Eva": 1, "Ann": 2}))
    expected["Liga 2"] = [(1, "Eva"), (2, "Ben")]
    assert tables(people.season) == expected
    # Moved, taken out.
    put(people, Ben=first, Cem=None)
    assert tables(people.season) == {
        "Liga 1": [(1, "Ann"), (2, "Ben")],
        "Liga 2": [(1, "Eva")],
        None: [(1, "Cem"), (2, "Dora")],
    }
    assert standings.differences(season=people.season) == []


@pytest.mark.django_db
def test_levels_have_no_gap(people: People) -> None:
    make(people, "B")
    make(people, "C")
    make(people, "A", level=1)
    last = make(people, "D", level=40)
    assert levels(people.season) == [(1, "A"), (2, "B"), (3, "C"), (4, "D")]
    access = people.access(people.admin)
    changes = {"level": 2, "name": "Da", "promoted": 3}
    changed = divisions.update(access=access, season_id=people.season.pk, division_id=last.pk, changes=changes, now=NOW)
    assert (changed.level, changed.promoted) == (2, 3)
    assert levels(people.season) == [(1, "A"), (2, "Da"), (3, "B"), (4, "C")]
    gone = people.season.divisions.get(name="A")
    divisions.remove(access=access, season_id=people.season.pk, division_id=gone.pk, now=NOW)
    assert levels(people.season) == [(1, "Da"), (2, "B"), (3, "C")]


@pytest.mark.django_db
def test_the_last_division_gone_is_one_table_again(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}))
    first = make(people, "Liga 1")
    put(people, AnnCem=first)
    access = people.access(people.admin)
    divisions.remove(access=access, season_id=people.season.pk, division_id=first.pk, now=NOW)
    assert tables(people.season) == {None: [(1, "Ann"), (2, "Ben"), (3, "Cem")]}
    assert not people.season.has_divisions
    assert not DivisionPlayer.objects.exists()
    assert standings.differences(season=people.season) == []
    event = AuditEvent.objects.get(action="division.removed")
    assert event.data == {"season": people.season.pk, "players": [people.players[0].pk, people.players[2].pk]}


@pytest.mark.django_db
def test_what_can_not_be_is_refused(people: People) -> None:
    first = make(people, "Liga 1")
    access = people.access(people.admin)
    for fields in (
        {"name": ""},
        {"name": "x", "promoted": -1},
        {"name": "x", "relegated": 101},
        {"name": "x", "level": 0},
    ):
        with pytest.raises(InputError):
            divisions.create(access=access, season_id=people.season.pk, fields=fields, now=NOW)
    theirs = Division.objects.create(club=people.other_club, season=people.other_season, level=1, name="X")
    ann = people.players[0].pk
    for places in ({people.other_players[0].pk: first.pk}, {ann: theirs.pk}, {10**9: first.pk}):
        with pytest.raises(InputError):
            divisions.assign(access=access, season_id=people.season.pk, places=places, now=NOW)
    for season, division in ((people.season.pk, theirs.pk), (people.other_season.pk, theirs.pk)):
        with pytest.raises(NotFound):
            divisions.remove(access=access, season_id=season, division_id=division, now=NOW)
    with pytest.raises(Forbidden):
        below = people.access(people.scorekeeper)
        divisions.assign(access=below, season_id=people.season.pk, places={ann: first.pk}, now=NOW)
    seasons.update_season(access=access, season_id=people.season.pk, changes={"status": "closed"}, now=NOW)
    with pytest.raises(Conflict, match="season_closed"):
        put(people, Ann=first)
    assert not DivisionPlayer.objects.exists()


# --- The season that follows ------------------------------------------------------------------------------------------

FIELDS = {"name": "2027", "slug": "2027", "starts_on": date(2027, 1, 4)}


def follow(people: People, **fields: Any) -> Season:
    access = people.access(people.admin)
    return divisions.open_following_season(access=access, season_id=people.season.pk, fields=FIELDS, now=NOW, **fields)


def close(people: People) -> None:
    access = people.access(people.admin)
    seasons.update_season(access=access, season_id=people.season.pk, changes={"status": "closed"}, now=NOW)


def members(season: Season) -> dict[str, set[str]]:
    found = DivisionPlayer.objects.filter(season=season).values_list("division__name", "player__name")
    told: dict[str, set[str]] = {}
    for division, player in found:
        told.setdefault(division, set()).add(player)
    return told


@pytest.mark.django_db
def test_the_best_move_up_and_the_last_down(people: People) -> None:
    access = people.access(people.admin)
    rules = {"ranking_metric": "points", "tie_breaks": ["countback"], "visibility": "link"}
    seasons.update_season(access=access, season_id=people.season.pk, changes=rules, now=NOW)
    first, second = make(people, "Liga 1", relegated=1), make(people, "Liga 2", promoted=1, relegated=5)
    put(people, AnnBenCem=first, DoraEvaFinn=second)
    record(people, series({"Ann": 3, "Ben": 1, "Cem": 2}))
    record(people, series({"Dora": 2, "Eva": 1, "Finn": 3}))
    with pytest.raises(Conflict, match="season_open"):
        follow(people)
    close(people)
    following = follow(people)
    assert members(following) == {"Liga 1": {"Ben", "Cem", "Eva"}, "Liga 2": {"Ann", "Dora", "Finn"}}
    assert (following.league, following.name, following.status) == (people.season.league, "2027", "open")
    people.season.refresh_from_db()
    assert following.ranking_rules == people.season.ranking_rules
    assert (following.visibility, following.has_divisions) == ("link", True)
    assert following.board_key != people.season.board_key
    assert SeasonRulesVersion.objects.filter(season=following).count() == 1
    told = [(one.level, one.name, one.promoted, one.relegated) for one in following.divisions.order_by("level")]
    assert told == [(1, "Liga 1", 0, 1), (2, "Liga 2", 1, 5)]
    # The one before is as it was.
    assert members(people.season) == {"Liga 1": {"Ann", "Ben", "Cem"}, "Liga 2": {"Dora", "Eva", "Finn"}}


@pytest.mark.django_db
def test_a_shared_rank_across_the_line_asks_who(people: People) -> None:
    first, second = make(people, "Liga 1", relegated=1), make(people, "Liga 2", promoted=1)
    put(people, AnnBen=first, CemDoraEva=second)
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, series({"Cem": 1, "Dora": 1, "Eva": 3}))
    close(people)
    cem, dora = people.players[2].pk, people.players[3].pk
    assert divisions.undecided(people.season) == [Tie("Liga 2", "up", 1, (cem, dora))]
    with pytest.raises(InputError) as refused:
        follow(people, promoted=[dora, people.players[4].pk])
    assert [(one.path, one.code) for one in refused.value.problems] == [(("promoted",), "unknown_choice")]
    for chosen in ([], [cem, dora]):
        with pytest.raises(Conflict, match="rank_shared") as caught:
            follow(people, promoted=chosen)
        assert "“Liga 2”" in caught.value.message
        assert "Cem, Dora" in caught.value.message
    assert not Season.objects.filter(slug="2027").exists()
    assert members(follow(people, promoted=[dora])) == {"Liga 1": {"Ann", "Dora"}, "Liga 2": {"Ben", "Cem", "Eva"}}


@pytest.mark.django_db
def test_who_left_is_passed_over(people: People) -> None:
    first, second = make(people, "Liga 1"), make(people, "Liga 2", promoted=1)
    put(people, Ann=first, CemDora=second)
    record(people, series({"Cem": 1, "Dora": 2}))
    close(people)
    Player.objects.filter(name="Cem", club=people.club).update(archived_at=NOW)
    assert members(follow(people)) == {"Liga 1": {"Ann", "Dora"}}


@pytest.mark.django_db
def test_without_divisions_the_rules_alone_follow(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    close(people)
    following = follow(people)
    assert (following.has_divisions, members(following)) == (False, {})
    with pytest.raises(Conflict, match="slug_taken"):
        follow(people)
