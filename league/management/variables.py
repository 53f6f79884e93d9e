"""Numbers that come as environment variables. Imports no Django."""

import os


def number(name: str, default: int, highest: int) -> int:
    """The variable's value, from 1 to `highest`; ends the program with a message that names it when it is no such."""
    text = os.environ.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= highest:
        raise SystemExit(f"{name} is {text!r}: give a number from 1 to {highest}.")
    return int(text)


def port() -> int:
    """Where the web server listens."""
    return number("PORT", 8000, 65535)
