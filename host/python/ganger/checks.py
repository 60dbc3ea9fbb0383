# SPDX-License-Identifier: Apache-2.0
"""Checks of what a caller gives: what a field of the library's structures can hold."""

import operator
from typing import Any, Dict, Sequence, Tuple, Type, Union

from .errors import Error

Dimensions = Union[int, Sequence[int]]
U32 = 0xffffffff
U64 = 0xffffffffffffffff


def unsigned(name: str, number: int, limit: int = U32) -> int:
    """A number of 0 to `limit`; `name` says in errors what it is. Raises Error ERR_ARGUMENT, TypeError."""
    try:
        value = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {type(number).__name__}") from None
    if not 0 <= value <= limit:
        raise Error("ERR_ARGUMENT", f"A number from 0 to {limit:,} is expected.", name, value)
    return value


def check_type(name: str, one: Any, kind: Type[Any]) -> None:
    """Raises TypeError for what is not of a kind; `name` says what it was given for."""
    if not isinstance(one, kind):
        raise TypeError(f"{name} is a {kind.__name__}, not {type(one).__name__}")


def named(numbers: Dict[str, int], what: str, name: Union[int, str]) -> int:
    """Number of a name, or the number itself. Raises Error ERR_ARGUMENT."""
    if isinstance(name, int):
        return unsigned(what, name)
    if name not in numbers:
        raise Error("ERR_ARGUMENT", f"It is one of {', '.join(numbers)}.", what, name)
    return numbers[name]


def dimensions(name: str, given: Dimensions) -> Tuple[int, ...]:
    """1 to 3 numbers. Raises Error ERR_ARGUMENT."""
    sizes = (given,) if isinstance(given, int) else tuple(given)
    if not 1 <= len(sizes) <= 3:
        raise Error("ERR_ARGUMENT", "It has 1 to 3 dimensions.", name, sizes)
    return tuple(unsigned(name, size) for size in sizes)


def filled(sizes: Tuple[int, ...]) -> Tuple[int, int, int]:
    """x, y and z: those that are not given are 1."""
    x, y, z = (sizes + (1, 1, 1))[:3]
    return x, y, z
