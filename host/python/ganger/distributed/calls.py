# SPDX-License-Identifier: Apache-2.0
"""Kernels as tasks of Dask's."""

import math
from typing import Any, List, Optional, Sequence

import numpy as np
from distributed import Client, Future

from ..device import Device
from ..errors import Error
from ..memory import Buffer
from ..typed import Json
from .code import Code, InOut, Out
from .plugin import LOST, Owned, owned


class _Argument:
    """An argument on the device: what the kernel gets, and the array that it leaves."""

    def __init__(self, dev: Device, given: Any):
        self._shape: Optional[Sequence[int]] = None
        self.value = given
        if isinstance(given, Out):
            self._shape, self._dtype = given.shape, np.dtype(given.dtype)
            self.value = dev.buffer(bytes(max(4, math.prod(given.shape) * self._dtype.itemsize)))
        elif isinstance(given, InOut):
            array = np.ascontiguousarray(given.array)
            self._shape, self._dtype = array.shape, array.dtype
            self.value = dev.buffer(array)
        elif isinstance(given, np.ndarray):
            self.value = dev.buffer(np.ascontiguousarray(given))

    def result(self) -> Optional["np.ndarray[Any, Any]"]:
        """The array, if it is one of the results."""
        if self._shape is None:
            return None
        found = np.empty(self._shape, self._dtype)
        if found.nbytes:
            assert isinstance(self.value, Buffer)
            self.value.readinto(found.reshape(-1))
        return found

    def free(self) -> None:
        """Gives its memory back."""
        if isinstance(self.value, Buffer):
            self.value.free()


def _run(state: Owned, dev: Device, code: Code, args: Sequence[Any], keywords: Json, timeout: Optional[float]) -> Any:
    arguments = [_Argument(dev, one) for one in args]
    task = dev.submit(state.kernel(code, dev), args=[one.value for one in arguments], **keywords)
    with task:
        done = task.wait(timeout)
    found: List[Any] = [result for result in (one.result() for one in arguments) if result is not None]
    for one in arguments:
        one.free()
    state.count(tasks=1, CTAs=done.ctas)
    return found[0] if len(found) == 1 else tuple(found)


def call(code: Code, args: Sequence[Any], keywords: Json, timeout: Optional[float] = None) -> Any:
    """Runs a kernel on the device of the worker in which this task of Dask's runs; the results. Raises Error."""
    state = owned()
    dev = state.device
    try:
        return _run(state, dev, code, args, keywords, timeout)
    except Error as error:
        if error.status in LOST:
            state.lose(dev)
        else:
            state.count(errors=1)
        raise


def _call(code: Code, keywords: Json, timeout: Optional[float], *args: Any) -> Any:
    return call(code, args, keywords, timeout)


def submit(client: Client, code: Code, *, args: Sequence[Any] = (), timeout: Optional[float] = None,
           dask: Optional[Json] = None, **keywords: Any) -> Future:
    """Runs a kernel on the device of one of the workers; a Future of Dask's.

    args      as of ganger.Work, without buffers: numbers, NumPy arrays, which are copied to the device, ganger.local(…),
              Out(shape, dtype), InOut(array), and Futures of these
    timeout   seconds for the kernel, None: for ever
    dask      keywords of Client.submit(): {"retries": 3, "priority": 1, "workers": […]}. With retries a task whose
              device was lost runs again; one whose worker died does so in any case
    Others as of ganger.Work: grid, block, mode, …. The result is the array of Out or InOut, a tuple of them if there
    are several. What fails raises Error from Future.result().
    """
    return client.submit(_call, code, keywords, timeout, *args, **{"pure": False, **(dask or {})})
