"""Report files: tournaments told as files that another program checks, and files that become tournaments."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any

import pytest
from caissify_pairings.fpc import check_trf  # type: ignore[import-untyped]

from league.exchange import trf
from league.models import EntryAbsence, Player, Session, SessionStatus, Tournament, TournamentStatus, name_key
from league.pairing import dutch
from league.pairing.values import PastRound
from league.services import (
    results,
    tournament_changes,
    tournament_entries,
    tournament_files,
    tournament_rounds,
    tournament_standings,
    tournament_state,
    tournaments,
    trf_words,
)
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NeedsConfirmation
from league.services.tournament_entries import EntryInput
from league.services.tournament_files import FileInput, Imported, SoundFile
from league.services.tournament_formats import StageInput
from league.services.tournament_state import TournamentState
from tests.pairing import duels
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_places

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_alone]

GAME = "xxl-6-plus"


@pytest.fixture
def access(people: People) -> Access:
    return people.access(people.scorekeeper)


def state_of(tournament: Tournament) -> TournamentState:
    return tournament_state.load(Tournament.objects.select_related("club").get(pk=tournament.pk))


def begun(access: Access, stage: StageInput, count: int, *, late: bool = False, **fields: Any) -> Tournament:
    """A tournament of duels of P01, P02, …, seeded in this order; `late`: P03 comes for the second round."""
    names = [f"P{number:02}" for number in range(1, count + 1)]
    Player.objects.bulk_create(Player(club=access.club, name=name, name_key=name_key(name)) for name in names)
    given = {
        "name": "Cup",
        "slug": "cup",
        "starts_on": DAY,
        "location": "Café Rot",
        "session_format": "single_game",
        "game": GAME,
        "seed": 7,
        **fields,
    }
    made = tournaments.create(access=access, fields=given, stages=[stage], now=NOW)
    entries = [EntryInput(player=name, first_round=2 if late and name == "P03" else None) for name in names]
    entered = tournament_entries.enter(access=access, tournament_id=made.pk, entries=entries, now=NOW)
    order = [one.pk for one in entered]
    tournament_entries.seed_by_hand(access=access, tournament_id=made.pk, order=order, now=NOW)
    tournament_rounds.start(access=access, tournament_id=made.pk, now=NOW)
    return made


def play(access: Access, made: Tournament, number: int, random: Random, *, forfeits: float = 0.0) -> None:
    """Publish a round and play its tables: half of them are won by who goes first, a quarter are draws."""
    tournament_rounds.publish(access=access, tournament_id=made.pk, number=number, now=NOW)
    state = state_of(made)
    round_ = next(one for one in state.rounds if one.row.number == number)
    for table in round_.tables:
        if len(table.entries) == 1:
            continue
        drawn, forfeit = random.random(), random.random() < forfeits
        if forfeit:
            winner = table.entries[0] if drawn < 0.4 else table.entries[1] if drawn < 0.8 else None
            tournament_changes.forfeit(
                access=access, tournament_id=made.pk, number=number, table=table.number, winner=winner, now=NOW
            )
            continue
        places = (1, 2) if drawn < 0.5 else (2, 1) if drawn < 0.75 else (1, 1)
        seated = [state.entries[entry].player.name for entry in table.entries]
        results.record_round(
            access=access,
            session_id=table.session or 0,
            data=by_places(GAME, dict(zip(seated, places, strict=True))),
            confirm=ANYTHING,
            now=NOW,
        )


def absences(made: Tournament) -> list[EntryAbsence]:
    rows = EntryAbsence.objects.filter(entry__tournament=made).select_related("entry__player")
    return list(rows.order_by("entry__seed", "from_round"))


def exported(made: Tournament) -> str:
    state = state_of(made)
    names = {pk: entry.player.name for pk, entry in state.entries.items()}
    return tournament_files.export_trf(state=state, names=names)


def given(text: str, **values: Any) -> FileInput:
    return FileInput(**{"text": text, "game": GAME, **values})


def sound(access: Access, text: str, **values: Any) -> SoundFile:
    return tournament_files.check(access=access, data=given(text, **values), now=NOW)


def bring_in(access: Access, text: str, **values: Any) -> Imported:
    return tournament_files.import_trf(access=access, sound=sound(access, text, **values), now=NOW)


def look(access: Access, text: str) -> Imported:
    return tournament_files.look(access=access, sound=sound(access, text), now=NOW)


def told(made: Tournament) -> tuple[Any, ...]:
    """Who sat where with what result, round by round, and the table with every tie-break, by name."""
    state = state_of(made)
    names = {pk: entry.player.name for pk, entry in state.entries.items()}
    rounds = [
        {
            (
                tuple(names[one] for one in table.entries),
                table.kind,
                tuple(table.places.get(one) for one in table.entries),
            )
            for table in one.tables
            if table.decided
        }
        for one in state.rounds
    ]
    lines = [
        (line.rank, names[line.entry], line.score, line.values, line.decided_by)
        for table in tournament_standings.tables_of(state)
        for line in table.lines
    ]
    return rounds, lines


# --- Out --------------------------------------------------------------------------------------------------------------


def generated(seed: int) -> trf.Report:
    """A tournament by the Dutch system as `tests/pairing/test_dutch.py` makes it, in a file of our own writing.

    Forfeits in every second, a drop-out in every third, a late entry in every fourth one. The checker takes any
    absence for a bye that ends the right to another, which article C2 of the system does not say; so tournaments with
    a late entry have an even field from then on.
    """
    random, late = Random(seed), seed % 4 == 1
    size, planned = 8 + seed % 6, 4
    entrants = duels.field(size + size % 2 if late else size)
    if late:
        entrants = [replace(one, first_round=2) if one.seed == 3 else one for one in entrants]
    rounds: list[PastRound] = []
    for number in range(1, planned + 1):
        if number == 3 and seed % 3 == 0 and not late:
            entrants = duels.absent(entrants, entrants[size // 2].id)
        paired = dutch.pair(entrants, rounds, duels.scores_of(rounds), seed=seed, total_rounds=planned)
        rounds.append(duels.played(paired, number, random, forfeits=0.08 if seed % 2 else 0.0))
    return duels.report_of(entrants, rounds, planned=planned, title=f"Tournament {seed}")


@pytest.mark.parametrize("seed", range(20))
def test_the_checker_accepts_what_was_stored(access: Access, seed: int) -> None:
    report = generated(seed)
    found = bring_in(access, trf.write(report), format="dutch")
    assert (found.rounds, found.planned, len(found.guests)) == (4, 4, len(report.players))
    text = exported(found.tournament)
    checked = check_trf(text)
    assert [one["discrepancies"] for one in checked["rounds"]] == [[]] * 4
    assert checked["summary"]["rounds_matched"] == 4
    assert (checked["num_players"], checked["tournament_name"]) == (len(report.players), f"Tournament {seed}")
    # Nobody sits elsewhere or has another result. Ranks follow tie-breaks, of which a file knows none.
    again = {one.number: one for one in trf.read(text).players}
    assert [(again[one.number].entries, again[one.number].points) for one in report.players] == [
        (one.entries, one.points) for one in report.players
    ]


def test_a_tournament_that_was_played_here_goes_out_and_comes_back(access: Access) -> None:
    """With a late entry, a drop-out and forfeits, the checker accepts it; and it comes back with the same table."""
    random = Random(4)
    made = begun(access, StageInput("dutch", {"rounds": 4}), 8, late=True)
    for number in range(1, 4):
        if number == 3:
            entries = [made.entries.get(player__name=name).pk for name in ("P05", "P08")]
            for entry in entries:
                tournament_entries.withdraw(access=access, tournament_id=made.pk, entry_id=entry, now=NOW)
        tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
        play(access, made, number, random, forfeits=0.2)
    text = exported(made)
    assert [one["discrepancies"] for one in check_trf(text)["rounds"]] == [[]] * 3
    before = told(made)
    found = bring_in(access, text)
    assert (found.tournament.slug, found.format, found.guests) == ("cup-2", "dutch", ())
    assert found.withdrawn == ("P05", "P08")
    assert told(found.tournament) == before
    assert exported(found.tournament) == text
    # It goes on as any other: nothing looks overtaken, and the last round can be paired.
    assert tournament_changes.overtaken_rounds(state_of(found.tournament)) == []
    found.tournament.refresh_from_db()
    assert found.tournament.status == TournamentStatus.RUNNING
    (last,) = tournament_rounds.pair(access=access, tournament_id=found.tournament.pk, now=NOW).rounds
    assert last.number == 4


def test_a_round_robin_goes_out_and_comes_back(access: Access) -> None:
    """Five players: five rounds, ten tables, a bye for everybody. What is not published is not told."""
    random = Random(5)
    made = begun(access, StageInput("round_robin"), 5)
    tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
    for number in range(1, 5):
        play(access, made, number, random)
    report = trf.read(exported(made))
    assert (report.kind, report.rounds, {len(one.entries) for one in report.players}) == (
        "Individual: Round-Robin",
        5,
        {4},
    )
    with pytest.raises(InputError) as refused:
        bring_in(access, exported(made))
    assert [one.code for one in refused.value.problems] == ["not_a_round_robin"]
    play(access, made, 5, random)
    found = bring_in(access, exported(made))
    assert (found.format, found.tables, found.byes) == ("round_robin", 10, 5)
    assert told(found.tournament) == told(made)
    assert exported(found.tournament) == exported(made)


def test_a_file_of_a_small_tournament(access: Access) -> None:
    """Three players after one round, by hand after the columns of the format.

    Buchholz puts the bye before the win: a dummy with a draw (C.07, 16.4.2) against an opponent with nothing.
    """
    made = begun(access, StageInput("swiss", {"rounds": 3}), 3)
    tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
    tournament_rounds.publish(access=access, tournament_id=made.pk, number=1, now=NOW)
    session = Session.objects.get(table__round__tournament=made)
    places = by_places(GAME, {"P01": 1, "P02": 2})
    results.record_round(access=access, session_id=session.pk, data=places, confirm=ANYTHING, now=NOW)
    # Paired and not published: nobody's business.
    tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
    lines = exported(made).split("\r\n")
    assert lines[:9] == [
        "012 Cup",
        "022 Café Rot",
        "042 2026/11/30",
        "052 2026/11/30",
        "062 3",
        "072 0",
        "092 Individual: Swiss-System",
        "132" + 88 * " " + "26/11/30",
        "XXR 3",
    ]
    first = session.seats.get(number=0).player.name
    white, black = ("w", "b") if first == "P01" else ("b", "w")
    assert [line[4:8] + line[14:17] + line[80:] for line in lines[9:12]] == [
        f"   1P01 1.0    2     2 {white} 1",
        f"   2P02 0.0    3     1 {black} 0",
        "   3P03 1.0    1  0000 - U",
    ]


@pytest.mark.parametrize(
    ("stage", "fields"),
    [
        (StageInput("table_swiss", {"rounds": 2}), {}),
        (StageInput("single_elimination"), {}),
        (StageInput("swiss", {"rounds": 2}), {"metric": "place_sum", "tie_breaks": []}),
    ],
)
def test_what_no_file_can_tell(access: Access, stage: StageInput, fields: dict[str, Any]) -> None:
    made = begun(access, stage, 4, **fields)
    with pytest.raises(Conflict) as refused:
        exported(made)
    assert refused.value.code == "no_report"


def test_points_that_have_no_room(access: Access) -> None:
    made = begun(access, StageInput("swiss", {"rounds": 2}), 4, scores={"win": 0.25, "draw": 0.1, "loss": 0})
    tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
    play(access, made, 1, Random(1))
    with pytest.raises(Conflict) as refused:
        exported(made)
    assert refused.value.code == "no_report"


# --- In ---------------------------------------------------------------------------------------------------------------


def line(number: int, name: str, points: str, *rounds: str) -> str:
    return f"001 {number:>4}      {name:<33}{33 * ' '}{points:>4}       " + "  ".join(rounds)


# Dora is no player of the club; Finn did not come to the second round, for which two tables are paired.
FILE = [
    "012 City Open",
    "022 Ulm",
    "042 2026/11/28",
    "XXR 3",
    "132" + 88 * " " + "26/11/28  26/11/29",
    line(1, "Ann", "1.5", "   4 w 1", "   2 b ="),
    line(2, "Zoe Zorn", "1.5", "   5 b 1", "   1 w ="),
    line(3, "Cem", "1.0", "0000 - U", "   4 w  "),
    line(4, "ben", "0.0", "   1 b 0", "   3 b  "),
    line(5, "Finn", "0.0", "   2 w 0", "        "),
]


def text_of(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def with_line(number: int, text: str) -> list[str]:
    lines = list(FILE)
    lines[number - 1] = text
    return lines


def test_a_file_becomes_a_tournament(access: Access, people: People) -> None:
    before = Player.objects.count()
    found = bring_in(access, text_of(FILE))
    made = found.tournament
    assert (made.name, made.slug, made.location, made.starts_on) == (
        "City Open",
        "city-open",
        "Ulm",
        date(2026, 11, 28),
    )
    assert made.visibility == "members"
    assert {name: player.name for name, player in found.matched.items()} == {
        name: name.title() for name in ("Ann", "Cem", "ben", "Finn")
    }
    assert (found.guests, found.withdrawn) == (("Zoe Zorn",), ("Finn",))
    assert (found.rounds, found.planned, found.tables, found.byes, found.forfeits) == (2, 3, 4, 1, 0)
    assert Player.objects.count() == before + 1
    assert Player.objects.get(name="Zoe Zorn").is_guest
    state = state_of(made)
    names = {pk: entry.player.name for pk, entry in state.entries.items()}
    assert [
        [(tuple(names[one] for one in table.entries), table.kind.value, table.decided) for table in one.tables]
        for one in state.rounds
    ] == [
        [(("Ann", "Ben"), "played", True), (("Finn", "Zoe Zorn"), "played", True), (("Cem",), "bye", True)],
        # The best of before the round first.
        [(("Zoe Zorn", "Ann"), "played", True), (("Cem", "Ben"), "played", False)],
    ]
    sessions = Session.objects.filter(table__round__tournament=made).order_by("table__round__number", "table__number")
    assert [(one.status, one.played_on.day, one.season_id) for one in sessions] == [
        (SessionStatus.COMPLETE, 28, None),
        (SessionStatus.COMPLETE, 28, None),
        (SessionStatus.COMPLETE, 29, None),
        (SessionStatus.OPEN, 29, None),
    ]
    # What is open is played here, and then the last round is paired.
    places = by_places(GAME, {"Cem": 1, "Ben": 2})
    results.record_round(access=access, session_id=sessions[3].pk, data=places, confirm=ANYTHING, now=NOW)
    (third,) = tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW).rounds
    assert names[state_of(made).rounds[2].tables[0].entries[0]] != "Finn"
    assert third.number == 3


def test_a_look_stores_nothing(access: Access) -> None:
    players = Player.objects.count()
    seen = look(access, text_of(FILE))
    assert (seen.guests, seen.rounds, seen.tables) == (("Zoe Zorn",), 2, 4)
    assert not Tournament.objects.exists()
    assert not Session.objects.exists()
    assert Player.objects.count() == players


def test_a_round_robin_that_is_whole_is_finished(access: Access) -> None:
    """Three who meet once each, one free in each round; half a point for it would be told by H."""
    lines = [
        "012 Three",
        "092 Individual: Round-Robin",
        line(1, "Ann", "2.0", "   2 w 1", "   3 b 1", "0000 - Z"),
        line(2, "Ben", "0.5", "   1 b 0", "0000 - Z", "   3 w ="),
        line(3, "Cem", "0.5", "0000 - Z", "   1 w 0", "   2 b ="),
    ]
    made = bring_in(access, text_of(lines)).tournament
    made.refresh_from_db()
    assert (made.status, made.stages.get().format, made.scores) == (TournamentStatus.FINISHED, "round_robin", {})
    _rounds, table = told(made)
    assert [(rank, name, float(score)) for rank, name, score, *_rest in table] == [
        (1, "Ann", 2.0),
        (2, "Ben", 0.5),
        (2, "Cem", 0.5),
    ]


@pytest.mark.parametrize(
    ("points", "bye", "scores"),
    [
        (("3.0", "1.0", "1.0", "3.0"), "U", {"win": 3.0, "draw": 1.0}),
        (("2.0", "1.0", "1.0", "1.0"), "U", {"win": 2.0, "draw": 1.0, "bye": 1.0}),
        (("1.0", "0.5", "0.5", "0.0"), "U", {"bye": 0.0}),
        (("1.0", "0.5", "0.5", "0.5"), "H", {"requested_bye": 0.5}),
        (("3.0", "1.0", "1.0", "1.0"), "H", {"win": 3.0, "draw": 1.0, "requested_bye": 1.0}),
        (("1.0", "0.5", "0.5", "1.0"), "F", {"requested_bye": 1.0}),
        (("0.0", "0.0", "0.0", "0.0"), "H", {"requested_bye": 0.5}),
    ],
)
def test_a_file_says_by_which_points_it_was_counted(
    access: Access, points: Sequence[str], bye: str, scores: dict[str, float]
) -> None:
    lines = [
        "012 Open",
        line(1, "Ann", points[0], "   5 w 1"),
        line(2, "Ben", points[1], "   3 w ="),
        line(3, "Cem", points[2], "   2 b ="),
        line(4, "Dora", points[3], f"0000 - {bye}"),
        line(5, "Eva", "0.0", "   1 b 0"),
    ]
    assert bring_in(access, text_of(lines)).tournament.scores == scores


def test_points_that_are_none_of_the_results(access: Access) -> None:
    lines = with_line(6, line(1, "Ann", "9.0", "   4 w 1", "   2 b ="))
    with pytest.raises(NeedsConfirmation) as refused:
        bring_in(access, text_of(lines))
    assert [(one.path, one.code) for one in refused.value.warnings] == [(("text", 6, "points"), "points_differ")]
    assert not Tournament.objects.exists()
    assert look(access, text_of(lines)).warnings == refused.value.warnings
    bring_in(access, text_of(lines), confirm=["points_differ"])
    assert Tournament.objects.count() == 1


def test_a_table_without_a_result_stays_open_whoever_is_out(access: Access) -> None:
    """Ann and Ben have not played the first round out, and Ann has no table in the second."""
    lines = [
        "012 Open",
        "XXR 4",
        line(1, "Ann", "0.0", "   2 w  "),
        line(2, "Ben", "1.0", "   1 b  ", "   3 w 1"),
        line(3, "Cem", "1.0", "   4 w 1", "   2 b 0"),
        line(4, "Dora", "1.0", "   3 b 0", "0000 - U"),
    ]
    found = bring_in(access, text_of(lines))
    assert found.withdrawn == ("Ann",)
    tables = [table for one in tournament_state.load(found.tournament).rounds for table in one.tables]
    assert [(table.kind.value, table.decided) for table in tables].count(("played", False)) == 1
    assert "forfeit" not in {table.kind.value for table in tables}


def test_byes_that_were_asked_for(access: Access) -> None:
    """Half a point for the first round, and for the third, which is not paired yet; who comes for the second only."""
    lines = [
        "012 Open",
        "XXR 4",
        line(1, "Ann", "1.5", "0000 - H", "   2 w 1"),
        line(2, "Ben", "1.0", "   3 b 1", "   1 b 0", "0000 - H"),
        line(3, "Cem", "0.0", "   2 w 0", "   4 b 0"),
        line(4, "Dora", "1.0", "0000 - Z", "   3 w 1"),
        line(5, "Eva", "2.0", "0000 - U", "0000 - U"),
    ]
    found = bring_in(access, text_of(lines))
    assert (found.rounds, found.withdrawn, found.byes) == (2, (), 2)
    made = found.tournament
    assert made.entries.get(player__name="Dora").first_round == 2
    assert [(one.entry.player.name, one.from_round, one.until_round) for one in absences(made)] == [
        ("Ann", 1, 1),
        ("Ben", 3, 3),
    ]
    _rounds, table = told(made)
    scores = {name: float(score) for _rank, name, score, *_rest in table}
    assert scores == {"Eva": 2.0, "Ann": 1.5, "Ben": 1.0, "Dora": 1.0, "Cem": 0.0}
    tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
    tournament_rounds.publish(access=access, tournament_id=made.pk, number=3, now=NOW)
    ben = next(one for one in trf.read(exported(made)).players if one.name == "Ben")
    assert [entry.result for entry in ben.entries if entry is not None] == ["1", "0", "H"]
    ann = next(one for one in trf.read(exported(made)).players if one.name == "Ann")
    assert [entry.result for entry in ann.entries if entry is not None] == ["H", "1", ""]


def test_names_are_found_as_files_write_them(access: Access, people: People) -> None:
    long = "Maximiliane Wilhelmine von und zu Hohenstein"
    names = ("Ann Zweig", long, "Old")
    Player.objects.bulk_create(Player(club=people.club, name=name, name_key=name_key(name)) for name in names)
    lines = [
        "012 Open",
        line(1, "Zweig, Ann", "1.0", "   2 w 1"),
        line(2, long[:33], "0.0", "   1 b 0"),
    ]
    found = bring_in(access, text_of(lines))
    assert [player.name for player in found.matched.values()] == ["Ann Zweig", long]
    assert found.guests == ()


@pytest.mark.parametrize(
    ("lines", "problems"),
    [
        (["nothing"], [(("text", "012"), "trf_missing"), (("text", "001"), "trf_missing")]),
        (with_line(6, line(1, "Ann", "half", "   9 w 1")), [(("text", 6, "points"), "trf_not_read")]),
        (
            [*FILE[:6], line(2, "Ann", "1.5", "   5 b 1", "   1 w ="), *FILE[7:9], line(5, "Old", "0.0", "   2 w 0")],
            [(("text", 10, "name"), "player_archived"), (("text", 7, "name"), "entered_twice")],
        ),
        (with_line(8, line(3, "", "1.0", "0000 - U", "   4 w  ")), [(("text", 8, "name"), "required")]),
        (
            [FILE[0], line(1, "Ann", "0.0", "   2 w 0"), line(2, "Ben", "0.0", "   1 b 0")],
            [(("text", 2, "round 1"), "unknown_result")],
        ),
        (
            [FILE[0], line(1, "Ann", "0.5", "   2 w ="), line(2, "Ben", "0.0", "   1 b 0")],
            [(("text", 2, "round 1"), "unknown_result")],
        ),
        (
            [
                FILE[0],
                line(1, "Ann", "2.0", "0000 - F", "   3 w 1"),
                line(2, "Ben", "1.5", "   3 w 1", "0000 - H"),
                line(3, "Cem", "0.0", "   2 b 0", "   1 b 0"),
            ],
            [(("text", 3, "round 2"), "different_byes")],
        ),
        ([FILE[0], line(1, "Ann", "0.0")], [(("text", "001"), "too_few_entries")]),
        (
            [FILE[0], line(1, "Ann", "1.0", "0000 - Z", "0000 - U"), line(2, "Ben", "0.0", "0000 - Z")],
            [(("text", "001"), "empty_round")],
        ),
        (with_line(3, "042 2026/12/24")[:4] + FILE[5:], [(("text", "042"), "in_the_future")] * 2),
        ([FILE[0], line(1, "Ann", "0.0"), line(2, "Ben", "0.0")], [(("text", "XXR"), "out_of_range")]),
        ([*FILE, "092 Round-Robin"], [(("format",), "not_a_round_robin")]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    access: Access, people: People, lines: list[str], problems: list[tuple[tuple[Any, ...], str]]
) -> None:
    Player.objects.create(club=people.club, name="Old", name_key="old", archived_at=NOW)
    with pytest.raises(InputError) as refused:
        bring_in(access, text_of(lines))
    assert [(one.path, one.code) for one in refused.value.problems] == problems
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"game": "canasta"}, (("game",), "unknown_game")),
        ({"game": ""}, (("game",), "required")),
        ({"game": "the-game"}, (("game",), "cooperative")),
        ({"slug": "New!"}, (("slug",), "invalid")),
        ({"format": "stepladder"}, (("format",), "unknown_format")),
        ({"confirm": ["shared_first"]}, (("confirm",), "unknown_code")),
    ],
)
def test_what_is_said_beside_the_file(access: Access, values: Mapping[str, Any], problem: tuple[Any, ...]) -> None:
    with pytest.raises(InputError) as refused:
        bring_in(access, text_of(FILE), **values)
    assert (refused.value.problems[0].path, refused.value.problems[0].code) == problem


def test_a_short_name_that_is_taken(access: Access) -> None:
    bring_in(access, text_of(FILE), slug="open")
    with pytest.raises(Conflict) as refused:
        bring_in(access, text_of(FILE), slug="open")
    assert refused.value.code == "slug_taken"


def test_members_bring_nothing_in(people: People) -> None:
    with pytest.raises(Forbidden):
        bring_in(people.access(people.member), text_of(FILE))


def test_every_problem_of_a_file_has_its_words() -> None:
    assert set(trf_words.SENTENCES) == set(trf.CODES)
    problem = trf.TrfProblem("not_read", 2, (99, 99), "result", "5", "1, =, 0, W, D, L, +, - or nothing")
    told_ = trf_words.problem_told(problem, field="text")
    assert told_.path == ("text", 2, "result")
    assert told_.message == (
        "Line 2, column 99: This is not what may stand here. It holds “5”. Allowed: 1, =, 0, W, D, L, +, - or nothing."
    )
