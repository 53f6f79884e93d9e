"""The words for tie-breaks of tournaments, their figures, and what can be wrong with a scoring or a chain.

Promises: every code of `TIE_BREAKS` in `league/scoring/tie_breaks.py` has a name and one sentence, and every flaw that
`league/scoring` finds a sentence that says what is allowed, in the language that is active when it is asked for.
Never: decides anything.
"""

from collections.abc import Mapping
from fractions import Fraction

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.scoring.tie_breaks import Value
from league.scoring.tournaments import Flaw

NAMES: Mapping[str, str | Promise] = {
    "buchholz": _l("Buchholz"),
    "buchholz_cut1": _l("Buchholz, cut 1"),
    "buchholz_median": _l("Buchholz, median"),
    "sonneborn_berger": _l("Sonneborn-Berger"),
    "direct": _l("Direct encounter"),
    "opponents_win_rate": _l("Opponents' win rate"),
    "cumulative": _l("Cumulative score"),
    "wins": _l("Number of wins"),
    "countback": _l("Most first places"),
    "last_round": _l("Last round"),
    "opponents": _l("Strength of opponents"),
    "place_sum": _l("Sum of places"),
    "game_points": _l("Points of the games"),
    "lots": _l("Drawing of lots"),
}

SENTENCES: Mapping[str, str | Promise] = {
    "buchholz": _l("The higher sum of the opponents' scores; at a larger table the mean of all others counts."),
    "buchholz_cut1": _l("The higher sum of the opponents' scores without the lowest."),
    "buchholz_median": _l("The higher sum of the opponents' scores without the lowest and the highest."),
    "sonneborn_berger": _l(
        "The higher sum of the opponents' scores, each times the points that were won off that opponent."
    ),
    "direct": _l(
        "More points against the others who are level, with the average where two met more often; if not all of them "
        "met, only who would stay ahead however the missing meetings had ended."
    ),
    "opponents_win_rate": _l(
        "The higher mean of the shares that the opponents won of all points they could win; each counts as a third at "
        "least."
    ),
    "cumulative": _l("The better sum of the scores after each round: early points count more often."),
    "wins": _l("More wins: rounds with the points of a win, at larger tables first places."),
    "countback": _l("More first places; then more second places, and so on."),
    "last_round": _l(
        "The better place in the last round; then in the one before, and so on. Who has none stands behind."
    ),
    "opponents": _l("The better mean of the scores of all whom one sat with."),
    "place_sum": _l("The lower sum of the places; a round missed counts as the place behind the largest table."),
    "game_points": _l("The better sum of the points of the games."),
    "lots": _l("The lower number in a draw that is made once and kept."),
}

FLAWS: Mapping[str, str | Promise] = {
    # Of a scoring.
    "order_of_points": _l("A win must be worth more than a draw, and a draw no less than a loss."),
    "no_place_points": _l("Give points for at least two places, from the first down."),
    "rising_place_points": _l("The points for places must not rise from one place to the next."),
    "equal_place_points": _l("The first place must be worth more than the last."),
    "worth_needed": _l("Say how many points this is worth: in this tournament there is no usual value."),
    # Of a chain.
    "unknown_tie_break": _l("“%(code)s” is no tie-break. Allowed: %(allowed)s."),
    "tie_break_twice": _l("“%(name)s” stands there twice: once is enough."),
    "after_lots": _l("“%(name)s” would never be asked: the drawing of lots leaves nobody level."),
    "needs_worth": _l("“%(name)s” needs a tournament whose points are won by results or places."),
}


def name_of(code: str) -> str:
    """The name of a tie-break."""
    return str(NAMES[code])


def sentence_of(code: str) -> str:
    """What a tie-break does, in one sentence."""
    return str(SENTENCES[code])


def flaw_told(flaw: Flaw) -> str:
    """What is wrong and what is allowed."""
    code = flaw.params.get("code", "")
    words = {"code": code, "name": str(NAMES.get(code, code)), "allowed": ", ".join(NAMES)}
    return str(FLAWS[flaw.code]) % words


def figure_told(code: str, value: Value) -> str:
    """A figure as a table shows it: up to three decimals, a rate in percent; a dash where there is none."""
    if value is None or value == ():
        return "\N{EN DASH}"
    if isinstance(value, tuple):
        return " ".join("\N{EN DASH}" if one is None else number_format(one) for one in value)
    if code == "opponents_win_rate":
        return _("%(number)s %%") % {"number": floatformat(float(value * 100), 2)}
    if isinstance(value, Fraction) and value.denominator > 1:
        # Exact for halves and quarters, the fractions of duels; of the means of tables three decimals tell most apart.
        return floatformat(float(value), {2: 1, 4: 2}.get(value.denominator, 3))
    return number_format(int(value))
