"""Pure functions between files of other programs and plain values: what is read, what is written.

Never: opens a database or a network connection, or decides what becomes of a value.
"""
