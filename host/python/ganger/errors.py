# SPDX-License-Identifier: Apache-2.0
"""The one exception of the package, and the names of the ABI's numbers."""

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

from . import abi

if TYPE_CHECKING:
    from .tasks import Task

# Fields whose value is a text, which is in the message: the library has only a number for it, 0.
_NAMED = frozenset(("arguments", "board", "build", "context", "device", "elf", "file", "graph", "kernel",
                    "module", "range", "uri"))
_STATUS_NAMES = {number: name for name, number in abi.ENUMS["status"].items()}


def status_name(number: int) -> str:
    """"ERR_GRID_ZERO" for -22; "STATUS_<n>" for a number that the ABI does not have."""
    return _STATUS_NAMES.get(number, f"STATUS_{number}")


def status_text(status: Union[int, str]) -> str:
    """Sentence of a status, given by number or name; "" if unknown."""
    number = abi.ENUMS["status"].get(status, 1) if isinstance(status, str) else status
    return abi.STATUS_TEXT.get(number, "")


def field_name(number: int) -> Optional[str]:
    """"tmd.grid_x" for a field id of a completion; None for 0, a hexadecimal number if unknown."""
    if number == 0:
        return None
    found = abi.FIELDS.get(number)
    return ".".join(found) if found else f"field 0x{number:08x}"


class Error(Exception):
    """A call or a task that failed.

    status   name of the ABI: "ERR_GRID_ZERO"
    field    what was wrong, "tmd.grid_x", "argument 3", or None
    value    its value, or None when there is no field
    record   ganger.Fault of the CTA that failed, or None
    done     ganger.Done of the task that failed, or None
    tasks    of submit_many(): the tasks that were posted before, else empty
    pushed   of push(): the items that are in the queue, else 0
    where    of a graph: the line, pass or buffer that it is about, else ""
    line, column  of a graph's text, from 1; else 0
    step     of a graph's program: number of the step, or None
    message  what went wrong, in one sentence
    """

    def __init__(self, status: str, message: str = "", field: Optional[str] = None,
                 value: Any = None, record: Any = None, done: Any = None):
        self.status = status
        self.field = field
        self.value = value
        self.record = record
        self.done = done
        self.tasks: List["Task"] = []
        self.pushed = 0
        self.where = ""
        self.line = self.column = 0
        self.step: Optional[int] = None
        self.message = message or status_text(status)
        super().__init__(self._sentence())

    def __reduce__(self) -> Any:
        """For other processes: all but tasks, which are of this one."""
        return _again, (self.args[0], {**self.__dict__, "tasks": []})

    def _sentence(self) -> str:
        text = f"{self.status}: {self.message}"
        if self._has_value() and f"({self.field} = " not in text:  # The library's message may have it.
            text += f" ({self.field} = {self._value_text()})"
        if self.record is not None:
            text += f" [{self.record}]"
        return text

    def _has_value(self) -> bool:
        """Whether the field has a value that tells something: a name of the library has none."""
        return bool(self.field) and self.value is not None and \
            not (self.field in _NAMED and self.value == 0)

    def _value_text(self) -> str:
        if isinstance(self.value, int) and abs(self.value) > 0xffff:
            return f"{self.value} = {self.value:#x}"
        return str(self.value)

    def as_dict(self) -> Dict[str, Any]:
        """For JSON."""
        return {"status": self.status, "message": self.message, "field": self.field,
                "value": self.value,
                "record": self.record.as_dict() if self.record is not None else None}


def _again(sentence: str, facts: Dict[str, Any]) -> Error:
    """An error of another process."""
    error = Error(facts["status"])
    error.__dict__.update(facts)
    error.args = (sentence,)
    return error
