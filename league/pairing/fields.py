"""Finite fields and products of them, as numbers from 0: what transversal designs are made of.

The field of q = p^e elements has the polynomials over the numbers modulo p with degree below e, modulo a polynomial by
which x has the order q - 1; a polynomial is written as a number in base p. (Lidl and Niederreiter, Introduction to
finite fields and their applications, chapters 1 and 2.)
"""

from collections.abc import Iterator
from itertools import product


def prime_powers(number: int) -> list[tuple[int, int]]:
    """The primes of a number from 2 on with their exponents."""
    found = []
    prime = 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            found.append((prime, exponent))
        prime = prime + 1 if prime * prime <= number else max(number, prime + 1)
    return found


class Field:
    """The field with p^e elements, 0 and 1 being 0 and 1."""

    def __init__(self, prime: int, exponent: int) -> None:
        self.size: int = prime**exponent
        self._prime = prime
        self._exponent = exponent
        self._powers = next(powers for powers in self._candidates() if len(powers) == self.size - 1)
        self._logs = {element: power for power, element in enumerate(self._powers)}

    def add(self, a: int, b: int) -> int:
        """The sum."""
        if self._exponent == 1:
            return (a + b) % self._prime
        total, unit = 0, 1
        while a or b:
            total += (a + b) % self._prime * unit
            a, b, unit = a // self._prime, b // self._prime, unit * self._prime
        return total

    def multiply(self, a: int, b: int) -> int:
        """The product."""
        if not a or not b:
            return 0
        return self._powers[(self._logs[a] + self._logs[b]) % (self.size - 1)]

    def _candidates(self) -> Iterator[list[int]]:
        """The powers of a generator, up to where they repeat, for each element or polynomial that may be tried."""
        prime, exponent = self._prime, self._exponent
        if exponent == 1:
            for base in range(1, prime):
                powers = [1]
                while (following := powers[-1] * base % prime) != 1:
                    powers.append(following)
                yield powers
            return
        top = prime ** (exponent - 1)
        for low in product(range(prime), repeat=exponent):
            # x^e = -(the lower terms)
            rest = sum(-digit % prime * prime**place for place, digit in enumerate(low))
            powers = [1]
            while len(powers) < self.size:
                lead, others = divmod(powers[-1], top)
                following = others * prime
                for _times in range(lead):
                    following = self.add(following, rest)
                if following in (0, 1):
                    break
                powers.append(following)
            yield powers


class Ring:
    """The product of the fields whose sizes multiply to a number; a field itself for a prime power.

    The elements that `units` gives differ by invertible elements, as many as the smallest field has.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._fields = [Field(prime, exponent) for prime, exponent in prime_powers(size)]

    @property
    def units(self) -> list[int]:
        """Elements whose differences are all invertible: the same element of each field."""
        return [self._join([element] * len(self._fields)) for element in range(min(f.size for f in self._fields))]

    def add(self, a: int, b: int) -> int:
        """The sum, field by field."""
        return self._join([f.add(x, y) for f, x, y in zip(self._fields, self._split(a), self._split(b), strict=True)])

    def multiply(self, a: int, b: int) -> int:
        """The product, field by field."""
        parts = zip(self._fields, self._split(a), self._split(b), strict=True)
        return self._join([f.multiply(x, y) for f, x, y in parts])

    def _split(self, element: int) -> list[int]:
        parts = []
        for f in self._fields:
            element, part = divmod(element, f.size)
            parts.append(part)
        return parts

    def _join(self, parts: list[int]) -> int:
        element = 0
        for f, part in zip(reversed(self._fields), reversed(parts), strict=True):
            element = element * f.size + part
        return element
