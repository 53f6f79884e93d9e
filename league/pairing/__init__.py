"""Who meets whom: pure functions on plain values. Tournament formats get their rooms here, one a file."""
