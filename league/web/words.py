"""Template filters that put codes of other rooms into words, built in to every template."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.catalog import GAMES, GameInfo
from games.core import Json
from league.models.sheets import ScoreSheet
from league.services import option_words, wording

register = template.Library()


@register.filter
def game_title(game: GameInfo | str) -> str:
    """The title in the active language of a game of the catalogue, given itself or by its key."""
    return wording.game_title(GAMES[game] if isinstance(game, str) else game)


@register.filter
def options_in_words(options: Mapping[str, Json]) -> str:
    """What was agreed on for a deal, as in “short hands: yes, who begins: seat 2”."""
    return ", ".join(f"{name}: {value}" for name, value in option_words.in_words(options))


@register.filter
def grouped(number: int) -> str:
    """A whole number with its thousands set apart as the language does."""
    return number_format(number, use_l10n=True, force_grouping=True)


@register.filter
def runs(numbers: Sequence[int]) -> str:
    """Ascending numbers, three and more in a row by their ends, with a dash between."""
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    told = []
    for first, last in ends:
        told += (
            [f"{first}\N{EN DASH}{last}"] if last > first + 1 else [str(number) for number in range(first, last + 1)]
        )
    return ", ".join(told)


@register.filter
def code_words(code: str) -> str:
    """The words for a round's note, or for why there is no place; "" for ""."""
    if not code:
        return ""
    return str(wording.NOTES.get(code) or wording.SENTENCES[code])


@register.filter
def rank_card(rank: int | None, shared: bool = False) -> SafeString:
    """A rank or place as a small card, with a sign and a spoken word where it is shared; a dash for None."""
    return _card(rank, shared, get_language())


# A page of a table has a hundred of them, and all pages have the same.
@lru_cache(maxsize=4096)
def _card(rank: int | None, shared: bool, _language: str | None) -> SafeString:
    if rank is None:
        return format_html(
            '<span class="rank none"><span aria-hidden="true">&ndash;</span><span class="unseen"> {}</span></span>',
            _("without a rank"),
        )
    sign = format_html('<i aria-hidden="true">=</i><span class="unseen"> {}</span>', _("shared")) if shared else ""
    return format_html('<span class="rank{}">{}{}</span>', " first" if rank == 1 else "", rank, sign)


@register.filter
def shared_places(sheet: ScoreSheet) -> set[int | None]:
    """The final places, or those so far, that more than one player has."""
    return {place for place, count in Counter(one.place for one in sheet.players).items() if count > 1}


@register.filter
def table_notes(sheet: ScoreSheet) -> list[str]:
    """Sentences about everyone who did not sit at the table from the first round to the last, in seat order."""
    notes = []
    for one in sheet.players:
        words = {"player": one.player.name, "round": one.from_round}
        before = [other for other in sheet.players if other.seat == one.seat and other.until_round is not None]
        replaced = next((other for other in before if other.until_round == one.from_round - 1), None)
        if replaced is not None and replaced is not one:
            words["other"] = replaced.player.name
            notes.append(_("%(player)s plays for %(other)s from round %(round)s on.") % words)
        elif one.from_round > 1:
            notes.append(_("%(player)s joined in round %(round)s.") % words)
        followed = any(
            other.seat == one.seat and one.until_round is not None and other.from_round == one.until_round + 1
            for other in sheet.players
        )
        if one.until_round is not None and not followed:
            notes.append(_("%(player)s left after round %(round)s.") % {**words, "round": one.until_round})
    return notes
