# SPDX-License-Identifier: Apache-2.0
"""TMDs that must be refused: one status with field and value, and the device goes on."""
import pytest

from support import LONG, expect, run_good_task, words, zeros

CGA_TYPES = (3, 4, 5, 7)  # GPC_CGA, GPU_CGA, GPU_GPC_CGA, CGA

# A grid of CGAs that would run, but for what a check sets: 20 CTAs in CGAs of 5.
FIVES = {"type": 3, "cluster_x": 5, "cluster_y": 1, "cluster_z": 1}
PAIRS = {"type": 5, "cluster_x": 5, "cluster_y": 1, "cluster_z": 1, "outer_x": 2, "outer_y": 1,
         "outer_z": 1}
FREE = {**PAIRS, "type": 7, "cluster_domain": 2, "outer_domain": 1}

# (fields to set, status, field that the completion names, its value)
CHECKS = [
    ({"version": 0}, "ERR_TMD_VERSION", "version", 0),
    ({"version": 9}, "ERR_TMD_VERSION", "version", 9),
    ({"type": 6}, "ERR_GRAPH_FORMAT", "queue", 0),
    ({"type": 8}, "ERR_TMD_TYPE", "type", 8),
    ({"type": 15}, "ERR_TMD_TYPE", "type", 15),
    *[({"type": number}, "ERR_CLUSTER", "cluster_x", 0) for number in CGA_TYPES],
    ({"priority": 0}, "ERR_PRIORITY", "priority", 0),
    ({"priority": 11}, "ERR_PRIORITY", "priority", 11),
    ({"priority": 15}, "ERR_PRIORITY", "priority", 15),
    ({"mode": 2}, "ERR_MODE", "mode", 2),
    ({"mode": 3, "sequential": 1}, "ERR_MODE", "sequential", 1),
    ({"mode": 4}, "ERR_MODE", "mode", 4),
    ({"mode": 14}, "ERR_MODE", "mode", 14),
    ({"quota_enable": 1}, "ERR_ARGUMENT", "quota", 0),
    ({"quota": 1}, "ERR_ARGUMENT", "quota", 1),
    ({"closed": 1}, "ERR_QUEUE", "closed", 1),
    ({"reserved": 1}, "ERR_TMD_RESERVED", "reserved", 1),
    ({"reserved": 8}, "ERR_TMD_RESERVED", "reserved", 8),
    ({"gpc_mask": 4}, "ERR_AFFINITY", "gpc_mask", 4),
    ({"affinity": 1}, "ERR_AFFINITY", "affinity", 1),
    ({"affinity": 0x80000000}, "ERR_AFFINITY", "affinity", 0x80000000),
    *[({name: 1}, "ERR_QUEUE", "queue", None) for name in ("queue", "queue_hi")],
    ({"grid_x": 9, "queue_items": 10}, "ERR_RESUME", "queue_items", 10),
    ({"grid_x": 9, "resume": 8, "queue_items": 2}, "ERR_RESUME", "queue_items", 2),
    ({"queue_minimum": 1}, "ERR_RESUME", "queue_items", 0x10000),
    ({"dependence_count": 1 << 31}, "ERR_DEPENDENT", "dependence_count", 1 << 31),
    ({"dependents": 4}, "ERR_DEPENDENT", "dependents", 4),
    ({"dependent_count": 1}, "ERR_DEPENDENT", "dependents", 0),
    ({"dependent_count": 65}, "ERR_DEPENDENT", "dependent_count", 65),
    ({"after": 4}, "ERR_DEPENDENT", "after", 4),
    ({"after_count": 1}, "ERR_DEPENDENT", "after", 0),
    ({"after_count": 65}, "ERR_DEPENDENT", "after_count", 65),
    ({"after_count": 0xffffffff}, "ERR_DEPENDENT", "after_count", 0xffffffff),
    ({"windows": 4}, "ERR_WINDOW_RANGE", "windows", 4),
    ({"window_count": 1}, "ERR_WINDOW_RANGE", "windows", 0),
    ({"window_count": 5}, "ERR_WINDOW_RANGE", "window_count", 5),
    ({"print": 4}, "ERR_ARGUMENT", "print", 4),
    ({"print_bytes": 64}, "ERR_ARGUMENT", "print", 0),
    ({"semaphore0_op": 8}, "ERR_SEMAPHORE", "semaphore0_op", 8),
    ({"semaphore1_op": 0xffffffff}, "ERR_SEMAPHORE", "semaphore1_op", 0xffffffff),
    ({"semaphore0_op": 1}, "ERR_SEMAPHORE", "semaphore0", 0),
    ({"semaphore1_op": 2, "semaphore1": 0x80000000}, "ERR_SEMAPHORE", "semaphore1", 0x80000000),
    ({"semaphore1_op": 2, "semaphore1": 1 << 62}, "ERR_SEMAPHORE", "semaphore1", 1 << 62),
    ({"grid_x": 0}, "ERR_GRID_ZERO", "grid_x", 0),
    ({"grid_y": 0}, "ERR_GRID_ZERO", "grid_y", 0),
    ({"grid_z": 0}, "ERR_GRID_ZERO", "grid_z", 0),
    ({"grid_x": 0xffffffff, "grid_y": 0xffff, "grid_z": 0xffff, "block_x": 1},
     "ERR_GRID_OVERFLOW", "grid_x", 0xffffffff * 0xffff * 0xffff),
    ({"block_x": 0}, "ERR_BLOCK_ZERO", "block_x", 0),
    ({"block_y": 0}, "ERR_BLOCK_ZERO", "block_y", 0),
    ({"block_z": 0}, "ERR_BLOCK_ZERO", "block_z", 0),
    ({"block_x": 1025}, "ERR_BLOCK_TOO_LARGE", "block_x", 1025),
    ({"block_x": 33, "block_y": 32}, "ERR_BLOCK_TOO_LARGE", "block_x", 1056),
    ({"block_x": 1, "block_z": 1025}, "ERR_BLOCK_TOO_LARGE", "block_x", 1025),
    ({"block_x": 0xffff, "block_y": 0xffff, "block_z": 0xffff}, "ERR_BLOCK_TOO_LARGE", "block_x",
     0xffff ** 3),
    ({"block_reserved": 1}, "ERR_TMD_RESERVED", "block_reserved", None),
    ({"retry_limit": 16}, "ERR_UNSUPPORTED", "retry_limit", 16),
    ({"chunk": 1}, "ERR_CHUNK", "chunk", 1),
    *[({name: 1}, "ERR_CLUSTER", name, 1) for name in (
        "cluster_x", "cluster_y", "cluster_z", "cluster_domain", "outer_x", "outer_y", "outer_z",
        "outer_domain", "top_x", "top_y", "top_z", "top_domain")],
    ({"cluster_reserved": 1}, "ERR_TMD_RESERVED", "cluster_reserved", 1),
    ({**FIVES, "cluster_reserved": 2}, "ERR_TMD_RESERVED", "cluster_reserved", 2),
    ({**FIVES, "grid_x": 0}, "ERR_GRID_ZERO", "grid_x", 0),
    ({**FIVES, "cluster_x": 3}, "ERR_CLUSTER", "grid_x", 20),
    ({**FIVES, "cluster_x": 40}, "ERR_CLUSTER", "grid_x", 20),
    ({**FIVES, "cluster_y": 2}, "ERR_CLUSTER", "grid_y", 1),
    ({**FIVES, "cluster_z": 0}, "ERR_CLUSTER", "cluster_z", 0),
    ({**FIVES, "cluster_x": 0xffff, "cluster_y": 0xffff, "cluster_z": 0xffff}, "ERR_CLUSTER",
     "cluster_x", 0xffff ** 3),
    ({**FIVES, "cluster_domain": 1}, "ERR_CLUSTER", "cluster_domain", 1),
    ({**FIVES, "outer_x": 2}, "ERR_CLUSTER", "outer_x", 2),
    ({**FIVES, "mode": 1}, "ERR_MODE", "mode", 1),
    ({**FIVES, "mode": 3}, "ERR_MODE", "mode", 3),
    ({**FIVES, "mode": 2}, "ERR_CLUSTER", "mode", 4),
    ({**FIVES, "throttle": 1}, "ERR_UNSUPPORTED", "throttle", 1),
    ({**FIVES, "window_count": 4}, "ERR_WINDOW_RANGE", "window_count", 4),
    ({**FIVES, "resume": 6}, "ERR_RESUME", "resume", 6),
    ({**PAIRS, "resume": 5}, "ERR_RESUME", "resume", 5),
    ({**PAIRS, "outer_x": 0}, "ERR_CLUSTER", "outer_x", 0),
    ({**PAIRS, "outer_x": 3}, "ERR_CLUSTER", "grid_x", 20),
    ({**PAIRS, "top_x": 1, "top_y": 1, "top_z": 1}, "ERR_CLUSTER", "top_x", 1),
    ({**FREE, "outer_domain": 2}, "ERR_CLUSTER", "outer_domain", 2),
    ({**FREE, "outer_domain": 3}, "ERR_CLUSTER", "outer_domain", 3),
    ({**FREE, "top_x": 2, "top_y": 1, "top_z": 1, "top_domain": 1}, "ERR_CLUSTER", "top_domain", 1),
    ({**FIVES, "grid_x": 33, "cluster_x": 33}, "ERR_CLUSTER", "cluster_x", 32),
    ({**FIVES, "type": 4, "grid_x": 65, "cluster_x": 65}, "ERR_CLUSTER", "cluster_x", 64),
    ({**PAIRS, "grid_x": 65, "outer_x": 13}, "ERR_CLUSTER", "outer_x", 12),
    ({**FREE, "grid_x": 80, "cluster_domain": 3, "outer_x": 4, "top_x": 4, "top_y": 1, "top_z": 1},
     "ERR_CLUSTER", "top_x", 2),
    ({"resume": 20}, "ERR_RESUME", "resume", 20),
    ({"resume": 1 << 63}, "ERR_RESUME", "resume", 1 << 63),
    ({"code_bytes": 0}, "ERR_CODE_RANGE", "code", None),
    ({"code": 0}, "ERR_CODE_RANGE", "code", 0),
    ({"code": 0x80000000, "entry": 0x80000000}, "ERR_CODE_RANGE", "code", 0x80000000),
    ({"code": 1 << 62}, "ERR_CODE_RANGE", "code", 1 << 62),
    ({"code_bytes": 0xfffffffc}, "ERR_CODE_RANGE", "code", None),
    ({"code_bytes": 6}, "ERR_CODE_RANGE", "code", None),
    ({"entry": 0}, "ERR_ENTRY", "entry", 0),
    ({"entry": 0x80000000}, "ERR_ENTRY", "entry", 0x80000000),
    ({"entry": 1 << 63}, "ERR_ENTRY", "entry", 1 << 63),
    ({"args": 0, "args_bytes": 16}, "ERR_ARGS_RANGE", "args", 0),
    ({"args": 0x80080000, "args_bytes": 16}, "ERR_ARGS_RANGE", "args", 0x80080000),
    ({"args": 1 << 63, "args_bytes": 0xffffffff}, "ERR_ARGS_RANGE", "args", 1 << 63),
    ({"heap": 0}, "ERR_HEAP_RANGE", "heap", 0),
    ({"heap": 0x80000000}, "ERR_HEAP_RANGE", "heap", 0x80000000),
    ({"heap_bytes": (1 << 64) - 4}, "ERR_HEAP_RANGE", "heap", None),
    ({"heap_bytes": 4097}, "ERR_HEAP_RANGE", "heap", None),
    ({"shared_bytes": 65537}, "ERR_SHARED_TOO_LARGE", "shared_bytes", 65537),
    ({"shared_bytes": 0xffffffff}, "ERR_SHARED_TOO_LARGE", "shared_bytes", 0xffffffff),
    ({"private_bytes": 0}, "ERR_ARGUMENT", "private_bytes", 0),
    ({"private_bytes": 24}, "ERR_ARGUMENT", "private_bytes", 24),
    ({"private_bytes": 1 << 22}, "ERR_PRIVATE_TOO_LARGE", "private_bytes", 1 << 22),
    ({"private_bytes": 4096, "barrier": 1, "block_x": 1024}, "ERR_PRIVATE_TOO_LARGE",
     "private_bytes", 4096 * 1024),
]


def good_tmd(dev, load):
    """A TMD of 20 CTAs that would run, and what they count."""
    counts = zeros(dev, 20)
    return dev.tmd(load(dev, "work")["count"], grid=(20,), block=(4,), args=[counts]), counts


def test_short(device, load):
    """S0-R02: rare words of a short TMD count as zero. The library makes short ones, but those that have rare words, or that the
    caller may still change."""
    dev = device(8)
    tmd, counts = good_tmd(dev, load)
    assert tmd.short == 0
    tmd.short, tmd.affinity, tmd.quota, tmd.dependence_count, tmd.window_count = 1, 0x80000000, 1, 1, 9
    assert dev.submit_tmd(tmd).wait(LONG).ctas == 20
    assert words(counts.read()) == [1] * 20

    def is_short(**keywords):
        task = dev.submit(load(dev, "work")["blank"], **keywords)
        task.wait(LONG)
        return int.from_bytes(dev.read(task.address, 4), "little") >> 27 & 1

    assert is_short(grid=3, block=2, priority=2) == 1
    assert is_short(affinity=[0]) == is_short(grid=9, quota=2) == is_short(grid=4, cluster=2) == 0


def name_of(check):
    """A test's name."""
    return " ".join(f"{field}={value}" for field, value in check[0].items())


@pytest.mark.parametrize("check", CHECKS, ids=name_of)
def test_refused(device, load, check):
    """S0-R02, S0-R03, S3-R42: the CP refuses what is wrong, and what it cannot do yet, with the field; nothing ran.

    S1-R36, S1-R37, S1-Q10: so it does with CGAs that are wrong, or that can never fit. Zero-sized grids and
    those that were no multiple of their cluster ran forever elsewhere (defect 5), unknown things completed as
    success (defect 4), what did not fit was clamped (defect 11).
    """
    dev = device(8)
    fields, status, field, value = check
    tmd, counts = good_tmd(dev, load)
    for name, number in fields.items():
        setattr(tmd, name, number)
    before = dev.stat()
    error = expect(status, dev.submit_tmd(tmd).wait, LONG)
    assert error.field and error.field.startswith("tmd."), error
    assert field is None or error.field == f"tmd.{field}", error
    assert value is None or error.value == value, error
    after = dev.stat()
    assert after["refused"] - before["refused"] == 1
    assert after["tasks_accepted"] == before["tasks_accepted"]
    assert words(counts.read()) == [0] * 20
    run_good_task(dev, load(dev, "work"))


def test_ids_that_do_not_fit(device, load, xlen):
    """S0-R04: more work-items along x than the XLEN can number are refused; RV64 can number them all."""
    dev = device(8)
    tmd, _counts = good_tmd(dev, load)
    tmd.grid_x, tmd.block_x = 0xffffffff, 2
    if xlen == 32:
        error = expect("ERR_GRID_OVERFLOW", dev.submit_tmd(tmd).wait, LONG)
        assert (error.field, error.value) == ("tmd.grid_x", 0xffffffff * 2)
    else:
        tmd.resume = 0xffffffff - 1  # All but the last CTA are said to be done.
        tmd.grid_y, tmd.entry = 1, tmd.code + tmd.code_bytes
        assert expect("ERR_ENTRY", dev.submit_tmd(tmd).wait, LONG).field == "tmd.entry"


@pytest.mark.parametrize("where", ["null", "misaligned", "cp", "abi", "end", "past", "far", "odd"])
def test_address_of_the_tmd(device, load, where):
    """S0-R02: a TMD that is misaligned or outside device memory."""
    dev = device(8)
    tmd, _counts = good_tmd(dev, load)
    info = dev.info
    address, status = {
        "null": (0, "ERR_TMD_RANGE"), "misaligned": (tmd.address + 128, "ERR_TMD_ALIGN"),
        "cp": (0x80000000, "ERR_TMD_RANGE"), "abi": (info.base, "ERR_TMD_RANGE"),
        "end": (info.ram + info.ram_bytes, "ERR_TMD_RANGE"),
        "past": (info.heap + info.heap_bytes, "ERR_TMD_RANGE"),
        "far": ((1 << 64) - 256, "ERR_TMD_RANGE"), "odd": (tmd.address + 1, "ERR_TMD_ALIGN")}[where]
    error = expect(status, dev.submit_tmd(tmd, address=address).wait, LONG)
    assert (error.field, error.value) == ("command.address", address)
    run_good_task(dev, load(dev, "work"))


def test_generation(device, load):
    """S0-R02: a TMD whose generation is not the command's is refused (defect 9)."""
    dev = device(8)
    tmd, counts = good_tmd(dev, load)
    generation = tmd.generation
    error = expect("ERR_GENERATION", dev.submit_tmd(tmd, generation=generation + 1).wait, LONG)
    assert (error.field, error.value) == ("tmd.generation", generation)
    assert dev.submit_tmd(tmd).wait(LONG).ctas == 20
    assert words(counts.read()) == [1] * 20


@pytest.mark.parametrize("resume", [0, 1, 13, 19])
def test_resume_position(device, load, resume):
    """S0-R02, S0-R13: a task that begins at a position runs the CTAs from there on, and no other."""
    dev = device(8)
    tmd, counts = good_tmd(dev, load)
    tmd.resume = resume
    assert dev.submit_tmd(tmd).wait(LONG).ctas == 20 - resume
    assert words(counts.read()) == [0] * resume + [1] * (20 - resume)


def test_the_copy_counts(device, load):
    """S0-R01: the CP copies the TMD: changing it after its acceptance changes nothing."""
    dev = device(1)
    counts = zeros(dev, 2000)
    tmd = dev.tmd(load(dev, "work")["count"], grid=(2000,), block=(1,), args=[counts])
    task = dev.submit_tmd(tmd)
    dev.nop()
    tmd.grid_x = tmd.version = tmd.code_bytes = 0
    tmd.store()
    assert task.wait(LONG).ctas == 2000
    assert words(counts.read()) == [1] * 2000


def test_random_tmds(device, load, seed):
    """S0-R02: 300 TMDs of random bytes are refused, each once."""
    dev = device(8)
    tmd, _counts = good_tmd(dev, load)
    before = dev.stat()["refused"]
    for round_number in range(300):
        tmd.raw[:] = seed.randbytes(256)
        if round_number % 2:
            tmd.version, tmd.type, tmd.priority, tmd.mode = 1, 0, 5, 0
            tmd.closed = tmd.short = tmd.reserved = 0
        tmd.cluster_reserved |= 1
        error = expect_refusal(dev.submit_tmd(tmd))
        assert error.field, error
    assert dev.stat()["refused"] - before == 300
    run_good_task(dev, load(dev, "work"))


def expect_refusal(task):
    """The error of a task that must not run."""
    with pytest.raises(Exception) as caught:
        task.wait(LONG)
    assert caught.value.status.startswith("ERR_")
    return caught.value
