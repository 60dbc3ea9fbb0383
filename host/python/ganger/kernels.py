# SPDX-License-Identifier: Apache-2.0
"""Kernel ELFs: what is in them, and modules loaded into a context."""

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import clib, structs
from .errors import Error
from .typed import BytesLike, Json, Path, view_of
from .values import KIND_NAMES, TYPE_NAMES

if TYPE_CHECKING:
    from .context import Context


SPACES = ("private", "global", "constant", "local")  # enum gg_space


class Parameter(NamedTuple):
    """A parameter of a kernel. kind: "value", "buffer", "local"; type: "signed", "unsigned",
    "float", "bool", "aggregate", or "pointer"; type_name: as in C; sizes in bytes; constant: the
    kernel only reads through it. space: of what it points to, "private" if it is no pointer, else
    "global", "constant" or "local"; volatile, restrict: as in the source; cl_type: as OpenCL tells it."""
    name: str
    kind: str
    type: str
    type_name: str
    size: int
    offset: int
    align: int
    constant: bool
    space: str
    volatile: bool
    restrict: bool
    cl_type: str


def _text(name: bytes) -> str:
    """Text from a file, which may hold any bytes."""
    return name.decode("utf-8", "replace")


def _parameter(raw: structs.Parameter) -> Parameter:
    return Parameter(_text(raw.name), KIND_NAMES.get(raw.kind, "?"),
                     TYPE_NAMES.get(raw.type, "?"), _text(raw.type_name), raw.bytes, raw.offset,
                     raw.align, bool(raw.constant), SPACES[raw.space], bool(raw.qualifiers & 2),
                     bool(raw.qualifiers & 4), _text(raw.cl_type))


def _more(call: Callable[..., Any], name: str, *of: Any) -> Callable[[int], structs.Parameter]:
    """Asks the library for a parameter by its place."""
    def parameter(place: int) -> structs.Parameter:
        found = structs.Parameter()
        call(name, *of, place, ctypes.byref(found))
        return found
    return parameter


class Kernel:
    """A kernel of a module or of an ELF: facts, and what `submit` takes.

    name, parameters, shared_bytes (of its `__local` variables), stack_bytes (of a thread;
    stack_assumed: it is a guess), barrier (its threads meet), block (required, or None), entry
    (where a CTA starts, from the module's base), argument_bytes, attributes (of OpenCL C:
    "reqd_work_group_size(8,8,1)", or ""), silent (it cannot print), loops (ganger-cc made it a
    loop over its work-items).
    """

    def __init__(self, info: structs.KernelInfo, index: int, more: Callable[[int], structs.Parameter],
                 module: "Optional[Module]" = None):
        self.name: str = _text(info.name)
        self.index = index
        self.module = module
        self.shared_bytes: int = info.shared_bytes
        self.stack_bytes: int = info.stack_bytes
        self.barrier = bool(info.flags & 1)
        self.stack_assumed = bool(info.flags & 2)
        self.block: Optional[Tuple[int, ...]] = tuple(info.block) if any(info.block) else None
        self.silent = bool(info.flags & 8)
        self.loops = bool(info.flags & 32)
        self.attributes: str = _text(info.attributes)
        self.entry: int = info.entry
        self.argument_bytes: int = info.argument_bytes
        self.parameters: List[Parameter] = [
            _parameter(info.parameter[place] if place < structs.PARAMETERS_MAX else more(place))
            for place in range(info.parameters)]

    def as_dict(self) -> Json:
        """For JSON."""
        facts = {name: getattr(self, name) for name in
                 ("name", "shared_bytes", "stack_bytes", "stack_assumed", "barrier", "block",
                  "argument_bytes", "attributes", "silent")}
        facts["parameters"] = [one._asdict() for one in self.parameters]
        return facts

    def __repr__(self) -> str:
        text = ", ".join(f"{one.type_name} {one.name}".strip() for one in self.parameters)
        return f"<ganger.Kernel {self.name}({text})>"


class ElfInfo(NamedTuple):
    """Facts of a kernel ELF: XLEN, ISA, compiler, bytes of device memory, its kernels by name."""
    xlen: int
    isa: str
    producer: str
    nbytes: int
    features: int
    kernels: Dict[str, Kernel]

    def as_dict(self) -> Json:
        """For JSON."""
        return {"xlen": self.xlen, "isa": self.isa, "producer": self.producer, "bytes": self.nbytes,
                "features": self.features,
                "kernels": [kernel.as_dict() for kernel in self.kernels.values()]}


def _elf(raw: structs.Elf, kernels: List[Kernel]) -> ElfInfo:
    return ElfInfo(raw.xlen, _text(raw.isa), _text(raw.producer), raw.bytes, raw.features,
                   {kernel.name: kernel for kernel in kernels})


def elf_info(path: Path) -> ElfInfo:
    """Reads a kernel ELF without a device. Raises Error ERR_IO, ERR_ELF_FORMAT, …_TRUNCATED."""
    name = os.fsencode(path)
    raw = structs.Elf()
    clib.call("gg_elf_info", name, ctypes.byref(raw))
    kernels = []
    for index in range(raw.kernels):
        info = structs.KernelInfo()
        clib.call("gg_elf_kernel", name, index, ctypes.byref(info))
        kernels.append(Kernel(info, index, _more(clib.call, "gg_elf_parameter", name, index)))
    return _elf(raw, kernels)


def _content(source: BytesLike) -> bytes:
    """An ELF that is no path. Raises TypeError."""
    try:
        return view_of(source).tobytes()
    except TypeError:
        raise TypeError(f"load() takes the path of a kernel ELF, or its bytes, not {type(source).__name__}") from None


class Module:
    """A kernel ELF in device memory. `module["name"]` is a Kernel, and a loop over the module gives
    all of them in the ELF's order; `kernels` are the names. A `with` block ends with unload()."""

    def __init__(self, context: "Context", source: Union[Path, BytesLike]):
        self._context = context
        self._pointer = ctypes.c_void_p()
        self._unloaded = True
        self._load(source)
        self._unloaded = False
        self.info, self.base, self.code_bytes = self._facts()
        self.source: Union[bytes, str] = os.path.abspath(os.fsdecode(source)) \
            if isinstance(source, (str, os.PathLike)) else _content(source)
        context.handle.modules.add(self)

    def _load(self, source: Union[Path, BytesLike]) -> None:
        into = ctypes.byref(self._pointer)
        if isinstance(source, (str, os.PathLike)):
            self._context.call("gg_module_load", os.fsencode(source), into)
        else:
            data = _content(source)
            self._context.call("gg_module_load_bytes", data, len(data), into)

    def _facts(self) -> Tuple[ElfInfo, int, int]:
        raw, base, code_bytes = structs.Elf(), ctypes.c_uint64(), ctypes.c_uint64()
        handle = self._context.handle
        handle.call("gg_module_info", self._pointer, ctypes.byref(raw), ctypes.byref(base),
                    ctypes.byref(code_bytes))
        kernels = []
        for index in range(raw.kernels):
            info = structs.KernelInfo()
            handle.call("gg_module_kernel", self._pointer, index, ctypes.byref(info))
            more = _more(handle.call, "gg_module_parameter", self._pointer, index)
            kernels.append(Kernel(info, index, more, self))
        return _elf(raw, kernels), base.value, code_bytes.value

    @property
    def pointer(self) -> Optional[int]:
        """For the library, which refuses it with ERR_HANDLE after unload()."""
        return self._pointer.value

    @property
    def context(self) -> "Context":
        """The context that it was loaded into."""
        return self._context

    @property
    def kernels(self) -> List[str]:
        """Names of its kernels, in the ELF's order."""
        return list(self.info.kernels)

    def __getitem__(self, name: str) -> Kernel:
        kernel = self.info.kernels.get(name)
        if kernel is None:
            raise Error("ERR_KERNEL_NAME", "The module has no kernel of that name; its kernels are "
                        f"{', '.join(self.kernels)}.", "kernel", name)
        return kernel

    def __contains__(self, name: str) -> bool:
        return name in self.info.kernels

    def __iter__(self) -> Iterator[str]:
        return iter(self.info.kernels)

    def __len__(self) -> int:
        return len(self.info.kernels)

    def unload(self) -> None:
        """Takes it out of the device. Raises Error ERR_BUSY while its kernels run."""
        if self._unloaded or self._context.destroyed:
            return
        self._context.handle.give_back("gg_module_unload", self._pointer)
        self._unloaded = True
        self._context.handle.modules.discard(self)

    def __enter__(self) -> "Module":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.unload()

    def __del__(self) -> None:
        try:
            self.unload()
        except Error:  # Still running, or the device is closed: it goes with its context.
            pass

    def __repr__(self) -> str:
        return f"<ganger.Module {', '.join(self.kernels)} at {self.base:#x}>"


KernelSource = Union[Path, Module, ElfInfo, Kernel]  # What `modules=` of graphs has a list of.


def kernels_by_name(sources: Iterable[Union[Module, ElfInfo, Kernel]]) -> Dict[str, Kernel]:
    """All kernels of modules and ELFs, and kernels themselves; the first one of a name counts."""
    found: Dict[str, Kernel] = {}
    for source in sources:
        kernels: Iterable[Kernel] = (source,) if isinstance(source, Kernel) else \
            source.kernels.values() if isinstance(source, ElfInfo) else source.info.kernels.values()
        for kernel in kernels:
            found.setdefault(kernel.name, kernel)
    return found
