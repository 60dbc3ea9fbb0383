# SPDX-License-Identifier: Apache-2.0
"""What is told about kernels and their parameters; kernels with many parameters."""
import struct
import subprocess
import sys

import pytest

import ganger
from conftest import ROOT
from support import LONG, words, zeros


def compiled(source, xlen, *options):
    """The ELF of a source, beside it."""
    produced = source.with_suffix(".elf")
    subprocess.run([sys.executable, ROOT / "firmware/kernel/ganger-cc", "--xlen", str(xlen), *options, "-o", produced,
                    source], check=True, timeout=LONG)
    return produced


@pytest.mark.parametrize("suffix, meets", [("c", ""), ("cl", ""), ("cl", "barrier(CLK_LOCAL_MEM_FENCE);")])
@pytest.mark.parametrize("type_, count", [("int", 33), ("long long", 128), ("int", 300)])
def test_many(device, tmp_path, suffix, meets, type_, count):
    """S3-R40, S3-R44: any number of parameters, each of which has its own value; 1,024 bytes of them and more. Some
    hundreds are too many for the calls of clang 14."""
    dev, type_ = device(2), "long" if suffix == "cl" and type_ == "long long" else type_
    names = [f"a{n}" for n in range(count)]
    source = tmp_path / f"many.{suffix}"
    source.write_text(f"kernel void many(global int *out, {', '.join(f'{type_} {n}' for n in names)})\n{{\n{meets}\n"
                      + "".join(f"\tout[{n}] = (int){name};\n" for n, name in enumerate(names)) + "}\n")
    module = dev.load(compiled(source, dev.info.xlen))
    assert [one.name for one in module["many"].parameters] == ["out", *names]
    assert {one.size for one in module["many"].parameters[1:]} == {4 if type_ == "int" else 8}
    out = zeros(dev, count)
    dev.submit(module["many"], grid=1, block=1, args=[out, *range(7, 7 + count)]).wait(LONG)
    assert words(out.read()) == list(range(7, 7 + count))


TOLD_CL = """struct s { int a; }; typedef unsigned int word;
kernel __attribute__((work_group_size_hint(8, 4, 1))) __attribute__((vec_type_hint(uint4)))
       __attribute__((reqd_work_group_size(4, 2, 1)))
void k(global const volatile int *restrict a, constant float4 *b, local int *c, const int d, global struct s *e, word f,
       unsigned short g, global unsigned char *h, global uint2 *volatile i) { printf("%d", d); }
kernel void j(void) {}
"""
TOLD_C = """GANGER_BLOCK(4, 2, 1);
kernel void k(global const volatile int *restrict a, const struct s { int a; } *b, local_pointer(int) c, const int d) {}
kernel void j(void) { printf("!"); }
"""


@pytest.mark.parametrize("suffix", ["c", "cl"])
def test_told(tmp_path, xlen, suffix):
    """S3-R41, S3-R26: address spaces, qualifiers, types and attributes of the source are told as OpenCL names them, and
    which kernel cannot print."""
    source = tmp_path / f"told.{suffix}"
    source.write_text(TOLD_C if suffix == "c" else TOLD_CL)
    kernels = ganger.elf_info(compiled(source, xlen)).kernels
    found = {one.name: (one.space, one.constant, one.volatile, one.restrict, one.cl_type)
             for one in kernels["k"].parameters}
    assert (found["a"], found["c"], found["d"]) == (
        ("global", True, True, True, "int*"), ("local", False, False, False, "int*"),
        ("private", False, False, False, "int"))
    assert kernels["j"].attributes == "" and not kernels["k"].silent
    if suffix == "c":
        assert found["b"] == ("global", True, False, False, "struct s*") and not kernels["j"].silent
        assert kernels["k"].attributes == "reqd_work_group_size(4,2,1)"
        return
    assert kernels["k"].attributes == "reqd_work_group_size(4,2,1) work_group_size_hint(8,4,1) vec_type_hint(uint4)"
    assert {name: told[4] for name, told in found.items() if name in "befghi"} == {
        "b": "float4*", "e": "struct s*", "f": "word", "g": "ushort", "h": "uchar*", "i": "uint2*"}
    assert found["b"][:3] == ("constant", True, False) and found["e"][:3] == ("global", False, False)
    assert kernels["j"].silent


def test_silent_kernel(device, tmp_path):
    """S3-R46: a kernel that cannot print takes no room for prints; one beside it that prints does."""
    dev, source = device(1), tmp_path / "two.cl"
    source.write_text('kernel void silent(global int *p) { *p = 5; }\nkernel void loud(global int *p) { printf("%d", *p); }\n')
    module, out = dev.load(compiled(source, dev.info.xlen)), zeros(dev, 1)
    taken = {}
    for name, output in ("silent", ""), ("loud", "5"):
        task = dev.submit(module[name], args=[out], prints=4096)
        words_of_tmd = struct.unpack("<64I", dev.read(task.address, 256))
        taken[name] = words_of_tmd[0xf4 // 4]
        task.wait(LONG)
        assert words(out.read()) == [5] and task.output == output
    assert taken == {"silent": 0, "loud": 4096}


def test_clock(device):
    """The device's clock is that of the times of tasks: it lies between those of tasks before and after."""
    dev = device(1)
    before = dev.nop().times.done
    now = [dev.clock() for _time in range(3)]
    after = dev.nop().times.posted
    assert before <= now[0] <= now[1] <= now[2] <= after and now[0] > 0
