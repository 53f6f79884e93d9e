"""Every code by which a pairing tells why has a sentence, and every sentence gets the figures that it names.

The codes are read from the source of `league/pairing`: a new one without a sentence fails here.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from league import pairing
from league.pairing.values import Reason
from league.services import tournament_plans
from league.services.pairing_words import ERRORS, REASONS, sentence_of

ROOM = Path(str(pairing.__file__)).parent
SOURCES = [*sorted(ROOM.glob("*.py")), Path(str(tournament_plans.__file__))]
# Made by others than pairings: `publish` says who is gone.
ELSEWHERE = {"gone"}
# What `sentence_of` gives beside the figures.
ALWAYS = {"players", "players_count"}


def _named(scope: ast.AST, name: str) -> list[ast.expr]:
    """What is assigned to a name within a function or module."""
    found: list[ast.expr] = []
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets):
            found.append(node.value)
        if isinstance(node, ast.NamedExpr) and node.target.id == name:
            found.append(node.value)
    return found


def _codes(value: ast.expr, scope: ast.AST, tree: ast.Module) -> set[str]:
    if isinstance(value, ast.Constant):
        return {str(value.value)}
    if isinstance(value, ast.IfExp):
        return _codes(value.body, scope, tree) | _codes(value.orelse, scope, tree)
    assert isinstance(value, ast.Name), ast.dump(value)
    if value.id.isupper():
        return {getattr(tournament_plans, value.id)}
    assigned = _named(scope, value.id)
    if assigned:
        return set().union(*(_codes(one, scope, tree) for one in assigned))
    # A parameter: what the callers of this function within its module give.
    assert isinstance(scope, ast.FunctionDef)
    place = [one.arg for one in scope.args.args if one.arg != "self"].index(value.id)
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == scope.name
    ]
    assert calls, scope.name
    return set().union(*(_codes(call.args[place], call, tree) for call in calls))


def _figures(value: ast.expr | None, scope: ast.AST, tree: ast.Module) -> set[str] | None:
    """The names of figures; None where the caller gives them."""
    if value is None:
        return set()
    if isinstance(value, ast.Name):
        # The nearest before it: a name serves for several reasons.
        before = [one for one in _named(scope, value.id) if one.lineno <= value.lineno]
        return _figures(max(before, key=lambda one: one.lineno), scope, tree) if before else None
    assert isinstance(value, ast.Dict), ast.dump(value)
    names: set[str] = set()
    for key, inner in zip(value.keys, value.values, strict=True):
        if key is None:
            names |= _figures(inner, scope, tree) or set()
        else:
            assert isinstance(key, ast.Constant)
            names.add(str(key.value))
    return names


def reasons() -> Iterator[tuple[str, str, set[str]]]:
    """(module, code, names of figures) of every reason that is made anywhere in the room."""
    for source in SOURCES:
        tree = ast.parse(source.read_text())
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for function in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
                    given = {word.arg: word.value for word in node.keywords}
                    figures = _figures(given.get("figures"), function, tree)
                    for code in _codes(given["code"], function, tree):
                        yield source.stem, code, figures or set()


FOUND = sorted({(module, code, tuple(sorted(figures))) for module, code, figures in reasons()})


def test_the_source_was_read() -> None:
    """A few codes of each way to give one: plainly, by a condition, by a name, by a parameter."""
    codes = {code for _module, code, _figures in FOUND}
    assert {"nobody", "walkover", "met_before", "together_again", "wishes_impossible", "no_match_ready"} <= codes


@pytest.mark.parametrize(("module", "code", "figures"), FOUND)
def test_every_code_has_a_sentence_with_its_figures(module: str, code: str, figures: tuple[str, ...]) -> None:
    template = str(REASONS.get(code) or ERRORS[code])
    assert set(re.findall(r"%\((\w+)\)", template)) <= {*figures, *ALWAYS}, module
    told = sentence_of(Reason(code=code, entrants=(1, 2), figures=dict.fromkeys(figures, 3)), {1: "Ann", 2: "Ben"})
    assert told[0] in "“" or told[0].isupper() or told[0].isdigit(), told
    assert told.endswith("."), told
    if "%(players)s" in template:
        assert "Ann, Ben" in told


def test_no_sentence_is_left_over() -> None:
    assert set(REASONS) | set(ERRORS) == {code for _module, code, _figures in FOUND} | ELSEWHERE
    assert not set(REASONS) & set(ERRORS)
