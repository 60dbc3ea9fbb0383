# SPDX-License-Identifier: Apache-2.0
"""Task graphs, pass by pass, in Python (S2): see docs/GRAPHS.md.

    with ganger.Graph() as g:
        x, t = g.argument("x"), g.buffer(4096)
        g.pass_(scale, grid=8, block=128, args=[g.read(x), g.write(t), 3, 1024])
        g.copy(out, t)
    task = g.launch(dev, x=data)
    task.wait()
    task.report.passes, task.report.critical
"""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ..checks import Dimensions
from ..errors import Error
from ..kernels import Kernel
from ..typed import Target
from .isa import ARGUMENTS, INTEGER, PASSES, RESOURCE, RESOURCES, Place, graph_error
from .launch import Launchable
from .parts import GraphArgument, GraphBuffer, GraphPass, GraphResource, Use
from .program import Argument, Program, Resource
from .straight import Straight


class Graph(Launchable):
    """A graph under construction. target: a Device or Context, if it is known already; name: for
    messages and pictures; unordered: the order of passes means nothing: who reads a resource
    depends on all who write it."""

    def __init__(self, target: Optional[Target] = None, name: str = "graph", unordered: bool = False):
        self.name, self.unordered = name, unordered
        self._target = target
        self._resources: List[Resource] = []
        self._buffers: List[GraphBuffer] = []
        self._external: Dict[Tuple[int, int], GraphBuffer] = {}
        self._inputs: List[Any] = []
        self._arguments: List[GraphArgument] = []
        self._as_buffer: Dict[int, GraphBuffer] = {}
        self._reach: Dict[int, int] = {}
        self._passes: List[GraphPass] = []

    # ---- resources ----

    def _add(self, resource: Resource) -> GraphBuffer:
        if len(self._resources) >= RESOURCES:
            raise graph_error("ERR_GRAPH_TOO_LARGE", Place(name=resource.name),
                              f"A graph has at most {RESOURCES} resources.", RESOURCES)
        made = GraphBuffer(self, len(self._resources), resource.name, resource.nbytes)
        self._resources.append(resource)
        self._buffers.append(made)
        return made

    def buffer(self, nbytes: int, name: Optional[str] = None) -> GraphBuffer:
        """A transient: it lives in the graph's work space, from its first writer to its last user."""
        if not 0 < nbytes < 1 << 48:
            raise Error("ERR_GRAPH_RESOURCE", "A buffer has at least one byte.", "nbytes", nbytes)
        return self._add(Resource(name or f"t{len(self._resources)}", nbytes=nbytes))

    def argument(self, name: str, nbytes: int = 0) -> GraphArgument:
        """Something that each launch gives: a buffer of at least nbytes, or a number."""
        if len(self._arguments) >= ARGUMENTS:
            raise graph_error("ERR_GRAPH_TOO_LARGE", Place(name=name),
                              f"A graph has at most {ARGUMENTS} arguments.", ARGUMENTS)
        if any(one.name == name for one in self._arguments):
            raise Error("ERR_ARGUMENT", "The graph has an argument of this name already.", "name", name)
        self._arguments.append(GraphArgument(self, len(self._arguments), name, nbytes))
        return self._arguments[-1]

    def number_of(self, argument: GraphArgument) -> int:
        """Number of an argument of this graph. Raises Error ERR_GRAPH_RESOURCE."""
        if argument.graph is not self:
            raise Error("ERR_GRAPH_RESOURCE", "It belongs to another graph.", "argument", argument.name)
        return argument.number

    def resource(self, given: GraphResource) -> GraphBuffer:
        """The resource that something is: a transient, an argument, a buffer of the device. Raises
        Error ERR_GRAPH_RESOURCE."""
        if isinstance(given, Use):
            return self.resource(given.resource)
        if isinstance(given, GraphArgument):
            return self._argument_buffer(given)
        if isinstance(given, GraphBuffer):
            if given.graph is not self:
                raise Error("ERR_GRAPH_RESOURCE", "It belongs to another graph.", "buffer", given.name)
            return given
        if not hasattr(given, "address") or not hasattr(given, "nbytes"):
            raise Error("ERR_GRAPH_RESOURCE", "A resource is a buffer or an argument.", "resource",
                        repr(given))
        key = (given.address, given.nbytes)
        if key not in self._external:
            name = f"buffer{len(self._external)}"
            self._external[key] = self._add(Resource(name, "FIXED", address=given.address,
                                                     nbytes=max(1, given.nbytes)))
            self._inputs.append(given)
        return self._external[key]

    def _argument_buffer(self, given: GraphArgument) -> GraphBuffer:
        number = self.number_of(given)
        if number not in self._as_buffer:
            self._as_buffer[number] = self._add(Resource(given.name, "ARGUMENT", number,
                                                         nbytes=given.nbytes))
        return self._as_buffer[number]

    def has_content(self, number: int) -> bool:
        """Whether something is in a resource when the next pass starts."""
        return self._resources[number].kind != "TRANSIENT" or any(
            how - {"READ"} for one in self._passes[:-1]
            for resource, how in one.uses.items() if resource == number)

    def reach(self, buffer: GraphBuffer, nbytes: int) -> None:
        """An argument without a size has at least as many bytes as commands use of it."""
        if self._resources[buffer.number].kind == "ARGUMENT" and not buffer.nbytes:
            self._reach[buffer.number] = max(self._reach.get(buffer.number, 4), nbytes)

    @staticmethod
    def read(resource: GraphResource, offset: int = 0) -> Use:
        """A resource that a kernel reads, as its argument; offset: bytes into it. The next three
        are alike."""
        return Use(resource, "read", offset)

    @staticmethod
    def write(resource: GraphResource, offset: int = 0) -> Use:
        """Written, after earlier passes that use it."""
        return Use(resource, "write", offset)

    @staticmethod
    def update(resource: GraphResource, offset: int = 0) -> Use:
        """Read and written."""
        return Use(resource, "update", offset)

    @staticmethod
    def share(resource: GraphResource, offset: int = 0) -> Use:
        """Written at the same time as other passes that share it."""
        return Use(resource, "share", offset)

    # ---- passes ----

    def pass_(self, kernel: Union[Kernel, str], grid: Dimensions = 1,
              block: Optional[Dimensions] = None, args: Sequence[Any] = (), *,
              reads: Iterable[GraphResource] = (), writes: Iterable[GraphResource] = (),
              shares: Iterable[GraphResource] = (), after: Iterable[Union[GraphPass, int]] = (),
              needs: Optional[Mapping[str, int]] = None, name: Optional[str] = None,
              **keywords: Any) -> GraphPass:
        """Adds a pass that runs a kernel: see GraphPass.dispatch(). With a name in place of the
        kernel it has no command yet, for a `with` block that adds them:

            with g.pass_("histogram", reads=[x]) as p:
                p.fill(bins, 0)
                p.dispatch(count, 8, 128, [x, p.graph.update(bins)])

        reads, writes, shares: what its arguments do not tell; after: passes; needs: {"memory": …}.
        """
        made = self._begin(kernel if isinstance(kernel, str) else name or kernel.name)
        try:
            made.read(*reads)
            made.write(*writes)
            made.share(*shares)
            made.after(*after)
            made.need(**(needs or {}))
            if not isinstance(kernel, str):
                made.dispatch(kernel, grid, block, args, **keywords)
        except BaseException:
            self._passes.pop()
            raise
        return made

    def _begin(self, name: str) -> GraphPass:
        if len(self._passes) >= PASSES:
            raise graph_error("ERR_GRAPH_TOO_LARGE", Place(name=name),
                              f"A graph has at most {PASSES} passes.", PASSES)
        self._passes.append(GraphPass(self, name, len(self._passes)))
        return self._passes[-1]

    def _single(self, name: str, after: Iterable[Union[GraphPass, int]], order: str,
                *args: Any) -> GraphPass:
        made = self._begin(name)
        try:
            made.after(*after)
            getattr(made, order)(*args)
        except BaseException:
            self._passes.pop()
            raise
        return made

    def copy(self, to: GraphResource, source: GraphResource, nbytes: Optional[int] = None, *,
             name: str = "copy", after: Iterable[Union[GraphPass, int]] = ()) -> GraphPass:
        """A pass that copies the first bytes of a resource."""
        return self._single(name, after, "copy", to, source, nbytes)

    def fill(self, to: GraphResource, value: int, nbytes: Optional[int] = None, *,
             name: str = "fill", after: Iterable[Union[GraphPass, int]] = ()) -> GraphPass:
        """A pass that fills the first bytes of a resource with words."""
        return self._single(name, after, "fill", to, value, nbytes)

    def signal(self, to: GraphResource, value: int, offset: int = 0, *, name: str = "signal",
               after: Iterable[Union[GraphPass, int]] = ()) -> GraphPass:
        """A pass that stores a word."""
        return self._single(name, after, "signal", to, value, offset)

    @property
    def passes(self) -> List[GraphPass]:
        """The passes, by number."""
        return list(self._passes)

    # ---- the program ----

    @property
    def program(self) -> Program:
        """The straight program that makes the graph (S2-R86, Fig 4b). Raises Error
        ERR_GRAPH_STEP (a pass without a command), ERR_GRAPH_TOO_LARGE."""
        return Straight(self).program

    def parts(self) -> Tuple[List[Resource], List[Argument], List[GraphPass], List[Any]]:
        """Resources with their sizes, arguments, passes, inputs: for the program."""
        resources = [one._replace(nbytes=one.nbytes or self._reach.get(at, 0))
                     for at, one in enumerate(self._resources)]
        arguments = [Argument(one.name, RESOURCE if one.number in self._as_buffer else INTEGER)
                     for one in self._arguments]
        return resources, arguments, self._passes, self._inputs

    def _default_target(self) -> Optional[Target]:
        return self._target

    def __enter__(self) -> "Graph":
        return self

    def __exit__(self, kind: object, *_exc: object) -> None:
        if kind is None:
            assert self.program is not None  # Errors of the pass are raised at the end of the `with` block.

    def __repr__(self) -> str:
        return f"<ganger.Graph {self.name}: {len(self._passes)} passes, " \
               f"{len(self._resources)} resources>"
