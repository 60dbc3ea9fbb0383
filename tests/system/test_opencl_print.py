# SPDX-License-Identifier: Apache-2.0
"""OpenCL C's printf: conversions, vectors of every type and size, many work-items, bounds."""
import array
import ctypes
import json
import re
import struct

import pytest

import ganger
from conftest import ROOT
from opencl_support import get
from print_support import c_printf, printed
from support import LONG, expect, run_ganger, zeros

TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
         "long": "q", "ulong": "Q", "float": "f", "double": "d"}
SIZES = (2, 3, 4, 8, 16)


@pytest.fixture
def dev(device):
    """The device of these tests."""
    return device(2)


@pytest.fixture
def kernels(dev, load):
    """Module print.cl."""
    return load(dev, "cl/print")


@pytest.mark.parametrize("c, u, l, f, d", [
    (-42, 0xfedcba98, -5, 3.140625, 3.14159), (0, 0, 0, 0.0, -0.0), (127, 0xffffffff, 2**63 - 1, -1e30, 1e300),
    (-128, 1, -2**63, float("inf"), float("-inf")), (7, 8, 9, float("nan"), 2.0**-1074)])
def test_scalars(dev, kernels, c, u, l, f, d):
    """S3-R8, OpenCL C 6.12.13: every conversion, as the C library of the host writes it; each call returns 0."""
    result = zeros(dev, 10)
    f = array.array("f", [f])[0]
    i, v, q, x, y = ctypes.c_int(c), ctypes.c_uint(u), ctypes.c_longlong(l), ctypes.c_double(f), ctypes.c_double(d)
    expected = (c_printf("%d|%5d|%-5d|%05d|%+d|%i|%.3d\n", *[i] * 7) +
                c_printf("%u|%x|%#X|%o|%hhu|%hd|%hu\n", *[v] * 7) +
                c_printf("%lld|%llu|%llx|%10lld|\n", *[q] * 4) +
                c_printf("%f|%.3f|%10.2e|%g|%a|%F|%E|%G\n", *[x] * 8) +
                c_printf("%f|%.3f|%10.2e|%g|%a\n", *[y] * 5) +
                f"text of mine|tex|      ab|{'large' if c > 9 else 'small':8}|x|%|{result.address:#x}|0x0\n" +
                c_printf("%*d|%.*f|100%%\n", 6, i, 2, x) +
                f"none\n(null)|{int(u > 5)} y%\n")
    assert printed(dev, kernels["scalars"], args=[result, c, u, l, f, d, int(c > 9)]) == expected
    assert get(result, "i") == [0] * 10


def expected_vectors(name, numbers):
    """What kernel vectors_TYPE prints."""
    code, lines = TYPES[name], []
    bits = 8 * struct.calcsize(code)
    for size in SIZES:
        v, w = numbers[:size], numbers[size:2 * size]
        if name in ("float", "double"):
            lines += [",".join(c_printf("%a", ctypes.c_double(n)) for n in v),
                      f"-1 {','.join(f'{n:.2f}' for n in v)} 0.5"]
        elif name[0] == "u":
            lines += [",".join(map(str, v)), ",".join(f"{n:#x}" if n else "0" for n in v)]
            assert all(n < 1 << bits for n in v)
        else:
            lines += [",".join(map(str, v)), f"1 {','.join(map(str, w))} ."]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TYPES)
def test_vectors(dev, kernels, name):
    """S3-R8, OpenCL C 6.12.13.2: vectors of 2, 3, 4, 8 and 16 elements of each type, signs and sizes kept."""
    code = TYPES[name]
    bits = 8 * struct.calcsize(code)
    if code in "fd":
        numbers = [(-1) ** i * (i + 0.25) * 2.0 ** (i % 5) for i in range(32)]
    else:
        low = 0 if code.isupper() else -1 << (bits - 1)
        numbers = [low + (i * 0x123456789abcdef) % (1 << bits) for i in range(30)] + [0, 1]
    result = dev.buffer(bytes(b"\xff" * 4))
    output = printed(dev, kernels["vectors_" + name],
                     args=[result, dev.buffer(array.array(code, numbers).tobytes())])
    assert output == expected_vectors(name, numbers)
    assert get(result, "i") == [0]


def test_vectors_without_a_length(dev, kernels):
    """S3-R8: `%v4d`, `%v4f` on float and on double, flags, widths and precisions for each element."""
    output = printed(dev, kernels["plain_vectors"], args=[
        struct.pack("<4i", 1, -2, 3, -2**31), struct.pack("<4f", 0.5, 1, -2, 8.25),
        struct.pack("<2d", -0.5, 1e9), struct.pack("<2f", 2, 3), struct.pack("<4I", 16, 0xffffffff, 0, 0)])
    assert output == ("1,-2,3,-2147483648 0.500000,1.000000,-2.000000,8.250000 -0.500000,1000000000.000000 "
                      "2.000000,3.000000 10,ffffffff,0\n"
                      "   +1,   -2,   +3,-2147483648|0.5     ,1.0     ,-2.0    ,8.2     |\n")


@pytest.mark.parametrize("grid, block", [(1, 1), (3, 7), (5, 64)])
def test_many_work_items(dev, kernels, grid, block):
    """Each print comes once and whole, from kernels with barriers and called functions, too."""
    sums = zeros(dev, grid * block)
    output = printed(dev, kernels["threads"], grid=grid, block=block, args=[sums, ganger.local(block * 4)])
    assert re.fullmatch(r"(<\d+ \d+>|\[\d+\])*", output)
    found = re.findall(r"<(\d+) (\d+)>", output)
    assert sorted((int(g), int(i)) for g, i in found) == [(g, i) for g in range(grid) for i in range(block)]
    assert output.count(f"[{block - 1}]") == grid * block
    assert get(sums, "I") == [block - 1] * (grid * block)


def test_what_does_not_fit(dev, kernels):
    """A record is bounded: numbers that are left out are shown as missing, and the call returns -1."""
    a, b = struct.pack("<16i", *range(16)), struct.pack("<8i", *range(8))
    result = zeros(dev, 2)
    first, second = ",".join(map(str, range(16))), ",".join(map(str, range(8)))
    assert printed(dev, kernels["cut"], args=[result, a, b]) == \
        f"{first} {second} <cut>.\n{first} {second}.\n"
    assert get(result, "i") == [-1, 0]


def test_nobody_reads_and_flood(dev, kernels):
    """S3-R121: without a buffer nothing fails; more than the buffer takes is ERR_PRINT_FLOOD."""
    result = zeros(dev, 10)
    task = dev.submit(kernels["scalars"], args=[result, 1, 2, 3, 4.0, 5.0, 6])
    task.wait(LONG)
    assert task.output == "" and get(result, "i") == [0] * 10
    task = dev.submit(kernels["flood"], prints=10 * 28)
    expect("ERR_PRINT_FLOOD", task.wait, LONG)
    assert task.output == "1;" * 10


def test_stack_is_measured(kernels):
    """The record and the values of the largest vector are in the stack of a kernel, which is measured."""
    stacks = {name: kernels[name].stack_bytes for name in ("flood", "scalars", "vectors_double")}
    assert all(256 < stack < 2048 for stack in stacks.values()), stacks
    assert stacks["vectors_double"] >= stacks["flood"] + 128


@pytest.fixture
def clrun(board):
    """Runs the command on print.cl; returns (exit code, output, errors)."""
    def call(kernel, *words):
        done = run_ganger("clrun", ROOT / "tests/kernels/cl/print.cl", "--board", board, "--sms", "2",
                          "--kernel", kernel, "--global", "1", *words)
        return done.returncode, done.stdout, done.stderr
    return call


@pytest.mark.shared
@pytest.mark.parametrize("options", [("-O2",), ("-O0", "-g"), ("-march=rv{}imac",)])
@pytest.mark.parametrize("name", ["char", "float", "ulong"])
def test_clrun(clrun, tmp_path, xlen, options, name):
    """S3-R8: `ganger clrun` shows what was printed; with other options of the compiler it is the same."""
    numbers = [i + 0.5 if name == "float" else i * 3 for i in range(32)]
    (tmp_path / "in.bin").write_bytes(array.array(TYPES[name], numbers).tobytes())
    words = ["--arg", f"out:4:{tmp_path}/result.bin", "--arg", f"in:{tmp_path}/in.bin",
             *(f"--cc={option.format(xlen)}" for option in options)]
    code, out, _errors = clrun("vectors_" + name, *words)
    assert code == 0 and expected_vectors(name, numbers) in out
    assert (tmp_path / "result.bin").read_bytes() == bytes(4)
    code, out, _errors = clrun("vectors_" + name, *words, "--json")
    assert code == 0 and json.loads(out)["output"] == expected_vectors(name, numbers)


def test_clrun_of_a_flood(clrun):
    """S3-R121: what came before the error is shown; `--prints` is the bound, 64 KiB without it."""
    for words, count in ((("--prints", "1K"), 1024 // 28), ((), 65536 // 28)):
        code, out, errors = clrun("flood", *words)
        assert code == 1 and "PRINT_FLOOD" in errors and out == "1;" * count
