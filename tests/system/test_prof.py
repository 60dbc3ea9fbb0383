# SPDX-License-Identifier: Apache-2.0
"""`ganger prof` and ganger.Profiler: counts of kernels whose counts are known."""
import json
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

import ganger
import ganger.profile
from conftest import ROOT
from ganger.profile import CALL, RETURN, _of_calls, accessed
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

static __attribute__((noinline)) uint busy(uint n)
{
	uint sum = 0;

	for (uint i = 0; i < n; i++) {
		sum += i ^ sum >> 1;
	}
	return sum;
}

kernel void uneven(global uint *out)
{
	local uint seen[64];
	const uint i = (uint)get_local_id(0);

	seen[i] = busy(10 * i + 10);
	barrier(CLK_LOCAL_MEM_FENCE); /* here */
	out[get_global_linear_id()] = seen[get_local_size(0) - 1 - i];
}

kernel void heavy(global uint *out)
{
	out[get_global_linear_id()] = busy(ganger_cta_linear_id() == 3 ? 1000 : 10);
}

static __attribute__((noinline)) uint deep(uint n)
{
	return n < 2 ? n : deep(n - 1) ^ deep(n - 2);
}

kernel void recursive(global uint *out)
{
	out[get_global_linear_id()] = deep(6);
}
"""
LOOP, STORE = 6, 8  # Lines of the load and of the store.
BARRIER = 1 + [text.strip() for text in LOADS.splitlines()].index("barrier(CLK_LOCAL_MEM_FENCE); /* here */")


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
        profiler.watch(dev, module)
        expect("ERR_UNSUPPORTED", profiler.watch, dev, module)
        out = dev.buffer(nbytes=4 * 12)
        for times in 1, 2:
            dev.submit(module["meet"], grid=(3,), block=(4,), args=[out]).wait(60)
            rows = [row for row in profiler.read(dev).rows if row.place.symbol == "ganger_barrier"]
            assert rows[0].cost.instructions == 3 * 4 * times
        assert sum(profiler.read(dev).ctas) == 6


def test_without_the_plugin(elf, device):
    """A device that was booted without it cannot be profiled."""
    with ganger.Profiler() as profiler:
        dev = device(2)
        module = dev.load(elf)
        assert "booted" in str(expect("ERR_UNSUPPORTED", profiler.watch, dev, module))
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


@pytest.fixture
def profiled(elf, fresh):
    """profiled(sms, (kernel, keywords), …): the device's profile after these tasks, which are on it together, of blocks of 64."""

    def run(sms, *tasks):
        with ganger.Profiler() as profiler:
            dev = fresh(sms, plugin=profiler.plugin())
            module = dev.load(elf)
            profiler.watch(dev, module)
            out = dev.buffer(nbytes=4 * 64 * 64)
            for task in dev.submit_many([ganger.Work(module[name], args=[out], **{"block": 64, **keywords}) for name, keywords in tasks]):
                task.wait(60)
            return profiler.read(dev)

    return run


def test_work_items(profiled):
    """S3-R40: what each work-item executed, apart from what the runtime does; how uneven groups of 32 of them are."""
    profile = profiled(3, ("uneven", {"grid": 6}))
    first = profile.work.ctas[0]
    step = first.items[1] - first.items[0]
    assert step > 10 and first.items == {item: first.items[0] + step * item for item in range(64)}
    assert [cta.cta for cta in profile.work.ctas] == list(range(6)) and all(cta.items == first.items for cta in profile.work.ctas)
    low, high = profile.work.groups()
    assert (low.first, low.least, low.most) == (0, first.items[0], first.items[31])
    assert (high.first, high.least, high.most) == (32, first.items[32], first.items[63])
    assert (low.together, high.together) == (6 * 32 * low.most, 6 * 32 * high.most)
    assert profile.work.divergence == (low.together + high.together) / (low.instructions + high.instructions)
    assert sum(cta.instructions for cta in profile.work.ctas) == profile.total.instructions and profile.lost == (0, 0)
    by_sm = [sum(cta.instructions for cta in profile.work.ctas if cta.sm == sm) for sm in range(3)]
    assert by_sm == [cost.instructions for cost in profile.sms()]


def test_waits(profiled):
    """S3-R96: at a barrier each work-item waits for the one that executed most before it."""
    profile = profiled(2, ("uneven", {"grid": 6}))
    step = profile.work.ctas[0].items[1] - profile.work.ctas[0].items[0]
    barrier, = profile.barriers()
    assert (barrier.arrivals, barrier.waited) == (6 * 64, 6 * step * sum(range(64)))
    place = profile.place(barrier.offset)
    assert (place.symbol, place.line) == ("uneven", BARRIER)
    assert all((cta.barriers, cta.waited) == (1, step * sum(range(64))) for cta in profile.work.ctas)


def test_tasks_that_share_an_sm(profiled):
    """S0-R27: CTAs of two tasks take turns on one SM, and each keeps its own count."""
    profile = profiled(1, ("uneven", {"grid": 5, "correlation": 7}), ("uneven", {"grid": 5, "correlation": 8}), ("heavy", {"grid": 4}))
    ctas = profile.work.ctas
    assert [(cta.tag, cta.cta) for cta in ctas] == [(0, at) for at in range(4)] + [(tag, at) for tag in (7, 8) for at in range(5)]
    assert len({tuple(sorted(cta.items.items())) for cta in ctas[4:]}) == 1 and {cta.waited for cta in ctas[4:]} == {ctas[4].waited}
    assert max(ctas, key=lambda cta: min(cta.items.values())).cta == 3  # of heavy
    assert {min(cta.items.values()) == max(cta.items.values()) for cta in ctas[:4]} == {True}
    assert sum(cta.instructions for cta in ctas) == profile.total.instructions == sum(profile.stacks().values())


def test_one_work_item(profiled):
    """S0-R27: CTAs of one work-item, which has the same number in all of them, one after the other and in turns on one SM."""
    profile = profiled(1, ("uneven", {"grid": 8, "block": 1, "correlation": 7}), ("uneven", {"grid": 8, "block": 1, "correlation": 8}),
                       ("heavy", {"grid": 4, "block": 1}))
    ctas = profile.work.ctas
    assert [(cta.tag, cta.cta) for cta in ctas] == [(0, at) for at in range(4)] + [(tag, at) for tag in (7, 8) for at in range(8)]
    assert len({tuple(cta.items.items()) for cta in ctas[4:]}) == 1 and {cta.barriers for cta in ctas[4:]} == {1}
    assert ctas[3].items[0] > 10 * ctas[2].items[0] and sum(cta.instructions for cta in ctas) == profile.total.instructions


@pytest.mark.parametrize("block", [1, 64])
def test_pulled(profiled, block):
    """S4-R16: CTAs that an SM takes itself, in the place of the one before."""
    profile = profiled(2, ("heavy", {"grid": 40, "mode": "pull", "block": block}))
    assert [cta.cta for cta in profile.work.ctas] == list(range(40)) and sum(profile.ctas) == 40
    assert max(profile.work.ctas, key=lambda cta: cta.instructions).cta == 3


def test_calls(profiled):
    """Stacks have all calls, also those of a function that calls itself, and every instruction is in one."""
    profile = profiled(2, ("recursive", {"grid": 2}), ("uneven", {"grid": 2}))
    stacks = profile.stacks()
    assert sum(stacks.values()) == profile.total.instructions
    functions = profile.functions()
    for name in "deep", "busy":
        inside = {names: count for names, count in stacks.items() if name in names}
        assert sum(inside.values()) == functions[name].instructions
        assert {names[0] for names in inside} == {"recursive" if name == "deep" else "uneven"}
    assert max(names.count("deep") for names in stacks) == 6
    assert {names[:-1] for names in stacks if "busy" in names} == {("uneven", "busy")}


def test_files(elf, board, words):
    """A flame graph, a roofline and a time line from the command: the same numbers as in JSON."""
    flame, folded, roof, line = (words.parent / name for name in ("flame.svg", "flame.folded", "roof.svg", "line.json"))
    run = ("--kernel", "uneven", "--grid", 6, "--block", 64, "--arg", "zero:4K", "--json")
    profile = json.loads(prof(elf, board, *run, "--flame", flame, "--perfetto", line, "--roofline", roof, "--bandwidth", 0.5, "--peak", 2))
    total = profile["total"]["instructions"]
    costs = {row["function"]: row for row in profile["functions"]}
    titles = [one.text for one in ET.parse(flame).iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == f"all: {total:,} instructions, 100.0 %"
    assert any(text.startswith(f"busy: {costs['busy']['instructions']:,} instructions, ") for text in titles)
    titles = [one.text for one in ET.parse(roof).iter("{http://www.w3.org/2000/svg}title")]
    moved = profile["total"]["loaded"] + profile["total"]["stored"]
    assert titles[-1].startswith(f"all: {total / moved:.2f} instructions a byte, 100.0 %") and f"at most {min(2, total / moved / 2):.2f} in" in titles[-1]
    assert not any(text.startswith("busy:") for text in titles)  # It moves no byte.
    assert "its edge is at 4 instructions a byte" in roof.read_text()
    bars = [event for event in json.loads(line.read_text())["traceEvents"] if event["ph"] == "X"]
    for sm, row in enumerate(profile["sms"]):
        for track in 0, 1:
            mine = [bar for bar in bars if (bar["pid"], bar["tid"]) == (10 + sm, track)]
            assert round(sum(1000 * bar["dur"] for bar in mine)) == row["instructions"]
            assert all(abs(a["ts"] + a["dur"] - b["ts"]) < 1e-6 for a, b in zip(mine, mine[1:]))  # One after the other.
    assert {bar["name"] for bar in bars if bar["cat"] == "cta"} == {f"CTA {number}" for number in range(6)}
    assert sum("barrier" in bar["args"] for bar in bars) == 6 * 64
    prof(elf, board, *run, "--flame", folded)
    assert sum(int(text.rpartition(" ")[2]) for text in folded.read_text().splitlines()) == total
    assert any(text.startswith("uneven;busy;loads.c:") for text in folded.read_text().splitlines())


def test_text(elf, board, words, tmp_path, xlen):
    """The tables of barriers, work-items and CTAs; what is said of a kernel that is a loop over its work-items."""
    run = ("--kernel", "uneven", "--grid", 6, "--block", 64, "--arg", "zero:4K")
    text = prof(elf, board, *run)
    assert f"uneven (loads.c:{BARRIER})" in text and "32 and on" in text and "work-items side by side in groups of 32 take 1." in text
    assert "-fno-loops" not in text and "no room" not in text
    (tmp_path / "looped.c").write_text(LOADS.partition("static")[0])
    looped = tmp_path / "looped.elf"
    subprocess.run([ROOT / "firmware/kernel/ganger-cc", "-g", "--xlen", str(xlen), "-o", looped, tmp_path / "looped.c"], check=True,
                   timeout=300)
    assert "ganger-cc -fno-loops" in prof(looped, board, "--kernel", "meet", "--grid", 6, "--block", 4, "--arg", "zero:4K")
    for option in "--peak", "--bandwidth":
        for wrong in "0", "-1", "inf", "nan", "wide":
            done = run_ganger("prof", elf, option, wrong)
            assert done.returncode == 2 and "no number above 0" in done.stderr


def test_no_room(profiled, monkeypatch):
    """What there was no room for is told; the counts by line are all there."""
    whole = profiled(2, ("uneven", {"grid": 6}))
    monkeypatch.setattr(ganger.profile, "_TURNS", 100)
    monkeypatch.setattr(ganger.profile, "_PATHS", 16)
    part = profiled(2, ("uneven", {"grid": 6}))
    assert whole.lost == (0, 0) and part.lost[0] > 0 and 100 <= len(part.work.turns) <= 102  # One of each SM has not ended.
    assert part.lost[1] > 0 and sum(part.stacks().values()) + part.lost[1] == part.total.instructions
    assert part.lines() == whole.lines()


@pytest.mark.parametrize("code, bits, what", [
    (0x008000ef, 64, CALL), (0x000080e7, 64, CALL), (0x008002ef, 64, CALL), (0x0080006f, 64, 0),  # jal ra; jalr ra; jal t0; j
    (0x00008067, 64, RETURN), (0x00028067, 64, RETURN), (0x00078067, 64, 0),  # ret; jr t0; jr a5
    (0x8082, 64, RETURN), (0x8782, 64, 0), (0x9782, 64, CALL), (0x9002, 64, 0),  # c.jr ra; c.jr a5; c.jalr a5; c.ebreak
    (0x2001, 32, CALL), (0x2001, 64, 0), (0x0000a503, 64, 0), (0x852e, 64, 0),  # c.jal, on 64 bits c.addiw; lw; c.mv
])
def test_calls_and_returns(code, bits, what):
    """What an instruction does to the calls, by its bits."""
    assert _of_calls(code, bits) == what


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


def test_sections_that_are_refused(device):
    """Sections have names, a grid, and room in the device: what is too large is refused before the host makes its zeros."""
    dev = device(1)
    expect("ERR_ARGUMENT", ganger.Sections, dev, [], 1)
    expect("ERR_ARGUMENT", ganger.Sections, dev, ["a"], 0)
    expect("ERR_NO_MEMORY", ganger.Sections, dev, ["a"], 10 ** 12)
    marks = ganger.Sections(dev, ["a", "b"], 3)
    assert marks.buffer.read() == bytes(48) and marks.read() == []
