# SPDX-License-Identifier: Apache-2.0
"""Task graphs (S2): see docs/GRAPHS.md.

From the bottom to the top:
    isa, scan, words, order, svg   steps and their names; tokens, syntax trees; orders; drawing
    program                        a graph program and its file
    asm, dis                       its assembler text
    parse, values, flow, compile   its language; emit writes the steps
    verify, machine, model         what the device checks and does, for comparison and without a device
    report, task, run, kept, launch   running it on a device
    parts, straight, builder       ganger.Graph, which builds a program pass by pass
    draw, text                     pictures; graphs from text or a file
"""

import importlib
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Optional, cast

from .asm import assemble
from .builder import Graph
from .dis import disassemble
from .kept import KeptGraph
from .program import Program
from .report import GraphReport, PassReport
from .task import GraphTask
from .text import GraphText, graph_of, read_graph

__all__ = ["Graph", "GraphReport", "GraphTask", "GraphText", "KeptGraph", "PassReport", "Program",
           "assemble", "disassemble", "graph_of", "read_graph"]


class _OldNames:
    """Imports ganger.graph_model and the like: what these modules were called before."""

    @staticmethod
    def find_spec(name: str, _path: object = None,
                  _target: object = None) -> Optional[importlib.machinery.ModuleSpec]:
        """The module is found if it has an old name."""
        if name.startswith(f"{__name__}_"):
            return importlib.machinery.ModuleSpec(name, cast(Any, _OldNames))
        return None

    @staticmethod
    def create_module(_spec: importlib.machinery.ModuleSpec) -> None:
        """An empty module will do: it is replaced."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Puts the module of the new name into the place of an old one."""
        new = f"{__name__}.{module.__name__[len(__name__) + 1:]}"
        sys.modules[module.__name__] = importlib.import_module(new)


sys.meta_path.append(_OldNames)
