# SPDX-License-Identifier: Apache-2.0
"""Boards of chips that people own, in QEMU's models of them: over their serial line, and with their memory mapped."""
import re
import subprocess

import pytest

import ganger
import support
import test_control
import test_faults
import test_graph_library
import test_pull
from conftest import BUILD, XLEN
from ganger.demo import problem
from ganger.demo.pipeline import Pipeline
from ganger.pictures import Picture
from isolation import READ, reaches
from serial_support import SerialDevice, build_board
from support import LONG, expect, run_ganger, run_good_task

# The boards have 64 bits; once is enough.
pytestmark = pytest.mark.skipif(XLEN != 64, reason="the boards have 64 bits")

BOARDS = ("unleashed", "icicle")
LIM = 0x08000000  # the part of the L2 cache that is memory


@pytest.fixture(scope="module", name="started", params=[(board, link) for board in BOARDS for link in ("line", "mapped")],
                ids="-".join)
def fixture_started(request, tmp_path_factory):
    """A device of each board; over the line it starts from its flash image."""
    board, link = request.param
    build_board(board)
    device = SerialDevice(tmp_path_factory.mktemp(board), 4, board, mapped=link == "mapped", flash=link == "line")
    yield device
    if hasattr(device, "device"):
        device.device.close()
    device.end()


@pytest.fixture(name="device")
def fixture_device(started):
    """device(): what the tests of the other boards ask for; these boards have four SMs, whatever is asked for."""
    if not hasattr(started, "device"):
        started.device = ganger.Device.connect(started.uri)
    yield lambda sms=4: started.device
    support.assert_at_rest(started.device)


@pytest.fixture(name="uri")
def fixture_uri(started):
    """What to connect to; nobody else is connected."""
    if hasattr(started, "device"):
        started.device.close()
        del started.device
    return started.uri


# What the tests of the other boards look at holds here, too.
loaded = test_graph_library.loaded
test_graph = test_graph_library.test_run
test_cancel_of_a_running_task = test_control.test_cancel_of_a_running_task
test_neighbours_are_unharmed = test_faults.test_neighbours_are_unharmed
test_two_pulled_at_once = test_pull.test_two_at_once


def test_what_it_says(device):
    """S3-R49: four SMs of rv64gc with protection, under a control processor without F and D."""
    info = device().info
    assert (info.sms, info.xlen, info.timebase_hz) == (4, 64, 1000000)
    assert {"ATOMICS", "FLOAT", "DOUBLE", "USER_MODE", "PROTECTION"} < set(info.features)


def test_selftest(uri):
    """S3-R49: the command finds nothing wrong."""
    done = run_ganger("selftest", "--connect", uri)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("window, status, message", [
    ("", "ERR_ARGUMENT", "is not mmap:FILE"), ("ram@0,4096", "ERR_ARGUMENT", "is not mmap:FILE"),
    ("/no/such/file", "ERR_NO_DEVICE", "cannot open"), ("short", "ERR_ARGUMENT", "it ends before"),
    ("short@4096", "ERR_NO_DEVICE", "ends before offset 4096")])
def test_bad_window(uri, tmp_path, monkeypatch, window, status, message):
    """S3-R49: memory that cannot be mapped is refused with the reason, and the line is free for the next host."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short").write_bytes(bytes(64))
    line = uri.partition(",mmap:")[0]
    assert message in str(expect(status, ganger.Device.connect, f"{line},mmap:{window}"))
    with ganger.Device.connect(uri) as dev:
        assert dev.alive(timeout=LONG)


def test_samples(device, sample_path, seed, monkeypatch):
    """S3-R29: the samples of `make run` on a small picture and small matrices, five tasks of different priorities on four
    channels at once: every element is right, also those of the kernel with floats, whose threads wait for each other."""
    for name, size in (("ROWS", 40), ("COLUMNS", 24), ("INNER", 20)):
        monkeypatch.setattr(problem, name, size)
    jobs = problem.make_jobs(Picture(50, 30, seed.randbytes(50 * 30)))
    outcomes = Pipeline(device(), sample_path("blur").parent, jobs).run_together()
    assert {name: (one.done.status, one.wrong) for name, one in outcomes.items()} == dict.fromkeys(jobs, ("OK", 0))


@pytest.mark.parametrize("address", [test_faults.CP_IMAGE, test_faults.CLINT, LIM, 0x10010000, 0x20000000], ids=hex)
def test_stray_access(device, load, address):
    """S3-R54, S3-R121: a kernel reaches neither the firmware nor the chip's devices; the record names the place."""
    dev = device()
    error = test_faults.run_fault(dev, load, test_faults.STORE, address)
    assert (error.status, error.record.address) == ("ERR_FAULT_ACCESS", address)
    run_good_task(dev, load(dev, "work"))


def test_protection(started, device, load, sample_path):
    """S3-R45, S3-R72: the FU540 has 8 PMP entries; a task that needs more is unsupported there. PolarFire has 16."""
    dev, few = device(), started.board == "unleashed"
    assert {one.pmp_entries.read() for one in dev.regs.sm_state} == {8 if few else 16}
    with dev.context(1 << 20) as other, other.buffer(bytes(16)) as buffer:
        if few:
            error = expect("ERR_UNSUPPORTED", reaches, dev, load, READ, buffer.address, windows=[buffer])
            assert (error.field, error.value) == ("tmd.window_count", 1)
        else:
            assert reaches(dev, load, READ, buffer.address, windows=[buffer]) == 0
    ring = dev.submit(dev.load(sample_path("cluster_ring"))["cluster_ring"], grid=4, block=2, cluster=4,
                      cluster_in="gpu", args=[support.zeros(dev, 80), support.zeros(dev, 80), ganger.local(80), 5])
    if few:
        expect("ERR_UNSUPPORTED", ring.wait, LONG)
    else:
        assert ring.wait(LONG).ctas == 4
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("board", BOARDS)
def test_instructions(board):
    """What an E51 lacks is not in the control processor's image: F, D, LR/SC on memory, as it caches no data, and
    atomic operations with acquire or release alone, which it gets wrong. The SMs' image has them."""
    build_board(board)
    lacking = {}
    for image in ("cp", "sm"):
        text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", BUILD / board / f"{image}.elf"],
                              capture_output=True, text=True, check=True, timeout=60).stdout
        found = re.findall(r"^ *[0-9a-f]+:\t[0-9a-f ]+\t(\S+)", text, re.MULTILINE)
        assert len(found) > 3000
        lacking[image] = {one for one in found if re.fullmatch(r"(c\.)?f(?!ence)\S+|(lr|sc)\.\S+|amo\S+(?<!\.aqrl)", one)}
    assert not lacking["cp"] and {"flw", "c.fldsp", "lr.w.aqrl"} < lacking["sm"], lacking


@pytest.mark.parametrize("board", BOARDS)
def test_no_broker(board):
    """S3-R49: a board without a doorbell cannot be booted through a broker; the message says what can be done."""
    build_board(board)
    assert "serial line" in str(expect("ERR_BOARD", ganger.Device.boot, board, sms=4))
