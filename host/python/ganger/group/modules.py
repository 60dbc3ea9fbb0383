# SPDX-License-Identifier: Apache-2.0
"""Kernels that are loaded on every device of a group."""

from typing import Dict, Iterator, List, Sequence

from ..errors import Error
from ..kernels import Kernel, Module, Parameter


class GroupKernel:
    """A kernel on every device of a group: what its submit() takes. `name` and `parameters` as of ganger.Kernel."""

    def __init__(self, kernels: Sequence[Kernel]):
        self.kernels = list(kernels)
        self.name = kernels[0].name
        self.parameters: List[Parameter] = kernels[0].parameters

    def __repr__(self) -> str:
        return f"<ganger.GroupKernel {self.name} on {len(self.kernels)} devices>"


class GroupModule:
    """A kernel ELF on every device of a group: `module["name"]` is a GroupKernel; a loop gives the names."""

    def __init__(self, modules: Sequence[Module]):
        self._modules = list(modules)
        self._kernels: Dict[str, GroupKernel] = {}

    def __getitem__(self, name: str) -> GroupKernel:
        if name not in self._kernels:
            self._kernels[name] = GroupKernel([module[name] for module in self._modules])
        return self._kernels[name]

    def __contains__(self, name: str) -> bool:
        return name in self._modules[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules[0])

    def unload(self) -> None:
        """Takes it out of the devices that are there. Raises Error ERR_BUSY while its kernels run."""
        for module in self._modules:
            try:
                module.unload()
            except Error as error:
                if error.status not in ("ERR_DEVICE_LOST", "ERR_PANIC"):
                    raise
