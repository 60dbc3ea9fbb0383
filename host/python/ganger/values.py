# SPDX-License-Identifier: Apache-2.0
"""Arguments of kernels: numbers of a fixed size, `__local` memory, and how they are encoded."""

import numbers
import struct
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional

from .errors import Error
from .typed import BytesLike, view_of

if TYPE_CHECKING:
    from .kernels import Kernel, Parameter

VALUE, BUFFER, LOCAL = 0, 1, 2
KIND_NAMES = {VALUE: "value", BUFFER: "buffer", LOCAL: "local"}
TYPE_NAMES = {0: "pointer", 1: "signed", 2: "unsigned", 3: "float", 4: "bool", 5: "aggregate"}


class Value(NamedTuple):
    """An argument as the library takes it: kind, its bytes (None for LOCAL), their number."""
    kind: int
    data: Any
    size: int


def _number(code: str, number: float) -> Value:
    try:
        data = struct.pack("<" + code, number)
    except (struct.error, OverflowError):
        raise Error("ERR_ARGUMENT_SIZE", f"{number} does not fit", "argument", number) from None
    return Value(VALUE, data, len(data))


def u8(number: int) -> Value:
    """Unsigned, 8 bits. Like all of these: ERR_ARGUMENT_SIZE if the number does not fit."""
    return _number("B", number)


def u16(number: int) -> Value:
    """Unsigned, 16 bits."""
    return _number("H", number)


def u32(number: int) -> Value:
    """Unsigned, 32 bits."""
    return _number("I", number)


def u64(number: int) -> Value:
    """Unsigned, 64 bits."""
    return _number("Q", number)


def i8(number: int) -> Value:
    """Signed, 8 bits."""
    return _number("b", number)


def i16(number: int) -> Value:
    """Signed, 16 bits."""
    return _number("h", number)


def i32(number: int) -> Value:
    """Signed, 32 bits."""
    return _number("i", number)


def i64(number: int) -> Value:
    """Signed, 64 bits."""
    return _number("q", number)


def f32(number: float) -> Value:
    """Single precision, rounded to nearest."""
    return _number("f", number)


def f64(number: float) -> Value:
    """Double precision."""
    return _number("d", number)


def local(nbytes: int) -> Value:
    """A `__local` pointer: `nbytes` of shared memory for each CTA, 1 to what an SM has."""
    return Value(LOCAL, None, nbytes)


def raw(data: BytesLike) -> Value:
    """Bytes as they are: a vector or a structure of exactly the parameter's size."""
    content = view_of(data).tobytes()
    return Value(VALUE, content, len(content))


_MAKERS: List[Callable[[Any], Value]] = [u8, u16, u32, u64, i8, i16, i32, i64, f32, f64]
TYPES = {function.__name__: function for function in _MAKERS}


def encode(argument: Any, parameter: "Optional[Parameter]", place: str) -> Value:
    """An argument for a parameter (None: the kernel has no more); `place` names it in errors.

    Raises Error ERR_ARGUMENT_SIZE when a bare number does not fit, TypeError for other types.
    """
    if isinstance(argument, Value):
        return argument
    address = getattr(argument, "address", None)
    if address is not None:
        return Value(BUFFER, struct.pack("<Q", address), 8)
    kind = "value" if parameter is None else parameter.kind
    if argument is None and kind == "buffer":
        return Value(BUFFER, bytes(8), 8)
    if isinstance(argument, numbers.Real):  # Also those of NumPy.
        argument = int(argument) if isinstance(argument, numbers.Integral) else float(argument)
        if kind == "buffer":
            return Value(BUFFER, _integer(argument, False, True, 8, place), 8)
        if kind == "local":
            raise Error("ERR_ARGUMENT_SIZE", "It takes ganger.local(nbytes).", place, argument)
        data = _number_of(argument, parameter, place)
        return Value(VALUE, data, len(data))
    try:
        return raw(argument)
    except TypeError:
        raise TypeError(f"{place}: {type(argument).__name__} cannot be an argument") from None


def blank_arguments(kernel: "Optional[Kernel]") -> List[Any]:
    """Placeholder arguments for a kernel that is not run. Raises Error ERR_ARGUMENT when it
    takes `__local` memory, whose size only the caller knows."""
    blank: List[Any] = []
    for parameter in kernel.parameters if kernel else ():
        if parameter.kind == "local":
            raise Error("ERR_ARGUMENT", "It takes ganger.local(nbytes): give args.", "args",
                        parameter.name)
        blank.append(None if parameter.kind == "buffer" else raw(bytes(parameter.size)))
    return blank


def _number_of(number: float, parameter: "Optional[Parameter]", place: str) -> bytes:
    if parameter is None:
        return bytes(8)
    if parameter.type == "float":
        return _float(number, parameter.size, place)
    if parameter.type == "bool":
        return bytes([bool(number)])
    if parameter.type == "aggregate":
        raise Error("ERR_ARGUMENT_SIZE", f"The kernel takes {parameter.type_name}: give bytes.",
                    place, number)
    signed = parameter.type == "signed"
    return _integer(number, signed, not signed, parameter.size, place)


def _integer(number: float, negative: bool, large: bool, size: int, place: str) -> bytes:
    """Little endian; two's complement. large: up to 2 ** bits - 1, else half of that."""
    low = -(1 << (8 * size - 1)) if negative else 0
    high = (1 << (8 * size - (0 if large else 1))) - 1
    if not isinstance(number, int):
        raise Error("ERR_ARGUMENT_SIZE", "The kernel takes an integer.", place, number)
    if not low <= number <= high:
        raise Error("ERR_ARGUMENT_SIZE", f"The kernel takes {low} to {high}.", place, number)
    return (number & ((1 << (8 * size)) - 1)).to_bytes(size, "little")


def _float(number: float, size: int, place: str) -> bytes:
    if size not in (4, 8):
        raise Error("ERR_ARGUMENT_SIZE", f"A float cannot be {size} bytes.", place, number)
    try:
        return struct.pack("<f" if size == 4 else "<d", number)
    except (OverflowError, struct.error):
        raise Error("ERR_ARGUMENT_SIZE", "The number does not fit.", place, number) from None
