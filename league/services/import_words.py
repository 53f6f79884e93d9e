"""The words for what `league/exchange` and the preview of an import report as codes.

Promises: every code of `league/exchange/plays.py`, and every one of `OWN` below, has a sentence in the language that
is active when it is asked for.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.models import ImportSource

# What becomes, or became, of a play.
FATES: Mapping[str, str | Promise] = {
    "ready": _l("to be stored"),
    "stored": _l("stored"),
    "imported": _l("here from an earlier import"),
    "duplicate": _l("here from elsewhere"),
    "skipped": _l("left out"),
    "undecided": _l("still to be decided"),
    "problem": _l("with a problem"),
}
FILE_SENTENCES: Mapping[str, str | Promise] = {
    # The file.
    "too_large": _l("The file is too large: at most %(maximum)s bytes are taken."),
    "empty": _l("The file is empty."),
    "unknown_format": _l(
        "This file is none of BG Stats (.json or .bgsplay), BoardGameGeek (XML of its plays), an archive of this "
        "product or CSV with at least the columns date and player."
    ),
    "spreadsheet": _l("This is the file of a spreadsheet program: save the table as CSV and take that."),
    "invalid_json": _l("The file begins as JSON and can't be read as such; it may have been cut off."),
    "invalid_xml": _l("The file begins as XML and can't be read as such; it may have been cut off."),
    "not_plays": _l("This is no list of plays. BoardGameGeek says: “%(text)s”"),
    "no_plays": _l("There is no play in this file."),
    "column_missing": _l("The table lacks: %(columns)s."),
    "column_twice": _l("Two columns of the table are “%(column)s”: leave one of them out."),
    "invalid_table": _l("The table can't be read: is there a quotation mark that is never closed?"),
    "too_many_plays": _l("One file may hold %(maximum)s plays at most."),
    "archive_not_read": _l("This archive can't be read: it was cut off, changed or made by another version."),
    "unknown_column": _l("The column “%(column)s” is not known and was left out."),
    "more_plays_elsewhere": _l(
        "BoardGameGeek has %(total)s plays, this file %(given)s of them: import the other pages as well."
    ),
    # One play.
    "not_an_object": _l("This entry is no play."),
    "no_day": _l("The day is missing."),
    "day_not_read": _l("“%(text)s” is not read as a day: write 2026-11-30 or 30.11.2026."),
    "no_game": _l("The game is missing."),
    "no_players": _l("Nobody is named who played."),
    "too_many_players": _l("More than %(maximum)s people are named."),
    "no_name": _l("A player has no name."),
    "player_twice": _l("“%(player)s” is named twice."),
    "score_not_read": _l("“%(text)s” is not read as a score: whole numbers are, and sums as 7+22."),
    "score_not_whole": _l("“%(text)s” is no whole number."),
    "number_not_read": _l("“%(text)s” is not what belongs in this column."),
    "score_missing": _l("“%(player)s” has neither points nor a place."),
    "no_result": _l("There is no result: neither points nor places nor winners."),
    "two_games": _l("Round %(round)s has two games."),
    "two_days": _l("Rows of one session have different days."),
    "unfinished": _l("The play is marked as unfinished."),
    "format_not_read": _l("“%(text)s” is no format: pure_xxl, individual_xxl, series or single_game."),
    "note_not_read": _l("“%(text)s” is no note: draw_pile_ran_out or early_end."),
    "ignored_there": _l("Left out, since it is marked as ignored or deleted."),
    "given_twice": _l("Left out, since the same play stands in the file before."),
    "points_left_out": _l("The winners were named by hand: places are taken over, points are not."),
    "scores_left_out": _l("Not all scores are whole numbers: the winners are taken over, the scores are not."),
}
# What is found when the plays meet the club's players and games.
OWN: Mapping[str, str | Promise] = {
    "other_games": _l("These games have no format together: Pure XXL, Individual XXL or a series of one game."),
    "direction_differs": _l("“%(game)s”: by the file another score wins than by the game chosen for it."),
    "winner_differs": _l("By the scores somebody else wins than the file says."),
    "stored_before": _l("The same players have the same scores on that day already."),
}


def told(code: str, params: Mapping[str, int | str]) -> str:
    """The sentence of a code."""
    return str(FILE_SENTENCES[code] if code in FILE_SENTENCES else OWN[code]) % params


def line_of(source: str, line: int | None) -> str:
    """Where in the file something stands, "" for all of it."""
    if line is None:
        return ""
    if source == ImportSource.CSV:
        return _("line %(line)d") % {"line": line}
    return _("play %(line)d") % {"line": line}
