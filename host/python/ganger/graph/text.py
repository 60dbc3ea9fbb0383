# SPDX-License-Identifier: Apache-2.0
"""Graphs from files: the text form, the assembler's form, and assembled programs."""

import os
from pathlib import Path
from typing import Iterable, List, Mapping, Union

from .. import typed
from ..errors import Error
from ..kernels import Kernel, KernelSource, elf_info, kernels_by_name
from .asm import assemble
from .compile import compile_text
from .launch import Launchable
from .program import Program


class GraphText(Launchable):
    """A graph in text form, compiled again for the kernels of each device that it is launched on.

    modules: where its kernels are found by name, as in launch(); folder: where modules that the
    text names are; kernels: the former name of `modules`. Raises Error with line and column.
    """

    def __init__(self, text: str, modules: Iterable[KernelSource] = (), folder: typed.Path = ".",
                 kernels: Iterable[KernelSource] = ()):
        self.text, self.folder = text, Path(folder)
        self.modules = [*modules, *kernels]
        self._program, self._named = compile_text(text)
        known = kernels_by_name(elf_info(one) if isinstance(one, (str, os.PathLike)) else one
                                for one in [*self.modules, *self._paths(True)])
        if known:
            self._program, _named = compile_text(text, known.get)

    def _paths(self, there: bool = False) -> List[str]:
        paths = [self.folder / one for one in self._named]
        return [str(path) for path in paths if not there or path.exists()]

    @property
    def program(self) -> Program:
        """Compiled for the kernels that are known without a device."""
        return self._program

    def linked(self, kernels: Mapping[str, Kernel]) -> Program:
        """Compiled for kernels that are loaded."""
        return compile_text(self.text, kernels.get)[0]

    def _modules(self) -> List[KernelSource]:
        return [*self.modules, *self._paths()]


def graph_of(data: Union[str, bytes], modules: Iterable[KernelSource] = (), folder: typed.Path = ".",
             kernels: Iterable[KernelSource] = ()) -> Launchable:
    """A graph from the content of a file: text, assembler, or assembled. modules: where its kernels
    are found by name, as in launch(); folder: where modules that a text names are; kernels: the
    former name of `modules`. Raises Error."""
    sources = [*modules, *kernels]
    made = _graph_of(data, sources, folder)
    made.modules = sources
    return made


def _graph_of(data: Union[str, bytes], modules: List[KernelSource], folder: typed.Path) -> Launchable:
    if isinstance(data, bytes) and data[:4] == b"GGGP":
        return Program.load(data)
    try:
        text = data.decode() if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise Error("ERR_GRAPH_FORMAT", "This is neither text nor a graph program.", "file") from None
    first = next((line.split("#")[0].split() for line in text.splitlines()
                  if line.split("#")[0].strip()), [""])
    if first[0] == "graph":
        return GraphText(text, modules, folder)
    return assemble(text)


def read_graph(path: typed.Path, modules: Iterable[KernelSource] = (),
               kernels: Iterable[KernelSource] = ()) -> Launchable:
    """A graph from a file, whatever its form. modules: where its kernels are found by name, as in
    launch(); kernels: the former name of `modules`. Raises Error ERR_GRAPH_…, OSError."""
    return graph_of(Path(path).read_bytes(), modules, Path(path).parent, kernels)
