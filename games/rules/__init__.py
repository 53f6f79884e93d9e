"""One file per game, and the decks they share. Rules and rulings: ``docs/rules/``."""
