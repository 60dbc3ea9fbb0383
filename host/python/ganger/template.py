# SPDX-License-Identifier: Apache-2.0
"""TMDs that are not submitted: for kernels to launch, and for the action "schedule"."""

import ctypes

from .memory import Owned, read_memory, write_memory
from .typed import BytesLike
from .work import Work


class Template(Owned):
    """Task metadata in a context's heap, with arguments, lists and a queue's ring.

    address, generation: its name. As an argument it is a pointer to the TMD. It lives until free()
    (not while it runs), or until nothing refers to it any more; it holds on to the buffers of its
    arguments.
    """

    def __init__(self, work: Work):
        address, generation = ctypes.c_uint64(), ctypes.c_uint32()
        work.handle.call("gg_template_create", ctypes.byref(work.raw), ctypes.byref(address),
                         ctypes.byref(generation))
        super().__init__(work.context, address.value, "gg_template_destroy")
        self._keep = work.held
        self.kernel = work.name
        self.generation = generation.value

    def read(self, nbytes: int = 256, offset: int = 0) -> bytes:
        """Bytes of the TMD, and of what lies behind it."""
        return read_memory(self._context.call, "gg_context_read", self.address + offset, nbytes)

    def write(self, data: BytesLike, offset: int = 0) -> None:
        """Overwrites them, without a check."""
        write_memory(self._context.call, "gg_context_write", self.address + offset, data)

    def __repr__(self) -> str:
        place = f"at {self._live[0]:#x}" if self._live else "freed"
        return f"<ganger.Template {self.kernel} {place}, generation {self.generation}>"
