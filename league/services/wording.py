"""The words for what the pure rooms report as codes.

Promises: every code of `league/scoring/problems.py` has a sentence here that says what is allowed, in the language
that is active when it is asked for.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.catalog import GAMES, GameInfo
from league.models import SessionFormat

NOTES: Mapping[str, str | Promise] = {
    "": _("no note"),
    "draw_pile_ran_out": _("the draw pile ran out"),
    "early_end": _("early end"),
}

SENTENCES: Mapping[str, str | Promise] = {
    # A round's scores: impossible.
    "points_or_places": _("All players of a round give points, or all give places; this one lacks it."),
    "places_only": _("This game is scored by places: give the place of each player, and no points."),
    "points_below": _("Points are whole numbers from %(minimum)s on in this game."),
    "points_above": _("Points are whole numbers up to %(maximum)s in this game."),
    "points_together_above": _("All together have %(total)s points, but the cards hold at most %(maximum)s."),
    "place_expected": _(
        "Place %(given)s can't be: %(expected)s was expected. Equal players share a place and the next places "
        "are skipped (1, 2, 2, 4)."
    ),
    "place_disagrees": _("The points give place %(expected)s, not %(given)s. Leave the place out or correct one."),
    "players_out_of_range": _("%(count)s players can't play this game: it is for %(minimum)s to %(maximum)s."),
    "place_not_allowed": _("A cooperative game has no places: give the points of the table."),
    "cooperative_points_differ": _("A cooperative game has one result for the whole table: give all the same points."),
    "note_not_allowed": _("This note does not belong to this game. Allowed: %(allowed)s."),
    # A round's scores: implausible.
    "nobody_at_zero": _(
        "Nobody has 0 points. Someone lays the last card, unless the draw pile ran out: then give that note."
    ),
    "several_at_zero": _("%(count)s players have 0 points, but only one can lay the last card."),
    "together_implausible": _(
        "All together have %(total)s points; with the cards of this table it is between %(minimum)s and %(maximum)s."
    ),
    "below_cheapest": _("The cheapest straight is worth %(minimum)s points; less than that is only 0."),
    "shared_first": _("Two players can't both lay the last card, unless the draw pile ran out: then give that note."),
    "too_many_left": _("More than %(maximum)s cards left can't happen: at least four cards can always be played."),
    "points_high": _("More than %(maximum)s points can't be won with the usual cards."),
    "points_low": _("Fewer than %(minimum)s points can't be won with the usual cards."),
    # The plan of a session.
    "repeats_out_of_range": _("Each game is played %(minimum)s to %(maximum)s times."),
    "game_not_in_format": _("“%(game)s” is not a game of %(format)s."),
    "game_played_too_often": _("“%(game)s” was played as often as agreed (%(maximum)s times at most)."),
    "another_game": _("This session is a series of one game: “%(game)s”."),
    "planned_required": _("Give the number of rounds that was agreed, 1 or more."),
    "too_many_rounds": _("%(maximum)s rounds were agreed; there can't be more."),
    "unusual_order": _("The games of Pure XXL are played in the order 1 to 6."),
    "too_few_rounds": _("At least as many rounds as players should be played: %(minimum)s."),
    "unequal_declarations": _(
        "The number of rounds of 6+ should be a multiple of the %(players)s players, so that all declare trumps "
        "equally often."
    ),
    # Who sat where.
    "seat_taken": _("This seat is taken in round %(round)s: one player a seat and round."),
    "seat_changed": _("A player keeps one seat for the whole session."),
    "seat_rounds_reversed": _("The last round (%(until_round)s) comes before the first (%(from_round)s)."),
    "not_seated": _("This player does not sit at the table in round %(round)s."),
    # Why somebody has no place, or a session does not count.
    "not_played": _("played no round"),
    "missed_rounds": _("missed a round"),
    "substitute": _("the rounds count for the player who was substituted"),
    "incomplete": _("ended early"),
    "below_minimum_rounds": _("ended too early"),
    "no_places": _("no places"),
}


def game_title(game: GameInfo) -> str:
    """The game's title in the active language, the original one where there is none."""
    return game.titles.get((get_language() or "en").split("-")[0], game.name)


def points_name(game: GameInfo) -> str:
    """What the game's points are, as it stands behind a number that is to be given."""
    return str(_("cards left") if game.family == "the-game" else _("points"))


def sentence(code: str, params: Mapping[str, int | str], games: Mapping[str, GameInfo] = GAMES) -> str:
    """The sentence of a code with its parameters, keys of games, formats and notes told by their names.

    `games` are those whose keys the parameters may hold.
    """
    named = dict(params)
    if str(named.get("game")) in games:
        named["game"] = game_title(games[str(named["game"])])
    if named.get("format") in SessionFormat.values:
        named["format"] = str(SessionFormat(str(named["format"])).label)
    if "allowed" in named:
        keys = [key for key in str(named["allowed"]).split(", ") if key]
        named["allowed"] = ", ".join(["“”", *(f"“{key}”" for key in keys)])
    return str(SENTENCES[code]) % named
