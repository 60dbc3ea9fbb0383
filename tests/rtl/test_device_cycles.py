# SPDX-License-Identifier: Apache-2.0
"""`ganger prof --connect` and ganger.CycleProfile: cycles of kernels on RTL whose cycles can be told beforehand."""
import json
import os
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import ganger
from device_support import LONG, ROOT, Machine, expect, kernel_path, simulation, zeros

CTAS, TURNS, STEPS = 6, 40, 4  # Turns of the loop in the first CTA, instructions of a turn.
LATE = 2048  # Cycles: the simulator says every 1024 how far it is.


def least(cta):
    """Cycles that the loop of a CTA takes at least: no instruction takes less than one."""
    return (cta + 1) * TURNS * STEPS


def checked(profile, begin, end, ctas=CTAS):
    """What holds on each core, for a run between these cycles of the simulator: which CTAs there were, and when; sums are sums."""
    by_cta = sorted(profile.ctas, key=lambda one: one.cta)
    assert [one.cta for one in by_cta] == list(range(ctas)) and profile.lost == 0
    for one in by_cta:
        assert begin - LATE <= one.start < one.start + one.cycles <= end + LATE
        assert one.cycles >= least(one.cta)
    sms = profile.sms()
    assert sum(one.ctas for one in sms) == ctas and all(one.ctas for one in sms) and len(sms) == 2
    assert all(0 < one.busy <= one.cycles for one in sms) and 1 <= profile.imbalance <= 2
    task, = profile.tasks()
    assert (task.ctas, task.cycles) == (ctas, sum(one.cycles for one in by_cta))
    assert (task.least, task.most) == (min(one.cycles for one in by_cta), max(one.cycles for one in by_cta))
    assert task.most <= task.span < task.whole and max(one.busy for one in sms) <= task.span
    assert sum(profile.stacks().values()) == task.cycles
    return by_cta


@pytest.mark.parametrize("board", ["refsoc-vexriscv", "refsoc-cv32e40p"])
def test_sections(tmp_path, board):
    """S3-R27: on cores whose counter kernels can read cycles by CTA, SM and section: no section is longer than its CTA, although
    the core counts the one, the device's clock the other. The command tells the same."""
    with simulation(board, tmp_path) as sim:
        with sim.connect() as dev:
            machine = Machine(sim, dev)
            marks = ganger.Sections(dev, ["turns", "store"], ctas=CTAS)
            dev.trace_on(LONG, most=1000)
            begin = sim.cycle()
            task = dev.submit(machine.kernel("sections", "cycles"), grid=CTAS, args=[TURNS, zeros(dev, CTAS), marks.buffer])
            machine.finish(task)
            end = sim.cycle()
            dev.trace_off(LONG)
            profile = ganger.CycleProfile.of(dev, dev.trace(), {task.tag: marks})
        by_cta = checked(profile, begin, end)
        found = {(mark.section, mark.cta): mark for mark in profile.marks[task.tag]}
        for one in by_cta:
            turns, store = found["turns", one.cta], found["store", one.cta]
            assert turns.times == store.times == 1 and store.cycles > 0
            assert least(one.cta) <= turns.cycles and turns.cycles + store.cycles <= one.cycles
        assert [(one.section, one.ctas, one.times) for one in profile.sections()] == [("turns", CTAS, CTAS), ("store", CTAS, CTAS)]

        def prof(*options, status=0):
            done = subprocess.run(
                [sys.executable, "-m", "ganger", "prof", str(kernel_path(board, "cycles")), "--kernel", "sections",
                 "--grid", str(CTAS), "--arg", str(TURNS), "--arg", f"zero:{4 * CTAS}", "--connect", f"mmap:{sim.ram}", *options],
                capture_output=True, text=True, check=False, timeout=LONG, env={**os.environ, "PYTHONPATH": str(ROOT / "host/python")})
            assert done.returncode == status, done.stderr
            return done.stdout if status == 0 else done.stderr

        told = json.loads(prof("--sections", "turns,store", "--json", "--flame", str(tmp_path / "f.svg")))
        assert [one["cta"] for one in sorted(told["ctas"], key=lambda one: one["cta"])] == list(range(CTAS))
        sections = {one["section"]: one for one in told["sections"]}
        assert sections["turns"]["least"] >= TURNS * STEPS and sections["store"]["times"] == CTAS
        xml.etree.ElementTree.parse(tmp_path / "f.svg")
        assert "store: " in (tmp_path / "f.svg").read_text() and " cycles, " in (tmp_path / "f.svg").read_text()
        assert "--callgrind needs counts of instructions" in prof("--sections", "turns,store", "--callgrind", "x", status=1)
        text = prof("--sections", "turns,store")
        print(text)
        assert "busiest SM: " in text and "section" in text


@pytest.mark.parametrize("board", ["refsoc"])
def test_ibex(tmp_path, board):
    """S3-R27: Ibex has no counter that kernels can read: to read it is a fault. CTAs have their cycles all the same."""
    with simulation(board, tmp_path) as sim, sim.connect() as dev:
        machine = Machine(sim, dev)
        dev.trace_on(LONG, most=1000)
        kernel, begin = machine.kernel("turns", "cycles"), sim.cycle()
        machine.finish(dev.submit(kernel, grid=CTAS, args=[TURNS, zeros(dev, CTAS)]))
        end = sim.cycle()
        dev.trace_off(LONG)
        checked(ganger.CycleProfile.of(dev, dev.trace()), begin, end)
        marks = ganger.Sections(dev, ["turns", "store"], ctas=CTAS)
        task = dev.submit(machine.kernel("sections", "cycles"), grid=CTAS, args=[TURNS, zeros(dev, CTAS), marks.buffer])
        expect("ERR_FAULT_ILLEGAL", machine.finish, task)
        assert marks.read() == []
