# SPDX-License-Identifier: Apache-2.0
"""Device memory."""

import ctypes
from typing import List, Optional, TypeVar

from .errors import Error


def read_memory(handle, address: int, nbytes: int) -> bytes:
    """`nbytes` of device memory. Raises Error ERR_ARGUMENT outside of it."""
    data = ctypes.create_string_buffer(max(1, nbytes))
    handle.device_call("gg_read", address, data, nbytes)
    return ctypes.string_at(data, nbytes)


def write_memory(handle, address: int, data) -> None:
    """Copies any bytes-like to device memory. Raises Error ERR_ARGUMENT outside of it."""
    data = data if isinstance(data, bytes) else bytes(memoryview(data).cast("B"))
    handle.device_call("gg_write", address, data, len(data))


_Owned = TypeVar("_Owned", bound="Owned")


class Owned:
    """Memory of a context. It lives until free(), the end of a `with` block, or until nothing
    refers to it any more."""
    _live: List[int] = []  # Nothing to free until the memory is allocated.

    def __init__(self, context, address: int, free: str):
        """free: the function of the library that takes the address back."""
        self._context = context
        self._free = free
        self._live = [address]

    @property
    def address(self) -> int:
        """Its device address. Raises Error ERR_HANDLE after free() and after its context's close()."""
        try:
            address = self._live[0]
        except IndexError:
            raise Error("ERR_HANDLE", "The memory was freed.", type(self).__name__.lower(),
                        0) from None
        if self._context.destroyed:
            raise Error("ERR_HANDLE", "The context of the memory was closed.",
                        type(self).__name__.lower(), address)
        return address

    def free(self) -> None:
        """Gives the memory back; a second free does nothing."""
        if not self._live or self._context.destroyed:
            return
        try:
            address = self._live.pop()  # Of several threads one gets it.
        except IndexError:
            return
        self._context.handle.give_back(self._free, self._context.pointer, address)

    def __enter__(self: _Owned) -> _Owned:
        return self

    def __exit__(self, *_exc) -> None:
        self.free()

    def __del__(self):
        try:
            self.free()
        except Error:  # The device is closed: its memory went with it.
            pass


class Buffer(Owned):
    """A piece of a context's memory: made by `buffer()` of a device or context.

    It lives until free(), the end of a `with` block, or until nothing refers to it any more; a
    task refers to the buffers among its arguments. Whoever writes the address of a buffer into
    another one keeps a reference.
    """

    def __init__(self, context, nbytes: int, align: int = 0):
        address = ctypes.c_uint64()
        context.call("gg_alloc", max(4, nbytes), align, ctypes.byref(address))
        super().__init__(context, address.value, "gg_free")
        self.nbytes = nbytes

    def _range(self, offset: int, nbytes: int) -> int:
        address = self.address
        if offset < 0 or nbytes < 0 or offset + nbytes > self.nbytes:
            raise Error("ERR_ARGUMENT", f"The buffer has {self.nbytes} bytes.", "buffer",
                        offset + nbytes)
        return address + offset

    def read(self, nbytes: Optional[int] = None, offset: int = 0) -> bytes:
        """Bytes from `offset` on; all by default. ERR_ARGUMENT past the end."""
        count = self.nbytes - offset if nbytes is None else nbytes
        return read_memory(self._context.handle, self._range(offset, count), count)

    def write(self, data, offset: int = 0) -> None:
        """Copies any bytes-like into it at `offset`. ERR_ARGUMENT past the end."""
        view = memoryview(data)
        write_memory(self._context.handle, self._range(offset, view.nbytes), data)

    def __len__(self) -> int:
        return self.nbytes

    def __repr__(self) -> str:
        place = f"at {self._live[0]:#x}" if self._live else "freed"
        return f"<ganger.Buffer {self.nbytes} bytes {place}>"
