"""What boards of ratings are called."""

from django.utils.translation import gettext as _

from league.models import PlayerKind, RatingBoard
from league.web.figures import family_name


def board_title(board: str, family: str, kind: str) -> str:
    """The games of a board, and who plays them where it is not people against each other."""
    words = {"games": family_name(family)}
    if board == RatingBoard.COOPERATIVE:
        return (_("%(games)s, bots together") if kind == PlayerKind.BOT else _("%(games)s, together")) % words
    return _("%(games)s, bots") % words if kind == PlayerKind.BOT else words["games"]
