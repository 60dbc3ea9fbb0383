# SPDX-License-Identifier: Apache-2.0
"""`ganger race`: kernels with one mistake each, the same without, in C and in OpenCL C; the samples; the command."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

import ganger
import pytest
from ganger import race

ROOT = Path(__file__).resolve().parents[2]
CC = [sys.executable, "-B", str(ROOT / "firmware/kernel/ganger-cc"), "--race"]
SOURCE = ROOT / "tests/kernels/race/races.c"
# Kind and the lines' texts; None: nothing is found.
EXPECTED = {
    "bad_shared": ("race", {"tile[i] = i;", "out[get_global_id(0)] = tile[(i + 1) % get_local_size(0)]; /* no barrier before */"}),
    "good_shared": None,
    "bad_global": ("race", {"out[get_local_id(0)] = (uint)get_group_id(0); /* all CTAs write the same words */"}),
    "good_global": None,
    "bad_count": ("race", {"out[0] += 1;"}),
    "good_count": None,
    "meant": None,
    "bad_outside": ("outside", {"out[get_global_id(0) + 1] = 1;"}),
    "bad_neighbour": ("outside", {"out[get_global_id(0) + 128] = 2; /* out has 128 words: this is another buffer */"}),
    "bad_unwritten": ("unwritten", {"out[get_global_id(0)] = tile[get_local_id(0)];"}),
    "bad_barrier": ("barrier", {"barrier(CLK_LOCAL_MEM_FENCE);"}),
    "bad_barriers": ("barrier", {"barrier(CLK_LOCAL_MEM_FENCE);"}),
}


def built(folder, source, xlen, *options):
    produced = folder / f"{source.stem}-{source.suffix[1:]}.elf"
    done = subprocess.run([*CC, "--xlen", str(xlen), *options, "-o", produced, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return produced


@pytest.fixture(scope="module", params=["c", "cl"])
def elf(request, xlen, tmp_path_factory):
    folder = tmp_path_factory.mktemp("race")
    source = folder / f"races.{request.param}"
    shutil.copy(SOURCE, source)
    return built(folder, source, xlen)


@pytest.mark.shared
@pytest.mark.parametrize("name", EXPECTED)
def test_mistakes_are_found_with_their_lines(device, elf, name):
    dev = device(4)
    with dev.load(elf) as module, dev.buffer(bytes(512)) as out, dev.buffer(bytes(512)) as other:
        assert other.address == out.address + 512  # for bad_neighbour
        args = [out, other][:len(module[name].parameters)]
        found = race.check(dev, module[name], args=args, grid=2, block=64, log_bytes=1 << 20)
    if EXPECTED[name] is None:
        assert found.good and found.accesses, str(found)
        return
    kind, texts = EXPECTED[name]
    assert not found.good
    first = next(one for one in found.findings if one.kind == kind)
    lines = SOURCE.read_text().splitlines()
    assert {lines[one.line - 1].strip() for one in first.accesses} == texts
    assert {one.symbol for one in first.accesses} == {name}
    assert {one.kind for one in found.findings} <= {kind, "unwritten"}
    if name == "bad_neighbour":
        assert {one.memory for one in found.findings} == {"out, 4 bytes at +512, has 512 bytes"}


# Arguments: a number of bytes that are written, or a value; grid and block; keywords.
SAMPLES = {
    "barrier_ids": ([8192, 3], 2, 64, {}), "blur": ([512, 512, 32, 16], (4, 2), (8, 8), {}),
    "sobel": ([512, 512, 32, 16], (4, 2), (8, 8), {}), "fill": ([1024, 7, 200], 4, 64, {}),
    "histogram": ([1000, 1024, 1000], 3, 64, {}), "reduce": ([800, 64, 200], 3, 64, {}),
    "saxpy": ([200, ganger.f32(2.0), 800, 800], 4, 64, {}), "scale": ([800, ganger.f32(2.0), 200], 4, 64, {}),
    "vecadd": ([800, 800, 800, 200], 4, 64, {}), "matmul_i32": ([1024, 1024, 1024, 16, 16, 16], (2, 2), (8, 8), {}),
    "matmul_f32": ([1024, 1024, 1024, 16, 16, 16], (2, 2), (8, 8), {}),
    "cluster_matmul": ([4096, 4096, 4096, 32], (2, 2), None, {"cluster": (2, 2)}),
    "cluster_ring": ([1024, 1024, ganger.local(256), 16], 4, 16, {"cluster": 4}),
    "cluster_halo": ([512, 3], 8, 16, {"cluster": 4}),
    "cluster_hist": ([400, 256, 100, ganger.local(64), 16], 4, 16, {"cluster": 4}),
    "blank": ([], 4, 64, {}), "count": ([96, 96 * 16], (3, 1, 2), (2, 2), {}), "spin": ([100, 4], 3, 64, {}),
    "lab": ([16, 1, 100], 4, 64, {}),
    "diverge": ([99, 256], 4, 16, {}),  # The thread that leaves is past the block.
    "nd_fill": ([72 * 60, 60], None, 4, {"range": ganger.Range((3, 4, 5)), "mode": "pull"}),
    "nd_result": ([8 * 5 * 60, 5], None, 4, {"range": ganger.Range((3, 4, 5)), "mode": "pull"}),
}
EMPTY = ("blank",)  # There is nothing to look at.


def test_every_sample_is_there():
    """No sample is left out."""
    assert set(SAMPLES) == {path.stem for path in (ROOT / "firmware/kernel/samples").glob("*.c")}


@pytest.mark.shared
@pytest.mark.parametrize("name", SAMPLES)
def test_no_false_alarm_on_the_samples(device, xlen, tmp_path, name):
    dev = device(4)
    values, grid, block, keywords = SAMPLES[name]
    with dev.load(built(tmp_path, ROOT / f"firmware/kernel/samples/{name}.c", xlen)) as module:
        kernel = module[name]
        args = [dev.buffer(bytes(one)) if parameter.kind == "buffer" else one
                for one, parameter in zip(values, kernel.parameters)]
        found = race.check(dev, kernel, args=args, grid=grid, block=kernel.block or block or 1, **keywords)
    assert found.good and bool(found.accesses) == (name not in EMPTY), str(found)


def test_the_sample_that_is_wrong(device, xlen, tmp_path):
    """The one sample with a mistake: a thread returns while the others wait at the barrier."""
    dev = device(4)
    with dev.load(built(tmp_path, ROOT / "firmware/kernel/samples/diverge.c", xlen)) as module, dev.buffer(bytes(64)) as out:
        found = race.check(dev, module["diverge"], args=[5, out], grid=1, block=16)
    assert found.status == "ERR_DIVERGED" and [one.kind for one in found.findings] == ["barrier"], str(found)
    assert "1 of 16 do not come" in found.findings[0].memory


# CTA 1 may wait for long: its looks at the flag are no accesses that are logged, or they would fill the log.
STOPPED = """static uint look(global uint *flag)
{
	uint seen;

	__asm__ volatile("lw %0, 0(%1)" : "=r"(seen) : "r"(flag) : "memory");
	return seen;
}

kernel void stopped(global uint *flag)
{
	if (get_group_id(0) == 0 && get_local_id(0) == 40) {
		__atomic_store_n(&flag[0], 1, __ATOMIC_RELEASE); /* race-ok */
		for (;;) {
		}
	}
	while (get_group_id(0) == 1 && look(flag) == 0) {
	}
	if (get_group_id(0) == 0 || get_local_id(0) > 0) {
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}
"""


def test_ctas_that_were_stopped_do_not_count(device, xlen, tmp_path):
    """Threads of CTA 0 were on their way to the barrier when CTA 1 diverged and the task ended: only those of CTA 1 count."""
    (tmp_path / "stopped.c").write_text(STOPPED)
    dev = device(4)
    with dev.load(built(tmp_path, tmp_path / "stopped.c", xlen)) as module, dev.buffer(bytes(4)) as flag:
        found = race.check(dev, module["stopped"], args=[flag], grid=2, block=64, log_bytes=1 << 20)
    assert (found.status, found.lost) == ("ERR_DIVERGED", 0), str(found)
    assert [(one.memory.rpartition(", ")[2], one.times, one.accesses[0].cta) for one in found.findings] == [("1 of 64 do not come", 1, 1)]


def test_windows_and_other_contexts(device, elf):
    """Memory behind a window is known; what is beside it is outside."""
    dev = device(4)
    with dev.context(1 << 20) as other, dev.load(elf) as module, other.buffer(bytes(512)) as far:
        for nbytes, good in ((512, True), (256, False)):
            found = race.check(dev, module["good_global"], args=[far.address], windows=[(far.address, nbytes)], grid=2, block=64,
                               log_bytes=1 << 20)
            assert found.good == good and (good or found.findings[0].memory == "window 0, 4 bytes at +256, has 256 bytes"), str(found)
        with other.load(elf) as theirs:  # A kernel of that context has its log there.
            found = race.check(dev, theirs["bad_count"], args=[far], grid=2, block=64, log_bytes=1 << 18)
            assert [one.kind for one in found.findings] == ["race"]


QUEUE = """kernel void take(global uint *out, uint beyond)
{
	const uint first = (uint)get_queue_position();

	for (uint i = 0; i < get_queue_items(); i++) {
		uint *item = (uint *)ganger_queue_item(i); /* the place is the CTA's until it ends */

		out[first + i] = item[0] + item[beyond];
		item[0] = 0;
	}
}
"""


def test_queues(device, xlen, tmp_path):
    """Items of a queue are memory that a kernel may read, again and again; what is behind them is not."""
    (tmp_path / "take.c").write_text(QUEUE)
    dev = device(4)
    shape = ganger.Queue(capacity=4, item_bytes=8, items=2, initial=bytes([1, 0, 0, 0, 2, 0, 0, 0]))
    with dev.load(built(tmp_path, tmp_path / "take.c", xlen)) as module, dev.buffer(bytes(44)) as out:
        for beyond, kinds in ((1, []), (8, ["outside"])):
            found = race.check(dev, module["take"], args=[out, beyond], unwritten=[out], queue=shape, items=bytes(8 * 10), log_bytes=1 << 20)
            assert [one.kind for one in found.findings] == kinds and found.accesses >= 3 * 11, str(found)
        assert out.read(4) != bytes(4) and "items of the queue, 4 bytes at +" in str(found)
        with pytest.raises(ganger.Error, match="give `queue`"):
            race.check(dev, module["take"], args=[out, 1], items=bytes(8))


def test_a_full_log_and_a_kernel_that_does_not_tell(device, elf, xlen):
    dev = device(4)
    with dev.load(elf) as module, dev.buffer(bytes(512)) as out:
        found = race.check(dev, module["good_shared"], args=[out], grid=2, block=64, log_bytes=4096 + 64)
        assert found.lost and not found.good and "log was full" in str(found)
    with dev.load(ganger.build("kernel void none(void) { }", f"--xlen={xlen}").image) as module:
        with pytest.raises(ganger.Error, match="ganger-cc --race") as error:
            race.check(dev, module["none"])
    assert error.value.status == "ERR_UNSUPPORTED"


def command(*words):
    return subprocess.run([ROOT / "host/ganger", "race", *map(str, words)], capture_output=True, text=True, timeout=300)


def test_the_command(elf, board, tmp_path):
    common = [elf, "--board", board, "--sms", 2, "--grid", 1, "--block", 64, "--kernel"]
    good = command(*common, "good_shared", "--arg", f"out:512:{tmp_path}/out.bin")
    assert good.returncode == 0 and good.stdout == "0 findings, 192 accesses\n", good.stderr
    assert (tmp_path / "out.bin").stat().st_size == 512
    bad = command(*common, "bad_count", "--arg", f"out:512:{tmp_path}/out.bin", "--json")
    assert bad.returncode == 1
    kinds = [one["kind"] for one in json.loads(bad.stdout)["findings"]]
    assert kinds == ["race", "unwritten"]  # `out:` counts as not written


@pytest.mark.skipif(not shutil.which("oclgrind-kernel"), reason="Debian's package oclgrind is not installed")
def test_oclgrind_finds_the_same_races(tmp_path):
    shutil.copy(SOURCE, tmp_path / "races.cl")
    for name, expected in EXPECTED.items():
        if name in ("meant", "bad_barriers"):  # Marks are ours, and Oclgrind leaves out writes of the same value.
            continue
        buffers = 1 + (name == "bad_neighbour")
        (tmp_path / "run.sim").write_text(f"races.cl\n{name}\n128 1 1\n64 1 1\n" + buffers * "<size=512 uint fill=0>\n")
        done = subprocess.run(["oclgrind-kernel", "--data-races", "--uninitialized", "run.sim"], cwd=tmp_path,
                              capture_output=True, text=True, errors="replace", timeout=120)
        words = {"race": "data race", "outside": "Invalid write", "unwritten": "Uninitialized value", "barrier": "divergence"}
        said = done.stdout + done.stderr
        assert (words[expected[0]].lower() in said.lower()) if expected else not said.strip(), (name, said)
