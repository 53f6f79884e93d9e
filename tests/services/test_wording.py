"""Every code of the pure rooms has its sentence, in both languages, with exactly its parameters."""

import re

import pytest
from django.utils import translation

from games.catalog import GAMES
from league.scoring.problems import CODES
from league.services.wording import NOTES, SENTENCES, game_title, sentence

_VALUES: dict[str, int | str] = {"game": "xxl-1", "format": "pure_xxl", "allowed": "draw_pile_ran_out", "player": 3}


def _parameters(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", text))


def test_no_code_without_a_sentence_and_none_too_many() -> None:
    assert set(SENTENCES) == set(CODES)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("code", CODES)
def test_a_sentence_uses_only_what_comes_with_its_code(code: str, language: str) -> None:
    with translation.override(language):
        text = str(SENTENCES[code])
        assert text
        used, given = _parameters(text), set(CODES[code].parameters)
        # A player's id tells nobody anything, and seats count from 0 here and from 1 on pages; all else is said.
        assert used == given - {"player", "seat"}
        worded = sentence(code, {name: _VALUES.get(name, 7) for name in given})
        assert "%" not in worded


def test_games_and_formats_are_called_by_their_names() -> None:
    with translation.override("de"):
        assert game_title(GAMES["xxl-1"]) == "Rauf & Runter"
        assert "Rauf & Runter" in sentence("game_played_too_often", {"game": "xxl-1", "maximum": 1})
    with translation.override("en"):
        assert game_title(GAMES["xxl-1"]) == "Up and Down"
        assert "Up and Down" in sentence("game_not_in_format", {"game": "xxl-1", "format": "pure_xxl"})
        assert "Pure XXL" in sentence("game_not_in_format", {"game": "xxl-1", "format": "pure_xxl"})


def test_every_note_of_the_catalogue_has_words() -> None:
    assert set(NOTES) == {"", *(note for game in GAMES.values() for note in game.notes)}
