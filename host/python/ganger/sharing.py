# SPDX-License-Identifier: Apache-2.0
"""Who uses a device that is up: its shares, and what each may have on its way."""

import ctypes
import os
from typing import List, NamedTuple, Optional

from . import clib, structs
from .checks import unsigned
from .typed import Path

_MOST = 8  # Shares of a device.
STATES = ("FREE", "HELD", "CLEANING")


class Host(NamedTuple):
    """A share of a device that is up; a device for one process is one share.

    number    of the share, from 0 on
    state     "FREE", "HELD", or "CLEANING": its process has gone, and what it left is ended and cleared
    pid, uid  its process and the user of that, or None
    first_channel, channels  its channels, as the device counts them; its process calls the first of them 0
    most      tasks that it may have on their way; 0: as many as the device takes
    on_way    commands on their way, as its process counts them
    heap, heap_bytes  its part of device memory
    completed completions of all processes that had this share
    """
    number: int
    state: str
    pid: Optional[int]
    uid: Optional[int]
    first_channel: int
    channels: int
    most: int
    on_way: int
    heap: int
    heap_bytes: int
    completed: int


def hosts(path: Path) -> List[Host]:
    """The shares of the device at a path. Raises Error ERR_NO_DEVICE, ERR_PERMISSION."""
    found = (structs.Host * _MOST)()
    count = ctypes.c_uint32()
    clib.call("gg_hosts", os.fsencode(path), found, _MOST, ctypes.byref(count))
    return [Host(one.host, STATES[one.state], one.pid or None, one.uid if one.pid else None, one.first_channel,
                 one.channels, one.most, one.on_way, one.heap, one.heap_bytes, one.completed)
            for one in found[:count.value]]


def host_quota(path: Path, host: int, most: int) -> None:
    """Changes how many tasks a share's process may have on their way, 1 to 2,048; it stays with the share. Raises Error
    ERR_ARGUMENT, ERR_PERMISSION (another user booted the device)."""
    clib.call("gg_host_quota", os.fsencode(path), unsigned("host", host), unsigned("most", most))
