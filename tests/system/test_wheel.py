# SPDX-License-Identifier: Apache-2.0
"""The Python package as a wheel: outside of the repository, without environment variables or a network."""
import os
import subprocess
import sys
import zipfile

import pytest

from conftest import BUILD, ROOT, building

pytestmark = pytest.mark.shared

KERNEL = """
#include "ganger_kernel.h"

kernel void twice(const __global int *in, __global int *out, int n)
{
	int i = (int)get_global_id(0);

	if (i < n)
		out[i] = 2 * in[i];
}
"""

PROGRAM = """
import array, sys
import ganger
board, elf = sys.argv[1:]
with ganger.Device.boot(board, sms=2) as dev:
    data = array.array("i", range(1000))
    source, target = dev.buffer(data), dev.buffer(nbytes=4000)
    dev.submit(dev.load(elf)["twice"], grid=8, block=128, args=[source, target, 1000]).wait(60)
    assert array.array("i", target.read()).tolist() == [2 * one for one in data]
    assert "vecadd" in dev.load(ganger.sample("vecadd", dev.info.xlen))
print(ganger.__file__)
"""

OPENCL = "kernel void root(global float *x) { size_t i = get_global_id(0); x[i] = sqrt(x[i]); }\n"


@pytest.fixture(scope="module", name="run")
def fixture_run(tmp_path_factory):
    """run("ganger", …): a command of a fresh virtual environment that has the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("wheel")
    build = {**os.environ, "GANGER_BUILD": str(BUILD)}
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    # As it is after a build in a copy of the repository that was moved or copied here. Only the paths of files that are
    # still there are believed, so there has to be one.
    old, there = BUILD / "wheel" / "ganger.egg-info" / "SOURCES.txt", folder / "PKG-INFO"
    with building():
        old.parent.mkdir(parents=True, exist_ok=True)
        there.write_text("Name: ganger\n")
        old.write_text(f"{there}\n")
        subprocess.run([*pip, "--wheel-dir", folder, ROOT / "host/python"], env=build, timeout=600, check=True)
    wheel, = folder.glob("ganger-*.whl")
    # Not a word of the repository: neither variables nor a folder.
    clean = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder)}

    def run(program, *arguments):
        done = subprocess.run([folder / "venv/bin" / program, *map(str, arguments)], cwd=folder, env=clean,
                              capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], env=clean, timeout=600, check=True)
    run("python", "-m", "pip", "install", "--quiet", "--no-index", "--find-links", BUILD / "venv/wheels", wheel)
    run.folder, run.wheel = folder, wheel
    return run


def test_a_kernel_is_built_and_run(run, board):
    """S0-R04: the installed package compiles a kernel, boots a device and runs it."""
    (run.folder / "twice.c").write_text(KERNEL)
    run("ganger-cc", "--xlen", board[-2:], "-o", "twice.elf", "twice.c")
    (run.folder / "program.py").write_text(PROGRAM)
    place = run("python", "program.py", board, "twice.elf")
    assert place.startswith(str(run.folder / "venv"))


def test_the_commands_work(run, board):
    """`ganger` and `python -m ganger` are the same command; OpenCL C needs no library to be built."""
    (run.folder / "twice.c").write_text(KERNEL)
    run("ganger-cc", "--xlen", board[-2:], "-o", "twice.elf", "twice.c")
    assert "twice" in run("ganger", "info", "twice.elf")
    assert run("ganger", "info", "twice.elf") == run("python", "-m", "ganger", "info", "twice.elf")
    (run.folder / "root.cl").write_text(OPENCL)
    parts = run.folder.glob("venv/lib/python*/site-packages/ganger/dist/build/opencl/*/*.bc")
    before = {part: part.stat().st_mtime_ns for part in parts}
    assert before
    run("ganger", "clrun", "root.cl", "--board", board, "--sms", 1, "--global", 16, "--arg", "zero:64")
    assert before == {part: part.stat().st_mtime_ns for part in before}


def test_it_has_what_users_need_and_nothing_else(run):
    """Types, samples, headers and both boards are in the wheel; objects, maps and the repository's path are not."""
    with zipfile.ZipFile(run.wheel) as wheel:
        names = [name[name.index("ganger/"):] for name in wheel.namelist() if "ganger/" in name]
        code = b"".join(wheel.read(name) for name in wheel.namelist() if name.endswith(".py"))
    dist = "ganger/dist/"
    for needed in ("ganger/py.typed", dist + "host/include/ganger.h", dist + "firmware/kernel/samples/vecadd.c",
                   dist + "build/qemu-virt32/cp.elf", dist + "build/qemu-virt64/sm.elf", dist + "LICENSE"):
        assert needed in names
    assert not [name for name in names if name.endswith((".o", ".map", ".pyc", ".d", ".a"))]
    assert str(ROOT).encode() not in code
