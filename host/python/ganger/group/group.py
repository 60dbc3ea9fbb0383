# SPDX-License-Identifier: Apache-2.0
"""Groups of devices."""

import contextlib
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Set, Union

from .. import places
from ..checks import Dimensions
from ..device import Device
from ..errors import Error
from ..ranges import Range
from ..typed import BytesLike, Path
from .graph import GroupGraph
from .memory import GroupBuffer
from .modules import GroupKernel, GroupModule
from .shares import OF_ONE_DEVICE, Part, shape_of
from .task import GroupDone, GroupTask



def devices() -> List[Device]:
    """The devices that `ganger up` keeps here, attached to: those of `ganger up --devices N` in their order. Raises
    Error ERR_BUSY: another process holds one."""
    return _all(_up())


def _up() -> Iterator[Device]:
    for path in places.paths_up():
        with contextlib.suppress(FileNotFoundError):
            yield Device.attach(path)


def _all(opened: Iterator[Device]) -> List[Device]:
    """As many devices as can be opened: all of them, or none stays open."""
    found: List[Device] = []
    try:
        for device in opened:
            found.append(device)
    except BaseException:
        _close(found)
        raise
    return found


def _close(opened: Iterable[Device]) -> None:
    for device in opened:
        device.close()


class DeviceGroup:
    """Devices as one: a submission is shared out by CTAs, in proportion to the SMs of the devices. It closes them; a
    `with` block ends with close(). Groups, their buffers and tasks are for one thread at a time.

        with ganger.DeviceGroup.boot(4, sms=8) as group:
            kernel = group.load(ganger.sample("vecadd"))["vecadd"]
            a, c = group.buffer(numbers, split=0), group.buffer(nbytes=4 * n, split=0, row_bytes=4)
            group.run(kernel, grid=-(-n // 128), block=128, args=[a, a, c, n], again=True)

    devices  all of them, also lost ones: their places are the numbers in parts and messages
    """

    def __init__(self, members: Iterable[Union[Device, Path]]):
        """members: devices, or paths where they are up. Raises Error ERR_ARGUMENT (none, or some of 32 and some of 64
        bits), ERR_NO_DEVICE, ERR_BUSY."""
        self._lost: Set[int] = set()
        self.devices = _all(one if isinstance(one, Device) else Device.attach(one) for one in members)
        try:
            if len({device.info.xlen for device in self.devices}) != 1:
                raise Error("ERR_ARGUMENT", "A group has devices of one width, of 32 or of 64 bits, and at least one.",
                            "devices", len(self.devices))
        except BaseException:
            self.close()
            raise

    @classmethod
    def boot(cls, devices: int, board: str = "qemu-virt64", sms: int = 8, *,
             processors: Union[None, str, Sequence[str]] = None, **options: Any) -> "DeviceGroup":
        """Boots so many devices: see Device.boot(). processors: of all, or a list with those of each. Raises Error."""
        each = [processors] * devices if processors is None or isinstance(processors, str) else list(processors)
        if len(each) != devices:
            raise Error("ERR_ARGUMENT", f"One for each of the {devices} devices.", "processors", len(each))
        return cls(_all(Device.boot(board, sms, processors=one, **options) for one in each))

    @property
    def alive(self) -> List[int]:
        """Numbers of the devices that are not known to be lost."""
        return [number for number in range(len(self.devices)) if number not in self._lost]

    @property
    def sms(self) -> int:
        """SMs of these."""
        return sum(self.devices[number].info.sms for number in self.alive)

    def lose(self, number: int) -> None:
        """Gives nothing to a device any more."""
        self._lost.add(number)

    def load(self, source: Union[Path, BytesLike]) -> GroupModule:
        """Loads a kernel ELF, by path or as bytes, on all devices. Raises Error as Device.load()."""
        return GroupModule([device.load(source) for device in self.devices])

    def buffer(self, data: Optional[BytesLike] = None, *, nbytes: Optional[int] = None, split: Optional[int] = None,
               per_cta: Optional[int] = None, halo: int = 0, row_bytes: Optional[int] = None,
               add: Optional[str] = None) -> GroupBuffer:
        """A buffer with a copy of any bytes-like, or of `nbytes` zeros. Kernels use the indices of the whole.

        split      0: a device has the entries along axis 0 that its CTAs work on, and only they may write them.
                   None: every device has all of it, and kernels only read
        per_cta    split: entries of a CTA along the slowest axis of the grid; None: as many as it has threads
        halo       split, and only read: more entries that a device has on each side
        row_bytes  split: bytes of an entry, where the data have no axes; None: as the data have them
        add        a type, as NumPy takes it: a device begins with zeros, and what it has in the end is added
        Raises Error ERR_ARGUMENT; ERR_UNSUPPORTED: another axis, or `add` without NumPy.
        """
        return GroupBuffer(data, nbytes, split, per_cta, halo, row_bytes, add)

    def submit(self, kernel: GroupKernel, *, grid: Optional[Dimensions] = None, block: Dimensions = 1,
               args: Sequence[Any] = (), range: Optional[Range] = None, cluster: Any = None, again: bool = False,
               **keywords: Any) -> GroupTask:
        """Posts a kernel, in a part for each device. Kernels see the ids and sizes of the whole grid, or range.

        again  the kernel may run twice: what a device that is lost had goes to the others. The buffers are as if it
               had run once; what else it does, such as prints, may be seen twice
        Other keywords as of ganger.Work, but for those that are about one device. Submissions that share a buffer
        which one of them writes run one after the other: this call waits. Raises Error.
        """
        for name in OF_ONE_DEVICE:
            if name in keywords:
                raise Error("ERR_ARGUMENT", "It is about one device: submit it to that one.", name)
        is_split = any(isinstance(one, GroupBuffer) and one.is_split for one in args)
        shape = shape_of(grid, block, range, cluster, is_split)
        more = {"block": block, "cluster": cluster, **({"grid": grid} if range is None else {"range": range})}
        task = GroupTask(self, kernel, shape, tuple(args), again, {**keywords, **more})
        for buffer, writes in task.uses.values():
            for other, wrote in list(buffer.users):
                if writes or wrote:
                    other.wait(None)
        task.start(Part(0, shape.ctas))
        for buffer, writes in task.uses.values():
            buffer.users.append((task, writes))
        return task

    def run(self, kernel: GroupKernel, *, timeout: Optional[float] = None, **keywords: Any) -> GroupDone:
        """submit() and wait(). Raises Error."""
        return self.submit(kernel, **keywords).wait(timeout)

    def graph(self) -> GroupGraph:
        """A graph without passes, whose passes run on these devices."""
        return GroupGraph(self)

    def close(self) -> None:
        """Releases all devices; a second close does nothing."""
        _close(self.devices)

    def __enter__(self) -> "DeviceGroup":
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.devices)

    def __repr__(self) -> str:
        return f"<ganger.DeviceGroup {len(self.alive)} of {len(self.devices)} devices, {self.sms} SMs>"
