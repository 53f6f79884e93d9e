"""The small nets that value positions of The Game, as they are shipped: whole numbers, from ``planner_nets``.

Terms. A *net* has ``HIDDEN`` units between features and two *heads*: the log-odds of a perfect game, and the cards
that will be left, in twenties. *Quantised* weights are whole numbers, ``UNIT`` standing for 1.

Promises: all arithmetic is on whole numbers below 2**53, so that a value is the same on every machine, in whatever
order sums are made. A file that was cut off or changed is refused: its first line has the digest of the rest.
Never: trains (``games.bots.train_planner`` does).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from math import exp, prod
from typing import Any, Final

import numpy as np

from games.bots.planner_value import FEATURES, Array, scales

HIDDEN: Final = 64
UNIT: Final = 512
"""What stands for a weight of 1."""
_GRAIN: Final = 192
"""What stands for a feature of 1, after its scale: a number that every scale divides."""
_ONE: Final = _GRAIN * UNIT
_STEPS: Final = 32
"""Of log-odds, to 1."""
_CERTAIN: Final = 8 * _STEPS
SURE: Final = 32768
"""What stands for a chance of 1."""
TWENTY: Final = 4096
"""What stands for twenty cards left."""
_SHAPES: Final = ((FEATURES, HIDDEN), (HIDDEN,), (HIDDEN, 2), (2,))

_CHANCE: Final = np.array([round(SURE / (1 + exp(-(i + 0.5) / _STEPS))) for i in range(-_CERTAIN, _CERTAIN)], float)


class Net:
    """One net."""

    def __init__(self, weights: Sequence[Array]) -> None:
        """``weights`` are quantised, in the order of their file."""
        first, bias, second, bias2 = (np.asarray(some, float) for some in weights)
        self._first = first * (_GRAIN // scales())[:, None]
        self._bias = bias * _GRAIN
        self._second = second
        self._bias2 = bias2 * _ONE

    def heads(self, rows: Array) -> tuple[Array, Array]:
        """The chance of a perfect game in parts of ``SURE`` and the cards left in parts of ``TWENTY``, by row (n,)."""
        hidden = rows @ self._first
        hidden += self._bias
        np.clip(hidden, 0, _ONE, out=hidden)
        out = hidden @ self._second + self._bias2
        odds = np.clip(np.floor(out[:, 0] / (_ONE * UNIT // _STEPS)), -_CERTAIN, _CERTAIN - 1)
        return _CHANCE[odds.astype(np.int64) + _CERTAIN], np.floor(out[:, 1] / (_ONE * UNIT // TWENTY))


def quantised(weights: Sequence[Array]) -> list[Array]:
    """The weights as whole numbers (16 bits) that a ``Net`` is made of."""
    return [np.clip(np.rint(np.asarray(some, float) * UNIT), -32768, 32767).astype("<i2") for some in weights]


def pack(weights: Sequence[Array], about: Mapping[str, Any]) -> bytes:
    """A file: a line of JSON (``about`` and the digest of the weights), then the packed weights."""
    body = b"".join(np.asarray(some, "<i2").tobytes() for some in weights)
    head = {**about, "sha256": sha256(body).hexdigest()}
    return json.dumps(head, sort_keys=True).encode("ascii") + b"\n" + zlib.compress(body, 9)


def unpack(data: bytes) -> tuple[dict[str, Any], list[Array]]:
    """``about`` with the digest, and the quantised weights. Raises ValueError for a damaged file."""
    head, _line_break, packed = data.partition(b"\n")
    try:
        about = json.loads(head)
        body = zlib.decompress(packed)
        digest = about["sha256"]
    except (ValueError, KeyError, zlib.error) as error:
        raise ValueError("The planner's file of weights is damaged.") from error
    if sha256(body).hexdigest() != digest:
        raise ValueError("The planner's file of weights is damaged: its digest is another.")
    flat = np.frombuffer(body, "<i2")
    weights, at = [], 0
    for shape in _SHAPES:
        end = at + prod(shape)
        weights.append(flat[at:end].reshape(shape))
        at = end
    return about, weights


def name_of(seats: int, minimum: int) -> str:
    """What the net of a table is called, here and in training."""
    return f"{seats}-{minimum}"


def file_of(name: str) -> Traversable:
    """Where a net lies in the project."""
    return resources.files("games.bots").joinpath("planner_nets", f"{name}.bin")


@cache
def shipped(seats: int, minimum: int) -> Net:
    """The net for a table, read once."""
    return Net(unpack(file_of(name_of(seats, minimum)).read_bytes())[1])
