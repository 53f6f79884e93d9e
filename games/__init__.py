"""Games: rules, records and bots, in plain Python.

This package knows cards and moves and nothing of clubs, seasons or databases. It imports no
framework and nothing of the rest of the project, so that a bot, a terminal and a web page play by
the same rules.
"""
