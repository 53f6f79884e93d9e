"""Brackets in words, and played to the end: what the tests of all formats share."""

from collections.abc import Callable, Sequence
from random import Random

from league.pairing.brackets import Bracket, Decision, Resolved, Source, SourceKind, resolve, standing

Decide = Callable[[str, int, int], Decision]


def words(source: Source) -> str:
    """A source as the drawings have it: 3 for a seed, W1-2 for its winner, -W1-2 for its loser, "." for a bye."""
    return {
        SourceKind.SEED: str(source.seed),
        SourceKind.WINNER: source.code,
        SourceKind.LOSER: f"-{source.code}",
        SourceKind.BYE: ".",
    }[source.kind]


def drawing(bracket: Bracket) -> list[str]:
    """The matches in order of play, each as "wave code: one, other"."""
    return [f"{match.wave} {match.code}: {', '.join(map(words, match.sources))}" for match in bracket.matches]


def sheet(text: str) -> list[str]:
    """The lines of a drawing by hand."""
    return [line.strip() for line in text.strip().splitlines()]


def favourite(_code: str, one: int, other: int) -> Decision:
    """The lower id wins: with ids by seed the stronger."""
    return Decision(winner=min(one, other), loser=max(one, other))


def outsider(_code: str, one: int, other: int) -> Decision:
    return Decision(winner=max(one, other), loser=min(one, other))


def by_chance(seed: int) -> Decide:
    """Either wins every other time."""
    rng = Random(seed)

    def decide(code: str, one: int, other: int) -> Decision:
        return favourite(code, one, other) if rng.random() < 0.5 else outsider(code, one, other)

    return decide


def play(
    bracket: Bracket, decide: Decide = favourite, seeding: Sequence[int] | None = None
) -> tuple[dict[str, Decision], Resolved]:
    """The bracket played to the end, with all outcomes; entrants are numbered by seed if not told otherwise."""
    seeding = seeding or range(1, bracket.entrants_count + 1)
    outcomes: dict[str, Decision] = {}
    while not (resolved := resolve(bracket, seeding, outcomes)).finished:
        assert resolved.ready, "something is left, but nothing can be played"
        for code in resolved.ready:
            one, other = resolved.matches[code].entrants
            assert one is not None and other is not None
            outcomes[code] = decide(code, one, other)
    return outcomes, resolved


def ranks(bracket: Bracket, resolved: Resolved) -> dict[int, str]:
    """The standing as people write it: entrant by entrant "3" or "5-8"."""
    return {
        one.entrant: str(one.rank_from) if one.rank_from == one.rank_to else f"{one.rank_from}-{one.rank_to}"
        for one in standing(bracket, resolved)
    }
