# SPDX-License-Identifier: Apache-2.0
"""Running graphs on a device: the part that all forms of graphs have in common."""

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from ..kernels import Kernel, KernelSource
from ..tasks import Done, Task
from ..typed import Target
from .kept import KeptGraph
from .run import GraphWork, Launched, Run, context_of, loaded_kernels
from .task import GraphTask

if TYPE_CHECKING:
    from .program import Program

REPORT_PASSES = 4096  # Room of a report where the number of passes is not known before.
Budgets = Optional[Mapping[str, int]]  # See work().
ALIGN = 64            # Alignment of transient buffers.


class Launchable:
    """Mixin of the forms of graphs: Graph, GraphText, GraphProgram. modules: where its kernels are
    found by name, besides those that a launch gives."""
    modules: Sequence[KernelSource] = ()

    @property
    def program(self) -> "Program":
        """The graph's program."""
        raise NotImplementedError

    def linked(self, kernels: Mapping[str, Kernel]) -> "Program":
        """The program for kernels that are loaded."""
        del kernels
        return self.program

    def _modules(self) -> List[KernelSource]:
        """Where kernels are found that no launch gives."""
        return list(self.modules)

    def _default_target(self) -> Optional[Target]:
        return None

    def _prepare(self, target: Optional[Target], modules: Iterable[KernelSource]) -> Launched:
        context = context_of(target if target is not None else self._default_target())
        kernels = loaded_kernels(context, [*modules, *self._modules()])
        return Launched(self.linked(kernels), context, kernels)

    def launch(self, target: Optional[Target] = None, *, timeout: float = 30.0,
               **keywords: Any) -> GraphTask:
        """Posts the graph as one task and does not wait: see work() for the keywords; timeout: for
        room in the channel. Raises Error for what the library refuses; what the device refuses
        comes with wait()."""
        return self.work(target, **keywords).post(timeout)

    def work(self, target: Optional[Target] = None, *, modules: Iterable[KernelSource] = (),
             arguments: Optional[Mapping[str, Any]] = None, emphasis: Union[int, str] = "speed",
             memory: Optional[int] = None, at_once: int = 0, budgets: Budgets = None,
             time_limit_ms: int = 0, split: int = 0, step_budget: int = 0,
             report_passes: Optional[int] = None, priority: int = 5, channel: int = 0,
             after: Iterable[Task] = (), prints: int = 0, **given: Any) -> GraphWork:
        """The graph as work, not posted: for submit_many() of a context, and ganger.Tmd.

        target    a Device or Context; None: that of the graph
        modules   where kernels are found by name: modules, kernels, or paths of ELFs, which are
                  loaded once
        given, arguments  the graph's arguments, by name: buffers or numbers
        emphasis  "speed" or "resource" (S2-R69)
        memory    bytes of work space for transient buffers; None: the sum of all
        at_once   most passes at once; 0: the device's choice
        budgets   most that passes may need together: {"memory": …, "units": …, "bandwidth": …,
                  "user": …}
        split     larger plain grids are split into tasks of so many CTAs; 0: never
        step_budget  most steps of the program; 0: 1,000,000
        time_limit_ms  longest time of all; priority, channel, after, prints: as of ganger.Work
        """
        launched = self._prepare(target, modules)
        words = launched.take({**(arguments or {}), **given}, True)
        launched.bind_sizes()
        launched.check_sizes()
        run = Run(words, self._options(launched.program, emphasis, memory, at_once, budgets,
                                        time_limit_ms, split, step_budget, report_passes))
        run.set_program(launched.encode())
        return GraphWork(launched.context, run, launched, priority=priority, channel=channel,
                         after=after, prints=prints)

    def run(self, target: Optional[Target] = None, *, wait: Optional[float] = 60,
            **keywords: Any) -> Done:
        """launch(), then wait(): the completion."""
        return self.launch(target, **keywords).wait(wait)

    def keep(self, target: Optional[Target] = None, *, modules: Iterable[KernelSource] = (),
             arguments: Optional[Mapping[str, Any]] = None, emphasis: Union[int, str] = "speed",
             memory: Optional[int] = None, at_once: int = 0, budgets: Budgets = None,
             step_budget: int = 0, timeout: float = 30.0, **given: Any) -> KeptGraph:
        """Makes the graph on the device and keeps it there, to be launched many times.

        Arguments that are given here count for the program's own decisions, and for the sizes of
        buffers; each launch gives its own. The other keywords are those of launch(). Raises Error.
        """
        launched = self._prepare(target, modules)
        words = launched.take({**(arguments or {}), **given}, False)
        launched.bind_sizes()
        options = self._options(launched.program, emphasis, memory, at_once, budgets, 0, 0,
                                step_budget, 0)
        run = Run(words, dict(options))
        run.raw.keep = 1
        run.set_program(launched.encode())
        task = GraphWork(launched.context, run, launched).post(timeout)
        return KeptGraph(launched, task.wait(timeout).value, {
            **options, "report_passes": self._room(launched.program, None)})

    @staticmethod
    def _room(program: "Program", asked: Optional[int]) -> int:
        return asked if asked is not None else len(program.pass_names) or REPORT_PASSES

    def _options(self, program: "Program", emphasis: Union[int, str], memory: Optional[int],
                 at_once: int, budgets: Budgets, time_limit_ms: int, split: int, step_budget: int,
                 report_passes: Optional[int]) -> Dict[str, Any]:
        if memory is None:
            memory = sum((one.nbytes + ALIGN - 1) // ALIGN * ALIGN for one in program.resources
                         if one.kind == "TRANSIENT")
        return {"emphasis": emphasis, "memory": memory, "at_once": at_once, "budgets": budgets,
                "time_limit_ms": time_limit_ms, "split": split, "step_budget": step_budget,
                "report_passes": self._room(program, report_passes)}
