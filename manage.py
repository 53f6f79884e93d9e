#!/usr/bin/env python
"""Django's command line with Tischliga's settings."""

import gc
import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    # What is loaded at the start stays: the collector would go through all of it again and again as it grows.
    gc.set_threshold(50_000, 10, 10)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
