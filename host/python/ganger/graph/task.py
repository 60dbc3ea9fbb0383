# SPDX-License-Identifier: Apache-2.0
"""Graphs on their way."""

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

from .. import structs
from ..errors import Error
from ..tasks import Done, Task
from .report import GraphReport, read_report
from .room import advice

if TYPE_CHECKING:
    from .program import Program
    from .run import GraphWork

OF_STEPS = ("ERR_GRAPH_STEP", "ERR_GRAPH_TYPE", "ERR_GRAPH_JUMP", "ERR_GRAPH_BUDGET",
            "ERR_GRAPH_RESOURCE", "ERR_GRAPH_TOO_LARGE", "ERR_GRAPH_DATA")


def _listed(entries: Sequence[Any], number: int, what: str) -> str:
    return f"{what} {entries[number].name}" if number < len(entries) else f"{what} {number}"


class GraphTask(Task):
    """A task of type GRAPH: wait(), cancel(), … are those of ganger.Task; program, report."""

    def __init__(self, work: "GraphWork", pointer: Optional[int]):
        super().__init__(work.handle, pointer, work.held, work.name)
        self.program = work.launched.program
        self._launched = work.launched
        self._room = work.run.raw.report_passes
        self._report: Optional[GraphReport] = None

    @property
    def report(self) -> GraphReport:
        """What became of its passes, once it has completed, also if it failed. Raises Error
        ERR_ARGUMENT: not complete, or no report was asked for."""
        if self._report is None:
            self.poll()
            hz = self._timebase()
            self._report = read_report(self._handle, self._pointer, self._room, self.program, hz)
        return self._report

    def _timebase(self) -> int:
        info = structs.Info()
        self._handle.device_call("gg_device_info", ctypes.byref(info))
        return info.timebase_hz or 1

    def _pass_name(self, number: int) -> str:
        try:
            return self.report.passes[number].name
        except (Error, IndexError):
            names = self.program.pass_names
            return names[number] if number < len(names) else f"pass {number}"

    def _result(self) -> Done:
        """The completion; an error names the line or the pass that it is about."""
        try:
            return super()._result()
        except Error as error:
            raise named_error(error, self.program, self._pass_name) from None


def named_error(error: Error, program: "Program", pass_name: Callable[[int], str]) -> Error:
    """The same error with the line of the step, or the name of the pass, that its value stands for."""
    value = error.done.value if error.done is not None else error.value
    where, field = "", error.field or ""
    if error.status == "ERR_GRAPH_CYCLE" or field.startswith("graph_pass."):
        where = f"pass {pass_name(value)}"
    elif field.startswith("graph_definition."):
        where = _listed(program.definitions, value, "pass")
    elif field.startswith("graph_resource."):
        where = _listed(program.resources, value, "resource")
    elif field.startswith("graph_step.") or error.status in OF_STEPS:
        where = str(program.place(value))
    if not where:
        return error
    message = f"{where}: {error.message}"
    if error.status == "ERR_GRAPH_TOO_LARGE":
        message += f" {advice(program)}"
    better = Error(error.status, message, error.field or "step", value, error.record, error.done)
    better.where = where
    return better
