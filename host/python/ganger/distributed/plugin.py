# SPDX-License-Identifier: Apache-2.0
"""The plug-in of Dask's workers: a device for each of them."""

import threading
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from distributed import Worker, WorkerPlugin, get_worker

from ..device import Device
from ..errors import Error
from ..kernels import Kernel, Module
from ..typed import Path
from .code import Code

LOST = ("ERR_DEVICE_LOST", "ERR_PANIC")


class Owned:
    """The device of a worker, which all threads of the worker use, and its counters.

    counters  what the dashboard shows: "ganger SMs" of the device, "ganger tasks" that completed, "ganger CTAs" of
              these, "ganger errors" of tasks, and "ganger lost", devices
    """

    def __init__(self, open_device: Callable[[], Device]):
        self._open = open_device
        self._lock = threading.Lock()
        self._device: Optional[Device] = None
        self._modules: Dict[Tuple[int, str], Module] = {}
        self.counters = {"ganger SMs": 0, "ganger tasks": 0, "ganger CTAs": 0, "ganger errors": 0, "ganger lost": 0}

    def count(self, **changes: int) -> None:
        """Adds to counters, named without "ganger "."""
        with self._lock:
            for name, change in changes.items():
                self.counters[f"ganger {name}"] += change

    @property
    def device(self) -> Device:
        """The device; a new one after lose(). Raises Error as Device.boot() and Device.attach()."""
        with self._lock:
            if self._device is None:
                self._device = self._open()
                self.counters["ganger SMs"] = self._device.info.sms
            return self._device

    def kernel(self, code: Code, dev: Device) -> Kernel:
        """A kernel, loaded once. Raises Error."""
        with self._lock:
            key = (id(dev), code.digest)
            if key not in self._modules:
                self._modules[key] = dev.load(code.program)
            return self._modules[key][code.kernel]

    def lose(self, dev: Device) -> None:
        """Forgets a device that was lost. Of several threads that lost it one does so."""
        with self._lock:
            if self._device is not dev:
                return
            self._device = None
            self._modules.clear()
            self.counters["ganger lost"] += 1
            self.counters["ganger SMs"] = 0
        dev.close()

    def close(self) -> None:
        """Ends the device."""
        with self._lock:
            if self._device is not None:
                self._device.close()
            self._device = None


def _attach(paths: Sequence[Path]) -> Device:
    """The first of the devices that are up which no other worker holds. Raises Error."""
    failed = Error("ERR_NO_DEVICE", "No paths of devices were given.", "attach", 0)
    for path in paths:
        try:
            return Device.attach(path)
        except Error as error:
            if error.status not in ("ERR_BUSY", "ERR_NO_DEVICE"):
                raise
            failed = error
    raise failed


class Devices(WorkerPlugin):  # type: ignore[misc]
    """Gives each worker of a client's cluster a device: `client.register_plugin(ganger.distributed.Devices(…))`.

    board, sms, options  as of Device.boot()
    attach               paths of devices that are up on the worker's machine, in place of these: each worker takes one
                         that no other one holds

    A worker that Dask starts later, or in place of one that died, gets a device, too. One whose device was lost gets
    another with the next task. The worker's metrics, which Dask's dashboard shows under Workers, have its counters.
    """
    name = "ganger"

    def __init__(self, board: str = "qemu-virt64", sms: int = 8, attach: Sequence[Path] = (), **options: Any):
        self._board, self._sms, self._attach, self._options = board, sms, [str(path) for path in attach], options

    def _open(self) -> Device:
        if self._attach:
            return _attach(self._attach)
        return Device.boot(self._board, self._sms, **self._options)

    def setup(self, worker: Worker) -> None:
        """Called by Dask in each worker. Raises Error: the worker has no device."""
        owned = worker.ganger = Owned(self._open)
        owned.device  # pylint: disable=pointless-statement
        for name in owned.counters:
            worker.metrics[name] = lambda _worker, name=name: owned.counters[name]

    def teardown(self, worker: Worker) -> None:
        """Called by Dask when a worker ends, or the plug-in is taken out."""
        state: Optional[Owned] = getattr(worker, "ganger", None)
        if state is None:
            return  # It got no device.
        for name in state.counters:
            worker.metrics.pop(name, None)
        worker.ganger = None
        state.close()


def owned() -> Owned:
    """What the worker has in which this task runs. Raises Error ERR_NO_DEVICE: the plug-in is not registered; ValueError:
    this is no worker of Dask's."""
    found: Optional[Owned] = getattr(get_worker(), "ganger", None)
    if found is None:
        raise Error("ERR_NO_DEVICE", "The worker has no device: client.register_plugin(ganger.distributed.Devices(…)).",
                    "worker", 0)
    return found


def device() -> Device:
    """The device of the worker in which this task of Dask's runs. Raises as owned()."""
    return owned().device
