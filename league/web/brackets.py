"""A bracket as a drawing and in words.

Terms: see `league/pairing/brackets.py`; a match has a *number* here, counted in order of play, by which people speak
of it. A drawing is cut into *parts* of so many rows where it is larger. A *bye* is drawn as a stub before the side that
it leads to. Promises: every match of the drawing is a stop
of the keyboard with a title and a description, and stands in the list in words as well; every name is escaped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.pairing.bracket_layout import Box, Layout, layout
from league.pairing.brackets import Bracket, Match, ResolvedMatch, Side, Source, SourceKind, State
from league.pairing.values import TableKind
from league.services import tournament_plans
from league.services.pairing_words import sentence_of
from league.services.tournament_state import StageValue

# More rows than these are drawn in parts.
ROWS = 32
_WIDTH, _HEIGHT = 212, 50
_ACROSS, _DOWN = 256, 66
_EDGE = 6
_LETTERS = 22
# What a stub of a bye takes of the room before its match.
_STUB = 40
# A window may make the drawing smaller down to this: below, letters of 14 could not be read.
_LEAST = 0.7
DASH = " \N{EN DASH} "


@dataclass(frozen=True, slots=True)
class MatchWords:
    """A match in words: `sides` are who meets, `told` is how it stands; `address` "" where there is nothing to open."""

    number: int
    code: str
    title: str
    sides: tuple[str, str]
    told: str
    address: str
    is_decided: bool


@dataclass(frozen=True, slots=True)
class WaveWords:
    """The matches of one round of one side of the bracket."""

    title: str
    matches: tuple[MatchWords, ...]


@dataclass(frozen=True, slots=True)
class ByeWords:
    """Those who go on without an opponent by plan from one round."""

    title: str
    who: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part of a bracket: the SVG, the same in words; parts count from 1.

    `least` is the width in pixels below which the drawing slides; `final` is the id of the last match and the part that
    it stands in.
    """

    svg: SafeString
    least: int
    waves: tuple[WaveWords, ...]
    byes: tuple[ByeWords, ...]
    part: int
    parts: int
    final: str
    final_part: int


@dataclass(frozen=True, slots=True)
class _Reader:
    """What a drawing is made of."""

    bracket: Bracket
    resolved: Mapping[str, ResolvedMatch]
    numbers: Mapping[str, int]
    seeds: Mapping[int, int]
    names: Mapping[int, str]
    # By match: the number of the round and of the table, and the address of the score sheet.
    tables: Mapping[str, tuple[int, int]]
    addresses: Mapping[str, str]
    # By match: the games that each entry won.
    games: Mapping[str, Mapping[int, int]]


def draw(
    stage: StageValue,
    *,
    names: Mapping[int, str],
    addresses: Mapping[str, str],
    games: Mapping[str, Mapping[int, int]] = {},
    hidden: Sequence[int] = (),
    part: int = 1,
) -> Drawing:
    """The bracket of a stage. By match: `addresses` of score sheets, `games` that each entry won where several were
    played; `hidden`: rounds that the reader may not see.
    """
    bracket, resolved = tournament_plans.bracket_of(stage), tournament_plans.resolved(stage)
    reader = _Reader(
        bracket=bracket,
        resolved=resolved.matches,
        numbers={match.code: number for number, match in enumerate(bracket.played(), start=1)},
        seeds={place.entry_id: place.seed for place in stage.places},
        names=names,
        tables={
            table.match: (round_.row.number, table.number)
            for round_, table in stage.tables()
            if table.match and round_.row.number not in hidden
        },
        addresses=addresses,
        games=games,
    )
    plan = layout(bracket)
    parts = max(1, -(-int(plan.rows + 0.5) // ROWS)) if plan.rows > ROWS + ROWS // 4 else 1
    part = min(part, parts)
    top = (part - 1) * ROWS if parts > 1 else 0
    bottom = top + ROWS if 1 <= part < parts else plan.rows
    boxes = [box for box in plan.boxes if top <= box.row < bottom or (parts == 1)]
    words = [_words(reader, bracket.match(box.code)) for box in boxes]
    waves: dict[str, list[MatchWords]] = {}
    for one in words:
        waves.setdefault(one.title.rpartition(":")[0], []).append(one)
    byes: dict[str, list[str]] = {}
    for box in boxes:
        for source in bracket.match(box.code).sources:
            for match, who in _byes(reader, source):
                byes.setdefault(round_title(bracket, match), []).append(who)
    svg, width = _svg(reader, plan, boxes, {one.code: one for one in words}, top=top, rows=bottom - top)
    final = _final(bracket)
    row = next(box.row for box in plan.boxes if box.code == final)
    return Drawing(
        svg=svg,
        least=round(width * _LEAST),
        waves=tuple(WaveWords(title, tuple(matches)) for title, matches in waves.items()),
        byes=tuple(ByeWords(title, tuple(who)) for title, who in byes.items()),
        part=part,
        parts=parts,
        final=f"bracket-{final}",
        final_part=min(int(row // ROWS) + 1, parts) if parts > 1 else 1,
    )


def _final(bracket: Bracket) -> str:
    """The code of the match that decides the bracket; of two grand finals the first."""
    played = bracket.played()
    grand = [match for match in played if match.side is Side.FINAL]
    return grand[0].code if grand else [one for one in played if one.side in (Side.WINNERS, Side.LADDER)][-1].code


# --- In words ---------------------------------------------------------------------------------------------------------


def round_title(bracket: Bracket, match: Match) -> str:
    """The name of the round that a match stands in."""
    last = bracket.rounds(match.side)
    words = {"number": match.round}
    double = bracket.rounds(Side.LOSERS) + bracket.rounds(Side.FINAL) > 0
    match match.side:
        case Side.WINNERS if double:
            return _("Winners' final") if match.round == last else _("Winners' round %(number)d") % words
        case Side.WINNERS:
            before = last - match.round
            named = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
            return named.get(before) or _("Round of the last %(players)d") % {"players": 2 ** (before + 1)}
        case Side.LOSERS:
            return _("Losers' final") if match.round == last else _("Losers' round %(number)d") % words
        case Side.FINAL:
            return _("Second grand final") if match.reset else _("Grand final")
        case Side.THIRD_PLACE:
            return _("Match for third place")
    return _("Step %(number)d") % words


def _words(reader: _Reader, match: Match) -> MatchWords:
    found = reader.resolved[match.code]
    number = reader.numbers[match.code]
    title = _("%(round)s: match %(number)d") % {"round": round_title(reader.bracket, match), "number": number}
    return MatchWords(
        number=number,
        code=match.code,
        title=title,
        sides=(_side(reader, match, found, 0), _side(reader, match, found, 1)),
        told=_told(reader, match, found),
        address=reader.addresses.get(match.code, ""),
        is_decided=found.state is State.DECIDED,
    )


def _side(reader: _Reader, match: Match, found: ResolvedMatch, slot: int) -> str:
    """Who is on a side, or who will be."""
    entry = found.entrants[slot]
    if entry is not None:
        return reader.names[entry]
    if found.vacant[slot]:
        return _("nobody")
    return _source(reader, match.sources[slot])


def _source(reader: _Reader, source: Source) -> str:
    """Where somebody comes from who is not known yet."""
    before = reader.bracket.match(source.code)
    while source.kind is SourceKind.WINNER and before.is_bye:
        source = next(one for one in before.sources if one.kind is not SourceKind.BYE)
        if source.kind is SourceKind.SEED:
            return _("seed %(number)d") % {"number": source.seed}
        before = reader.bracket.match(source.code)
    words = {"number": reader.numbers.get(source.code, 0)}
    if source.kind is SourceKind.LOSER:
        return _("loser of match %(number)d") % words
    return _("winner of match %(number)d") % words


def _byes(reader: _Reader, source: Source) -> list[tuple[Match, str]]:
    """The byes by plan that lead from here to a side, the last one first, and whose they are."""
    found = []
    while source.kind is SourceKind.WINNER and (before := reader.bracket.match(source.code)).is_bye:
        slot = next(slot for slot, one in enumerate(before.sources) if one.kind is not SourceKind.BYE)
        found.append((before, _side(reader, before, reader.resolved[before.code], slot)))
        source = before.sources[slot]
    return found


def _told(reader: _Reader, match: Match, found: ResolvedMatch) -> str:
    """How a match stands, in a sentence."""
    best = _("best of %(number)d") % {"number": match.best_of} if match.best_of > 1 else ""
    if found.reason is not None:
        return sentence_of(found.reason, reader.names)
    if found.state is State.DECIDED:
        if found.winner is None:
            return _("Both forfeit: nobody goes on.")
        words = {"name": reader.names[found.winner]}
        won = reader.games.get(match.code, {})
        if found.winner in won:
            words |= {"won": str(won[found.winner]), "lost": str(sum(won.values()) - won[found.winner])}
            return _("%(name)s wins %(won)s:%(lost)s.") % words
        return (_("%(name)s wins by forfeit.") if found.kind is TableKind.FORFEIT else _("%(name)s wins.")) % words
    if found.state is State.READY:
        if match.code in reader.tables:
            round_, table = reader.tables[match.code]
            told = _("Round %(round)d, table %(table)d: no result yet.") % {"round": round_, "table": table}
        else:
            told = _("Can be played.")
    else:
        told = _("Waits for the matches before.")
    return f"{told} ({best})" if best else told


# --- Drawn ------------------------------------------------------------------------------------------------------------


def _svg(
    reader: _Reader, plan: Layout, boxes: Sequence[Box], words: Mapping[str, MatchWords], *, top: float, rows: float
) -> tuple[SafeString, int]:
    """The drawing, as large as its boxes need, and its width; a page lets it slide."""
    columns = sorted({box.column for box in boxes})
    rests = {
        (box.code, slot)
        for box in boxes
        for slot, source in enumerate(reader.bracket.match(box.code).sources)
        if _byes(reader, source)
    }
    left = _EDGE + (_STUB if any(box.column == 0 and {(box.code, 0), (box.code, 1)} & rests for box in boxes) else 0)
    at = {box.code: (left + box.column * _ACROSS, _EDGE + (box.row - top - 0.5) * _DOWN) for box in boxes}
    width = left + _EDGE + (max(columns, default=0)) * _ACROSS + _WIDTH
    height = 2 * _EDGE + rows * _DOWN
    lines = "".join(
        _line(at[one.start], at[one.end], one.slot) for one in plan.lines if one.start in at and one.end in at
    )
    lines += "".join(_stub(at[code], slot) for code, slot in sorted(rests))
    drawn = "".join(_box(reader, words[box.code], at[box.code]) for box in boxes)
    label = escape(_("Bracket: %(number)d matches, in order of play") % {"number": len(boxes)})
    # Safe: numbers, and texts that are escaped.
    drawing = mark_safe(  # noqa: S308  # nosec B308 B703
        f'<svg class="bracket" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="group"'
        f' aria-label="{label}"><g class="bracket-lines" aria-hidden="true">{lines}</g>{drawn}</svg>'
    )
    return drawing, width


def _stub(at: tuple[float, float], slot: int) -> str:
    """The word before a side that a bye leads to."""
    x, y = at[0], at[1] + _HEIGHT * (0.25 + 0.5 * slot)
    word = escape(pgettext("in a bracket, at most seven letters", "bye"))
    return (
        f'<path class="bye" d="M{x - _STUB:g} {y + 7:g}H{x:g}"/>'
        f'<text class="bye" x="{x - 4:g}" y="{y - 1:g}">{word}</text>'
    )


def _line(start: tuple[float, float], end: tuple[float, float], slot: int) -> str:
    x1, y1 = start[0] + _WIDTH, start[1] + _HEIGHT / 2
    x2, y2 = end[0], end[1] + _HEIGHT * (0.25 + 0.5 * slot)
    middle = x2 - (_ACROSS - _WIDTH) / 2
    return f'<path d="M{x1:g} {y1:g}H{middle:g}V{y2:g}H{x2:g}"/>'


def _box(reader: _Reader, words: MatchWords, at: tuple[float, float]) -> str:
    found = reader.resolved[words.code]
    x, y = at
    half = _HEIGHT / 2
    state = "void" if found.state is State.VOID else found.state.value
    rows = []
    for slot in (0, 1):
        entry = found.entrants[slot]
        kind = "side"
        if entry is None:
            kind += " open"
        elif entry == found.winner:
            kind += " won"
        elif found.state is State.DECIDED:
            kind += " lost"
        name = words.sides[slot]
        short = name if len(name) <= _LETTERS else name[: _LETTERS - 1].rstrip() + "…"
        seed = str(reader.seeds[entry]) if entry is not None else ""
        middle = half * (slot + 0.5)
        won = reader.games.get(words.code, {}).get(entry) if entry is not None else None
        # How many games each won says as much as a tick, and more.
        sign = str(won) if won is not None else "✓" if entry and entry == found.winner else ""
        mark = f'<text class="mark" x="{_WIDTH - 10}" y="{middle:g}">{sign}</text>' if sign else ""
        rows.append(
            f'<g class="{kind}"><text class="seed" x="40" y="{middle:g}">{seed}</text>'
            # A drawing of its own cuts what is too wide: how wide letters are is for the browser to know.
            f'<svg x="47" width="{_WIDTH - 72}" height="{_HEIGHT}"><text y="{middle:g}">{escape(short)}</text></svg>'
            f"{mark}</g>"
        )
    rested = [
        _("%(name)s had a bye.") % {"name": words.sides[slot]}
        for slot, source in enumerate(reader.bracket.match(words.code).sources)
        if _byes(reader, source)
    ]
    told = " ".join([f"{DASH.join(words.sides)}.", *rested, words.told])
    ids = f"bracket-{words.code}"
    inside = (
        f'<title id="{ids}-title">{escape(words.title)}</title><desc id="{ids}-told">{escape(told)}</desc>'
        f'<rect class="frame" width="{_WIDTH}" height="{_HEIGHT}" rx="7"/>'
        f'<path class="rule" d="M24 {half:g}H{_WIDTH}M24 0V{_HEIGHT}"/>'
        f'<g aria-hidden="true"><text class="count" x="12" y="{half:g}">{words.number}</text>{"".join(rows)}</g>'
    )
    common = (
        f'id="{ids}" class="match {state}" transform="translate({x:g} {y:g})" aria-labelledby="{ids}-title {ids}-told"'
    )
    if words.address:
        return f'<a {common} href="{escape(words.address)}">{inside}</a>'
    return f'<g {common} tabindex="0" role="group">{inside}</g>'
