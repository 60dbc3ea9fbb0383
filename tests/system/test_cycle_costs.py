# SPDX-License-Identifier: Apache-2.0
"""Cycles that are estimated from a profile: how instructions are read, which branches were taken, and what the command says.
tests/rtl/test_estimates.py compares them with cycles."""
import json
import re
import subprocess

import pytest

import ganger
from ganger.cycle_costs import CORES, instruction
from support import expect, run_ganger

SOURCE = """kernel void loop(global uint *out, uint n)
{
	uint sum = 0;

	__asm__ volatile(".option norvc\\n\\t"
			 "1: andi t0, %1, 1\\n\\t"
			 "beqz t0, 2f\\n\\t"
			 "addi %0, %0, 3\\n\\t"
			 "2: addi %1, %1, -1\\n\\t"
			 "bnez %1, 1b\\n\\t"
			 : "+r"(sum), "+r"(n) : : "t0");
	out[get_global_linear_id()] = sum;
}
"""
KINDS = {"mul": "multiply", "mulw": "multiply", "j": "jump", "jal": "jump", "jr": "jump_register", "jalr": "jump_register", "ret": "jump_register"}
KINDS |= dict.fromkeys(("mulh", "mulhu", "mulhsu"), "multiply_high")
KINDS |= dict.fromkeys(("lb", "lbu", "lh", "lhu", "lw", "lwu", "ld"), "load") | dict.fromkeys(("sb", "sh", "sw", "sd"), "store")
LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f]+) +\t([a-z0-9.]+)(?:\t(\S+))?")


def kind_of(word):
    """Of a mnemonic of objdump."""
    if re.fullmatch(r"b[a-z]+", word) and word not in ("bclr", "bclri", "bext", "bexti", "binv", "binvi", "bset", "bseti"):
        return "branch"
    if re.match(r"(div|rem)", word):
        return "divide"
    if re.match(r"(amo|lr\.|sc\.)", word):
        return "atomic"
    if word.startswith("f") and not word.startswith("fence"):
        return "float"
    return KINDS.get(word, "alu")


@pytest.mark.parametrize("image", ["cp.elf", "sm.elf"])
def test_instructions_are_read(build, board, xlen, image):
    """S3-R27: kind, length and target of each instruction of an image are those that objdump tells."""
    said = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", build / board / image], capture_output=True, text=True,
                          check=True).stdout
    counted = 0
    for line in said.splitlines():
        match = LINE.match(line)
        if not match or match[3] in ("unimp", "c.unimp") or match[3].startswith("."):
            continue
        at, code, word = int(match[1], 16), int(match[2], 16), match[3].removeprefix("c.")
        word = {"jal": "jal", "addi4spn": "addi", "lwsp": "lw", "swsp": "sw", "ldsp": "ld", "sdsp": "sd"}.get(word, word)
        found = instruction(code, at, xlen)
        assert (found.kind, found.nbytes) == (kind_of(word), len(match[2]) // 2), line
        if found.target is not None:
            assert found.target == int(match[4].rpartition(",")[2], 16), line
        counted += 1
    assert counted > 2000


@pytest.fixture(name="profile")
def profile_fixture(board, xlen, build, tmp_path):
    """Two CTAs of 101 turns, on one SM; every second turn a branch over an addition is taken."""
    image = tmp_path / "loop.elf"
    image.write_bytes(ganger.build(SOURCE, f"--xlen={xlen}").image)
    with ganger.Profiler() as profiler, ganger.Device.boot(board, sms=1, plugin=profiler.plugin(build)) as dev:
        module = dev.load(image)
        profiler.watch(dev, module)
        out = dev.buffer(bytes(8))
        dev.submit(module["loop"], grid=2, args=[out, 101]).wait(60)
        return profiler.read(dev)


def test_estimate(profile):
    """S3-R27: of a loop whose branches are known, by core: each turn costs what its instructions cost. Memory that is slower costs
    each access, SMs share the CTAs."""
    core = CORES["refsoc"]
    estimate = ganger.estimate_cycles(profile, "refsoc")
    turns = 101 * (3 * core.alu - core.alu) + 51 * (core.alu + core.branch) + 50 * core.taken + 100 * core.taken + core.branch
    assert 0 < estimate.functions["loop"] / 2 - turns < 100  # What is around the loop.
    accessing = [(row.cost, instruction(row.code, row.offset, profile.xlen)) for row in profile.rows]
    stack = 2
    accesses = sum(cost.instructions for cost, one in accessing if (cost.loaded or cost.stored) and one.read[0] != stack)
    slow = ganger.estimate_cycles(profile, "refsoc", memory=40)
    assert slow.total - estimate.total == 40 * accesses > 0
    assert estimate.span() == pytest.approx(estimate.total * (1 + core.slices) + core.first + core.more)
    assert estimate.span(256) == estimate.cta() + core.first
    expect("ERR_ARGUMENT", ganger.estimate_cycles, profile, "cray")
    expect("ERR_ARGUMENT", ganger.estimate_cycles, profile, "refsoc", memory=-1)
    expect("ERR_ARGUMENT", estimate.span, 0)


@pytest.mark.shared
def test_command(board, tmp_path, xlen, sample_path):
    """S3-R27: the estimate as text and as JSON; what does not fit is refused."""
    (tmp_path / "loop.elf").write_bytes(ganger.build(SOURCE, f"--xlen={xlen}").image)
    words = ["prof", tmp_path / "loop.elf", "--grid", 6, "--arg", "out:24:o", "--arg", 101, "--board", board, "--sms", 2]
    done = run_ganger(*words, "--like", "refsoc", "--spread", 3, folder=tmp_path)
    assert re.search(r"as on refsoc: [\d,]+ cycles in kernels, \d{3} for each CTA; 6 CTAs on 3 SMs: [\d,]+ cycles from", done.stdout), done.stderr
    told = json.loads(run_ganger(*words, "--like", "refsoc", "--memory", 40, "--json", folder=tmp_path).stdout)["estimate"]
    assert told["memory"] == 40 and told["span"] > told["cta"] > 600 and told["functions"]
    for more, said in ((("--like", "cray"), "There are figures of refsoc"), (("--like", "refsoc", "--spread", 0), "is no number of SMs"),
                       (("--like", "refsoc", "--memory", -1), "no number above 0"),
                       (("--like", "refsoc", "--connect", "mmap:x"), "--connect tells its own")):
        done = run_ganger(*words, *more, folder=tmp_path)
        assert done.returncode and said in done.stderr, done.stderr
    floats = run_ganger("prof", sample_path("saxpy"), "--arg", 1, "--arg", "f32:1", "--arg", "zero:4", "--arg", "zero:4", "--board", board, "--sms", 1,
                        "--like", "refsoc-vexmin", folder=tmp_path)
    assert floats.returncode and "ganger-cc -march=" in floats.stderr, floats.stderr
