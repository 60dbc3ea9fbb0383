# SPDX-License-Identifier: Apache-2.0
"""Live debugging of kernels with GDB. This file starts gdb-multiarch beside a device; all others of this folder run inside
of it, in GDB's own Python: script.py is what it begins with."""

import json
import os
import shutil
import signal
import socket
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Iterator, List, Optional, Sequence, Tuple

from ..errors import Error
from ..places import build_folder

PROGRAM = "gdb-multiarch"
_ANSWER_S = 10  # For QEMU to answer: it does at once.
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
def _alone(path: str) -> Iterator[int]:
    """Keeps other debuggers from a device, whose QEMU would let them wait without an answer: a name of the system that ends with
    all processes that have its descriptor. Raises Error ERR_BUSY."""
    with socket.socket(socket.AF_UNIX) as mine:
        try:
            mine.bind(f"\0{os.path.abspath(stub_of(path))}")
        except OSError:
            raise Error("ERR_BUSY", "Another `ganger gdb` has the device: end that one first.", "path", path) from None
        yield mine.fileno()


def let_go(path: str) -> None:
    """Lets a device go on whose GDB has ended without a word: QEMU keeps it stopped, and breakpoints in it, until a debugger
    detaches."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as stub:
        stub.settimeout(_ANSWER_S)
        stub.connect(stub_of(path))
        stub.sendall(b"+$D;1#b0")
        stub.recv(1)


@contextmanager
def started(path: str, elfs: Sequence[str], modules: Sequence[Tuple[str, int]] = (), commands: Optional[str] = None,
            batch: bool = False, folder: Optional[str] = None) -> Iterator["subprocess.Popen[bytes]"]:
    """GDB at the terminal, attached to a device at a path, which it has stopped. The device goes on when GDB has ended.

    elfs: kernel ELFs to look for in the device; modules: those whose address is known; commands: a file of GDB commands
    that come first; batch: GDB ends behind them; folder: a temporary one that goes with GDB. ^C is GDB's until its process has
    ended. Raises Error ERR_IO, ERR_NO_DEVICE, ERR_BUSY.
    """
    if shutil.which(PROGRAM) is None:
        raise Error("ERR_IO", f"{PROGRAM} is not installed: `apt-get install gdb-multiarch`.")
    if not os.path.exists(stub_of(path)):
        raise Error("ERR_NO_DEVICE", "The device lets no debugger in: `ganger down`, then `ganger up --gdb`.", "path", path)
    ready, told = os.pipe()
    settings = {"device": path, "elfs": list(elfs), "modules": list(modules), "ready": told, "folder": folder}
    with _alone(path) as name:
        process = subprocess.Popen(_words(commands, batch), pass_fds=[told, name], env={
            **os.environ, SETTINGS: json.dumps(settings), "GANGER_BUILD": str(build_folder())})
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        stop = process.kill  # Asked to end while it starts, GDB tells of an interrupt in its own Python.
        try:
            os.close(told)
            if not os.read(ready, 1):
                raise Error("ERR_IO", f"{PROGRAM} has ended before it had the device.", "exit status", process.wait())
            stop = process.terminate
            yield process
        finally:
            os.close(ready)
            stop() if process.poll() is None else None
            if process.wait() < 0:
                let_go(path)
            signal.signal(signal.SIGINT, handler)
