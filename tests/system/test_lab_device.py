# SPDX-License-Identifier: Apache-2.0
"""`ganger lab run --device`: a workload on a real device beside the simulation. Counts are compared, no times."""
import json
import re
import subprocess
import sys

import pytest

import ganger
from ganger import lab
from ganger.lab import images, on_device

pytestmark = pytest.mark.shared


def command(*words):
    return subprocess.run([sys.executable, "-m", "ganger.cli", "lab", "run", "--device", *map(str, words)],
                          capture_output=True, text=True, check=False, timeout=600)


def test_counts(board, tmp_path):
    """S0-R34: each CTA runs once; with round robin each has a packet, as in the simulation; tasks of all priorities, shapes and
    needs that the workload has are posted."""
    done = command("--board", board, "--sms", 2, "--tasks", 20, "--workload", "mixed", "--json", "--save", tmp_path)
    assert done.returncode == 0, done.stderr
    found, ctas = json.loads(done.stdout), sum(task.ctas for task in lab.read_workload(tmp_path / "mixed.jsonl").tasks)
    assert found["machine"] == {"sms": 2, "slots": 8, "lanes": 1, "block_ns": 0} and found["pace"] == on_device.PACE
    assert all(0 <= one["late_50_us"] <= one["late_most_us"] for one in found["device"])
    for there, here in zip(found["device"], found["runs"]):
        assert (there["workload"], there["policy"]) == (here["workload"], here["policy"])
        assert there["evictions"] == here["evictions"] == 0 and 0 < there["busy"] <= 1 and there["makespan_ms"] > 0
    assert [one["policy"] for one in found["device"]] == ["balance", "round-robin"]
    assert found["device"][0]["packets"] <= found["device"][1]["packets"] == found["runs"][1]["packets"] == ctas


def test_a_run(board):
    """S0-R13: 32 slots with large tasks of a low priority, then a small one of a better: one is evicted, and all CTAs run once."""
    work = lab.Workload("w", [*(lab.Task(0, 8, (200_000,), priority=9) for _ in range(32)), lab.Task(0, 1, (1000,), priority=1)])
    found = on_device.play_on_device(work, lab.find_policy("balance"), board, 1, 300, pace=1)
    assert found.ctas == 32 * 8 + 1 and found.evictions == 1 and len(found.spans) == 33
    assert all(0 <= first < last for first, last in found.spans)
    assert found.spans[-1][1] < max(last for _first, last in found.spans)


def test_the_tables(board):
    """The command prints how late tasks came, both tables, and what differs."""
    done = command("--board", board, "--sms", 1, "--tasks", 3, "--workload", "poisson", "--policy", "balance", "--pace", 3)
    assert done.returncode == 0 and done.stdout.count("poisson   balance") == 2
    assert re.match(rf"{board}, 1 SMs, pace 3; half of the tasks were at most [\d.]+ µs late, the latest [\d.]+ µs:\n", done.stdout)
    assert "instr./CTA" in done.stdout and "What differs" in done.stdout


def test_clock_never_goes_back():
    """S0-R34: a CTA that loses its turn after its look at the clock shows an old time. It is passed over; that the low word begins
    again is not."""
    clock = object.__new__(on_device._Clock)
    clock._hz, clock._ticks = 1, 2 ** 32 - 10
    shown = [2 ** 32 - 5, 2 ** 32 - 7, 3, 2 ** 32 - 1, 4]
    clock._words = type("Words", (), {"read": lambda _self, _bytes: shown.pop(0).to_bytes(4, "little")})()
    assert [clock.now() - 2 ** 32 for _word in range(5)] == [-5, -5, 3, 3, 4]


def test_arrivals(board, pace=5):
    """S0-R34: tasks come in the order of their times, none before its time, however long the gaps, and how late each was is told; a
    task that comes when the others have long ended does not wait for them. The device's clock says all of it."""
    at = [0, 0, 300_000, 310_000, 3_000_000, 3_000_000, 20_000_000]
    work = lab.Workload("w", [lab.Task(1000 + ns, 2, (50_000,)) for ns in at])
    found = on_device.play_on_device(work, lab.find_policy("balance"), board, 2, 300, pace)
    came = [task.at_ns for task in found.workload.tasks]
    assert came == sorted(came) and found.ctas == 2 * len(at)
    assert [there - late for there, late in zip(came, found.late)] == pytest.approx(at, abs=2)
    assert all(late >= 0 for late in found.late)
    assert all(there <= first and last - first >= 49_000 for there, (first, last) in zip(came, found.spans))
    assert max(last for _first, last in found.spans[:2]) < came[4] and max(last for _first, last in found.spans[:6]) < came[6]


def test_another_policy(board):
    """S0-R26: an image with a policy is built, kept, and played: the smallest task goes first, where by age the first one does."""
    work = lab.Workload("w", [lab.Task(0, ctas, (200_000,)) for ctas in (32, 16, 8, 4)])
    ends = {name: [last for _first, last in on_device.play_on_device(work, lab.find_policy(name), board, 1, 300).spans]
            for name in ("balance", "shortest-first")}
    assert ends["balance"] == sorted(ends["balance"]) and ends["shortest-first"] == sorted(ends["shortest-first"], reverse=True)
    image = images.build_images(board, lab.find_policy("shortest-first")) / board / "cp.elf"
    built = image.stat().st_mtime_ns
    images.build_images(board, lab.find_policy("shortest-first"))
    assert image.stat().st_mtime_ns == built


def test_tables_of_images(build):
    """A policy that chooses SMs comes in the place of round robin, one that chooses tasks in that of the order; what a board has stays."""
    for name, table, mode in (("gang", "CP_POLICY=policy_gang", "round-robin"), ("lottery", "CP_ORDER=policy_lottery", "balance"),
                              ("first-fit", "CP_POLICY=policy_first_fit", "round-robin")):
        policy = lab.find_policy(name)
        assert images._tables("qemu-virt64", policy) == f"HAL_VECTORS=0 {table}" and images.mode_of(policy) == mode
    assert [images.build_images("qemu-virt64", lab.find_policy(name)) for name in images.OWN] == [build, build]


def test_no_compiler(monkeypatch):
    """Without a compiler it is said what to install."""
    monkeypatch.setattr(images, "_COMPILER", "none-gcc")
    with pytest.raises(ganger.Error, match="none-gcc is not there: `make deps` .* apt install gcc-riscv64"):
        images.build_images("qemu-virt64", lab.find_policy("best-fit"))


@pytest.mark.parametrize("words, says", [
    (("--policy", "half.py"), "a class in Python is for the simulation"), (("--policy", "mine.c"), "Put the file there"),
    (("--policy", "lottery", "--board", "none", "--workload", "poisson"), "no folder of boards/"),
    *((("--pace", pace), "0.01 to 1000") for pace in (0, -1, 1001, "nan", "inf")),
    (("--board", "none"), "ERR_BOARD"), (("--sms", 999, "--tasks", 2, "--workload", "poisson"), "ERR_BOARD")])
def test_wrong_words(words, says, tmp_path):
    """What a device does not have is refused."""
    (tmp_path / "half.py").write_text("class Half:\n    def next(self, tasks):\n        return tasks[0]\n")
    (tmp_path / "mine.c").write_text("const struct policy policy_mine = { 0 };\n")
    done = command(*(tmp_path / word if str(word).endswith((".py", ".c")) else word for word in words))
    assert done.returncode == 1 and says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("option, value", [("--pace", "fast"), ("--timeout", "nan"), ("--timeout", "inf"), ("--load", 0)])
def test_numbers_of_options(option, value):
    """What is no number, or one that makes no sense, is refused by the command line itself."""
    done = command(option, value)
    assert done.returncode == 2 and option in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("cta_ns", [(2_000_000, 1_000), (1_000, 2_000_000), (1_000_000, 1_001_000)])
def test_times_of_each_cta(board, cta_ns):
    """S0-R34: CTAs of a task may take different times. On one SM, by the device's clock, which counts instructions, the task takes their sum."""
    work = lab.Workload("w", [lab.Task(0, 2, cta_ns)])
    found = on_device.play_on_device(work, lab.find_policy("balance"), board, 1, 300)
    (first, last), = found.spans
    assert found.ctas == 2 and 0.95 < (last - first) / sum(cta_ns) < 1.1 and found.busy_ns == sum(cta_ns)
