"""XXL cards as words, such as ``green1/red2``, for the rules as tests retell them; nothing of the engines is used."""

from collections.abc import Iterator, Sequence
from itertools import combinations


def halves(word: str) -> dict[str, int]:
    """The numbers of a card by colour."""
    return {half.rstrip("0123456789"): int(half.lstrip("abcdefghijklmnopqrstuvwxyz")) for half in word.split("/")}


def total(*words: str) -> int:
    """The total value of cards."""
    return sum(sum(halves(word).values()) for word in words)


def splits(words: Sequence[str], sizes: Sequence[int]) -> Iterator[list[list[str]]]:
    """All ways to give each so many of the words."""
    if not sizes:
        yield []
        return
    for some in combinations(words, sizes[0]):
        for rest in splits([word for word in words if word not in some], sizes[1:]):
            yield [list(some), *rest]
