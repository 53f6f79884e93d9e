"""docs/operations.md names every variable that the product reads, and no other."""

import re

from tests.product import ROOT

MAKES_OWN = {"VENV", "PYTHON"}


def test_the_table_of_variables_is_whole() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    told = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE))
    code = "".join(path.read_text() for path in (ROOT / "league").rglob("*.py"))
    read = set(re.findall(r'(?:environ\.get|number|_switch)\(\s*"([A-Z_]+)"', code))
    assert told - MAKES_OWN == read
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"$({name})" in makefile for name in MAKES_OWN)
