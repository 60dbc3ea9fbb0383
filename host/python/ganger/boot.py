# SPDX-License-Identifier: Apache-2.0
"""Options of a boot, in the form that the library takes."""

import ctypes
import os
import re
from pathlib import Path
from typing import Optional, Sequence, Union

from . import clib, structs
from .checks import unsigned
from .counter import Counter, plugin_path
from .errors import Error
from .places import build_folder
from .typed import Path as AnyPath

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def ram_bytes(ram: Union[None, int, str]) -> int:
    """Bytes of 256 << 20, "256M" or None (0: as many as needed). Raises Error ERR_ARGUMENT."""
    if isinstance(ram, str):
        match = re.fullmatch(r"(\d+)\s*([KMG]?)(i?B)?", ram.strip(), re.IGNORECASE)
        if not match:
            raise Error("ERR_ARGUMENT", "Not a number of bytes such as 4096, 64K or 256M.", "ram", ram)
        nbytes = int(match[1]) * _UNITS[match[2].upper()]
    else:
        nbytes = ram or 0
    if not 0 <= nbytes < 1 << 63:
        raise Error("ERR_ARGUMENT", "No machine has so many bytes: give fewer, such as 256M.", "ram", ram)
    return nbytes


class BootOptions:
    """struct gg_boot with all that it points to.

    ram: bytes or "256M"; icount: deterministic instruction counting; plugin: QEMU plugin with its
    arguments; extra_args: more QEMU arguments; timeout: seconds for the whole boot; count: use the
    counting plugin, `counter` then reads it; build: build folder; processors: of this machine that it
    may use, "0,2-3"; listen: a path at which other processes can observe what Device.boot() boots.
    """

    def __init__(self, board: str = "qemu-virt64", sms: int = 8, *,
                 ram: Union[None, int, str] = None, icount: bool = False,
                 plugin: Optional[str] = None, extra_args: Sequence[str] = (),
                 timeout: float = 30, count: bool = False, build: Optional[AnyPath] = None,
                 processors: Optional[str] = None, listen: Optional[AnyPath] = None):
        if unsigned("sms", sms) == 0:
            raise Error("ERR_BOARD", "A device has at least one SM.", "sms", sms)
        self.counter: Optional[Counter] = None
        folder = build_folder() if build is None else Path(build)
        extra = [os.fsencode(word) for word in extra_args]
        if count:
            self.counter = self._count(folder, plugin)
            plugin = self.counter.plugin(folder)
        raw = self.raw = structs.Boot()
        raw.board, raw.sms, raw.icount = os.fsencode(board), sms, bool(icount)
        raw.ram_bytes, raw.timeout_ms = ram_bytes(ram), clib.milliseconds(timeout)
        raw.build = os.fsencode(os.path.abspath(folder))
        raw.plugin = plugin.encode() if plugin else None
        raw.processors = processors.encode() if processors is not None else None
        raw.listen = os.fsencode(listen) if listen is not None else None
        if extra:
            raw.extra = (ctypes.c_char_p * (len(extra) + 1))(*extra, None)

    @staticmethod
    def _count(folder: Path, plugin: Optional[str]) -> Counter:
        if plugin:
            raise Error("ERR_ARGUMENT", "Give count or plugin: count uses a plugin of its own.", "plugin", plugin)
        if not plugin_path(folder).exists():
            raise Error("ERR_IMAGE_MISSING", "The counting plugin is not built; run make plugin.",
                        "plugin", str(plugin_path(folder)))
        return Counter()
