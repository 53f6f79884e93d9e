"""Tests of `league/exchange`."""
