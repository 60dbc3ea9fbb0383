# SPDX-License-Identifier: Apache-2.0
"""Where the devices of the OpenCL platform are: kept ones, ones at a serial line, several at once, small and large ones;
and where a loader finds the platform once it is installed."""
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from test_quick import BUILD, HERE, environment, programs  # noqa: F401 (a fixture)

ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "host" / "python"), str(ROOT / "tests" / "system")]
import ganger  # noqa: E402
from serial_support import SerialDevice, build_board  # noqa: E402


def run(folder, name, place, **more):
    """(what a program printed, what it said on standard error), once it has ended well."""
    done = subprocess.run([folder / name], env=environment(place, **more), capture_output=True, text=True, timeout=600,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("sms", (1, 64))
@pytest.mark.parametrize("name", ("events", "memory"))
def test_numbers_of_sms(programs, name, sms):  # noqa: F811
    """A device with one SM, and one with as many as eight usual ones."""
    assert run(programs, name, f"qemu-virt64:{sms}") == ("0 failures\n", "")


def test_kept_device(programs, tmp_path):  # noqa: F811
    """Two programs, one after the other, use the device that is up, which has its memory back afterwards."""
    place = tmp_path / "device"
    ganger.Device.up(place, "qemu-virt64", sms=2)
    try:
        for name in ("memory", "svm"):
            assert run(programs, name, f"up:{place}") == ("0 failures\n", "")
        with ganger.Device.attach(place) as device:
            assert device.info.sms == 2
            device.buffer(bytes(device.info.heap_bytes // 4))
    finally:
        ganger.Device.down(place)


def test_commands_of_replays(programs, tmp_path):  # noqa: F811
    """A replay of 20 kernels is one task of the device; the same kernels, enqueued, are 20. Commands that clean up behind a
    process are not counted: they may come later."""
    place, counts = tmp_path / "device", []
    ganger.Device.up(place, "qemu-virt64", sms=2)
    try:
        for replays in (0, 1, 101):
            done = subprocess.run([programs / "replays", str(replays)], env=environment(f"up:{place}"), text=True, timeout=600,
                                  capture_output=True, check=False)
            assert (done.stdout, done.stderr) == ("0 failures\n", "")
            with ganger.Device.attach(place) as device:
                counts.append(device.stat()["tasks_accepted"])
    finally:
        ganger.Device.down(place)
    assert (counts[2] - counts[1]) - (counts[1] - counts[0]) == 100 * (1 + 20)


def test_serial_device(programs, tmp_path):  # noqa: F811
    """Kernels, maps and copies of a device that shares no memory with its host."""
    build_board()
    device = SerialDevice(tmp_path)
    try:
        assert run(programs, "several", device.uri) == ("1 device\n0 failures\n", "")
    finally:
        device.end()


class Line:
    """A socket in front of another one, which counts the bytes that go through it."""

    def __init__(self, path, target):
        self.uri, self.bytes = f"serial:unix:{path}", 0
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._target = str(target)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        near = self._server.accept()[0]
        far = socket.socket(socket.AF_UNIX)
        far.connect(self._target)
        threading.Thread(target=self._pass, args=(near, far), daemon=True).start()
        self._pass(far, near)

    def _pass(self, source, target):
        while data := source.recv(65536):
            self.bytes += len(data)
            target.sendall(data)


def test_moves_inside(programs, tmp_path):  # noqa: F811
    """Large fills and copies inside of a device at a line do not go over the line: 6 MiB are moved."""
    build_board()
    device = SerialDevice(tmp_path)
    line = Line(tmp_path / "counted", device.path)
    try:
        assert run(programs, "moves", line.uri) == ("0 failures\n", "")
    finally:
        device.end()
    print(f"{line.bytes} bytes")
    assert 1000 < line.bytes < 1 << 19


def test_several_devices(programs, tmp_path):  # noqa: F811
    """Three devices of one context, which share nothing: two boards, and one at a line."""
    build_board()
    device = SerialDevice(tmp_path)
    try:
        assert run(programs, "several", f"qemu-virt64:2, qemu-virt32:1,{device.uri}") == ("3 devices\n0 failures\n", "")
    finally:
        device.end()


def test_bad_places(programs):  # noqa: F811
    """What is no place is said and left out; a device that does not answer is said once, and the call fails."""
    _out, said = run(programs, "together", "nonsense,, qemu-virt64:0 ,qemu-virt64:2")
    assert "`nonsense`" in said and "`qemu-virt64:0`" in said and len(said.splitlines()) == 2
    done = subprocess.run([programs / "together"], env=environment("up:/nowhere"), capture_output=True, text=True,
                          timeout=600, check=False)
    assert done.returncode == 1 and done.stderr.count("ERR_NO_DEVICE") == 1
    assert "is -2, not 0" in done.stdout  # CL_DEVICE_NOT_AVAILABLE


def test_installed(programs, tmp_path):  # noqa: F811
    """The loader finds what `make install` put into a folder, which needs nothing of the build but the firmware."""
    subprocess.run(["make", "-s", "install", f"BUILD={BUILD}", f"PREFIX={tmp_path}"], cwd=ROOT, check=True, timeout=600,
                   capture_output=True)
    icd = tmp_path / "etc" / "OpenCL" / "vendors" / "ganger.icd"
    assert Path(icd.read_text().strip()) == tmp_path / "lib" / "libganger-opencl.so"
    found = run(programs, "several", "qemu-virt64:2", OCL_ICD_VENDORS=str(icd.parent))
    assert found == ("1 device\n0 failures\n", "")
    subprocess.run(["make", "-s", "uninstall", f"BUILD={BUILD}", f"PREFIX={tmp_path}"], cwd=ROOT, check=True, timeout=600,
                   capture_output=True)
    assert not icd.exists() and not list((tmp_path / "lib").glob("libganger-opencl*"))
    shutil.rmtree(tmp_path)
