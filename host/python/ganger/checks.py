# SPDX-License-Identifier: Apache-2.0
"""Checks of what a caller gives: what a field of the library's structures can hold."""

from typing import Dict, Sequence, Tuple, Union

from .errors import Error

Dimensions = Union[int, Sequence[int]]
U32 = 0xffffffff
U64 = 0xffffffffffffffff


def unsigned(name: str, number: int, limit: int = U32) -> int:
    """A number of 0 to `limit`; `name` says in errors what it is. Raises Error ERR_ARGUMENT."""
    if not 0 <= int(number) <= limit:
        raise Error("ERR_ARGUMENT", f"0 to {limit}", name, number)
    return int(number)


def named(numbers: Dict[str, int], what: str, name: Union[int, str]) -> int:
    """Number of a name, or the number itself. Raises Error ERR_ARGUMENT."""
    if isinstance(name, int):
        return unsigned(what, name)
    if name not in numbers:
        raise Error("ERR_ARGUMENT", f"One of {', '.join(numbers)}.", what, name)
    return numbers[name]


def dimensions(name: str, given: Dimensions) -> Tuple[int, ...]:
    """1 to 3 numbers. Raises Error ERR_ARGUMENT."""
    sizes = (given,) if isinstance(given, int) else tuple(given)
    if not 1 <= len(sizes) <= 3:
        raise Error("ERR_ARGUMENT", "1 to 3 dimensions", name, sizes)
    for size in sizes:
        unsigned(name, size)
    return sizes


def filled(sizes: Tuple[int, ...]) -> Tuple[int, int, int]:
    """x, y and z: those that are not given are 1."""
    x, y, z = (sizes + (1, 1, 1))[:3]
    return x, y, z
