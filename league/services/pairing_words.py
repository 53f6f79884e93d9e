"""The words for what `league/pairing` decides: why something odd was done, and why something can't be.

Promises: every code of that room has a sentence here, in the language that is active when it is asked for. Names are
those that the caller gives: who may read them is its business.
"""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.pairing.values import Reason

# Of a pairing that was made.
REASONS: Mapping[str, Promise] = {
    "bye": _("%(players)s has a bye."),
    "odd_number": _("%(players)s has a bye, since the number of players is odd."),
    "floated": _("%(players)s meet although their scores are not next to each other: no better pairing was left."),
    "rematch": _("%(players)s meet again: no pairing without it was left."),
    "together": _("%(players)s sit together, as was wished."),
    "table_missed": _("%(players)s can't sit at table %(table)d this time."),
    "gone": _("%(players)s is gone."),
    "walkover": _("%(players)s goes on without play: the other side is empty."),
    "no_reset": _("No second match is needed."),
    "met_before": _("%(players)s sit together again at table %(table)d: no seating without it was left."),
    "met_for_short": _(
        "%(players)s sit together again at table %(table)d: nobody sits at a smaller table again before everybody did, "
        "and that left no seating without it."
    ),
    "together_again": _("%(players)s sit together again at table %(table)d, as was wished."),
    "short_again": _("%(players)s sits at a smaller table again (table %(table)d): no better seating was left."),
    "repeat": _("%(players)s meet again at table %(table)d, as in tournament round %(round)d: no better was left."),
    "repeat_for_short": _(
        "%(players)s meet again at table %(table)d, as in tournament round %(round)d: nobody sits at a smaller table "
        "again before everybody did, and that left no better."
    ),
    "repeat_by_wish": _("%(players)s meet again at table %(table)d, as was wished."),
    "wide_table": _("At table %(table)d the scores lie far apart: no better seating was left."),
    "fixed_table": _("Table %(table)d would be table %(otherwise)d by its scores: %(players)s has this one for good."),
    "rank_cut": _(
        "Of %(players)s, who have place %(rank)d each, some sit at a better table by the order of the groups."
    ),
    "same_group": _("%(players)s of one group meet at table %(table)d: it could not be avoided."),
}
# Of one that can't be.
ERRORS: Mapping[str, Promise] = {
    "nobody": _("Nobody is there to be paired."),
    "no_pairing": _(
        "No pairing is left in which nobody meets again: the best has %(rematches)d repeated meetings (%(players)s). "
        "Allow repeats, change the wishes, or end the stage."
    ),
    "kept_apart": _("The wishes to be apart leave no opponent for %(players)s."),
    "together_met": _("%(players)s are wished together, but they have met before."),
    "together_bye": _("It is the turn of %(players)s to have a bye, but a wish wants a table: take the wish back."),
    "wish_conflict": _("The wishes for %(players)s contradict each other."),
    "wishes_contradict": _("%(players)s are to sit together, perhaps by way of others, and apart: change the wishes."),
    "together_and_apart": _("%(players)s are to sit together, perhaps by way of others, and apart: change the wishes."),
    "together_too_many": _("%(players)s are to sit together: no table takes so many (%(players_count)d)."),
    "together_fixed_elsewhere": _("%(players)s are to sit together, but have different fixed tables."),
    "fixed_too_many": _("%(players)s have the same fixed table %(table)d, which has %(seats)d seats at most."),
    "fixed_table_missing": _("%(players)s is to sit at table %(table)d, but there are %(tables)d tables."),
    "no_such_table": _("%(players)s is to sit at table %(table)d, but there are %(tables)d tables."),
    "wishes_not_met": _("No tables were found that meet all wishes at once: take some back (%(players)s)."),
    "wishes_impossible": _("No tables meet all wishes at once: take some back (%(players)s)."),
    "wishes_not_found": _("No tables were found that meet all wishes at once: take some back (%(players)s)."),
    "player_twice": _("%(players)s is named twice."),
    "no_rounds": _("There is to be one tournament round at least, not %(rounds)d."),
    "dutch_missing": _("The Dutch system of FIDE is not installed here: whoever runs the server can add it."),
    "dutch_scores": _(
        "The Dutch system of FIDE knows half and whole points alone; %(players)s has %(score)s. Choose another system."
    ),
    "dutch_wish": _("The Dutch system of FIDE knows no wish to sit together: take that for %(players)s back."),
    "no_dutch_pairing": _("The rules of FIDE leave no pairing: end the stage."),
    "table_size_out_of_range": _("Tables are for %(smallest)d to %(largest)d players; %(preferred)d is none of these."),
    "too_few_players": _("%(players_count)d players are too few: a table needs %(smallest)d."),
    "no_table_sizes": _("Tables of %(smallest)d to %(largest)d players can't seat just %(players_count)d."),
    "too_few_entrants": _("%(entrants)d players are too few: %(least)d are needed."),
    "too_few_groups": _("%(groups)d groups are too few: %(least)d are needed."),
    "group_too_small": _("A group has %(entrants)d players; %(places)d are to go on."),
    "best_of_even": _("The best of %(best_of)d games may have no winner: give an odd number."),
    "wrong_count": _("The bracket is made for %(expected)d players, not for %(entrants)d."),
    "entrant_twice": _("%(players)s is named twice."),
    "unknown_match": _("There is no such match in this bracket."),
    "not_next": _("%(players)s is not next behind those who go on."),
    "too_few_next": _("There are %(entrants)d next behind; %(places)d are to go on."),
    "no_match_ready": _(
        "No match can be played yet: there is no winner between %(players)s (tables without one: %(tables)d). "
        "Enter the result, or correct a draw, or void its session and decide by forfeit."
    ),
    "bracket_finished": _("The bracket is played to its end."),
}


def sentence_of(reason: Reason, names: Mapping[int, str]) -> str:
    """The sentence of a reason, with the names of whom it concerns."""
    template = REASONS.get(reason.code) or ERRORS[reason.code]
    return _filled(template, reason.entrants, reason.figures, names)


def _filled(template: Promise, entrants: Sequence[int], figures: Mapping[str, float], names: Mapping[int, str]) -> str:
    params: dict[str, object] = {**figures, "players_count": figures.get("players", len(entrants))}
    params["players"] = ", ".join(names.get(one, "?") for one in entrants)
    return str(template) % params
