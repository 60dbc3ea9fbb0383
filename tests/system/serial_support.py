# SPDX-License-Identifier: Apache-2.0
"""A device whose only way to its host is a serial line: QEMU, without a broker."""
import os
import pty
import select
import socket
import subprocess
import sys
import threading

from conftest import BUILD, ROOT, building
from support import until

BOARD = "qemu-serial32"
WFI = bytes.fromhex("73005010")
RAM = 512 << 20  # unless the machine wants another size


def build_board(board=BOARD):
    """Builds the firmware of the board unless it is there."""
    images = [f"{BUILD}/{board}/{name}" for name in ("cp.elf", "sm.elf", "flash.bin")]
    with building():
        done = subprocess.run(["make", "-s", f"BOARD={board}", f"BUILD={BUILD}",
                               f"PYTHON={sys.executable}", *images], cwd=ROOT,
                              capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def board_value(board, name, default=None):
    """A value of a board file."""
    lines = (line.partition("=") for line in (ROOT / "boards" / board / "board.mk").read_text().splitlines())
    return {one[0].strip(): one[2].strip() for one in lines}.get(name, default)


class SerialDevice:
    """A running QEMU; its line is the Unix socket `path`, its gdb stub the one at `gdb`.

    With `mapped` its memory is a file that the host maps. With `flash` it starts from the one image of both.
    """

    def __init__(self, folder, sms=4, board=BOARD, mapped=False, flash=False):
        self.board, self.path, self.gdb = board, folder / "line", folder / "gdb"
        self.ram = folder / "ram" if mapped else None
        self._log = open(folder / "qemu.log", "wb")
        images = BUILD / board
        base, size = board_value(board, "BOARD_CP_BASE"), board_value(board, "BOARD_QEMU_RAM", str(RAM))
        loaders = [f"file={images / 'flash.bin'},addr={base},force-raw=on"] if flash else \
            [f"file={images / name}" for name in ("cp.elf", "sm.elf")]
        memory = f"memory-backend-file,share=on,mem-path={self.ram}" if mapped else "memory-backend-ram"
        self.process = subprocess.Popen(
            [board_value(board, "BOARD_QEMU"), *board_value(board, "BOARD_QEMU_ARGS").split(),
             "-smp", str(sms + 1), "-m", f"{int(size, 0)}B",
             "-object", f"{memory},id=ram,size={int(size, 0)}B",
             *(word for loader in loaders for word in ("-device", f"loader,{loader}")),
             "-chardev", f"socket,id=line,path={self.path},server=on,wait=off",
             "-serial", "chardev:line",
             "-chardev", f"socket,id=gdb,path={self.gdb},server=on,wait=off",
             "-gdb", "chardev:gdb"],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        try:
            until(self.gdb.exists, "QEMU listens")  # The line does before it.
        except BaseException:
            self.end()
            raise

    @property
    def uri(self):
        """What to connect to."""
        return f"serial:unix:{self.path}" + (f",mmap:{self.ram}" if self.ram else "")

    def end(self):
        """Ends it."""
        self.process.kill()
        self.process.wait()
        self._log.close()
        if self.ram:
            self.ram.unlink(missing_ok=True)

    def jump(self, pc):
        """Sends hart 0 to an address while it sleeps: in the middle of a trap it could not tell what befell it."""
        until(lambda: self._jump(pc), "hart 0 sleeps")

    def _jump(self, pc):
        """The same if it sleeps now."""
        with socket.socket(socket.AF_UNIX) as gdb:
            gdb.settimeout(60)
            gdb.connect(str(self.gdb))
            answers = gdb.makefile("rb")
            packet_of(answers)  # The machine stops for whoever connects, and says so.
            # To take single registers the stub has to be asked what they are.
            for text in ("qXfer:features:read:target.xml:0,ffb", "Hg1"):
                ask(gdb, answers, text)
            here = int.from_bytes(bytes.fromhex(ask(gdb, answers, "p20")), "little")
            sleeps = ask(gdb, answers, f"m{here - len(WFI):x},{len(WFI)}") == WFI.hex()
            if sleeps:
                ask(gdb, answers, f"P20={pc.to_bytes(4, 'little').hex()}")
            ask(gdb, answers, "D")
            return sleeps


def packet_of(answers):
    """The next packet of the emulator's stub; acknowledgements before it are passed over."""
    found = b""
    while not found.endswith(b"#"):
        byte = answers.read(1)
        assert byte, "the emulator has gone"
        found = b"" if byte == b"$" else found + byte
    answers.read(2)
    return found[:-1].decode()


def ask(gdb, answers, text):
    """A packet for the emulator's stub, and what it answers."""
    gdb.sendall(f"+${text}#{sum(text.encode()) % 256:02x}".encode())
    answer = packet_of(answers)
    assert not answer.startswith("E") and answer, (text, answer)
    return answer


class Terminal:
    """A pseudo-terminal in front of a Unix socket: `port` is what a serial port is."""

    def __init__(self, target):
        self._master, self._slave = pty.openpty()
        self.port = os.ttyname(self._slave)
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(target))
        self._end = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while True:
            ready = select.select([self._master, self._line, self._end[0]], [], [])[0]
            if self._end[0] in ready:
                return
            if self._master in ready:
                self._line.sendall(os.read(self._master, 4096))
            if self._line in ready:
                os.write(self._master, self._line.recv(4096))

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        os.close(self._end[1])
        self._thread.join(30)
        self._line.close()
        for file in (self._master, self._slave, self._end[0]):
            os.close(file)
