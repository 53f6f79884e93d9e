"""The tests, in the rooms of what they test."""
