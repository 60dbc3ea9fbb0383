# SPDX-License-Identifier: Apache-2.0
"""A device at the other end of a serial line: all of its life, over good and bad lines."""
import random
import signal
import socket
import struct
import subprocess
import sys
import threading

import pytest

import ganger
from conftest import XLEN
from serial_proxy import SerialProxy
from serial_support import SerialDevice, Terminal, build_board
from support import (LONG, Held, assert_at_rest, expect, expect_status, run_ganger, run_good_task,
                     until, words, zeros)

# The board has 32 bits; once is enough.
pytestmark = pytest.mark.skipif(XLEN != 32, reason="the board with a serial line has 32 bits")


@pytest.fixture(scope="session", name="built")
def fixture_built():
    """The firmware of the board."""
    build_board()


@pytest.fixture
def line(built, tmp_path):
    """line(4): a device of that many SMs at the other end of a line."""
    devices = []

    def start(sms=4):
        folder = tmp_path / str(len(devices))
        folder.mkdir()
        devices.append(SerialDevice(folder, sms))
        return devices[-1]

    yield start
    for one in devices:
        one.end()


def add_vectors(dev, sample_path, count=1000):
    """vecadd of the project's samples."""
    kernel = dev.load(sample_path("vecadd"))["vecadd"]
    a, b = random.Random(1).choices(range(1 << 20), k=count), list(range(count))
    c = zeros(dev, count)
    left, right = dev.buffer(struct.pack(f"{count}i", *a)), dev.buffer(struct.pack(f"{count}i", *b))
    done = dev.submit(kernel, grid=(-(-count // 64),), block=(64,), args=[left, right, c, count])
    assert done.wait(LONG).status == "OK"
    assert words(c.read()) == [x + y for x, y in zip(a, b)]


def test_a_line_shares_no_memory(line):
    """Copies work over a line; an array is refused as unsupported, with what to do instead."""
    with ganger.Device.connect(line(1).uri) as dev, dev.buffer(b"abcd") as buffer:
        target = bytearray(4)
        assert buffer.readinto(target) == 4 and target == b"abcd" == buffer.read()
        error = expect("ERR_UNSUPPORTED", buffer.array)
        assert "read and written instead" in error.message


def test_life(line, sample_path, load):
    """S3-R22, S3-R49: buffers, modules, tasks, trace, configuration, registers, faults over a serial line."""
    with ganger.Device.connect(line().uri) as dev:
        assert (dev.state, dev.info.sms, dev.info.xlen) == ("READY", 4, 32)
        add_vectors(dev, sample_path)
        module = load(dev, "work")
        dev.trace_on()
        run_good_task(dev, module)
        dev.trace_off()
        assert len(list(dev.trace().of_type("CTA"))) == 20
        before = dev.config()
        expect("ERR_CONFIG", dev.config, enabled=[])
        dev.config(mode="round-robin")
        assert dev.config()["mode"] == "round-robin" and before["mode"] != "round-robin"
        dev.config(mode=before["mode"])
        task = dev.submit(load(dev, "faults")["fault"], grid=(8,), block=(4,),
                          args=[zeros(dev, 8), 0, 0x80000000, 3, 2])
        record = expect("ERR_FAULT_ACCESS", task.wait, LONG).record
        assert (record.cta, record.thread, record.address) == (3, 2, 0x80000000)
        assert_at_rest(dev)


def test_priorities(line, load):
    """S0-R10, S0-C6: tasks that wait start in the order of their priorities."""
    with ganger.Device.connect(line(1).uri) as dev:
        module = load(dev, "work")
        with Held(dev, module, dev.info.sm_ctas) as held:
            held.await_started()
            tasks = [(level, dev.submit(module["blank"], grid=(4,), block=(1,), priority=level))
                     for level in (5, 2, 9, 1, 10, 7)]
            until(lambda: dev.query("TASKS") == 7, "all are accepted")
        order = sorted(tasks, key=lambda one: one[1].wait(LONG).times.first)
        assert [level for level, _task in order] == [1, 2, 5, 7, 9, 10]
        held.task.wait(LONG)
        assert_at_rest(dev)


def test_command(line, kernel_path):
    """S3-R49: the command works on a device at the other end of a line."""
    uri = line().uri
    for arguments in (("info",), ("selftest",), ("ps",), ("regs", "cap"),
                      ("run", kernel_path("work"), "--kernel", "blank", "--grid", "4")):
        done = run_ganger(*arguments, "--connect", uri)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    done = run_ganger("info", "--connect", "serial:/no/such/port")
    assert done.returncode != 0 and "ERR_NO_DEVICE" in done.stderr


@pytest.mark.parametrize("round_number", range(2))
def test_bad_line(line, tmp_path, sample_path, load, seed, round_number):
    """S3-R22: with bytes lost, doubled, changed, exchanged and late, results and counts are as without."""
    device = line()
    # About a quarter of the exchanges are spoilt. The line counts as lost after 20 tries of one, so chance cannot lose it.
    with SerialProxy(tmp_path / "bad", device.path, seed.getrandbits(32), 1 / 2000, 1 / 12) as bad:
        with ganger.Device.connect(f"serial:unix:{tmp_path / 'bad'}") as dev:
            add_vectors(dev, sample_path, 1000)
            module = load(dev, "work")
            counts = zeros(dev, 16)
            for _step in range(6):
                tasks = [dev.submit(module["count"], grid=(16,), block=(1,), args=[counts],
                                    priority=seed.randint(1, 10)) for _task in range(4)]
                for task in tasks:
                    assert task.wait(LONG).ctas == 16
            assert words(counts.read()) == [24] * 16
            data = seed.randbytes(6000)
            with dev.buffer(data) as buffer:
                assert buffer.read() == data
            assert_at_rest(dev)
        print(f"round {round_number}: {bad.faults} faults")
        assert bad.faults >= 80


HOST = """
import sys, ganger
dev = ganger.Device.connect(sys.argv[1])
module = dev.load(sys.argv[2])
print("ready", flush=True)
while True:
    dev.submit(module["blank"], grid=(8,), block=(1,)).wait(60)
"""


def test_host_that_dies(line, kernel_path, load):
    """S3-R22: a host that is killed amid its requests; the next one finds a device that is in order."""
    device = line()
    for _round in range(3):
        with subprocess.Popen([sys.executable, "-c", HOST, device.uri, kernel_path("work")],
                              stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGKILL)
    with ganger.Device.connect(device.uri) as dev:
        run_good_task(dev, load(dev, "work"))
        until(lambda: dev.query("TASKS") == 0, "nothing is left of the hosts that died")
        stat = dev.stat()
        assert stat["tasks_accepted"] == stat["tasks_completed"]


def test_terminal(line, sample_path):
    """S3-R22: a terminal with a speed: raw, so every byte passes; a second host is told that it is in use."""
    with Terminal(line().path) as terminal:
        for speed in ("", ",921600"):
            with ganger.Device.connect(f"serial:{terminal.port}{speed}") as dev:
                add_vectors(dev, sample_path, 100)
                data = bytes(range(256)) * 4
                assert dev.buffer(data).read() == data
                expect_status(("ERR_BUSY", "ERR_NO_DEVICE"), ganger.Device.connect,
                              f"serial:{terminal.port}")
        expect("ERR_ARGUMENT", ganger.Device.connect, f"serial:{terminal.port},12345")
        expect("ERR_ARGUMENT", ganger.Device.connect, f"serial:{terminal.port},fast")


def talk(listener, kind):
    """What sits at the other end of a line and is no device."""
    end, _address = listener.accept()
    noise = random.Random(3)
    with end:
        while kind != "ends":
            data = end.recv(4096)
            if not data:
                return
            if kind == "echo":
                end.sendall(data)
            elif kind == "noise":
                end.sendall(noise.randbytes(300))
            elif kind == "prompt":
                end.sendall(b"\r\nlogin: ")


@pytest.mark.parametrize("kind, message", [
    ("silent", "not a byte"), ("noise", "no frame"), ("prompt", "no frame"), ("echo", "echo"),
    ("ends", "ended")])
def test_wrong_speaker(tmp_path, kind, message):
    """S3-R49: nobody, or something else, at the other end: an error that says what came, after a bounded time."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "line"))
        listener.listen(1)
        thread = threading.Thread(target=talk, args=(listener, kind), daemon=True)
        thread.start()
        error = expect("ERR_NO_DEVICE", ganger.Device.connect, f"serial:unix:{tmp_path / 'line'}")
        assert message in str(error)
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize("place, status", [
    ("/no/such/port", "ERR_NO_DEVICE"), ("unix:/no/such/socket", "ERR_NO_DEVICE"),
    ("/dev/null", "ERR_NO_DEVICE"), ("", "ERR_ARGUMENT"), ("unix:", "ERR_ARGUMENT"),
    ("unix:/" + "x" * 200, "ERR_ARGUMENT"), ("/dev/null,0", "ERR_ARGUMENT")])
def test_no_line(place, status):
    """S3-R49: invalid ports are refused."""
    expect(status, ganger.Device.connect, f"serial:{place}")


def test_private_memory(line, load):
    """S3-R22: over a line the host reaches registers, SMs and heap; but not what belongs to the CP alone."""
    with ganger.Device.connect(line().uri) as dev:
        pool = dev.info.heap - 64
        for address in (dev.info.ram, dev.info.base - 4, pool):
            assert expect("ERR_ARGUMENT", dev.write, address, b"1234").value == address
            expect("ERR_ARGUMENT", dev.read, address, 4)
        expect("ERR_ARGUMENT", dev.read, dev.info.ram + dev.info.ram_bytes, 4)
        assert len(dev.read(dev.info.base, 64)) == 64
        run_good_task(dev, load(dev, "work"))


def test_device_that_goes_away(line, load):
    """S3-R49: the line ends while a host waits for a task: the wait ends, and so does all that follows."""
    device = line()
    dev = ganger.Device.connect(device.uri)
    held = Held(dev, load(dev, "work"), 1)
    held.await_started()
    threading.Timer(0.2, device.process.kill).start()
    expect("ERR_DEVICE_LOST", held.task.wait, LONG)
    expect("ERR_DEVICE_LOST", dev.stat)
    expect("ERR_DEVICE_LOST", dev.nop)
    dev.close()


def test_panic(line, load):
    """S3-R25: a control processor that stopped on a bug still tells its host why, and takes no writes."""
    device = line()
    with ganger.Device.connect(device.uri) as dev:
        run_good_task(dev, load(dev, "work"))
        buffer = zeros(dev, 4)
        device.jump(0)
        expect("ERR_PANIC", dev.nop, timeout=LONG)
        assert dev.state == "PANIC"
        panic = dev.panic()
        assert (panic["pc"], panic["cause"]) == (0, 1)
        expect("ERR_PANIC", buffer.write, b"1234")
