"""Words for what came of a bot match."""

from games.catalog import GAMES
from games.series import Plan, Player
from league.services.bot_results import ENDS


def test_every_way_that_a_deal_ends_has_its_words() -> None:
    """Random bots bring most of the ends about; each game at its smallest and its largest table."""
    found = set()
    for info in GAMES.values():
        for seats in (info.min_players, info.max_players):
            player = Player(Plan((info.key,), ("random",) * seats, 55))
            found |= {player.play(deal).reason for deal in range(5)}
    assert len(found) > 5
    assert found <= set(ENDS)
