"""What a person sees and types: colours, tables, progress, a game watched and a game played.

Terms. To *paint* is to put a word of a card or a colour on a ground of that colour. A *drawing* is what a
game draws of a view; a line of it that begins with a space goes on with the line before. The *viewer* is
whose view is shown: a seat, a spectator (``None``), or whoever is to move.

Promises: no game is known here, only what all of them can do; what is shown of a game comes from the
viewer's view, so that somebody else's hidden card or hidden move appears nowhere. Texts go through
gettext; what an engine says (drawings, rules, refusals) is shown as it is, in English.

Never: reads arguments, or decides how the program exits.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Literal, Self, TextIO

from games.bots.base import Bot, reason_of
from games.core import GameError, Move, Playthrough, Seat, Turn, bot_source
from games.language import LANGUAGES, number, speaking, translations
from games.record import Record

COLOUR_CHOICES: Final = ("auto", "never", "always")
_MOST_NUMBERED = 24
_MOST_LISTED = 300
_LEAST_WIDTH = 20
_PROSE_WIDTH = 100
_BAR_AFTER_SECONDS = 2.0
_BAR_EVERY_SECONDS = 0.1

# Letters and ground together are legible on any terminal, dark or light: each pair has a contrast of 4.5 or more.
_GROUNDS: Final = {"red": "97;48;5;160", "yellow": "30;48;5;220", "green": "97;48;5;28", "blue": "97;48;5;26"}
_CARD_WORD = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(_GROUNDS)})(?: ?[0-9]+)?(?![A-Za-z0-9])")


class Stopped(Exception):
    """The person has seen or played enough."""


# Languages and colours.


def language_of(environ: Mapping[str, str]) -> str:
    """The first of ``LANGUAGES`` that LANGUAGE asks for, else LC_ALL, LC_MESSAGES or LANG; English if none does."""
    # Not the standard library's own search: it would pass over English, which has no catalogue, to the next.
    wishes = environ.get("LANGUAGE", "").split(":")
    wishes.append(next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), ""))
    codes = (re.split(r"[_.@]", wish)[0].lower() for wish in wishes)
    return next((code for code in codes if code in LANGUAGES), "en")


def wants_colour(choice: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to paint: ``auto`` means on a terminal that can, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    return not environ.get("NO_COLOR") and environ.get("TERM") != "dumb" and stream.isatty() and _speaks_ansi()


def _speaks_ansi() -> bool:
    """Whether the terminal understands colours; a Windows console does once it is told to."""
    if sys.platform == "win32":
        import ctypes  # where there is no such console, not every Python has it

        kernel = ctypes.windll.kernel32
        handle, mode, process_ansi = kernel.GetStdHandle(-11), ctypes.c_ulong(), 0x0004
        known = kernel.GetConsoleMode(handle, ctypes.byref(mode))
        return bool(known and kernel.SetConsoleMode(handle, mode.value | process_ansi))
    return True


def paint(text: str) -> str:
    """The text with each half of a card (``red4``) and each name of a colour on its ground."""
    return _CARD_WORD.sub(lambda found: f"\x1b[{_GROUNDS[found[1]]}m{found[0]}\x1b[0m", text)


def _width() -> int:
    """How long a line may be: no terminal is so narrow that less would help."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size().columns - 1)


def _broken(line: str, width: int) -> str:
    # Escapes take no room, and the lines that have some are short.
    if len(line) <= width or "\x1b" in line:
        return line
    indent = " " * (len(line) - len(line.lstrip(" ")) + 4)
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _unbroken(drawing: str) -> str:
    """A drawing with the lines that the game broke put together again."""
    return re.sub(r"\n +", " ", drawing)


class Terminal:
    """Where texts go and answers come from, in one language, painted or not."""

    def __init__(self, *, colour: bool, language: str) -> None:
        self.colour = colour
        self.language = language
        self.texts = translations(language)
        self.gettext = self.texts.gettext
        self.ngettext = self.texts.ngettext

    def say(self, text: str = "") -> None:
        """One text, cards painted; on a terminal lines that are too long break between words."""
        if sys.stdout.isatty():
            text = "\n".join(_broken(line, _width()) for line in text.split("\n"))
        sys.stdout.write(f"{paint(text) if self.colour else text}\n")
        sys.stdout.flush()

    def draw(self, drawing: str) -> None:
        """A drawing; a terminal's own width, not the game's, breaks its lines."""
        self.say(_unbroken(drawing) if sys.stdout.isatty() else drawing)

    def prose(self, text: str) -> None:
        """Sentences; on a terminal a line goes on to its end or that of a sentence."""
        if sys.stdout.isatty():
            text = re.sub(r"(?<![.:\n])\n *(?=[^\n ])", " ", text)
            text = "\n".join(_broken(line, min(_width(), _PROSE_WIDTH)) for line in text.split("\n"))
        self.say(text)

    def heading(self, text: str) -> None:
        """A line that stands out, after an empty one."""
        self.say(f"\n\x1b[1m{text}\x1b[0m" if self.colour else f"\n{text}")

    def ask(self, prompt: str) -> str | None:
        """What the person types, without spaces around it; ``None`` when there is no more input."""
        try:
            return input(prompt).strip()
        except EOFError:
            self.say()
            return None

    def number(self, value: float, decimals: int = 0) -> str:
        """A number with separators as the language has them."""
        with speaking(self.language):
            return number(value, decimals)

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: int = 0) -> None:
        """Columns as wide as they need; the last ``numbers`` of them to the right."""
        lines = [heads, *rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
        texts = len(heads) - numbers
        for index, line in enumerate(lines):
            cells = [
                cell.ljust(width) if column < texts else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(line, widths, strict=True))
            ]
            row = "  ".join(cells).rstrip()
            self.say(f"\x1b[1m{row}\x1b[0m" if self.colour and index == 0 else row)


class Progress:
    """A bar on the last line of a terminal, for work that takes more than two seconds.

    It shows nothing where ``stream`` is no terminal, and leaves nothing behind.
    """

    def __init__(self, stream: TextIO, label: str) -> None:
        self._stream = stream if stream.isatty() else None
        self._label = label
        self._begin = time.monotonic()
        self._due = self._begin + _BAR_AFTER_SECONDS
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._stream is not None and self._shown:
            self._stream.write(f"\r{' ' * _width()}\r")
            self._stream.flush()

    def show(self, done: int, total: int) -> None:
        """So much is done of so much in all."""
        now = time.monotonic()
        if self._stream is None or now < self._due:
            return
        self._due = now + _BAR_EVERY_SECONDS
        self._shown = True
        left = (now - self._begin) * (total - done) / max(done, 1)
        after = f" {100 * done // total:3} %  {done}/{total}  {left:.0f} s"
        width = max(5, min(40, shutil.get_terminal_size().columns - len(self._label) - len(after) - 5))
        bar = ("#" * (width * done // total)).ljust(width, ".")
        self._stream.write(f"\r{self._label} [{bar}]{after}  ")
        self._stream.flush()


# What watching and playing share.


def save(terminal: Terminal, record: Record, path: Path) -> bool:
    """Write a record to a new file, whole or not at all, and say so; whether that went well."""
    _ = terminal.gettext
    try:
        with path.open("x", encoding="utf-8") as file:
            try:
                file.write(json.dumps(record.to_json(), ensure_ascii=False, indent=1) + "\n")
                file.flush()
            except OSError:
                path.unlink()
                raise
    except FileExistsError:
        terminal.say(_("The file %(path)s exists already: name another.") % {"path": path})
        return False
    except (OSError, ValueError) as error:
        # A ValueError for a path that holds a NUL, which Python does not even ask the system about.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        terminal.say(_("The record can't be written: %(error)s.") % {"error": reason})
        return False
    terminal.say(_("The record is in %(path)s.") % {"path": path})
    return True


def show_end(terminal: Terminal, playthrough: Playthrough, names: Sequence[str]) -> None:
    """Scores and places, or how far an unfinished game is."""
    _ = terminal.gettext
    outcome = playthrough.outcome()
    if outcome is None:
        terminal.say(_("The game is not finished; moves so far: %(count)d.") % {"count": len(playthrough.turns)})
        return
    # The reason is the engine's word.
    terminal.heading(_("The game is over: %(reason)s") % {"reason": outcome.reason.replace("_", " ")})
    if outcome.places is None:
        terminal.say(_("Result of the table: %(score)d") % {"score": outcome.scores[0]})
        return
    rows = [
        [str(seat), names[seat], str(outcome.scores[seat]), str(outcome.places[seat])]
        for seat in sorted(range(playthrough.seats), key=outcome.places.__getitem__)
    ]
    terminal.table([_("seat"), _("player"), _("points"), _("place")], rows, numbers=2)


class Watcher:
    """Shows a game move by move; it is called after each, as ``games.match.OnMove``."""

    def __init__(
        self, terminal: Terminal, names: Sequence[str], viewer: Seat | Literal["mover"] | None, *, stepping: bool
    ) -> None:
        self.terminal = terminal
        self.names = names
        self.viewer = viewer
        self.stepping = stepping
        self.playthrough: Playthrough | None = None
        """The last position shown."""

    def show(self, playthrough: Playthrough) -> None:
        """Draw the position as the viewer sees it, the end as a spectator does."""
        self.playthrough = playthrough
        _, to_move = self.terminal.gettext, playthrough.to_move()
        if to_move:
            self.terminal.heading(_("Move %(number)d") % {"number": len(playthrough.turns) + 1})
            seat = to_move[0] if self.viewer == "mover" else self.viewer
        else:
            self.terminal.heading(_("The end"))
            seat = None
        self.terminal.draw(playthrough.game.draw(playthrough.view(seat)))

    def __call__(self, playthrough: Playthrough) -> None:
        """Tell the move just made and show the position after it. Raises Stopped."""
        self.playthrough = playthrough
        _ = self.terminal.gettext
        seat, move = playthrough.turns[-1]
        params = {"seat": seat, "name": self.names[seat], "move": playthrough.game.describe(move)}
        # Who looks with another seat's eyes learns of a move what that seat's view shows, and no more.
        if self.viewer in ("mover", seat):
            self.terminal.say(_("Seat %(seat)d (%(name)s): %(move)s") % params)
        else:
            self.terminal.say(_("Seat %(seat)d (%(name)s) has moved.") % params)
        if self.stepping:
            self._wait()
        self.show(playthrough)

    def _wait(self) -> None:
        _ = self.terminal.gettext
        answer = self.terminal.ask(_("Enter: go on, a: all the rest, q: quit "))
        if answer is None or answer.lower() == "q":
            raise Stopped
        if answer.lower() == "a":
            self.stepping = False


class Play:
    """A person at one seat, bots at all others."""

    def __init__(
        self,
        terminal: Terminal,
        playthrough: Playthrough,
        seat: Seat,
        bots: Mapping[Seat, tuple[str, Bot]],
        adviser: tuple[str, Bot],
    ) -> None:
        """``bots`` has the name and the bot of every other seat, ``adviser`` gives the hints."""
        self.terminal = terminal
        self.playthrough = playthrough
        self.game = playthrough.game
        self.seat = seat
        self.bots = bots
        self.adviser = adviser
        self.sources = {other: bot_source(playthrough.seed, other) for other in bots}
        self.names = [terminal.gettext("you") if one == seat else bots[one][0] for one in range(playthrough.seats)]
        self._seen: list[str] = []

    def run(self) -> None:
        """Play to the end and show it. Raises Stopped when the person quits."""
        _ = self.terminal.gettext
        if self.seat not in self.playthrough.to_move():
            self._draw(_("The deal") if not self.playthrough.turns else _("The game so far"))
        while to_move := self.playthrough.to_move():
            # Where several choose at once, the person needs not wait for the others.
            if self.seat in to_move:
                self._own_turn()
            else:
                self._bots_turn(to_move[0])
        self._draw(_("The end"))
        show_end(self.terminal, self.playthrough, self.names)

    def _view(self) -> Mapping[str, Any]:
        return self.playthrough.view(self.seat)

    def _draw(self, heading: str) -> None:
        drawing = self.game.draw(self._view())
        self._seen = _unbroken(drawing).splitlines()
        self.terminal.heading(heading)
        self.terminal.draw(drawing)

    def _show_news(self) -> None:
        """The lines of the drawing that a move changed: what of it can be seen from the person's seat."""
        known = {_unmarked(line) for line in self._seen}
        self._seen = _unbroken(self.game.draw(self._view())).splitlines()
        for line in self._seen:
            if _unmarked(line) not in known:
                self.terminal.say(f"    {_unmarked(line)}")

    def _bots_turn(self, seat: Seat) -> None:
        _ = self.terminal.gettext
        name, bot = self.bots[seat]
        legal = self.game.legal(self.playthrough.state, seat)
        self.playthrough.play(Turn(seat, bot.choose(self.playthrough.view(seat), legal, self.sources[seat])))
        self.terminal.say(_("Seat %(seat)d (%(name)s) has moved.") % {"seat": seat, "name": name})
        self._show_news()

    def _own_turn(self) -> None:
        _ = self.terminal.gettext
        legal = self.game.legal(self.playthrough.state, self.seat)
        self._draw(_("Your move, seat %(seat)d") % {"seat": self.seat})
        self._offer(legal, most=_MOST_NUMBERED)
        while True:
            answer = self.terminal.ask(_("Your move (help: what can be typed): "))
            if answer is None:
                raise Stopped
            if not answer or self._command(answer, legal):
                continue
            try:
                move = self._read(answer, legal)
                self.playthrough.play(Turn(self.seat, move))
            except GameError as error:
                self.terminal.say(str(error))
                continue
            if self.seat not in self.playthrough.to_move():
                self.terminal.say(_("You: %(move)s") % {"move": self.game.describe(move)})
                self._show_news()
            return

    def _command(self, answer: str, legal: Sequence[Move]) -> bool:
        """Do what is no move; whether it was such."""
        _ = self.terminal.gettext
        word, _space, rest = answer.partition(" ")
        match word.lower():
            case "help" | "?":
                self.terminal.say(
                    _(
                        "A move: its word, or its number where the moves are numbered.\n"
                        "moves: all that you may do now\n"
                        "hint: what a bot would do\n"
                        "rules: the rules\n"
                        "save FILE: write the game so far to a new file\n"
                        "quit: leave the game"
                    )
                )
            case "moves":
                self._offer(legal, most=_MOST_LISTED)
            case "hint":
                name, bot = self.adviser
                move = bot.choose(self._view(), legal, Random())
                params = {"name": name, "move": self.game.describe(move)}
                self.terminal.say(_("The bot %(name)s would choose: %(move)s") % params)
                with speaking(self.terminal.language):
                    reason = reason_of(bot, self._view(), legal, move)
                if reason is not None:
                    self.terminal.say(reason)
            case "rules":
                self.terminal.prose(self.game.rules)
            case "save":
                path = rest.strip() or self.terminal.ask(_("File to save the record in (Enter: none): "))
                if path:
                    save(self.terminal, Record.of(self.playthrough), Path(path))
            case "quit":
                raise Stopped
            case _:
                return False
        return True

    def _numbered(self, legal: Sequence[Move]) -> bool:
        """Whether moves can be chosen by number: they are few, and no number is a word of the game."""
        return len(legal) <= _MOST_NUMBERED and not any(self._is_word(str(i + 1)) for i in range(len(legal)))

    def _is_word(self, text: str) -> bool:
        try:
            self.game.parse(text)
        except GameError:
            return False
        return True

    def _read(self, answer: str, legal: Sequence[Move]) -> Move:
        """The move that was typed. Raises GameError."""
        if answer.isdecimal() and self._numbered(legal):
            # Python reads no number of thousands of digits, and none of more than a few is a move's.
            if len(answer) < 10 and 1 <= int(answer) <= len(legal):
                return legal[int(answer) - 1]
            raise GameError(self.terminal.gettext("The moves have the numbers 1 to %(last)d.") % {"last": len(legal)})
        return self.game.parse(answer)

    def _offer(self, legal: Sequence[Move], *, most: int) -> None:
        """The moves in columns, numbered where that can be, or how many there are."""
        _ = self.terminal.gettext
        words = [self.game.describe(move) for move in legal[:_MOST_LISTED]]
        if len(legal) > most:
            if most < _MOST_LISTED:
                self.terminal.say(_("%(count)d moves are possible; “moves” lists them.") % {"count": len(legal)})
                return
            text = _("%(count)d moves are possible; the first %(shown)d of them:")
            self.terminal.say(text % {"count": len(legal), "shown": len(words)})
        if self._numbered(legal):
            words = [f"{number:2} {word}" for number, word in enumerate(words, start=1)]
        width = max(map(len, words)) + 2
        columns = max(1, shutil.get_terminal_size().columns // width)
        for first in range(0, len(words), columns):
            row = words[first : first + columns]
            self.terminal.say("".join(word.ljust(width) for word in row).rstrip())


def _unmarked(line: str) -> str:
    """A line of a drawing without the mark of who is to move: that alone is no news."""
    return re.sub(r" \*(?=[ ,]|$)", "", line)
