# SPDX-License-Identifier: Apache-2.0
"""What a device tells about itself: facts, counters, console. A part of ganger.Device."""

import ctypes
from types import SimpleNamespace
from typing import Dict, List

from . import abi, clib, structs
from .tasks import Done, make_done


class Facts:
    """What is read of `handle`."""
    handle: clib.Handle

    def _info(self) -> SimpleNamespace:
        raw = structs.Info()
        self.handle.device_call("gg_device_info", ctypes.byref(raw))
        facts = {name: getattr(raw, name) for name, *_ in raw._fields_}
        facts["build"] = bytes(raw.build).rstrip(b"\0").decode("ascii", "replace")
        facts["board"] = raw.board.decode()
        names = abi.ENUMS["feature"]
        facts["features"] = [name for name, bit in names.items() if raw.features >> bit & 1]
        return SimpleNamespace(**facts)

    @property
    def qemu_pid(self) -> int:
        """Process of the emulator; 0 if there is none."""
        return int(self._info().qemu_pid)

    @property
    def state(self) -> str:
        """"READY", "PANIC"…, now."""
        number = self._info().state
        return next((name for name, value in abi.ENUMS["device_state"].items()
                     if value == number), str(number))

    @property
    def stood_still(self) -> float:
        """Seconds for which a debugger (`ganger gdb`), or QEMU's monitor, has stopped all of the device since it was booted. Limits
        of waits of more than a second do not count them."""
        return self.handle.stood_still()

    def alive(self, timeout: float = 1) -> bool:
        """True once the heartbeat moves. Raises Error ERR_DEVICE_LOST, ERR_PANIC, ERR_TIMEOUT."""
        self.handle.device_call("gg_device_alive", clib.milliseconds(timeout))
        return True

    def stat(self) -> Dict[str, int]:
        """Counters since boot: the PERF block by name, pairs as one number."""
        words = structs.PerfWords()
        self.handle.device_call("gg_stat", ctypes.byref(words))
        counters = {}
        for name, layout in abi.BLOCKS["perf"][1].items():
            place = layout[0] // 4
            if name.startswith("reserved") or name.endswith("_hi"):
                continue
            if name.endswith("_lo"):
                counters[name[:-3]] = words[place] | words[place + 1] << 32
            else:
                counters[name] = words[place]
        return counters

    def traffic(self) -> Dict[str, int]:
        """What this host has counted: posted, completed, unknown, interrupts, doorbells."""
        raw = structs.Traffic()
        self.handle.device_call("gg_traffic", ctypes.byref(raw))
        return {name: getattr(raw, name) for name, _type in raw._fields_}

    def console(self) -> str:
        """What the device printed since the last call; never waits."""
        text = ctypes.create_string_buffer(1 << 16)
        size = ctypes.c_size_t()
        parts: List[bytes] = []
        while True:
            self.handle.device_call("gg_console_read", text, len(text), ctypes.byref(size))
            if size.value == 0:
                return b"".join(parts).decode("utf-8", "replace")
            parts.append(text.raw[:size.value])

    def _orphans(self) -> List[Done]:
        array = (structs.Done * 64)()
        count = ctypes.c_uint32()
        found: List[Done] = []
        while True:
            self.handle.device_call("gg_orphans", array, len(array), ctypes.byref(count))
            found += [make_done(raw) for raw in array[:count.value]]
            if count.value < len(array):
                return found
