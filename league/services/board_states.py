"""What says that a leaderboard shows something else from now on.

Terms: a *board state* is a random number of a season or club (`league/models/clubs.py`). Promises: every change of
what a season's leaderboard shows renews the season's or the club's in its own transaction, so that who reads a state,
and then the rest, has read nothing older than the state; of two changes at once the second waits for the first, so
that no state is ever seen without all changes before it. Ids of audit events would not do: a lower one may be
committed after a higher one was seen.
"""

from league.models import Club, Season
from league.models.clubs import new_board_state


def renew_season(season_id: int) -> None:
    """The season's board changes, and no other: called where the season is locked in any case."""
    Season.objects.filter(pk=season_id).update(board_state=new_board_state())


def renew_club(club_id: int) -> None:
    """The boards of all seasons of the club may change: names, or many seasons at once.

    Called as the last thing of the transaction, after all that it locks, and where seasons are not locked: whoever
    records a result has its season and then asks for players and games, and neither is to wait for the other.
    """
    Club.objects.filter(pk=club_id).update(board_state=new_board_state())
