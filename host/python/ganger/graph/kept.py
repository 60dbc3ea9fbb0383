# SPDX-License-Identifier: Apache-2.0
"""Graphs that the device keeps."""

from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Optional

from ..clib import milliseconds
from ..errors import Error
from ..tasks import Task
from .run import GraphWork, Launched, Run
from .task import GraphTask

if TYPE_CHECKING:
    from .program import Program


class KeptGraph:
    """A graph that the device keeps; `keep` of a graph makes it. It lives until free(), the end of a
    `with` block, or until nothing refers to it. handle: its number on the device."""

    def __init__(self, launched: Launched, handle: int, options: Dict[str, Any]):
        self.launched, self.handle = launched, handle
        self._options = options
        self._freed = False

    @property
    def program(self) -> "Program":
        """What it was made from."""
        return self.launched.program

    def launch(self, *, arguments: Optional[Mapping[str, Any]] = None, timeout: float = 30.0,
               time_limit_ms: int = 0, split: int = 0, report_passes: Optional[int] = None,
               priority: int = 5, channel: int = 0, after: Iterable[Task] = (),
               prints: int = 0, **given: Any) -> GraphTask:
        """Runs it with new arguments: see Graph.launch(). While it runs already, this one waits.
        Raises Error ERR_GRAPH_RESOURCE: a buffer is smaller than what the graph was made for."""
        if self._freed:
            raise Error("ERR_GRAPH_HANDLE", "", "graph.handle", self.handle)
        options = {**self._options, "time_limit_ms": time_limit_ms, "split": split}
        if report_passes is not None:
            options["report_passes"] = report_passes
        words = self.launched.take({**(arguments or {}), **given}, True)
        self.launched.check_sizes()
        run = Run(words, options)
        run.raw.handle = self.handle
        work = GraphWork(self.launched.context, run, self.launched, priority=priority,
                         channel=channel, after=after, prints=prints)
        return work.post(timeout)

    def free(self, timeout: float = 10.0) -> None:
        """The device forgets it, after its last launch; a second free does nothing."""
        if self._freed or self.launched.context.destroyed:
            return
        self._freed = True
        self.launched.context.handle.device_call("gg_graph_free", self.handle,
                                                 milliseconds(timeout))

    def __enter__(self) -> "KeptGraph":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.free()

    def __del__(self) -> None:
        try:
            self.free()
        except (Error, AttributeError):
            pass

    def __repr__(self) -> str:
        return f"<ganger.KeptGraph {self.launched.program.name}, handle {self.handle}>"
