# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the system tests: the board under test, its kernels, and devices that are kept.

Booting costs more than most tests, so `device(sms)` gives every test the same device of that
size; a test that damages one boots its own with `fresh`. After each test the devices that it used
must be idle, alive and consistent: a test that leaves one in another state fails, and the next
one gets a new device.
"""
import contextlib
import fcntl
import functools
import gc
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ganger
import support

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # tests/seeds.py
from seeds import seed_of  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BOARD = os.environ.get("GANGER_BOARD", "qemu-virt64")
BUILD = Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve()
BOARDS = os.environ.get("GANGER_BOARDS", BOARD).split()  # All boards whose tests run side by side, this one among them.
DELAYS = os.environ.get("GANGER_DELAYS")  # A seed: harts are held up at random (qemu/plugin/delay.c).
FIRMWARE_END = 0x80080000  # Of the QEMU boards: the firmware's code is below.
XLEN = 32 if BOARD.endswith("32") else 64
SOURCES = ROOT / "tests" / "kernels"

DEVICES = pytest.StashKey()  # of a test: the devices that it has used

# What the tests build is not kept in the user's folder.
os.environ.setdefault("GANGER_CACHE", str(BUILD / "cache"))

# The runtime of a sanitizer is for this process alone, not for QEMU and the compilers.
os.environ.pop("LD_PRELOAD", None)

# Started in the background of a shell, this process would have ^C ignored, and so would all hosts
# that the tests start: an ignored signal is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    """The mark of tests of what is the same for all boards: where several are tested, each of these runs for one of them."""
    config.addinivalue_line("markers", "shared: the boards that are tested side by side share these tests out")


def pytest_collection_modifyitems(config, items):
    """Called by pytest when it has found its tests: leaves those to the other boards that are theirs. Each has as many, in an
    order that does not repeat (Thue and Morse's), so that no value of a parameter is always the same board's."""
    shared = [item for item in items if item.get_closest_marker("shared")]
    theirs = {item for number, item in enumerate(shared) if BOARDS[number.bit_count() % len(BOARDS)] != BOARD}
    if theirs:
        config.hook.pytest_deselected(items=list(theirs))
        items[:] = [item for item in items if item not in theirs]


def pytest_collection_finish():
    """What pytest has found stays to the end, so no collection has to look at it again: each comparison of free bytes is behind one."""
    gc.collect()
    gc.freeze()


def pytest_report_header():
    """What is tested, for the log."""
    return f"board {BOARD}, build {BUILD}"


@pytest.fixture(scope="session")
def board():
    """Name of the board under test."""
    return BOARD


@pytest.fixture(scope="session")
def xlen():
    """Its XLEN."""
    return XLEN


@pytest.fixture(scope="session")
def build():
    """The build folder."""
    return BUILD


def compile_kernel(source, output, xlen):
    """Builds a test kernel unless what is there is newer than all that it is made of."""
    parts = [source, *SOURCES.glob("*.h"), ROOT / "firmware" / "abi" / "ganger_abi.h",
             *(ROOT / "firmware" / "kernel").rglob("*.[chS]"),
             *(ROOT / "firmware" / "kernel").rglob("*.cl*"),
             *(ROOT / "firmware" / "kernel").rglob("*.py")]
    if output.exists() and output.stat().st_mtime > max(part.stat().st_mtime for part in parts):
        return
    command = [sys.executable, ROOT / "firmware/kernel/ganger-cc", "-Wall", "-Wextra", "-Werror",
               "--xlen", str(xlen), "-o", output, source]
    if "Compiled with -fno-loops" in source.read_text():
        command.append("-fno-loops")
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(f"{source.name} does not build:\n{done.stdout}{done.stderr}")


@contextlib.contextmanager
def building():
    """While something is built: the tests of another board may run beside these, and build the same."""
    with open(BUILD / "tests.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def kernel_path():
    """kernel_path("ids"): a test kernel's ELF, for the board's XLEN or the one that is named, built when it is first
    wanted."""
    @functools.lru_cache(None)
    def path(name, bits=XLEN):
        output = BUILD / "test-kernels" / f"rv{bits}" / f"{name}.elf"
        output.parent.mkdir(parents=True, exist_ok=True)
        with building():
            compile_kernel(next(SOURCES.glob(f"{name}.c*")), output, bits)
        return output
    return path


@pytest.fixture(scope="session")
def sample_path():
    """sample_path("vecadd"): the ELF of a kernel that ships with the project."""
    folder = BUILD / "kernels" if XLEN == 64 else BUILD / "kernels" / "rv32"
    return lambda name: folder / f"{name}.elf"


def delays(seed):
    """The plugin that holds harts up at random."""
    return f"{BUILD}/qemu/libdelay.so,seed={seed},below={FIRMWARE_END}"


def boot(board, sms, **options):
    """A device, with delays if they are wanted of all."""
    if DELAYS:
        options.setdefault("plugin", delays(DELAYS))
    return ganger.Device.boot(board, sms=sms, **options)


@pytest.fixture(scope="session")
def kept():
    """Devices that are kept until the end, by number of SMs."""
    devices = {}
    yield devices
    for device in devices.values():
        device.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Tells fixtures whether the test has failed, and the reader what the devices of a failed test count and hang on."""
    report = yield
    item.has_failed = getattr(item, "has_failed", False) or report.failed
    if report.failed and call.when == "call" and hasattr(report.longrepr, "addsection"):
        for dev in dict.fromkeys(item.stash.get(DEVICES, [])):
            report.longrepr.addsection(repr(dev), support.told(dev))
    return report


@pytest.fixture
def device(kept, request):
    """device(8): a device of that many SMs that other tests use, too, unless the test fails: nobody knows what it has left."""
    used = {}

    def get(sms=8):
        if sms not in kept:
            kept[sms] = boot(BOARD, sms)
        used[sms] = kept[sms]
        request.node.stash.setdefault(DEVICES, []).append(kept[sms])
        return kept[sms]

    yield get
    for sms, dev in used.items():
        if request.node.has_failed:
            kept.pop(sms).close()
            continue
        try:
            support.assert_at_rest(dev)
        except BaseException as error:
            error.add_note(support.told(dev))
            kept.pop(sms).close()
            raise


@pytest.fixture
def fresh(request):
    """fresh(8): a device for this test alone; takes the options of Device.boot()."""
    devices = []

    def get(sms=8, board=BOARD, **options):
        devices.append(boot(board, sms, **options))
        request.node.stash.setdefault(DEVICES, []).append(devices[-1])
        return devices[-1]

    yield get
    for dev in devices:
        dev.close()


@pytest.fixture(scope="session")
def board_parts():
    """The parts that the board has (BOARD_CP_PARTS); all of them when it names none."""
    lines = (ROOT / "boards" / BOARD / "board.mk").read_text(encoding="utf-8").splitlines()
    named = [line.split("=")[1].split() for line in lines if line.startswith("BOARD_CP_PARTS")]
    return named[0] if named else ["park"]


@pytest.fixture
def load(kernel_path):
    """load(dev, "work"), load(dev, "cl/scan"): a test kernel's module in the device, loaded once."""

    def get(dev, name):
        modules = vars(dev).setdefault("test_modules", {})
        if name not in modules:
            modules[name] = dev.load(kernel_path(name))
        return modules[name]

    return get


@pytest.fixture
def seed(request):
    """A random generator whose seed is printed (tests/seeds.py)."""
    number = seed_of(f"{BOARD} {request.node.path.name} {request.node.name}")
    print(f"{request.node.name}: GANGER_SEED={number}")
    return random.Random(number)
