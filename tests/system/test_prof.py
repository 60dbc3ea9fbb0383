# SPDX-License-Identifier: Apache-2.0
"""`ganger prof` and ganger.Profiler: counts of kernels whose counts are known."""
import json
import shutil
import subprocess

import pytest

import ganger
from conftest import ROOT
from ganger.profile import accessed
from support import expect, run_ganger

LOADS = """kernel void loads(global uint *in, global uint *out, uint n)
{
	uint sum = 0;

	for (uint i = 0; i < n; i++) {
		sum += ((volatile global uint *)in)[i];
	}
	out[get_global_linear_id()] = sum;
}

kernel void meet(global uint *out)
{
	local uint seen[4];

	seen[get_local_id(0)] = get_local_id(0);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_linear_id()] = seen[3 - get_local_id(0)];
}
"""
LOOP, STORE = 6, 8  # Lines of the load and of the store.


@pytest.fixture(scope="module")
def elf(tmp_path_factory, xlen):
    """The kernels above, with debug information."""
    folder = tmp_path_factory.mktemp("prof")
    source, output = folder / "loads.c", folder / "loads.elf"
    source.write_text(LOADS)
    done = subprocess.run([ROOT / "firmware/kernel/ganger-cc", "-g", "-fno-loops", "--xlen", str(xlen), "-o", output, source],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return output


def prof(elf, board, *arguments):
    """What the command printed."""
    done = run_ganger("prof", elf, "--board", board, "--sms", 4, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def words(tmp_path):
    """A file of 100 words."""
    (tmp_path / "in.bin").write_bytes(bytes(400))
    return tmp_path / "in.bin"


def loads(elf, board, words, *more):
    """A profile of `loads`: 6 CTAs of 4 work-items, 100 loads each."""
    return prof(elf, board, "--kernel", "loads", "--grid", 6, "--block", 4, "--arg", f"in:{words}", "--arg",
                f"out:96:{words.parent}/out.bin", "--arg", 100, *more)


def test_lines(elf, board, words):
    """S3-R40: each iteration loads 4 bytes on the line of the load, and each work-item stores 4 on its own."""
    profile = json.loads(loads(elf, board, words, "--json"))
    lines = {row["line"]: row for row in profile["lines"] if row["file"].endswith("loads.c")}
    assert (lines[LOOP]["loaded"], lines[LOOP]["stored"]) == (6 * 4 * 100 * 4, 0)
    assert (lines[STORE]["loaded"], lines[STORE]["stored"]) == (0, 6 * 4 * 4)
    assert lines[LOOP]["instructions"] >= 6 * 4 * 100 and lines[LOOP]["instructions"] % (6 * 4 * 100) == 0
    assert profile["functions"][0]["function"] == "loads"
    for name in "instructions", "loaded", "stored":
        assert profile["total"][name] == sum(row[name] for row in profile["lines"]) \
            == sum(row[name] for row in profile["functions"]) == sum(row[name] for row in profile["sms"])
    assert sum(row["ctas"] for row in profile["sms"]) == 6
    assert profile["total"] == json.loads(loads(elf, board, words, "--json", "--icount"))["total"]


def test_sms(elf, board, words):
    """S3-R40: a grid that only one SM of four may run is four times as busy there as in the mean."""
    profile = json.loads(loads(elf, board, words, "--json", "--affinity", "2"))
    assert [row["ctas"] for row in profile["sms"]] == [0, 0, 6, 0]
    assert [row["instructions"] for row in profile["sms"]] == [0, 0, profile["total"]["instructions"], 0]
    assert profile["imbalance"] == 4
    text = loads(elf, board, words, "--affinity", "2")
    assert "busiest SM: 4.00 times the mean" in text and f"loads.c:{LOOP}" in text


def test_barrier(elf, fresh):
    """S3-R96: each work-item comes to the barrier once; the profile follows from one task to the next."""
    with ganger.Profiler() as profiler:
        dev = fresh(2, plugin=profiler.plugin())
        module = dev.load(elf)
        expect("ERR_UNSUPPORTED", profiler.read, dev)
        profiler.watch(module)
        expect("ERR_UNSUPPORTED", profiler.watch, module)
        out = dev.buffer(nbytes=4 * 12)
        for times in 1, 2:
            dev.submit(module["meet"], grid=(3,), block=(4,), args=[out]).wait(60)
            rows = [row for row in profiler.read(dev).rows if row.place.symbol == "ganger_barrier"]
            assert rows[0].cost.instructions == 3 * 4 * times
        assert sum(profiler.read(dev).ctas) == 6


def test_without_the_plugin(elf, device):
    """A device that was booted without it cannot be profiled."""
    with ganger.Profiler() as profiler:
        module = device(2).load(elf)
        assert "booted" in str(expect("ERR_UNSUPPORTED", profiler.watch, module))
        module.unload()


@pytest.mark.skipif(shutil.which("callgrind_annotate") is None, reason="needs Debian's valgrind: apt install valgrind")
def test_callgrind(elf, board, words):
    """Debian's callgrind_annotate reads the file, and finds the same line."""
    file = words.parent / "callgrind.out"
    total = json.loads(loads(elf, board, words, "--json", "--callgrind", file))["total"]
    done = subprocess.run(["callgrind_annotate", "--show-percs=no", "--auto=yes", file], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    totals = next(text for text in done.stdout.splitlines() if "PROGRAM TOTALS" in text)
    assert totals.split()[:3] == [f"{total[name]:,}" for name in ("instructions", "loaded", "stored")]
    line = next(text for text in done.stdout.splitlines() if "sum += " in text)
    assert line.split()[1:3] == [f"{6 * 4 * 100 * 4:,}", "0"]


@pytest.mark.parametrize("code, bits, bytes_", [
    (0x0005a503, 64, (4, 0)), (0x0005b503, 64, (8, 0)), (0x00a58023, 64, (0, 1)), (0x00a59023, 32, (0, 2)),  # lw ld sb sh
    (0x0005c503, 64, (1, 0)), (0x0005d503, 64, (2, 0)), (0x0005e503, 64, (4, 0)),  # lbu lhu lwu
    (0x0005a507, 64, (4, 0)), (0x00a5b027, 64, (0, 8)),  # flw fsd
    (0x00a5a52f, 64, (4, 4)), (0x1005a52f, 64, (4, 0)), (0x18a5a52f, 64, (0, 4)),  # amoadd.w lr.w sc.w
    (0x4188, 64, (4, 0)), (0x6188, 64, (8, 0)), (0x6188, 32, (4, 0)), (0xc188, 64, (0, 4)), (0xe188, 64, (0, 8)),  # c.lw c.ld c.sw c.sd
    (0x4502, 64, (4, 0)), (0xc02a, 64, (0, 4)), (0x8082, 64, (0, 0)), (0x0001, 64, (0, 0)), (0x00b50533, 64, (0, 0)),  # ret nop add
])
def test_widths(code, bits, bytes_):
    """Bytes that an instruction moves, by its bits."""
    assert accessed(code, bits) == bytes_
