# SPDX-License-Identifier: Apache-2.0
"""`ganger lab run --device`: a workload on a real device beside the simulation. Counts are compared, no times."""
import json
import subprocess
import sys

import pytest

import ganger
from ganger import lab
from ganger.lab import on_device


def command(*words):
    return subprocess.run([sys.executable, "-m", "ganger.cli", "lab", "run", "--device", *map(str, words)],
                          capture_output=True, text=True, check=False, timeout=600)


def test_counts(board, tmp_path):
    """S0-R34: each CTA runs once; with round robin each has a packet, as in the simulation; tasks of all priorities, shapes and
    needs that the workload has are posted."""
    done = command("--board", board, "--sms", 2, "--tasks", 20, "--workload", "mixed", "--json", "--save", tmp_path)
    assert done.returncode == 0, done.stderr
    found, ctas = json.loads(done.stdout), sum(task.ctas for task in lab.read_workload(tmp_path / "mixed.jsonl").tasks)
    assert found["machine"] == {"sms": 2, "slots": 8, "lanes": 1, "block_ns": 0}
    for there, here in zip(found["device"], found["runs"]):
        assert (there["workload"], there["policy"]) == (here["workload"], here["policy"])
        assert there["evictions"] == here["evictions"] == 0 and 0 < there["busy"] <= 1 and there["makespan_ms"] > 0
    assert [one["policy"] for one in found["device"]] == ["balance", "round-robin"]
    assert found["device"][0]["packets"] <= found["device"][1]["packets"] == found["runs"][1]["packets"] == ctas


def test_a_run(board):
    """S0-R13: 32 slots with large tasks of a low priority, then a small one of a better: one is evicted, and all CTAs run once."""
    work = lab.Workload("w", [*(lab.Task(0, 8, (2_000_000,), priority=9) for _ in range(32)), lab.Task(1, 1, (1000,), priority=1)])
    found = on_device.play_on_device(work, lab.find_policy("balance"), board, 1, 300)
    assert found.ctas == 32 * 8 + 1 and found.evictions == 1
    assert found.workload.tasks[-1].at_ns == 0 and len(found.spans) == 33
    assert all(0 <= first < last for first, last in found.spans)
    assert found.spans[-1][1] < max(last for _first, last in found.spans)


def test_the_tables(board):
    """The command prints both tables, and what differs."""
    done = command("--board", board, "--sms", 1, "--tasks", 3, "--workload", "poisson", "--policy", "balance")
    assert done.returncode == 0 and done.stdout.count("poisson   balance") == 2
    assert done.stdout.startswith(f"{board}, 1 SMs:") and "instr./CTA" in done.stdout and "What differs" in done.stdout


@pytest.mark.parametrize("words, says", [
    (("--policy", "lottery"), "The image of a board has balance and round-robin"),
    (("--board", "none"), "ERR_BOARD"), (("--sms", 999, "--tasks", 2, "--workload", "poisson"), "ERR_BOARD")])
def test_wrong_words(words, says):
    """What a device does not have is refused."""
    done = command(*words)
    assert done.returncode == 1 and says in done.stderr and "Traceback" not in done.stderr


def test_times_of_each_cta():
    """A task with a list of times is refused, with its number."""
    work = lab.Workload("w", [lab.Task(0, 2, (5, 6))])
    with pytest.raises(ganger.Error, match="task 0 of w has a list"):
        on_device.check(work, [lab.find_policy("balance")])
