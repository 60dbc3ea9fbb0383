# SPDX-License-Identifier: Apache-2.0
"""Graphs on their way, and graphs that the device keeps."""

import ctypes
from typing import Any, Mapping, Optional

from . import structs
from .clib import milliseconds
from .errors import Error
from .graph_report import GraphReport, read_report
from .tasks import Done, Task

OF_STEPS = ("ERR_GRAPH_STEP", "ERR_GRAPH_TYPE", "ERR_GRAPH_JUMP", "ERR_GRAPH_BUDGET",
            "ERR_GRAPH_RESOURCE", "ERR_GRAPH_TOO_LARGE", "ERR_GRAPH_DATA")


def _listed(entries, number: int, what: str) -> str:
    return f"{what} {entries[number].name}" if number < len(entries) else f"{what} {number}"


class GraphTask(Task):
    """A task of type GRAPH: wait(), cancel(), … are those of ganger.Task; program, report."""

    def __init__(self, work, pointer: int):
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


def named_error(error: Error, program, pass_name) -> Error:
    """The same error with the line of the step, or the name of the pass, that its value is."""
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
    better = Error(error.status, f"{where}: {error.message}", error.field or "step", value,
                   error.record, error.done)
    better.where = where
    return better


class KeptGraph:
    """A graph that the device keeps; `keep` of a graph makes it. It lives until free(), the end of a
    `with` block, or until nothing refers to it. handle: its number on the device."""

    def __init__(self, launched, handle: int, options: dict):
        self.launched, self.handle = launched, handle
        self._options = options
        self._freed = False

    @property
    def program(self):
        """What it was made from."""
        return self.launched.program

    def launch(self, *, arguments: Optional[Mapping[str, Any]] = None, timeout: float = 30.0,
               time_limit_ms: int = 0, split: int = 0, report_passes: Optional[int] = None,
               priority: int = 5, channel: int = 0, after=(), prints: int = 0,
               **given) -> GraphTask:
        """Runs it with new arguments: see Graph.launch(). While it runs already, this one waits.
        Raises Error ERR_GRAPH_RESOURCE: a buffer is smaller than what the graph was made for."""
        from .graph_launch import launch_kept  # It needs this module.
        if self._freed:
            raise Error("ERR_GRAPH_HANDLE", "", "graph.handle", self.handle)
        options = {**self._options, "time_limit_ms": time_limit_ms, "split": split}
        if report_passes is not None:
            options["report_passes"] = report_passes
        return launch_kept(self, options, {**(arguments or {}), **given}, timeout,
                           priority=priority, channel=channel, after=after, prints=prints)

    def free(self, timeout: float = 10.0) -> None:
        """The device forgets it, after its last launch; a second free does nothing."""
        if self._freed or self.launched.context.destroyed:
            return
        self._freed = True
        self.launched.context.handle.device_call("gg_graph_free", self.handle,
                                                 milliseconds(timeout))

    def __enter__(self) -> "KeptGraph":
        return self

    def __exit__(self, *_exc) -> None:
        self.free()

    def __del__(self):
        try:
            self.free()
        except (Error, AttributeError):
            pass

    def __repr__(self) -> str:
        return f"<ganger.KeptGraph {self.launched.program.name}, handle {self.handle}>"
