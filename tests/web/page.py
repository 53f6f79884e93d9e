"""A page as a reader sees it: its tables as text, its forms as fields."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

_VOID = {"meta", "link", "img", "input", "br", "hr", "wbr", "rect", "circle", "path"}


class Page(HTMLParser):
    """An HTML page taken apart: elements in order with attributes, own text and the enclosing elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        assert not self._open, f"never closed: {self._open[-1].tag}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, list(self._open))
        self.elements.append(element)
        if tag not in _VOID:
            self._open.append(element)
        elif tag == "br":
            self.handle_data(" ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, list(self._open)))

    def handle_endtag(self, tag: str) -> None:
        last = self._open.pop()
        assert last.tag == tag, f"<{last.tag}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.parts.append(data)

    def all(self, tag: str, inside: "Element | None" = None, **attributes: str) -> "Iterator[Element]":
        for element in self.elements:
            if element.tag != tag or (inside is not None and inside not in element.around):
                continue
            if all(element.attributes.get(name) == value for name, value in attributes.items()):
                yield element

    def one(self, tag: str, inside: "Element | None" = None, **attributes: str) -> "Element":
        found = list(self.all(tag, inside, **attributes))
        assert len(found) == 1, f"{len(found)} of <{tag}> {attributes}"
        return found[0]

    def rows(self, table: "Element") -> list[list[str]]:
        """The texts of a table's cells, row by row."""
        cells: dict[int, list[str]] = {}
        for element in self.elements:
            if element.tag in {"td", "th"} and table in element.around:
                row = next(one for one in reversed(element.around) if one.tag == "tr")
                cells.setdefault(id(row), []).append(element.text)
        return list(cells.values())

    @property
    def text(self) -> str:
        return " ".join(element.text for element in self.all("body"))


class Element:
    """An element of a page."""

    def __init__(self, tag: str, attributes: dict[str, str], around: "list[Element]") -> None:
        self.tag, self.attributes, self.around = tag, attributes, around
        self.parts: list[str] = []

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.parts)).strip()
