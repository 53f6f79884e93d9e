"""Scoring: from the points of a round to the table of a season, as pure functions on plain values.

Nothing here knows a framework, a database or a language: what is wrong is said by codes
(``league.scoring.problems``), and others give them words.
"""
