# SPDX-License-Identifier: Apache-2.0
"""ganger-cc: limits of kernels, many kernels, names, full disks, and ^C at any moment."""
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILER = ROOT / "firmware" / "kernel" / "ganger-cc"
SECONDS = 600  # Deadline: only a hang gets there.
MOMENTS = int(os.environ.get("GANGER_INTERRUPTS", "12"))  # Hundreds for a long run.


def compiled(folder, source, *options, name="k.c", **environment):
    """Compiles a source; the finished process, and the path of its ELF."""
    (folder / name).write_text(source, encoding="utf-8")
    done = subprocess.run([sys.executable, COMPILER, *options, "-o", folder / "k.elf", folder / name], text=True,
                          capture_output=True, timeout=SECONDS, check=False, env={**os.environ, **environment})
    assert "Traceback" not in done.stderr, done.stderr
    return done, folder / "k.elf"


@pytest.mark.parametrize("good, bad, words", [
    (f"kernel void {'k' * 127}(void) {{}}\n", f"kernel void {'k' * 128}(void) {{}}\n",
     ("k" * 32, "128 bytes", "127 is the most")),
    ("struct s { char c[65536]; };\nkernel void large(struct s s) {}\n",
     "struct s { char c[65537]; };\nkernel void large(struct s s) {}\n", ("large", "65537 bytes", "65536 is the most")),
])
@pytest.mark.parametrize("suffix", ["c", "cl"])
def test_limits_of_a_kernel(tmp_path, good, bad, words, suffix):
    """S3-R41: what no host library takes is refused, with the kernel, the number and the limit."""
    if suffix == "cl" and "struct" in good:
        pytest.skip("clang passes a large structure of OpenCL C by a pointer, which is another refusal")
    done, elf = compiled(tmp_path, good, name=f"good.{suffix}")
    assert done.returncode == 0 and elf.exists(), done.stderr
    elf.unlink()
    done, elf = compiled(tmp_path, bad, name=f"bad.{suffix}")
    assert done.returncode == 1 and not elf.exists()
    for word in words:
        assert word in done.stderr


def test_names_that_are_not_ascii(tmp_path):
    """S3-R21: a kernel in C may have any name of C; in OpenCL C it is refused by name."""
    source = "kernel void gr\u00f6\u00dfe(global int *p) { *p = 1; }\n"
    done, elf = compiled(tmp_path, source)
    assert done.returncode == 0 and "gr\u00f6\u00dfe".encode() in elf.read_bytes(), done.stderr
    done, _elf = compiled(tmp_path, source, name="k.cl")
    assert done.returncode == 1 and "gr\u00f6\u00dfe" in done.stderr and "ASCII" in done.stderr


def test_many_kernels(tmp_path):
    """S3-R21: of a module of many kernels objdump gets no labels of the compiler: it looks through all of them for
    each line."""
    source = "\n".join(f"kernel void k{n}(global int *p, int n) {{ p[get_global_id(0)] = n + {n}; }}"
                       for n in range(100))
    done, elf = compiled(tmp_path, source, "--save-temps", tmp_path / "temps")
    assert done.returncode == 0 and elf.exists(), done.stderr
    labels = [subprocess.run(["riscv64-unknown-elf-nm", "--special-syms", tmp_path / "temps" / name],
                             capture_output=True, text=True, check=True).stdout.count(" .L")
              for name in ("linked.elf", "bare-linked.elf")]
    assert labels[0] > 1000 and labels[1] < labels[0] / 10, labels


def test_ulong(tmp_path):
    """S0-R42: ulong has 64 bits for both XLENs, also beside the C library's own."""
    source = "#include <stdlib.h>\n#include <sys/types.h>\n_Static_assert(sizeof(ulong) == 8, \"64 bits\");\n" \
        "kernel void k(global ulong *out, ulong value, local_pointer(ulong) room)\n{\n" \
        "\troom[0] = value;\n\tout[0] = room[0];\n}\n"
    for options in (("--xlen", "32"), ("--xlen", "64"), ("--xlen", "32", "--cc", "clang")):
        done, _elf = compiled(tmp_path, source, "-Wall", "-Wextra", "-Wpedantic", "-Werror", *options)
        assert done.returncode == 0, done.stderr


def test_a_full_disk(tmp_path):
    """S3-R121: a full TMPDIR is said to be full, and not that our own runtime does not compile."""
    script = "mount -t tmpfs -o size=64k none \"$0\" && exec \"$@\""
    full = tmp_path / "full"
    full.mkdir()
    (tmp_path / "k.c").write_text("kernel void one(int a) {}\n")
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, full, "env", f"TMPDIR={full}", sys.executable, COMPILER,
                           "-o", tmp_path / "k.elf", tmp_path / "k.c"], text=True, capture_output=True,
                          timeout=SECONDS, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("this machine lets nobody mount a file system")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "a disk is full" in done.stderr and str(full) in done.stderr and "TMPDIR" in done.stderr


def interrupted(folder, seconds):
    """Sends SIGINT so long after the start; (exit code, errors, files that are left)."""
    temps = folder / "temps"
    temps.mkdir(exist_ok=True)
    process = subprocess.Popen([COMPILER, "-o", folder / "k.elf", folder / "k.cl"], text=True,
                               stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temps)})
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=SECONDS)[1]
    return process.returncode, errors, sorted(temps.rglob("*"))


def left_processes(folder):
    """Command lines of processes that work for a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in text:
            found.append(text)
    return found


def test_interrupts(tmp_path):
    """S3-R49: ^C at any moment leaves no file and no process, and shows no traceback."""
    (tmp_path / "k.cl").write_text("kernel void k(global int *p) { p[0] = get_global_id(0); }\n")
    moments, codes = random.Random(14), []
    for _moment in range(MOMENTS):
        seconds = moments.uniform(0, 1.5)
        code, errors, files = interrupted(tmp_path, seconds)
        assert code in (0, 130, -signal.SIGINT), (seconds, code, errors)
        assert "Traceback" not in errors and not files, (seconds, errors, files)
        assert code != 130 or errors.count("interrupted") == 1
        assert not left_processes(tmp_path), seconds
        codes.append(code)
    print(codes)
