# SPDX-License-Identifier: Apache-2.0
"""Device memory."""

import contextlib
import ctypes
import mmap
import os
import weakref
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Sequence, Tuple, TypeVar, Union

from . import structs
from .checks import U64, check_type, unsigned
from .clib import Handle, milliseconds
from .errors import Error
from .typed import BytesLike, view_of

if TYPE_CHECKING:
    import numpy

    from .context import Context

_SIMPLE, _WRITABLE = 0, 1  # Flags of PyObject_GetBuffer.


class _PyBuffer(ctypes.Structure):
    """Py_buffer of Python's C interface."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


def _c_function(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python's C interface; it raises what the function raises."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_get_buffer = _c_function("PyObject_GetBuffer", ctypes.c_int, ctypes.py_object,
                          ctypes.POINTER(_PyBuffer), ctypes.c_int)
_release_buffer = _c_function("PyBuffer_Release", None, ctypes.POINTER(_PyBuffer))
_new_bytes = _c_function("PyBytes_FromStringAndSize", ctypes.py_object, ctypes.c_void_p,
                         ctypes.c_ssize_t)


@contextlib.contextmanager
def exported(data: BytesLike, flags: int = _SIMPLE) -> Iterator[Tuple[int, int]]:
    """Address and number of the bytes of any bytes-like, which stay where they are for so long.
    Raises TypeError (it is none), BufferError (not in one piece, or read-only)."""
    raw = _PyBuffer()
    _get_buffer(data, ctypes.byref(raw), flags)
    try:
        yield raw.buf or 0, raw.len
    finally:
        _release_buffer(ctypes.byref(raw))


def in_one_piece(data: BytesLike) -> BytesLike:
    """The same bytes-like, or a copy of its bytes if they do not lie one after the other."""
    view = view_of(data)
    return data if view.c_contiguous else view.tobytes()


def read_memory(call: Callable[..., None], name: str, address: int, nbytes: int) -> bytes:
    """`nbytes` of device memory by gg_read or gg_context_read, copied once. Raises Error ERR_ARGUMENT outside of it, ERR_NO_MEMORY."""
    address, nbytes = unsigned("address", address, U64), unsigned("nbytes", nbytes, (1 << 63) - 1)
    if nbytes == 0:
        call(name, address, None, nbytes)
        return b""
    try:
        data: bytes = _new_bytes(None, nbytes)  # Not cleared, and nobody else's until it is filled.
    except MemoryError:
        raise Error("ERR_NO_MEMORY", "This process has no memory for so many bytes: read fewer.", "nbytes",
                    nbytes) from None
    with exported(data) as (place, _nbytes):
        call(name, address, place, nbytes)
    return data


def write_memory(call: Callable[..., None], name: str, address: int, data: BytesLike) -> None:
    """Copies any bytes-like to device memory by gg_write or gg_context_write. Raises Error ERR_ARGUMENT outside of it."""
    with exported(in_one_piece(data)) as (place, nbytes):
        call(name, unsigned("address", address, U64), place, nbytes)


def _map_memory(handle: Handle) -> Tuple[int, mmap.mmap]:
    """Address of the first byte of device memory, and all of it in this process, mapped once for
    each device. Raises Error ERR_UNSUPPORTED."""
    info = structs.Info()
    handle.device_call("gg_device_info", ctypes.byref(info))
    if handle.memory is None:
        file, offset = ctypes.c_int(), ctypes.c_uint64()
        handle.device_call("gg_memory_share", info.ram, info.ram_bytes, ctypes.byref(file),
                           ctypes.byref(offset))
        try:
            handle.memory = mmap.mmap(file.value, info.ram_bytes, offset=offset.value)
        finally:
            os.close(file.value)
    return info.ram, handle.memory


_Owned = TypeVar("_Owned", bound="Owned")


class Owned:
    """Memory of a context. It lives until free(), the end of a `with` block, or until nothing
    refers to it any more."""
    _freed = True  # Nothing to free until the memory is allocated.

    def __init__(self, context: "Context", address: int, free: str):
        """free: the function of the library that takes the address back."""
        self._context = context
        self._free = free
        self._live = [address]
        self._freed = False

    @property
    def address(self) -> int:
        """Its device address. Raises Error ERR_HANDLE after free() and after its context's close()."""
        if self._freed:
            raise Error("ERR_HANDLE", "The memory was freed.", type(self).__name__.lower(), 0)
        if self._context.destroyed:
            raise Error("ERR_HANDLE", "The context of the memory was closed.",
                        type(self).__name__.lower(), self._live[0])
        return self._live[0]

    @property
    def handle(self) -> Handle:
        """Handle of the device that it is in."""
        return self._context.handle

    def free(self) -> None:
        """Gives the memory back; a second free does nothing."""
        if self._freed or self._context.destroyed:
            return
        self._freed = True
        self._give_back()

    def _give_back(self) -> None:
        try:
            address = self._live.pop()  # Of several threads one gets it.
        except IndexError:
            return
        self._context.handle.give_back(self._free, self._context.pointer, address)

    def __enter__(self: _Owned) -> _Owned:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.free()

    def __del__(self) -> None:
        try:
            self.free()
        except Error:  # The device is closed: its memory went with it.
            pass


def check_device(handle: Handle, one: Any, *place: Union[str, int]) -> None:
    """Raises Error ERR_HANDLE for memory of another device, whose addresses mean something else on this one, and for memory
    that was freed. one: of any type; place: the words of the field that an error names."""
    if isinstance(one, Owned):
        address = one.address
        if one.handle is not handle:
            raise Error("ERR_HANDLE", "The memory is of another device.", " ".join(map(str, place)), address)


class Buffer(Owned):
    """A piece of a context's memory: made by `buffer()` of a device or context.

    It lives until free(), the end of a `with` block, or until nothing refers to it any more; a
    task refers to the buffers among its arguments. Whoever writes the address of a buffer into
    another one keeps a reference.
    """

    def __init__(self, context: "Context", nbytes: int, align: int = 0):
        address = ctypes.c_uint64()
        self.nbytes = unsigned("nbytes", nbytes, U64)
        context.call("gg_alloc", max(4, self.nbytes), unsigned("align", align), ctypes.byref(address))
        super().__init__(context, address.value, "gg_free")
        self._shared: Optional["weakref.ref[ctypes.Array[Any]]"] = None

    def _range(self, offset: int, nbytes: int) -> int:
        address = self.address
        if offset < 0 or nbytes < 0 or offset + nbytes > self.nbytes:
            raise Error("ERR_ARGUMENT", f"The buffer has {self.nbytes} bytes.", "buffer",
                        offset + nbytes)
        return address + offset

    def read(self, nbytes: Optional[int] = None, offset: int = 0) -> bytes:
        """Bytes from `offset` on; all by default. ERR_ARGUMENT past the end."""
        count = self.nbytes - offset if nbytes is None else nbytes
        return read_memory(self._context.call, "gg_context_read", self._range(offset, count), count)

    def readinto(self, target: BytesLike, offset: int = 0) -> int:
        """Fills any writable bytes-like, such as a bytearray or a NumPy array, with the bytes from
        `offset` on, without a copy between; returns their number. Raises Error ERR_ARGUMENT: past
        the end, or the target is read-only or not in one piece."""
        try:
            with exported(target, _WRITABLE) as (place, nbytes):
                self._context.call("gg_context_read", self._range(offset, nbytes), place, nbytes)
                return nbytes
        except (BufferError, TypeError, ValueError):
            raise Error("ERR_ARGUMENT", "It takes a writable bytes-like in one piece: a bytearray, "
                        "or a C-contiguous array.", "target", type(target).__name__) from None

    def write(self, data: BytesLike, offset: int = 0) -> None:
        """Copies any bytes-like into it at `offset`. ERR_ARGUMENT past the end."""
        view = view_of(data)
        write_memory(self._context.call, "gg_context_write", self._range(offset, view.nbytes), data)

    def copy(self, source: "Buffer", nbytes: Optional[int] = None, offset: int = 0, source_offset: int = 0,
             timeout: Optional[float] = None) -> None:
        """Copies `nbytes` of another buffer of this context into this one: the device does it. By default all that
        there is from source_offset on. Returns when it is done. Raises Error ERR_ARGUMENT past an end, of another
        context, or where the two ranges overlap, ERR_NO_MEMORY, ERR_TIMEOUT (None: no limit)."""
        check_type("source", source, Buffer)
        count = source.nbytes - source_offset if nbytes is None else nbytes
        to, start = self._range(offset, count), source._range(source_offset, count)
        self._context.call("gg_context_copy", to, start, count, milliseconds(timeout))

    def fill(self, word: int, nbytes: Optional[int] = None, offset: int = 0, timeout: Optional[float] = None) -> None:
        """Fills it, or `nbytes` from `offset` on, with copies of a number of 32 bits, little endian; the last one may be
        cut. The device does it. Returns when it is done. Raises Error as copy()."""
        count = self.nbytes - offset if nbytes is None else nbytes
        self._context.call("gg_context_fill", self._range(offset, count), unsigned("word", word), count, milliseconds(timeout))

    def array(self, dtype: Any = "uint8", shape: Union[None, int, Sequence[int]] = None,
              offset: int = 0) -> "numpy.ndarray[Any, Any]":
        """A NumPy array on the buffer's own memory: nothing is copied, and what kernels write is
        seen in it. Look at it after the tasks that write it have completed.

        dtype    type of the elements, as NumPy takes it
        shape    elements of each dimension; None: one dimension, as many as fit
        offset   bytes before the first element

        The memory stays as long as such an array, or a part of it, exists: a free() before takes
        effect with the end of the last one. After the device was closed an array keeps the bytes
        that it had, and no device sees them any more; nobody should write there if the device
        goes on without this process. Raises Error ERR_ARGUMENT (past the end), ERR_UNSUPPORTED
        (NumPy is not installed, or the device is at the end of a line and shares no memory: then
        read() and write() copy).
        """
        try:
            import numpy as np  # pylint: disable=import-outside-toplevel
        except ImportError:
            raise Error("ERR_UNSUPPORTED", "NumPy is not installed: run `pip install numpy`.",
                        "array") from None
        kind = np.dtype(dtype)
        if kind.hasobject or kind.itemsize == 0:
            raise Error("ERR_ARGUMENT", "Device memory holds numbers and bytes.", "dtype", str(kind))
        if shape is None:
            shape = (self.nbytes - offset) // kind.itemsize
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        count = 1
        for size in sizes:
            if size < 0:
                raise Error("ERR_ARGUMENT", "A dimension has 0 or more elements.", "shape", size)
            count *= size
        self._range(offset, count * kind.itemsize)
        if count == 0:
            return np.empty(sizes, kind)
        memory: Any = self._share()  # NumPy's types do not know arrays of ctypes.
        flat: "numpy.ndarray[Any, Any]" = np.frombuffer(memory, kind, count, offset)
        return flat.reshape(sizes)

    def _share(self) -> "ctypes.Array[Any]":
        """The memory in this process: all arrays refer to the same object, so its end is theirs."""
        shared = self._shared() if self._shared is not None else None
        if shared is None:
            ram, memory = _map_memory(self._context.handle)
            shared = (ctypes.c_char * self.nbytes).from_buffer(memory, self.address - ram)
            self._shared = weakref.ref(shared)
            self._context.shared.add(self)
            # Holds on to this buffer, too.
            weakref.finalize(shared, self._arrays_ended).atexit = False
        return shared

    @property
    def has_arrays(self) -> bool:
        """Whether arrays on its memory exist."""
        return self._shared is not None and self._shared() is not None

    def _give_back(self) -> None:
        if not self.has_arrays:
            super()._give_back()

    def _arrays_ended(self) -> None:
        if self._freed and not self._context.destroyed:
            try:
                super()._give_back()
            except Error:  # The device is closed: its memory went with it.
                pass

    def __len__(self) -> int:
        return self.nbytes

    def __repr__(self) -> str:
        place = "freed" if self._freed else f"at {self._live[0]:#x}"
        return f"<ganger.Buffer {self.nbytes} bytes {place}>"
