# SPDX-License-Identifier: Apache-2.0
"""TMDs that are not submitted: for kernels to launch, and for the action "schedule"."""

import ctypes

from .errors import Error
from .memory import read_memory, write_memory


class Template:
    """Task metadata in a context's heap, with arguments, lists and a queue's ring.

    address, generation: its name. As an argument it is a pointer to the TMD. It lives until free(),
    or until nothing refers to it any more; it holds on to the buffers of its arguments.
    """

    def __init__(self, work):
        address, generation = ctypes.c_uint64(), ctypes.c_uint32()
        work.handle.call("gg_template_create", ctypes.byref(work.raw), ctypes.byref(address),
                         ctypes.byref(generation))
        self._context = work.context
        self._keep = work.held
        self._freed = False
        self.kernel = work.name
        self.address = address.value
        self.generation = generation.value

    def read(self, nbytes: int = 256, offset: int = 0) -> bytes:
        """Bytes of the TMD, and of what lies behind it."""
        return read_memory(self._context.handle, self.address + offset, nbytes)

    def write(self, data, offset: int = 0) -> None:
        """Overwrites them: whoever does so answers for it."""
        write_memory(self._context.handle, self.address + offset, data)

    def free(self) -> None:
        """Gives the memory back; not while it runs. A second free does nothing."""
        if not self._freed and not self._context.destroyed:
            self._freed = True
            self._context.call("gg_template_destroy", self.address)

    def __enter__(self) -> "Template":
        return self

    def __exit__(self, *_exc) -> None:
        self.free()

    def __del__(self):
        try:
            self.free()
        except (Error, AttributeError):  # The device is closed, or it was never made.
            pass

    def __repr__(self) -> str:
        return f"<ganger.Template {self.kernel} at {self.address:#x}, generation {self.generation}>"
