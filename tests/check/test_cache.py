# SPDX-License-Identifier: Apache-2.0
"""What ganger-cc keeps from one run to the next. Compilers are counted by scripts that stand before them."""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILER = ROOT / "firmware" / "kernel" / "ganger-cc"
TOOLS = ("riscv64-unknown-elf-gcc", "clang-14")
SECONDS = 300
SOURCE = """#include "number.h"
kernel void k(global int *p) { int unused; p[get_global_id(0)] = NUMBER; }
"""


class Bench:
    """A folder with a source, a header, a cache, and compilers that are counted."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "cache" / "ganger"
        self.calls = folder / "calls"
        self.environment = {**os.environ, "GANGER_CACHE": str(self.cache), "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        (folder / "bin").mkdir()
        for tool in TOOLS:
            script = folder / "bin" / tool
            script.write_text(f'#!/bin/sh\necho {tool} >> {self.calls}\nexec {shutil.which(tool)} "$@"\n')
            script.chmod(0o755)
        (folder / "number.h").write_text("#define NUMBER 1\n")
        (folder / "k.cl").write_text(SOURCE)

    def run(self, *options, source="k.cl", **more):
        """(finished process, the ELF, how many compilers ran)"""
        self.calls.write_text("")
        elf = self.folder / "k.elf"
        elf.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, COMPILER, *options, "-o", elf, source], capture_output=True, check=False,
                              timeout=SECONDS, cwd=self.folder, env={**self.environment, **more.pop("env", {})}, **more)
        return done, elf.read_bytes() if elf.exists() else None, len(self.calls.read_text().split())

    def kept(self, kind):
        """Names of what is kept."""
        place = self.cache / kind
        return sorted(os.listdir(place)) if place.is_dir() else []


@pytest.fixture(name="bench")
def bench_of(tmp_path):
    """A folder of its own."""
    return Bench(tmp_path)


def test_second_time(bench):
    """The same again needs no compiler, and says and writes the same; with another option, header or source it does."""
    first, elf, calls = bench.run("-Wall")
    assert first.returncode == 0 and calls > 0 and b"unused" in first.stderr, first.stderr
    again, same, calls = bench.run("-Wall")
    assert (again.returncode, again.stderr, same, calls) == (0, first.stderr, elf, 0)
    _done, other, calls = bench.run("-Wall", "-O1")
    assert calls > 0 and other
    (bench.folder / "number.h").write_text("#define NUMBER 2\n")
    _done, changed, calls = bench.run("-Wall")
    assert calls > 0 and changed != elf
    assert bench.run("-Wall")[1:] == (changed, 0)
    (bench.folder / "k.cl").write_text(SOURCE.replace("NUMBER", "1"))
    _done, third, calls = bench.run("-Wall")
    assert calls > 0 and third


def test_compiler_that_changed(bench):
    """A new compiler builds anew."""
    _done, elf, _calls = bench.run()
    script = bench.folder / "bin" / "clang-14"
    script.write_text(script.read_text() + "# new\n")
    _done, again, calls = bench.run()
    assert calls > 0 and again == elf


def test_runtime_is_built_once(bench):
    """The runtime's five objects are built once for each target, and the stubs once for all kernels of the same name and
    form; the second source is only linked, twice, until its kernel has another name."""
    counts = []
    for text in (SOURCE, SOURCE + "// 1\n", SOURCE.replace("void k(", "void l(")):
        (bench.folder / "k.cl").write_text(text)
        assert bench.run()[1]
        counts.append(bench.calls.read_text().split().count("riscv64-unknown-elf-gcc"))
    assert counts == [2 + 1 + 5, 2, 2 + 1]


def test_runtime_that_make_built(bench):
    """With an empty cache and the compilers that `make` had the runtime is there already, also that of 32 bits; not if a
    file is damaged, nor with other options."""
    build, there = bench.folder / "build" / "opencl", Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve() / "opencl"
    build.mkdir(parents=True)
    (build / "prebuilt").touch()
    for abi in ("ilp32d", "lp64d"):
        (build / abi).symlink_to(there / abi)
    shutil.copytree(there / "runtime", build / "runtime")

    def runtime(*options):
        """How many objects of the runtime are built in a run with an empty cache."""
        shutil.rmtree(bench.cache, ignore_errors=True)
        done, elf, _calls = bench.run("-v", *options, env={"PATH": os.environ["PATH"], "GANGER_BUILD": str(build.parent)})
        assert done.returncode == 0 and elf, done.stderr
        return len([line for line in done.stderr.split(b"\n") if b"/firmware/" in line and line.endswith(b"-runtime.o")])

    assert (runtime(), runtime("--xlen", "32"), runtime("-march=rv64g"), runtime("--no-cache")) == (0, 0, 5, 5)
    for path in (build / "runtime").iterdir():
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert runtime() == 5


def test_no_cache(bench):
    """--no-cache looks at nothing and leaves nothing; what it writes is the same."""
    _done, elf, calls = bench.run("--no-cache")
    assert calls > 0 and not bench.cache.exists()
    assert bench.run()[1] == elf
    assert bench.run("--no-cache")[2] > 0


def test_folder_that_cannot_be_used(bench):
    """A file where the folder should be: everything is built each time, without a word."""
    bench.cache.parent.mkdir()
    bench.cache.write_text("")
    for _time in range(2):
        done, elf, calls = bench.run()
        assert done.returncode == 0 and not done.stderr.count(b"rror") and elf and calls > 0


@pytest.mark.parametrize("variables,place", [
    ({"GANGER_CACHE": "{}/a", "XDG_CACHE_HOME": "{}/b", "HOME": "{}/c"}, "a"),
    ({"GANGER_CACHE": "a", "XDG_CACHE_HOME": "{}/b", "HOME": "{}/c"}, "b/ganger"),
    ({"GANGER_CACHE": "", "XDG_CACHE_HOME": "b", "HOME": "{}/c"}, "c/.cache/ganger")])
def test_where(bench, variables, place):
    """The folder is $GANGER_CACHE, $XDG_CACHE_HOME/ganger or ~/.cache/ganger; a path that is not absolute is none."""
    bench.run(env={name: value.format(bench.folder) for name, value in variables.items()})
    assert len(os.listdir(bench.folder / place / "programs")) == 1


def test_key(bench):
    """A caller that names the program by itself is believed; a name that is none is refused."""
    key = "0123456789abcdef" * 4
    _done, elf, calls = bench.run("--key", key)
    assert calls > 0 and bench.kept("programs") == [key]
    assert bench.run(f"--key={key}", "-O1")[1:] == (elf, 0)
    (bench.folder / "number.h").write_text("#define NUMBER 3\n")
    done, changed, calls = bench.run("--key", key)
    assert calls == 0 and changed == elf, "a file in the folder of the output belongs to the name"
    done, elf, calls = bench.run("--key", "../" + key[3:])
    assert done.returncode == 1 and b"not 64 hexadecimal digits" in done.stderr and not elf and calls == 0


def test_damaged_files(bench):
    """What is kept is checked: a file that was cut or changed is built anew and is right again."""
    _done, elf, _calls = bench.run()
    for kind in ("programs", "objects"):
        for name in bench.kept(kind):
            path = bench.cache / kind / name
            data = path.read_bytes()
            path.write_bytes(data[:-1] if kind == "programs" else data[:-1] + bytes([data[-1] ^ 1]))
    done, again, calls = bench.run()
    assert done.returncode == 0 and again == elf and calls >= 7
    assert bench.run()[1:] == (elf, 0)


def test_errors_are_not_kept(bench):
    """A source that does not compile says so each time, with the compiler's own words."""
    (bench.folder / "k.cl").write_text("kernel void k(global int *p) { *p = nothing; }\n")
    for _time in range(2):
        done, elf, calls = bench.run()
        assert done.returncode == 1 and elf is None and calls > 0
        assert b"k.cl:1:37: error: use of undeclared identifier 'nothing'" in done.stderr
    assert bench.kept("programs") == []


def test_bound(bench):
    """What was used longest ago goes first, and the folder stays below its bound."""
    most = 65536
    for number in range(12):
        (bench.folder / "k.cl").write_text(f"kernel void k(global int *p) {{ *p = {number}; }}\n")
        if number == 11:
            bench.run("-DFIRST")
        bench.run("-DFIRST" if number == 0 else "-DREST", env={"GANGER_CACHE_BYTES": str(most)})
    files = [bench.cache / "programs" / name for name in bench.kept("programs")]
    assert files and sum(file.stat().st_size for file in files) <= most
    assert bench.run("-DREST")[2] == 0
    (bench.folder / "k.cl").write_text("kernel void k(global int *p) { *p = 1; }\n")
    assert bench.run("-DREST")[2] > 0


def test_many_at_once(bench):
    """Eight processes build the same at the same time: each has the whole ELF, and nothing half done is left."""
    def one(number):
        elf = bench.folder / f"{number}.elf"
        subprocess.run([sys.executable, COMPILER, "-o", elf, "k.cl"], check=True, timeout=SECONDS, cwd=bench.folder,
                       env=bench.environment)
        return elf.read_bytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(one, range(8)))) == 1
    assert len(bench.kept("programs")) == 1 and not [n for n in bench.kept("objects") if len(n) != 64]


def test_standard_input(bench):
    """A source that is no file: messages name it program.cl, and it is kept by its content."""
    text = (bench.folder / "k.cl").read_bytes()
    _done, elf, calls = bench.run("-x", "cl", "-I", ".", source="-", input=text)
    assert elf and calls > 0
    assert bench.run("-x", "cl", "-I", ".", source="-", input=text)[1:] == (elf, 0)
    done, _elf, _calls = bench.run("-x", "cl", source="-", input=b"kernel void k() { x }")
    assert done.returncode == 1 and done.stderr.startswith(b"program.cl:1:19: error:"), done.stderr
    assert b"/" not in done.stderr
    done, _elf, _calls = bench.run(source="-", input=text)
    assert done.returncode == 1 and b"needs -x c, -x cl or -x spv" in done.stderr


def test_call_from_python(bench, monkeypatch):
    """ganger.build(): an image and a log; the second time without a process."""
    sys.path.insert(0, str(ROOT / "host" / "python"))
    import ganger  # pylint: disable=import-outside-toplevel
    for name, value in bench.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(bench.folder)
    bench.calls.write_text("")
    built = ganger.build(SOURCE, "-Wall", "-I.", language="cl")
    assert built.image[:4] == b"\x7fELF" and "unused" in built.log and bench.calls.read_text()
    bench.calls.write_text("")
    assert ganger.build(SOURCE.encode(), "-Wall", "-I.", language="cl") == built and bench.calls.read_text() == ""
    with pytest.raises(ganger.Error) as caught:
        ganger.build("kernel void k() { x }", language="cl")
    assert caught.value.status == "ERR_COMPILE" and "program.cl:1:19" in str(caught.value)
    with pytest.raises(ganger.Error) as caught:
        ganger.build("", language="d")
    assert caught.value.status == "ERR_ARGUMENT"
