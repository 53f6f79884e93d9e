"""Every tie-break and every flaw has its words."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from league.scoring.tie_breaks import TIE_BREAKS, Value, check_chain
from league.scoring.tournaments import Scoring, check_scoring
from league.services.tie_break_words import FLAWS, NAMES, SENTENCES, figure_told, flaw_told, name_of, sentence_of

pytestmark = pytest.mark.one_database

CHAIN = ["glory", "wins", "wins", "lots", "direct"]


def test_all_tie_breaks_have_a_name_and_a_sentence() -> None:
    assert NAMES.keys() == SENTENCES.keys() == TIE_BREAKS.keys()
    assert len({str(name) for name in NAMES.values()}) == len(NAMES)
    for code in TIE_BREAKS:
        assert name_of(code)
        assert sentence_of(code).endswith(".")


def test_all_flaws_have_a_sentence() -> None:
    found = [
        *check_chain(CHAIN, Scoring()),
        *check_chain(["buchholz"], Scoring(basis="place_sum")),
        *check_scoring(Scoring(win=Fraction(0))),
        *check_scoring(Scoring(basis="place_points")),
        *check_scoring(Scoring(basis="place_points", place_points=(0, 1))),
        *check_scoring(Scoring(basis="place_points", place_points=(1, 1))),
        *check_scoring(Scoring(basis="cards_left")),
    ]
    assert {flaw.code for flaw in found} == FLAWS.keys()
    assert all("%" not in flaw_told(flaw) for flaw in found)


def test_flaws_name_what_is_meant_and_what_is_allowed() -> None:
    told = [flaw_told(flaw) for flaw in check_chain(CHAIN, Scoring())]
    assert told[0].startswith("“glory” is no tie-break. Allowed: buchholz, buchholz_cut1, ")
    assert told[1:] == [
        "“Number of wins” stands there twice: once is enough.",
        "“Direct encounter” would never be asked: the drawing of lots leaves nobody level.",
    ]


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("buchholz", Fraction(12), "12"),
        ("buchholz", Fraction(25, 2), "12.5"),
        ("sonneborn_berger", Fraction(39, 4), "9.75"),
        ("opponents", Fraction(2, 3), "0.667"),
        ("opponents_win_rate", Fraction(2, 3), "66.67 %"),
        ("wins", 3, "3"),
        ("countback", (2, 0, 1), "2 0 1"),
        ("last_round", (1, None, 3), "1 \N{EN DASH} 3"),
        ("direct", None, "\N{EN DASH}"),
        ("countback", (), "\N{EN DASH}"),
    ],
)
def test_figures(code: str, value: Value, shown: str) -> None:
    assert figure_told(code, value) == shown


def test_figures_in_german() -> None:
    with override("de"):
        assert figure_told("buchholz", Fraction(25, 2)) == "12,5"
