"""The bracket as a drawing and in words."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from league.models import Stage
from league.pairing.values import TableKind
from league.services.tournament_state import RoundValue, SeatValue, StagePlace, StageValue, TableValue
from league.web import brackets
from league.web.brackets import DASH, Drawing
from tests.web.page import Element, Page

NAMES = {number: f"P{number}" for number in range(1, 200)}


class _Round(RoundValue):
    """A round of which only the number matters."""

    def __init__(self, number: int, tables: list[TableValue]) -> None:
        super().__init__(row=type("Row", (), {"number": number})(), tables=tables)


def stage(format_: str, players: int, *, played: Sequence[tuple[str, int, int]] = (), **options: object) -> StageValue:
    """A stage of so many, seeded by their ids, with these matches decided: (match, winner, loser)."""
    known: dict[str, dict[str, object]] = {
        "single_elimination": {"best_of": 1, "third_place": False},
        "double_elimination": {"best_of": 1, "grand_final": "reset"},
        "stepladder": {"best_of": 1},
    }
    usual = known[format_]
    tables = [
        TableValue(
            id=number,
            number=number,
            group=1,
            match=match,
            kind=TableKind.PLAYED,
            decided=True,
            entries=(winner, loser),
            seats=(SeatValue(winner, 0, 1, None, None), SeatValue(loser, 1, 2, None, None)),
            session=number,
            session_status="complete",
        )
        for number, (match, winner, loser) in enumerate(played, start=1)
    ]
    return StageValue(
        row=Stage(number=1, format=format_, options={**usual, **options}),
        places=[StagePlace(number, number, 1) for number in range(1, players + 1)],
        rounds=[_Round(1, tables)],
    )


def draw(value: StageValue, *, part: int = 1, addresses: Mapping[str, str] = {}) -> Drawing:
    return brackets.draw(value, names=NAMES, addresses=addresses, part=part)


def matches(page: Page) -> list[Element]:
    return [one for one in page.elements if one.attributes.get("class", "").startswith("match")]


def words(drawing: Drawing) -> dict[int, tuple[str, str, str, str]]:
    """By number: the title of the round, the two sides, how it stands."""
    return {match.number: (wave.title, *match.sides, match.told) for wave in drawing.waves for match in wave.matches}


@pytest.mark.parametrize(
    ("format_", "players", "count"),
    [
        # Each match but those of a reset and for third place throws out one: n - 1; in a double one of all but the
        # winner loses twice: 2 (n - 1), and the reset.
        ("single_elimination", 2, 1),
        ("single_elimination", 8, 7),
        ("single_elimination", 11, 10),
        ("double_elimination", 8, 15),
        ("double_elimination", 6, 11),
        ("stepladder", 5, 4),
    ],
)
def test_every_match_is_a_stop_with_title_and_description(format_: str, players: int, count: int) -> None:
    drawing = draw(stage(format_, players))
    page = Page(drawing.svg)
    found = matches(page)
    assert len(found) == count == len(words(drawing))
    for one in found:
        assert one.attributes["tabindex"] == "0" and one.attributes["role"] == "group"
        title, told = one.attributes["aria-labelledby"].split()
        named = [page.one("title", one, id=title), page.one("desc", one, id=told)]
        assert all(part.text for part in named)
    ids = [one.attributes["id"] for one in page.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids))


def test_boxes_do_not_overlap_and_lie_in_the_drawing() -> None:
    for format_, players in (("single_elimination", 13), ("double_elimination", 13), ("stepladder", 6)):
        page = Page(draw(stage(format_, players, third_place=True)).svg)
        svg = next(page.all("svg"))
        width, height = float(svg.attributes["width"]), float(svg.attributes["height"])
        spots = []
        for one in matches(page):
            x, y = map(float, re.findall(r"[\d.]+", one.attributes["transform"]))
            frame = next(page.all("rect"))
            assert 0 <= x <= width - float(frame.attributes["width"])
            assert 0 <= y <= height - float(frame.attributes["height"])
            spots.append((x, y))
        for (x, y), (x2, y2) in pairwise(sorted(spots)):
            assert x != x2 or y2 - y >= 50, format_


def test_the_words_of_a_bracket_that_goes_on() -> None:
    """Four and a match for third place; the first semi-final is played, the second stands at no table yet."""
    found = words(draw(stage("single_elimination", 4, played=[("W1-1", 4, 1)], third_place=True)))
    assert found == {
        1: ("Semi-finals", "P1", "P4", "P4 wins."),
        2: ("Semi-finals", "P2", "P3", "Can be played."),
        3: ("Final", "P4", "winner of match 2", "Waits for the matches before."),
        4: ("Match for third place", "P1", "loser of match 2", "Waits for the matches before."),
    }


def test_byes_by_plan_are_passed_over() -> None:
    """Three: the first seed waits in the final for the winner of the one match before."""
    found = words(draw(stage("single_elimination", 3)))
    assert found == {
        1: ("Semi-finals", "P2", "P3", "Can be played."),
        2: ("Final", "P1", "winner of match 1", "Waits for the matches before."),
    }


def test_a_reset_that_is_not_needed_says_so() -> None:
    """Two: the winner of the winners' final wins the grand final as well."""
    played = [("W1-1", 1, 2), ("GF1", 1, 2)]
    titles = words(draw(stage("double_elimination", 2, played=played)))
    assert titles[1][:3] == ("Winners' final", "P1", "P2")
    assert titles[2][0] == "Grand final" and titles[2][3] == "P1 wins."
    assert titles[3][0] == "Second grand final" and titles[3][3] == "No second match is needed."


def test_a_match_with_a_sheet_is_a_link() -> None:
    drawing = draw(stage("single_elimination", 2, played=[("W1-1", 2, 1)]), addresses={"W1-1": "/sheet/?a=1&b=2"})
    (match,) = matches(Page(drawing.svg))
    assert match.tag == "a" and match.attributes["href"] == "/sheet/?a=1&b=2"
    assert "tabindex" not in match.attributes
    won = [one.text for one in Page(drawing.svg).all("g") if one.attributes.get("class") == "side won"]
    # The seed, the name, and a mark that does not depend on a colour.
    assert won == ["2P2✓"]


def test_names_are_escaped_and_long_ones_cut() -> None:
    names = {1: "<b>Bold</b> & Partners", 2: "Annegret-Wilhelmine Freifrau von Xy"}
    drawing = brackets.draw(stage("single_elimination", 2), names=names, addresses={})
    assert "<b>" not in drawing.svg
    texts = [one.text for one in Page(drawing.svg).all("text")]
    assert "<b>Bold</b> & Partners" in texts
    assert "Annegret-Wilhelmine F…" in texts
    assert names[2] in Page(drawing.svg).one("desc").text


def test_a_large_bracket_comes_in_parts() -> None:
    """128: 64 rows in the first wave, so two parts of 32; each match stands in just one of them."""
    first, second = (draw(stage("single_elimination", 128), part=part) for part in (1, 2))
    assert first.parts == second.parts == 2
    assert set(words(first)) | set(words(second)) == set(range(1, 128))
    assert not set(words(first)) & set(words(second))
    assert draw(stage("single_elimination", 128), part=9).part == 2
    # One that is hardly higher than a part is not cut: 64 entrants have 32 rows.
    assert draw(stage("single_elimination", 64)).parts == 1


def test_byes_are_drawn_and_told() -> None:
    """Seven in a double elimination: the first seed has a bye, so nobody loses to it, and who loses the match beside,
    4 against 5, has one in the losers' bracket.
    """
    drawing = draw(stage("double_elimination", 7))
    assert [(one.title, one.who) for one in drawing.byes] == [
        ("Winners' round 1", ("P1",)),
        ("Losers' round 1", ("loser of match 1",)),
    ]
    page = Page(drawing.svg)
    assert [one.text for one in page.all("text") if one.attributes.get("class") == "bye"] == ["bye", "bye"]
    told = [one.text for one in page.all("desc") if "bye" in one.text]
    assert told[0].startswith(f"P1{DASH}winner of match 1. P1 had a bye.")


def test_no_byes_without_places_that_are_empty() -> None:
    drawing = draw(stage("single_elimination", 8))
    assert not drawing.byes and "bye" not in drawing.svg


@pytest.mark.parametrize(
    ("format_", "players", "title"),
    [("single_elimination", 8, "Final"), ("double_elimination", 7, "Grand final"), ("stepladder", 5, "Step 4")],
)
def test_the_final_can_be_gone_to(format_: str, players: int, title: str) -> None:
    drawing = draw(stage(format_, players))
    final = Page(drawing.svg).one("g", id=drawing.final)
    assert next(iter(Page(drawing.svg).all("title", id=f"{drawing.final}-title"))).text.startswith(f"{title}:")
    assert final.attributes["tabindex"] == "0" and drawing.final_part == 1


def test_the_final_of_a_large_bracket_names_its_part() -> None:
    """128 are 64 rows, two parts; the final stands in the middle of them."""
    value = stage("single_elimination", 128)
    (part,) = [number for number in (1, 2) if f'id="{draw(value).final}"' in draw(value, part=number).svg]
    assert draw(value).final_part == part
