# SPDX-License-Identifier: Apache-2.0
"""Kernels as loops over their work-items, against the same kernels with threads."""
import random
import subprocess
import sys

import pytest

import ganger
import random_barriers
from support import LONG, expect, words, zeros

GROUPS, KERNELS = 3, 5
BLOCKS = ((1,), (5,), (64,), (4, 3, 2), (1, 7))

MEETS = """\
kernel void meets(global uint *out, uint culprit)
{
	local uint shared[64];
	uint me = get_local_id(0);

	shared[me] = me;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (me == culprit) {
		*(volatile global uint *)8 = shared[0];
	}
	out[me] = shared[63 - me];
}
"""


def compiled(root, folder, xlen, source, *options):
    """(ELF, what ganger-cc said) of a source."""
    produced = folder / f"{source.stem}{len(list(folder.iterdir()))}.elf"
    command = [sys.executable, root / "firmware/kernel/ganger-cc", "-v", "--xlen", str(xlen), *options, "-o", produced,
               source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return produced, done.stderr


def results(dev, module, block, number):
    """What all kernels write."""
    items = 1
    for size in block:
        items *= size
    outputs = [zeros(dev, GROUPS * items) for _ in range(KERNELS)]
    tasks = [dev.submit(module[f"k{n}"], grid=GROUPS, block=block, args=[out, number]) for n, out in enumerate(outputs)]
    for task in tasks:
        task.wait(LONG)
    return [words(out.read()) for out in outputs]


def compare(dev, root, source, dice):
    """Random kernels: the same with loops and with threads, for each block."""
    source.write_text(random_barriers.program(dice, source.suffix[1:], KERNELS))
    loops, said = compiled(root, source.parent, dev.info.xlen, source)
    threads, _said = compiled(root, source.parent, dev.info.xlen, source, "-fno-loops")
    assert "no loops are made" not in said, said
    modules = [dev.load(str(elf)) for elf in (loops, threads)]
    for block in BLOCKS:
        for number in (0, 1, 6):
            assert results(dev, modules[0], block, number) == results(dev, modules[1], block, number), \
                (block, number, source.read_text())


@pytest.fixture(scope="module")
def root(request):
    """The repository."""
    return request.config.rootpath


@pytest.mark.shared
@pytest.mark.parametrize("suffix", ["c", "cl"])
@pytest.mark.parametrize("turn", range(3))
def test_random_kernels(device, root, tmp_path, seed, suffix, turn):
    """S3-R85, S3-R96, S3-R98, S3-R99, S3-C5: barriers in loops, branches and functions: the same with loops and with
    threads, for each block."""
    compare(device(2), root, tmp_path / f"random{turn}.{suffix}", seed)


def test_branches_over_many_barriers(device, root, tmp_path):
    """S3-R96, S3-R98: a kernel with a branch that is just short enough, if the barriers that it goes over are counted
    as they are."""
    compare(device(2), root, tmp_path / "far.cl", random.Random(1390692486))


@pytest.mark.parametrize("suffix", ["c", "cl"])
def test_fault_in_a_loop(device, root, tmp_path, suffix):
    """S3-R8, S3-R121: a fault names the work-item, the function and the line, as with threads."""
    dev, source = device(2), tmp_path / f"meets.{suffix}"
    source.write_text(MEETS)
    for options in ((), ("-fno-loops",)):
        elf, said = compiled(root, tmp_path, dev.info.xlen, source, "-g", *options)
        assert options or "keeps its threads" not in said
        kernel = dev.load(str(elf))["meets"]
        for culprit in (0, 5, 63):
            task = dev.submit(kernel, block=64, args=[zeros(dev, 64), culprit])
            record = expect("ERR_FAULT_ACCESS", task.wait, LONG).record
            assert (record.thread, record.address, record.symbol) == (culprit, 8, "meets")
            if suffix == "c":
                assert record.file.endswith(source.name) and record.line == 9


UNUSED = """\
kernel void empty(local_pointer(uint) memory)
{
	(void)memory;
}

kernel void meets(global uint *out, uint unused)
{
	(void)unused;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = 7;
}
"""


def test_parameters_that_nothing_uses(device, root, tmp_path):
    """S3-R85: a kernel that became a loop keeps all its parameters, used or not."""
    dev, source = device(2), tmp_path / "unused.c"
    source.write_text(UNUSED)
    module = dev.load(compiled(root, tmp_path, dev.info.xlen, source)[0])
    dev.submit(module["empty"], grid=2, block=3, args=[ganger.local(64)]).wait(LONG)
    out = zeros(dev, 4)
    dev.submit(module["meets"], grid=2, block=2, args=[out, 9]).wait(LONG)
    assert words(out.read()) == [7] * 4
