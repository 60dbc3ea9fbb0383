# SPDX-License-Identifier: Apache-2.0
"""Live debugging of kernels with GDB. This file starts gdb-multiarch beside a device; all others of this folder run inside
of it, in GDB's own Python: script.py is what it begins with."""

import json
import os
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, Optional, Sequence, Tuple

from ..errors import Error
from ..places import build_folder

PROGRAM = "gdb-multiarch"
SETTINGS = "GANGER_GDB"  # Environment variable with the Settings, as JSON.


def stub_of(path: str) -> str:
    """Where a device that listens at a path lets GDB in: a socket, which only the user who booted it can use."""
    return f"{path}.gdb"


def qemu_arguments(path: str) -> List[str]:
    """More arguments for the QEMU of a device at a path, so that GDB can get in."""
    return ["-chardev", f"socket,id=ganger-gdb,path={stub_of(path)},server=on,wait=off", "-gdb", "chardev:ganger-gdb"]


def _words(commands: Optional[str], batch: bool) -> List[str]:
    folder = str(Path(__file__).resolve().parents[2])
    start = f"python import sys; sys.path.insert(0, {folder!r}); import ganger.debugger.script"
    return [PROGRAM, "-nx", "-q", *(["-batch"] if batch else []), "-iex", "set confirm off", "-iex", "set python print-stack message",
            "-ex", start, *(["-x", commands] if commands else [])]


@contextmanager
def started(path: str, elfs: Sequence[str], modules: Sequence[Tuple[str, int]] = (), commands: Optional[str] = None,
            batch: bool = False) -> Iterator["subprocess.Popen[bytes]"]:
    """GDB at the terminal, attached to a device at a path, which it has stopped.

    elfs: kernel ELFs to look for in the device; modules: those whose address is known; commands: a file of GDB commands
    that come first; batch: GDB ends behind them. ^C is GDB's until its process has ended. Raises Error ERR_IO.
    """
    if shutil.which(PROGRAM) is None:
        raise Error("ERR_IO", f"{PROGRAM} is not installed; Debian's package has the same name.")
    if not os.path.exists(stub_of(path)):
        raise Error("ERR_NO_DEVICE", "No device with room for a debugger: boot it with `ganger up --gdb`.", "path", stub_of(path))
    ready, told = os.pipe()
    settings = {"device": path, "elfs": list(elfs), "modules": list(modules), "ready": told}
    process = subprocess.Popen(_words(commands, batch), pass_fds=[told], env={
        **os.environ, SETTINGS: json.dumps(settings), "GANGER_BUILD": str(build_folder())})
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os.close(told)
        if not os.read(ready, 1):
            raise Error("ERR_IO", f"{PROGRAM} has ended before it had the device.", "exit status", process.wait())
        yield process
    finally:
        os.close(ready)
        process.terminate() if process.poll() is None else None
        process.wait()
        signal.signal(signal.SIGINT, handler)
