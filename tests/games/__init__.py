"""Tests of the room ``games``."""
