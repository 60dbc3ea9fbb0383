# SPDX-License-Identifier: Apache-2.0
"""Parts of ganger.Graph: resources, and passes under construction."""

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from ..checks import Dimensions, dimensions, named, unsigned
from ..errors import Error
from ..kernels import Kernel, Parameter
from ..memory import Buffer
from ..values import LOCAL, Value
from .emit import Item
from .isa import BLOCK_COMMANDS, NEEDS, Place, graph_error
from .program import STATE_KEYWORDS, State

if TYPE_CHECKING:
    from .builder import Graph

USES = {"read": {"READ"}, "write": {"WRITE"}, "share": {"SHARE"}, "update": {"READ", "WRITE"}}


class GraphBuffer:
    """A resource of a graph: a transient, a buffer of the device, or an argument."""

    def __init__(self, graph: "Graph", number: int, name: str, nbytes: int):
        self.graph, self.number, self.name, self.nbytes = graph, number, name, nbytes

    def __repr__(self) -> str:
        return f"<ganger graph buffer {self.name}, {self.nbytes} bytes>"


class GraphArgument:
    """An argument of a graph: a number, or a buffer once a pass uses it as one."""

    def __init__(self, graph: "Graph", number: int, name: str, nbytes: int):
        self.graph, self.number, self.name, self.nbytes = graph, number, name, nbytes

    def __repr__(self) -> str:
        return f"<ganger graph argument {self.name}>"


class Use(NamedTuple):
    """A resource and how a pass uses it: read(x), write(x), update(x), share(x) of a Graph; offset:
    bytes added to its address."""
    resource: Any
    how: str
    offset: int = 0


GraphResource = Union[GraphBuffer, GraphArgument, Use, Buffer]  # What a pass uses.


class GraphCommand(NamedTuple):
    """A command of a pass."""
    op: str
    state: Optional[State] = None
    items: Tuple[Item, ...] = ()
    target: int = 0
    source: int = 0
    value: int = 0
    nbytes: int = 0


class GraphPass:
    """A pass: commands that run one after the other. Its number is its place in the graph."""

    def __init__(self, graph: "Graph", name: str, number: int):
        self.graph, self.name, self.number = graph, name, number
        self.uses: Dict[int, Set[str]] = {}
        self.after_passes: List[int] = []
        self.needs: Dict[int, int] = {}
        self.commands: List[GraphCommand] = []
        self._stated: Set[int] = set()

    def _fail(self, status: str, message: str, value: Any = None) -> Error:
        return graph_error(status, Place(name=self.name), message, value)

    def _use(self, resource: "GraphResource", how: str) -> int:
        number = self.graph.resource(resource).number
        own = self.uses.setdefault(number, set())
        # A pass may read what it wrote itself: then it does not use what was there before.
        inner = own - {"READ"} and not self.graph.has_content(number)
        own.update(USES[how] - {"READ"} if inner else USES[how])
        return number

    def _state_use(self, given: Sequence[Any], how: str) -> None:
        for one in given if isinstance(given, (list, tuple)) and not isinstance(given, Use) \
                else (given,):
            one = one.resource if isinstance(one, Use) else one
            self._stated.add(self._use(one, how))

    def read(self, *resources: "GraphResource") -> None:
        """Declares that it reads them. The next three are alike. Commands declare what they use
        themselves."""
        self._state_use(resources, "read")

    def write(self, *resources: "GraphResource") -> None:
        """Declares that it writes them, after earlier passes that use them."""
        self._state_use(resources, "write")

    def update(self, *resources: "GraphResource") -> None:
        """Declares that it reads and writes them."""
        self._state_use(resources, "update")

    def share(self, *resources: "GraphResource") -> None:
        """Declares that it writes them at the same time as other passes that share them."""
        self._state_use(resources, "share")

    def after(self, *passes: Union["GraphPass", int]) -> None:
        """Makes it start after other passes have ended, with or without an error: passes, or numbers."""
        for one in passes:
            number = one.number if isinstance(one, GraphPass) else one
            self.after_passes.append(unsigned("after", number))

    def need(self, **needs: int) -> None:
        """Declares what it needs while it runs: memory=, units=, bandwidth=, user=."""
        for kind, amount in needs.items():
            self.needs[named(NEEDS, "needs", kind)] = unsigned(kind, amount)

    def _add(self, command: GraphCommand) -> None:
        if len(self.commands) >= BLOCK_COMMANDS:
            raise self._fail("ERR_GRAPH_TOO_LARGE",
                             f"A pass has at most {BLOCK_COMMANDS} commands.", BLOCK_COMMANDS)
        self.commands.append(command)

    def dispatch(self, kernel: Kernel, grid: Dimensions = 1, block: Optional[Dimensions] = None,
                 args: Sequence[Any] = (), **keywords: Any) -> None:
        """Runs a kernel. args: one for each parameter: resources (also in read(), write(), update(),
        share() of the graph), arguments of the graph, numbers, ganger.local(…).

        A resource by itself is read where the kernel only reads through the pointer, else
        updated; a transient that nobody has written is written. keywords: mode, chunk, cluster,
        cluster_in, gpcs, quota, … as of ganger.Work.
        """
        for word in keywords:
            if word not in STATE_KEYWORDS:
                raise self._fail("ERR_ARGUMENT", f"A kernel of a graph has no {word}.", word)
        if len(args) != len(kernel.parameters):
            raise self._fail("ERR_ARGUMENT_COUNT", f"Kernel {kernel.name} takes "
                             f"{len(kernel.parameters)} arguments, not {len(args)}.", len(args))
        items = tuple(self._item(one, parameter)
                      for one, parameter in zip(args, kernel.parameters))
        local = tuple(item.data for item in items if item.kind == "local")
        state = State(kernel.name, dimensions("grid", grid),
                      dimensions("block", block or kernel.block or 1), local,
                      tuple(sorted((word, _frozen(value)) for word, value in keywords.items()
                                   if value is not None)), kernel)
        self._add(GraphCommand("DISPATCH", state, items))

    def _item(self, given: Any, parameter: Parameter) -> Item:
        if isinstance(given, Value):
            return Item("local", data=given.size) if given.kind == LOCAL \
                else Item("constant", data=given)
        if isinstance(given, GraphArgument) and parameter.kind != "buffer":
            return Item("parameter", self.graph.number_of(given))
        offset, how = 0, None
        if isinstance(given, Use):
            given, how, offset = given.resource, given.how, given.offset
        if not isinstance(given, (GraphBuffer, GraphArgument)) and not hasattr(given, "address"):
            return Item("constant", data=given)
        number = self.graph.resource(given).number
        if how is not None:
            self._use(given, how)
        elif number not in self._stated:
            self._use(given, self._usual(number, parameter))
        return Item("address", number, offset)

    def _usual(self, number: int, parameter: Parameter) -> str:
        if parameter.constant:
            return "read"
        return "update" if self.graph.has_content(number) else "write"

    def copy(self, to: "GraphResource", source: "GraphResource",
             nbytes: Optional[int] = None) -> None:
        """Copies the first bytes of a resource; by default all, or as many as both have."""
        target, origin = self.graph.resource(to), self.graph.resource(source)
        count = min(target.nbytes or origin.nbytes, origin.nbytes or target.nbytes) \
            if nbytes is None else nbytes
        self._move("COPY", to, count)
        if "READ" not in self.uses.get(origin.number, ()):
            self._use(source, "read")
        if "READ" not in self.uses[origin.number]:
            raise self._fail("ERR_GRAPH_RESOURCE", "A pass does not copy what it wrote itself: that "
                             "takes two passes.", origin.name)
        self.graph.reach(origin, count)
        self._add(GraphCommand("COPY", target=target.number, source=origin.number, nbytes=count))

    def _move(self, op: str, to: "GraphResource", count: int, at: int = 0) -> None:
        """A command that writes some bytes of a resource."""
        target = self.graph.resource(to)
        if not self.uses.get(target.number, set()) - {"READ"}:
            self._use(to, "write")
        if count < 1:
            raise self._fail("ERR_GRAPH_DATA", f"{op} needs a number of bytes.", count)
        unsigned("nbytes", at + count)
        self.graph.reach(target, at + count)

    def fill(self, to: "GraphResource", value: int, nbytes: Optional[int] = None) -> None:
        """Fills the first bytes of a resource with words of a value; by default all."""
        target = self.graph.resource(to)
        count = target.nbytes if nbytes is None else nbytes
        self._move("FILL", to, count)
        self._add(GraphCommand("FILL", target=target.number, value=value, nbytes=count))

    def signal(self, to: "GraphResource", value: int, offset: int = 0) -> None:
        """Stores a word of a resource."""
        self._move("SIGNAL", to, 4, offset)
        self._add(GraphCommand("SIGNAL", target=self.graph.resource(to).number, value=value,
                               nbytes=offset))

    def fence(self) -> None:
        """Makes what was written visible to the next command; the end of a pass does so anyway."""
        self._add(GraphCommand("FENCE"))

    def __enter__(self) -> "GraphPass":
        return self

    def __exit__(self, kind: object, *_exc: object) -> None:
        if kind is None and not self.commands:
            raise self._fail("ERR_GRAPH_STEP", "A pass has at least one command.")

    def __repr__(self) -> str:
        return f"<ganger graph pass {self.number} {self.name}>"


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, (list, tuple)) else value
