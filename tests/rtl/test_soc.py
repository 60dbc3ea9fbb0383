# SPDX-License-Identifier: Apache-2.0
"""The reference SoC with each of its cores, simulated: small images, one for each part (tests/rtl/smoke)."""

import os
import re
import select
import socket
import struct
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RTL = Path(os.environ.get("GANGER_BUILD", ROOT / "build")) / "rtl"
CORES = {path.parent.name: path for path in sorted((ROOT / "boards").glob("*/core.f"))}
CYCLES = "2000000"  # a bound: no image takes a fifth of it
# The bound where this process talks with the simulator, which runs on while this one stands still: DEADLINE ends both.
TALK = ["--cycles", "2000000000"]
DEADLINE = 120.0  # s; a bound as well
PAGE = 4096
RESULT = 0x10000  # where smoke_mailbox.c leaves what the mailbox block says
END = re.compile(r"^sim: cycles=(\d+) finisher=0x([0-9a-f]+) status=(\d) khz=\d+$", re.M)


def has(board, feature):
    """Whether the core says so in the second line of core.f."""
    return feature in CORES[board].read_text().splitlines()[1].removeprefix("// has:").split()


def command(board, image, *options):
    return [RTL / board / "sim", "--image", RTL / "smoke" / f"{image}.bin", "--cycles", CYCLES, *options]


def run(board, image, *options, **more):
    """Exit status, value of the finisher, and standard output of a whole run."""
    done = subprocess.run(
        command(board, image, *options), capture_output=True, text=True, timeout=DEADLINE, check=False, **more
    )
    end = END.search(done.stdout)
    assert end, done.stdout + done.stderr
    assert int(end[3]) == done.returncode
    return done.returncode, int(end[2], 16), done.stdout


def passes(board, image, *options):
    status, finisher, text = run(board, image, *options)
    line = f", line {finisher >> 16} of smoke_{image}.c" if finisher >> 16 else ""
    assert (status, finisher) == (0, 0x5555), f"{board}: {text}{line}"


@pytest.fixture(params=CORES)
def board(request):
    return request.param


def info(board):
    text = subprocess.run([RTL / board / "sim", "--info"], capture_output=True, text=True, check=True).stdout
    return {name: int(value) for name, value in (word.split("=") for word in text.split())}


def wait_for(what, process):
    """Wait until what() is true, while the simulator runs."""
    end = time.monotonic() + DEADLINE
    while True:
        ended = process.poll() is not None  # looked at first, so that what() sees all that was before the end
        if what():
            return
        assert not ended, process.communicate()[0]
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.mark.parametrize("image", ["traps", "bytes", "ipi", "timer", "mutex", "lock", "fair"])
def test_image(board, image):
    """Exceptions, bytes in memory, software interrupts, each hart's timer, the hardware mutexes and whose reset frees one, fair shares of the bus."""
    passes(board, image)


def test_bus_error(board):
    """Where nothing is, there is an access fault; a core without a bus error input reads 0, finds an illegal instruction, and goes on."""
    passes(board, "error" if has(board, "error") else "quiet")


def test_protection(board):
    """PMP and U-mode, where the core has them."""
    if not has(board, "pmp"):
        pytest.skip("the core has no PMP")
    passes(board, "pmp")


def test_mailbox(board, tmp_path):
    """What the block says, and doorbells in both directions by the page behind the RAM in the file."""
    facts, file = info(board), tmp_path / "ram"
    ram = facts["ram_bytes"]
    with subprocess.Popen(command(board, "mailbox", "--ram-file", file, *TALK), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "sim: ready\n"
            assert file.stat().st_size == ram + PAGE
            with file.open("r+b", buffering=0) as memory:

                def word(offset):
                    memory.seek(offset)
                    return struct.unpack("<I", memory.read(4))[0]

                for ring in range(1, 4):
                    wait_for(lambda: word(RESULT + 12) == 0x600D, process)
                    assert word(ram + 4) == ring - 1
                    memory.seek(ram)
                    memory.write(struct.pack("<I", ring))
                    if ring < 3:
                        wait_for(lambda ring=ring: word(ram + 4) == ring, process)
                assert process.wait(DEADLINE) == 0
                assert word(ram + 4) == 3
                said = [word(RESULT + 4 * i) for i in range(3)]
                assert said == [facts["harts"], ram, facts["clock_hz"]]
        finally:
            process.kill()


def collect(receive, full):
    """Receive until full(text) is true."""
    text = b""
    while not full(text):
        part = receive()
        assert part, text  # the other side has hung up
        text += part
    return text


def greeting(receive):
    collect(receive, lambda text: text.endswith(b"ready\n") and not text.endswith(b"sim: ready\n"))


def converse(process, send, receive):
    """Talk to smoke_uart.c: it answers each byte with the next one. More bytes than its queues hold."""
    send(b"A" * 100)
    assert collect(receive, lambda text: len(text) >= 100) == b"B" * 100
    send(b"q")
    assert process.wait(DEADLINE) == 0


def talk(board, console):
    return subprocess.Popen(
        command(board, "uart", "--uart", console, *TALK), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )


def test_uart_socket(board, tmp_path):
    """The 16550 and its interrupt, by a Unix socket; the second client is served as well."""
    path = tmp_path / "uart"
    with talk(board, f"unix:{path}") as process, socket.socket(socket.AF_UNIX) as client:
        try:
            assert process.stdout.readline() == f"uart: unix:{path}\n".encode()
            with socket.socket(socket.AF_UNIX) as first:
                first.connect(str(path))
                first.settimeout(DEADLINE)
                greeting(lambda: first.recv(100))
            client.connect(str(path))
            client.settimeout(DEADLINE)
            converse(process, client.sendall, lambda: client.recv(100))
        finally:
            process.kill()


@pytest.mark.parametrize("console", ["stdio", "pty"])
def test_uart_terminal(board, console):
    """The 16550 by standard input and output, and by a pseudo terminal."""
    with talk(board, console) as process:
        try:
            reader, writer = process.stdout.fileno(), process.stdin.fileno()
            if console == "pty":
                name = process.stdout.readline().decode().removeprefix("uart: ").strip()
                reader = writer = os.open(name, os.O_RDWR | os.O_NOCTTY)

            def receive():
                assert select.select([reader], [], [], DEADLINE)[0]
                return os.read(reader, 4096)

            greeting(receive)
            converse(process, lambda data: os.write(writer, data), receive)
        finally:
            process.kill()


def test_trace(board):
    """--trace-harts shows the finisher's store of hart 0, and what each hart fetches first from RAM."""
    text = run(board, "ipi", "--trace-harts")[2]
    assert re.search(r"^\d+ 0 w c0100000 00005555 1111$", text, re.M)
    for hart in range(info(board)["harts"]):
        first = re.search(rf"^\d+ {hart} i (\w+)$", text, re.M)
        assert first[1] == "80000000"


def test_threads(board):
    """The harts of a simulator computed by two threads: each access of each hart in the same cycle as by one."""
    one, two = [re.sub(r"khz=\d+", "", run(board, "fair", "--trace-harts", "--cycles", "2000", "--threads", count)[2]) for count in "12"]
    assert len({line.split()[1] for line in one.splitlines() if " w " in line}) == info(board)["harts"]  # All of them did something.
    assert one == two


def test_end(tmp_path):
    """Exit status: bound of cycles, the value of the finisher, bad options and files."""
    name = next(iter(CORES))
    status, finisher, text = run(name, "uart", "--cycles", "5000")
    assert (status, finisher, END.search(text)[1]) == (3, 0, "5000")
    status, finisher, _ = run(name, "quiet" if has(name, "error") else "error")
    assert status == 1 and finisher & 0xFFFF == 0x3333 and finisher >> 16
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(info(name)["ram_bytes"] + 1)
    for options in ([], ["--image", "/nowhere"], ["--image", big], ["--image", big, "--uart", "x"], ["--cycles", "y"],
                    ["--threads", "0"], ["--threads", str(info(name)["harts"] + 1)]):
        done = subprocess.run([RTL / name / "sim", *options], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.startswith("sim: "), options
