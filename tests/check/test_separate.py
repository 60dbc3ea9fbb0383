# SPDX-License-Identifier: Apache-2.0
"""ganger-cc -c and -r: objects, libraries, and programs that are made of them."""
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "firmware" / "kernel"
HELPER = "int twice(int a) { return 2 * a; }\n"
USER = "int twice(int a);\nkernel void k(global int *p) { p[get_global_id(0)] = twice((int)get_local_id(0)); }\n"


def cc(*words):
    """(exit code, what it said)"""
    done = subprocess.run([sys.executable, FOLDER / "ganger-cc", *words], text=True, capture_output=True, timeout=300,
                          check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stderr


def built(*words):
    """As cc(), and it must be right."""
    code, said = cc(*words)
    assert code == 0, said


def objects(folder, suffix, *texts):
    """Objects of sources."""
    made = []
    for number, text in enumerate(texts):
        source = folder / f"s{number}.{suffix}"
        source.write_text(text)
        made.append(source.with_suffix(".o"))
        built("-c", "-o", made[-1], source)
    return made


@pytest.mark.parametrize("suffix", ["c", "cl"])
def test_library(tmp_path, suffix):
    """Objects without a kernel, a library of them, and a program of an object and the library."""
    helper, more, user = objects(tmp_path, suffix, HELPER, "int more(int a) { return a + 1; }\n", USER)
    built("-r", "-o", tmp_path / "lib.o", helper, more)
    built("-o", tmp_path / "k.elf", user, tmp_path / "lib.o")
    assert b"k\0" in (tmp_path / "k.elf").read_bytes()
    code, said = cc("-o", tmp_path / "none.elf", tmp_path / "lib.o")
    assert code == 1 and "no kernel found" in said
    code, said = cc("-o", tmp_path / "none.elf", user)
    assert code == 1 and "twice" in said and not (tmp_path / "none.elf").exists()
    code, said = cc("-o", tmp_path / "none.elf", user, tmp_path / "lib.o", helper)
    assert code == 1 and "twice" in said and "multipl" in said


def test_joined_is_as_one_source(tmp_path):
    """Objects of OpenCL C become the same code as one source would: calls between them are inlined."""
    made = objects(tmp_path, "cl", HELPER, USER)
    built("-o", tmp_path / "two.elf", *made)
    listing = subprocess.run(["riscv64-unknown-elf-nm", tmp_path / "two.elf"], text=True, capture_output=True, check=True)
    assert " k\n" in listing.stdout and "twice" not in listing.stdout


def test_refused(tmp_path):
    """What -c and -r do not take, objects of another XLEN, and files that are no objects."""
    one, two = objects(tmp_path, "cl", HELPER, USER)
    source = tmp_path / "s0.cl"
    other = tmp_path / "other.o"
    other.write_text("hello")
    for words, text in [(("-c", source, source), "one source"), (("-c", one), "one source"), (("-r", source, one), "objects only"),
                        ((other,), "not an object"), (("--xlen", "32", one, two), "another XLEN than 32")]:
        code, said = cc("-o", tmp_path / "none.elf", *words)
        assert code == 1 and text in said and not (tmp_path / "none.elf").exists(), said
    (tmp_path / "bad.cl").write_text("int f(void) { return nothing; }\n")
    code, said = cc("-c", "-o", tmp_path / "bad.o", tmp_path / "bad.cl")
    assert code == 1 and "bad.cl:1:22: error: use of undeclared identifier" in said and not (tmp_path / "bad.o").exists()
