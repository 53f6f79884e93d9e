"""``python -m games``: the games in a terminal.

It reads arguments, calls what they ask for, and turns what went wrong into one sentence. Exit status: 0
when all went well; 1 when a record departs from the rules; 2 for arguments that can't be used; 74 when the
output or a record can't be written; 130 after Ctrl-C; 141 when nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

from games import bench, par
from games.arena import Estimate, round_robin
from games.bots import BOTS, bots_for, plays
from games.bots.base import Bot
from games.catalog import GAMES, GameInfo
from games.core import SEED_LIMIT, AnyGame, BadSetup, Json, Playthrough, Seat
from games.language import LANGUAGES
from games.match import play_through
from games.record import Departure, Record, RecordError
from games.terminal import (
    COLOUR_CHOICES,
    Play,
    Progress,
    Stopped,
    Terminal,
    Watcher,
    language_of,
    save,
    show_end,
    wants_colour,
)

_USUAL_SEATS = 4
_DEFAULT_DEALS = 100
_MOST_DEALS = 1_000_000
DEPARTED: Final = 1
BAD_ARGUMENTS: Final = 2
CANNOT_WRITE: Final = 74
"""EX_IOERR of BSD's sysexits.h."""
_LONGEST_ERROR = 1000


class Refused(Exception):
    """An argument that can't be used; the text names it and says what is allowed."""


class _Unwritable(Exception):
    """The output can't be written; the text says why."""


class _Parser(argparse.ArgumentParser):
    """Refuses as all of the program does."""

    def error(self, message: str) -> NoReturn:
        raise Refused(f"{message[0].upper()}{message[1:]}.")


# Reading arguments. All arrive as text, since what is allowed depends on the game.


class Arguments:
    """The arguments of one call, each read when it is asked for. Every reader raises Refused."""

    def __init__(self, given: argparse.Namespace, terminal: Terminal) -> None:
        self.given = given
        self.terminal = terminal

    def _refuse(self, text: str, **params: object) -> Refused:
        return Refused(text % params)

    def whole(self, name: str, text: str, minimum: int, maximum: int) -> int:
        """A whole number within limits, both included."""
        # isdecimal too: int() reads underscores and spaces, which nobody means.
        if not (text.isascii() and text.isdecimal() and len(text) < 20 and minimum <= int(text) <= maximum):
            _ = self.terminal.gettext
            raise self._refuse(
                _("%(name)s must be a whole number from %(minimum)d to %(maximum)d, not “%(value)s”."),
                name=name,
                minimum=minimum,
                maximum=maximum,
                value=text,
            )
        return int(text)

    def info(self, key: str | None) -> GameInfo:
        """The game of the catalogue that is meant."""
        if key is None or key not in GAMES:
            _ = self.terminal.gettext
            text = _("Name a game: %(games)s.") if key is None else _("game must be one of %(games)s, not “%(value)s”.")
            raise self._refuse(text, games=", ".join(GAMES), value=key)
        return GAMES[key]

    def engine(self, key: str | None) -> AnyGame:
        """The rules of a game that can be played here."""
        info = self.info(key)
        if info.engine is None:
            _ = self.terminal.gettext
            playable = ", ".join(key for key, one in GAMES.items() if one.engine is not None)
            text = _("game must be one that can be played here (%(games)s); %(value)s can only be logged.")
            raise self._refuse(text, games=playable, value=info.key)
        return info.engine

    def bots(self, game: AnyGame) -> list[str]:
        """The bots named; the strongest that plays the game where none is."""
        text: str | None = self.given.bots
        if text is None:
            return bots_for(game.key)[-1:]
        names = [name.strip() for name in text.split(",")]
        for name in names:
            if name not in BOTS:
                _ = self.terminal.gettext
                raise self._refuse(
                    _("--bots must be names out of %(bots)s with commas between them; “%(value)s” is none."),
                    bots=", ".join(BOTS),
                    value=name,
                )
            if not plays(name, game.key):
                _ = self.terminal.gettext
                raise self._refuse(
                    _("--bots must be names out of %(bots)s for %(game)s; “%(value)s” does not play it."),
                    bots=", ".join(bots_for(game.key)),
                    game=game.key,
                    value=name,
                )
        return names

    def seats(self, game: AnyGame, needed: int = 0) -> int:
        """The number of seats; without the argument 4, more where so many are needed, or what the game allows."""
        first, last = game.seats[0], game.seats[-1]
        if self.given.seats is not None:
            return self.whole("--seats", self.given.seats, first, last)
        return max(first, min(last, max(_USUAL_SEATS, needed)))

    def seat(self, seats: int) -> Seat | Literal["mover"] | None:
        """Whose view to show: ``None`` is the spectator's."""
        text: str | None = self.given.seat
        if text is None:
            return "mover"
        if text == "spectator":
            return None
        if text.isdecimal():
            return self.whole("--seat", text, 0, seats - 1)
        _ = self.terminal.gettext
        text_of_error = _("--seat must be a seat from 0 to %(last)d or “spectator”, not “%(value)s”.")
        raise self._refuse(text_of_error, last=seats - 1, value=text)

    def seed(self) -> int:
        """The seed, drawn where none is given."""
        if self.given.seed is None:
            # Seeds that a person can type: each is as good as any other.
            return secrets.randbelow(1_000_000)
        return self.whole("--seed", self.given.seed, 0, SEED_LIMIT - 1)

    def options(self) -> dict[str, Json]:
        """What was agreed on; each value as JSON, or, where it is none, as text. The game says what may be."""
        options: dict[str, Json] = {}
        for pair in self.given.option or ():
            key, equals, value = pair.partition("=")
            _ = self.terminal.gettext
            if not equals:
                raise self._refuse(_("--option must be KEY=VALUE, not “%(value)s”."), value=pair)
            if key in options:
                raise self._refuse(_("--option gives %(key)s twice."), key=key)
            try:
                options[key] = json.loads(value)
            except (ValueError, RecursionError):
                options[key] = value
        return options

    def new_file(self) -> Path | None:
        """Where to save the record: checked before a game that would be lost."""
        if self.given.save is None:
            return None
        path, _ = Path(self.given.save), self.terminal.gettext
        try:
            is_there = path.exists()
        except OSError as error:
            text = _("--save must name a new file; %(path)s: %(reason)s")
            raise self._refuse(text, path=path, reason=error.strerror or error) from error
        if is_there:
            raise self._refuse(_("--save must name a new file; %(path)s exists already."), path=path)
        if not path.parent.is_dir():
            raise self._refuse(
                _("--save must name a file in a folder that is there; %(path)s is not."), path=path.parent
            )
        return path

    def record(self) -> Record | None:
        """The record in the file of --from-record."""
        if self.given.from_record is None:
            return None
        path, _ = Path(self.given.from_record), self.terminal.gettext
        try:
            return Record.from_json(json.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            reason = error.strerror or str(error)
        except RecordError as error:
            reason = str(error)
        except (ValueError, RecursionError):
            reason = _("it is not JSON")
        raise self._refuse(
            _("--from-record must name a file with the record of a game; %(path)s: %(reason)s"),
            path=path,
            reason=reason,
        )

    def none_of(self, beside: str, *names: str) -> None:
        """Refuse arguments that mean nothing beside another."""
        for name in names:
            if getattr(self.given, name) is not None:
                _ = self.terminal.gettext
                raise self._refuse(_("--%(name)s can't be given with %(beside)s."), name=name, beside=beside)


# Commands: each returns the exit status.


def list_games(terminal: Terminal, arguments: Arguments) -> int:
    """All games of the catalogue."""
    _ = terminal.gettext
    rows = [
        [
            info.key,
            info.titles["en"],
            info.titles["de"],
            f"{info.min_players}-{info.max_players}",
            _who_wins(terminal, info),
        ]
        for info in GAMES.values()
    ]
    terminal.table([_("game"), _("English title"), _("German title"), _("seats"), _("who wins")], rows)
    logged = [info.key for info in GAMES.values() if info.engine is None]
    if logged:
        terminal.say("\n" + _("Can only be logged, not played here: %(games)s.") % {"games": ", ".join(logged)})
    terminal.say("\n" + _("Bots, from the weakest to the strongest: %(bots)s.") % {"bots": ", ".join(BOTS)})
    return 0


def _who_wins(terminal: Terminal, info: GameInfo) -> str:
    _ = terminal.gettext
    if info.cooperative:
        return _("team, most points") if info.high_wins else _("team, fewest points")
    return _("most points") if info.high_wins else _("fewest points")


def rules(terminal: Terminal, arguments: Arguments) -> int:
    """The rules of a game as short text."""
    _ = terminal.gettext
    info = arguments.info(arguments.given.game)
    title = info.titles[terminal.language]
    terminal.heading(title if title == info.name else f"{title} ({info.name})")
    if info.engine is None:
        terminal.say(_("This game can only be logged, not played here."))
    else:
        version = _("rules version %(version)d") % {"version": info.engine.version}
        terminal.say(f"{info.key}, {version}\n")
        terminal.prose(info.engine.rules)
    terminal.say("\n" + _("All rules, rulings and examples: %(page)s") % {"page": f"docs/rules/{info.family}.md"})
    return 0


def watch(terminal: Terminal, arguments: Arguments) -> int:
    """Bots play, or a record is played once more."""
    record = arguments.record()
    path = arguments.new_file()
    stepping = arguments.given.step or (not arguments.given.all and sys.stdin.isatty() and sys.stdout.isatty())
    if record is not None:
        return _watch_record(terminal, arguments, record, stepping=stepping)
    game = arguments.engine(arguments.given.game)
    names = arguments.bots(game)
    seats = arguments.seats(game, len(names))
    names = _around(terminal, names, seats)
    seed, options = arguments.seed(), arguments.options()
    viewer = arguments.seat(seats)
    played = _dealt(terminal, game, seats, seed, options)
    bots = [BOTS[name](played.game) for name in names]
    _announce(terminal, played)
    watcher = Watcher(terminal, names, viewer, stepping=stepping)
    watcher.show(played)
    try:
        played = play_through(game, bots, seed, options, watcher)
    except Stopped:
        played = watcher.playthrough or played
    show_end(terminal, played, names)
    return 0 if path is None or save(terminal, Record.of(played), path) else CANNOT_WRITE


def _watch_record(terminal: Terminal, arguments: Arguments, record: Record, *, stepping: bool) -> int:
    arguments.none_of("--from-record", "bots", "seats", "seed", "option", "save")
    if arguments.given.game not in (None, record.game):
        _ = terminal.gettext
        text = _("game must be %(game)s, as in the record, or be left out; not “%(value)s”.")
        raise Refused(text % {"game": record.game, "value": arguments.given.game})
    departure: Departure | None = None
    try:
        whole = record.replay()
    except RecordError as error:
        raise Refused(f"--from-record: {error}") from error
    except Departure as error:
        departure = error
        whole = _up_to(record, error.index)
    names = ["-"] * whole.seats
    shown = Playthrough(whole.game, whole.seats, whole.seed, whole.options)
    _announce(terminal, shown)
    watcher = Watcher(terminal, names, arguments.seat(whole.seats), stepping=stepping)
    watcher.show(shown)
    try:
        for turn in whole.turns:
            shown.play(turn)
            watcher(shown)
    except Stopped:
        departure = None
    show_end(terminal, shown, names)
    if departure is not None:
        _complain(str(departure))
        return DEPARTED
    return 0


def _up_to(record: Record, moves: int) -> Playthrough:
    """A record played as far as it keeps to the rules."""
    kept = Record(record.game, record.version, record.seats, record.options, record.seed, record.moves[:moves])
    return kept.replay()


def play(terminal: Terminal, arguments: Arguments) -> int:
    """A person plays against bots."""
    _ = terminal.gettext
    record = arguments.record()
    path = arguments.new_file()
    if record is not None:
        arguments.none_of("--from-record", "game", "seats", "seed", "option")
        try:
            played = record.replay()
        except RecordError as error:
            raise Refused(f"--from-record: {error}") from error
        except Departure as error:
            _complain(f"--from-record: {error}")
            return DEPARTED
        names = arguments.bots(played.game)
    else:
        game = arguments.engine(arguments.given.game)
        names = arguments.bots(game)
        seats = arguments.seats(game, 1 + len(names) if arguments.given.bots is not None else 0)
        played = _dealt(terminal, game, seats, arguments.seed(), arguments.options())
    seat = 0 if arguments.given.seat is None else arguments.whole("--seat", arguments.given.seat, 0, played.seats - 1)
    others = [other for other in range(played.seats) if other != seat]
    names = _around(terminal, names, len(others)) if others else []
    bots: dict[Seat, tuple[str, Bot]] = {
        other: (name, BOTS[name](played.game)) for other, name in zip(others, names, strict=True)
    }
    _announce(terminal, played)
    adviser = bots_for(played.game.key)[-1]
    terminal.say(_("You sit on seat %(seat)d.") % {"seat": seat})
    playing = Play(terminal, played, seat, bots, (adviser, BOTS[adviser](played.game)))
    try:
        playing.run()
    except Stopped:
        show_end(terminal, played, playing.names)
    if path is not None:
        return 0 if save(terminal, Record.of(played), path) else CANNOT_WRITE
    if played.outcome() is not None and sys.stdin.isatty():
        terminal.say()
        while answer := terminal.ask(_("File to save the record in (Enter: none): ")):
            if save(terminal, Record.of(played), Path(answer)):
                break
    return 0


def arena(terminal: Terminal, arguments: Arguments) -> int:
    """Bots measured against each other."""
    _ = terminal.gettext
    game = arguments.engine(arguments.given.game)
    names = bots_for(game.key) if arguments.given.bots is None else arguments.bots(game)
    if len(set(names)) < len(names):
        raise Refused(_("--bots must name each bot once: in an arena all of them meet anyway."))
    deals = _DEFAULT_DEALS
    if arguments.given.deals is not None:
        deals = arguments.whole("--deals", arguments.given.deals, 1, _MOST_DEALS)
    seats, seed, options = arguments.seats(game), arguments.seed(), arguments.options()
    _dealt(terminal, game, seats, seed, options)
    with Progress(sys.stderr, _("arena")) as progress:
        result = round_robin(
            game,
            {name: BOTS[name] for name in names},
            deals=deals,
            seed=seed,
            seats=seats,
            options=options,
            on_game=progress.show,
        )
    if arguments.given.json:
        terminal.say(json.dumps(asdict(result), indent=1))
        return 0
    terminal.say(
        _("%(game)s; seats: %(seats)d, deals: %(deals)d, games: %(games)d, seed: %(seed)d")
        % {"game": game.key, "seats": seats, "deals": deals, "games": result.games, "seed": seed}
    )

    def shown(value: Estimate | None, factor: int = 1, decimals: int = 2) -> str:
        if value is None:
            return "-"
        mean = terminal.number(value.mean * factor, decimals)
        return mean if value.margin is None else f"{mean} ± {terminal.number(value.margin * factor, decimals)}"

    terminal.table(
        [_("bot"), _("seats played"), _("place average"), _("points average"), _("wins in %")],
        [
            [one.bot, terminal.number(one.games), shown(one.place), shown(one.score), shown(one.wins, 100, 1)]
            for one in result.standings
        ],
        numbers=4,
    )
    if deals > 1:
        terminal.say(_("After ±: half of the 95 % confidence interval, over deals."))
    return 0


def speed(terminal: Terminal, arguments: Arguments) -> int:
    """How fast the rules are."""
    _ = terminal.gettext
    keys: list[str] = arguments.given.game
    games = [arguments.engine(key) for key in keys] or [info.engine for info in GAMES.values() if info.engine]
    if arguments.given.all_counts:
        arguments.none_of("--all-counts", "seats")
    elif arguments.given.seats is not None and not keys:
        # Nobody named a game that can't do it: those that can are meant.
        number = arguments.whole("--seats", arguments.given.seats, 1, max(game.seats[-1] for game in games))
        games = [game for game in games if number in game.seats]
    tables = [
        (game, seats)
        for game in games
        for seats in (game.seats if arguments.given.all_counts else [arguments.seats(game)])
    ]
    done, total, results = 0, len(tables) * bench.RUNS, []
    with Progress(sys.stderr, _("bench")) as progress:

        def on_run() -> None:
            nonlocal done
            done += 1
            progress.show(done, total)

        for game, seats in tables:
            results.append(bench.measure(game, seats, on_run=on_run))
    if arguments.given.json:
        head = {
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "machine": platform.machine(),
            "runs": bench.RUNS,
        }
        terminal.say(json.dumps({**head, "results": [asdict(one) for one in results]}, indent=1))
        return 0
    terminal.table(
        [_("game"), _("seats"), _("actions/s"), _("games/s"), _("actions per game"), _("bytes per state")],
        [
            [
                one.game,
                str(one.seats),
                terminal.number(one.actions_per_second),
                terminal.number(one.games_per_second),
                terminal.number(one.actions_per_game, 1),
                terminal.number(one.state_bytes),
            ]
            for one in results
        ],
        numbers=5,
    )
    terminal.say(_("Random play, whole games with their deals, CPU time of one process, median of 5 runs."))
    return 0


def count_par(terminal: Terminal, arguments: Arguments) -> int:
    """Par of cooperative games: play on until there are so many games, then show what came of them."""
    _ = terminal.gettext
    game = arguments.engine(arguments.given.game or par.configurations()[0].game)
    wanted = [one for one in par.configurations() if one.game == game.key]
    if not wanted:
        keys = ", ".join(dict.fromkeys(one.game for one in par.configurations()))
        raise Refused(
            _("game must be one that has a par (%(games)s), not “%(value)s”.") % {"games": keys, "value": game.key}
        )
    if arguments.given.seats is not None:
        seats = arguments.seats(game)
        wanted = [one for one in wanted if one.seats == seats]
    options = arguments.options()
    _dealt(terminal, game, wanted[0].seats, 0, options)
    wanted = [one for one in wanted if one == par.Configuration.of(one.game, one.seats, {**one.agreed, **options})]
    path = Path(arguments.given.file) if arguments.given.file is not None else par.FILE
    try:
        there = par.load(path)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        text = _("--file must name a file that this command has written; %(path)s: %(reason)s")
        raise Refused(text % {"path": path, "reason": error}) from error
    if arguments.given.games is not None:
        games = arguments.whole("--games", arguments.given.games, 1, _MOST_DEALS)
        try:
            with Progress(sys.stderr, _("par")) as progress:
                par.extend(wanted, games, path, progress.show)
        except par.Busy as error:
            text = _("Another process writes the file. If there is none, it was killed: remove %(lock)s and try again.")
            raise Refused(text % {"lock": error.lock}) from error
        there = par.load(path)
    terminal.table(
        [_("seats"), _("options"), _("games"), _("average left"), _("perfect in %"), _("version")],
        [
            [
                str(one.seats),
                ", ".join(f"{key}={json.dumps(value)}" for key, value in one.agreed.items()),
                terminal.number(there[one].games),
                terminal.number(there[one].mean, 2),
                terminal.number(100 * there[one].share_perfect, 1),
                there[one].version if there[one].version == par.version(one) else f"{there[one].version} *",
            ]
            for one in wanted
            if one in there
        ],
        numbers=0,
    )
    if any(there[one].version != par.version(one) for one in wanted if one in there):
        terminal.say(_("*: played by another version of the bot or the rules; --games plays anew."))
    return 0


# What commands share.


def _around(terminal: Terminal, names: Sequence[str], seats: int) -> list[str]:
    """One name a seat: a short list is repeated."""
    if len(names) > seats:
        _ = terminal.gettext
        text = _("--bots must name no more bots than there are seats for them (%(seats)d), not %(count)d.")
        raise Refused(text % {"seats": seats, "count": len(names)})
    return [names[seat % len(names)] for seat in range(seats)]


def _dealt(terminal: Terminal, game: AnyGame, seats: int, seed: int, options: Mapping[str, Json]) -> Playthrough:
    try:
        return Playthrough(game, seats, seed, options)
    except BadSetup as error:
        name = error.field.replace("options.", "--option ") if error.field.startswith("options.") else error.field
        raise Refused(f"{name}: {error}") from error


def _announce(terminal: Terminal, played: Playthrough) -> None:
    _ = terminal.gettext
    title = GAMES[played.game.key].titles[terminal.language]
    terminal.heading(title)
    terminal.say(_("Seats: %(seats)d, seed: %(seed)d") % {"seats": played.seats, "seed": played.seed})


Command = Callable[[Terminal, Arguments], int]


def _parser(terminal: Terminal) -> argparse.ArgumentParser:
    _ = terminal.gettext

    class Formatter(argparse.HelpFormatter):
        def add_usage(
            self,
            usage: str | None,
            actions: Iterable[argparse.Action],
            groups: Iterable[Any],
            prefix: str | None = None,
        ) -> None:
            super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)

    usual: dict[str, Any] = {"add_help": False, "allow_abbrev": False, "formatter_class": Formatter}
    description = _("The games in a terminal: rules, watching, playing, measuring.")
    parser = _Parser(prog="python -m games", description=description, **usual)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title=_("commands"))

    def command(name: str, run: Command, text: str) -> argparse._ArgumentGroup:
        made = commands.add_parser(name, help=text, description=text, **usual)
        made.set_defaults(run=run)
        own = made.add_argument_group(_("arguments"))
        add_common(made, default=argparse.SUPPRESS)
        return own

    def add_common(parser: argparse.ArgumentParser, default: str | None) -> None:
        group = parser.add_argument_group(_("for all commands"))
        group.add_argument("-h", "--help", action="help", help=_("show this page"))
        # Given before the command or after it; the one after it must not clear the other by a default.
        colours, languages = "|".join(COLOUR_CHOICES), "|".join(LANGUAGES)
        group.add_argument("--colour", metavar=colours, default=default, help=_("whether cards are painted"))
        group.add_argument(
            "--language", metavar=languages, default=default, help=_("of these texts; rules are in English")
        )

    key = _("its key, as “list” shows it")
    bots = _("bots by name, with commas; a short list is repeated; the strongest if left out: %(bots)s")
    bots %= {"bots": ", ".join(BOTS)}
    add_common(parser, default=None)
    command("list", list_games, _("list the games"))
    command("rules", rules, _("show the rules of a game")).add_argument("game", nargs="?", metavar="GAME", help=key)
    watching = command("watch", watch, _("watch bots play, or a saved game"))
    playing = command("play", play, _("play against bots"))
    measuring = command("arena", arena, _("measure bots against each other on the same cards"))
    benching = command("bench", speed, _("measure how fast the rules are"))
    counting = command("par", count_par, _("count what a bot reaches in a cooperative game, and show it"))
    for one in (watching, playing, measuring, counting):
        one.add_argument("game", nargs="?", metavar="GAME", help=key)
        one.add_argument("--option", action="append", metavar="KEY=VALUE", help=_("something agreed on"))
    for one in (watching, playing, measuring):
        one.add_argument("--seed", metavar="N", help=_("the same seed deals the same cards (else drawn)"))
    benching.add_argument("game", nargs="*", metavar="GAME", help=_("their keys; all if left out"))
    for one in (watching, playing, measuring, benching):
        one.add_argument("--seats", metavar="N", help=_("how many play (usually 4)"))
    counting.add_argument("--seats", metavar="N", help=_("how many play (all numbers if left out)"))
    counting.add_argument("--games", metavar="N", help=_("play on until there are so many games of each (else none)"))
    counting.add_argument("--file", metavar="FILE", help=_("where they are counted (else where the project has them)"))
    for one in (watching, playing):
        one.add_argument("--bots", metavar="A,B", help=bots)
        one.add_argument("--from-record", metavar="FILE", help=_("a game that was saved"))
        one.add_argument("--save", metavar="FILE", help=_("write the record of the game to a new file"))
    watching.add_argument(
        "--seat", metavar="N", help=_("whose cards to show: a seat or “spectator” (else the mover's)")
    )
    watching.add_argument("--step", action="store_true", help=_("wait for Enter after each move"))
    watching.add_argument("--all", action="store_true", help=_("don't wait"))
    playing.add_argument("--seat", metavar="N", help=_("where you sit (else 0)"))
    measuring.add_argument("--bots", metavar="A,B", help=_("bots by name, with commas; all if left out"))
    measuring.add_argument("--deals", metavar="N", help=_("how many deals (else 100)"))
    benching.add_argument("--all-counts", action="store_true", help=_("every number of seats"))
    for one in (measuring, benching):
        one.add_argument("--json", action="store_true", help=_("print JSON"))
    return parser


def _terminal(argv: Sequence[str]) -> Terminal:
    """The terminal as the arguments want it, found first since all other texts depend on it."""
    early = _Parser(add_help=False, allow_abbrev=False)
    early.add_argument("--language")
    early.add_argument("--colour")
    given, _others = early.parse_known_args(argv)
    language = language_of(os.environ) if given.language is None else given.language
    if language not in LANGUAGES:
        raise Refused(f"--language must be one of {', '.join(LANGUAGES)}, not “{language}”.")
    colour = "auto" if given.colour is None else given.colour
    terminal = Terminal(colour=False, language=language)
    if colour not in COLOUR_CHOICES:
        text = terminal.gettext("--colour must be one of %(choices)s, not “%(value)s”.")
        raise Refused(text % {"choices": ", ".join(COLOUR_CHOICES), "value": colour})
    terminal.colour = wants_colour(colour, sys.stdout, os.environ)
    return terminal


def run(argv: Sequence[str]) -> int:
    """Do what the arguments say. Raises Refused."""
    terminal = _terminal(argv)
    _ = terminal.gettext
    parser = _parser(terminal)
    given, unknown = parser.parse_known_args(argv)
    if unknown:
        raise Refused(_("%(arguments)s is not known here; --help shows what is.") % {"arguments": " ".join(unknown)})
    if given.command is None:
        parser.print_help(sys.stderr)
        return BAD_ARGUMENTS
    command: Command = given.run
    try:
        return command(terminal, Arguments(given, terminal))
    except BrokenPipeError:
        raise
    except OSError as error:
        # Files named by arguments are looked after where they are opened: what is left are the streams.
        raise _Unwritable(_("The output can't be written: %(error)s.") % {"error": error.strerror or error}) from error


def main(argv: Sequence[str]) -> int:
    """``run``, every way it can end turned into an exit status."""
    _prepare_streams()
    try:
        return run(argv)
    except Refused as refused:
        _complain(str(refused))
        return BAD_ARGUMENTS
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return 128 + 2
    except _Unwritable as error:
        _give_up_output()
        _complain(str(error))
        return CANNOT_WRITE
    except BrokenPipeError:
        _give_up_output()
        return 128 + 13


def _prepare_streams() -> None:
    """Streams that are there, and stop at no letter."""
    # Whoever starts a program may close them: then there is nobody to read or to ask.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it lasts to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that lacks a letter shows a question mark for it.
            stream.reconfigure(errors="replace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # What is typed in another encoding can't be read as a move, but can name a file.
        sys.stdin.reconfigure(errors="surrogateescape")


def _complain(text: str) -> None:
    """One line of an error. What it quotes may be of any length, and may hold orders to the terminal."""
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text[:_LONGEST_ERROR])
    # Where errors can't be written either, the exit status has to do.
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{shown}…\n" if len(text) > _LONGEST_ERROR else f"{shown}\n")


def _give_up_output() -> None:
    # Python flushes once more at its end, and would complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
