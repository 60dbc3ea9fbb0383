# SPDX-License-Identifier: Apache-2.0
"""The laboratory plays what it is given: times, shares, priorities, and policies that are wrong."""
import itertools

import pytest

import ganger
from ganger import lab

US = 1000
ALL = lab.POLICIES()


def grid(at, ctas, us, **more):
    return lab.Task(at, ctas, (us * US,), **more)


def test_one_after_the_other(played):
    """Three tasks on one SM with one slot: each starts when the one before has ended."""
    found = played("balance", [grid(0, 1, 10), grid(0, 2, 5), grid(50_000, 1, 1)], sms=1, slots=1, lanes=1)
    assert found.spans == [(0, 10_000), (10_000, 20_000), (50_000, 51_000)]
    assert (found.busy_ns, found.ctas, found.evictions) == (21_000, 4, 0)


def test_an_sm_is_shared(played):
    """Eight CTAs on one SM with four lanes take twice as long; with eight lanes they do not."""
    assert played("balance", [grid(0, 8, 10)], sms=1, lanes=4).spans == [(0, 20_000)]
    assert played("balance", [grid(0, 8, 10)], sms=1, lanes=8).spans == [(0, 10_000)]


def test_ctas_of_different_times(played):
    """A long CTA gets the SM alone when the short one has ended: 2 · 10 + 20 us."""
    found = played("balance", [lab.Task(0, 2, (10_000, 30_000))], sms=1, lanes=1)
    assert found.spans == [(0, 40_000)] and found.busy_ns == 40_000


def test_a_report_of_ctas_that_started_at_different_times(played):
    """Two CTAs of a task on one SM, the second when the others there have ended: it began with the first."""
    found = played("balance", [grid(0, 7, 10), grid(0, 2, 100)], sms=1, lanes=8)
    assert found.spans == [(0, 10_000), (0, 110_000)]


def test_needs(played):
    """Two CTAs that need all shared memory of an SM are not there together, nor three with 32 of its 64 warps each."""
    assert played("balance", [grid(0, 2, 10, shared_bytes=65536)], sms=1).spans == [(0, 20_000)]
    assert played("balance", [grid(0, 2, 10, threads=1024)], sms=1).spans == [(0, 10_000)]
    assert played("balance", [grid(0, 3, 10, threads=1024)], sms=1).spans == [(0, 20_000)]


def test_priorities_and_eviction(played):
    """S0-R13: the task table is full of long tasks when a better one comes: one of them leaves its slot."""
    long = [grid(0, 40, 10, priority=8) for _ in range(32)]
    found = played("balance", [*long, grid(15_000, 1, 10, priority=1)], sms=1, slots=1, lanes=1)
    assert found.evictions == 1 and found.spans[-1] == (20_000, 30_000)


def test_more_tasks_than_the_mailbox_holds(played):
    """500 tasks at once: the ring has 64 commands, and all are posted in the end."""
    found = played("balance", [grid(0, 1, 10) for _ in range(500)], sms=2, slots=1, lanes=1)
    assert found.ctas == 500 and max(last for _first, last in found.spans) == 2_500_000


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("workload", lab.WORKLOADS)
def test_all_is_done(name, workload):
    """S0-R34: each policy runs each CTA of each workload once: the work of all tasks is done."""
    work = lab.make_workload(workload, lab.Scale(16, 4, tasks=120))
    found = lab.play(work, [lab.find_policy(name)], lab.Machine(sms=16), log=True)[0]
    launched = sorted((packet.task, cta) for packet in found.log for cta in range(packet.first, packet.first + packet.ctas))
    assert launched == [(number, cta) for number, task in enumerate(work.tasks) for cta in range(task.ctas)]
    assert len(found.log) == found.packets
    assert found.ctas == sum(task.ctas for task in work.tasks)
    assert abs(found.busy_ns / sum(task.work_ns() for task in work.tasks) - 1) < 0.001
    for task, (first, last) in zip(work.tasks, found.spans):
        assert task.at_ns <= first and last - first >= max(task.cta_ns)


def test_a_large_device():
    """16,384 SMs: a grid of as many CTAs is at once on all of them."""
    found = lab.play(lab.Workload("large", [grid(0, 16384, 10)]), [lab.find_policy("balance")], lab.Machine(sms=16384))[0]
    assert found.spans == [(0, 10_000)] and found.packets == 16384
    with pytest.raises(ganger.Error, match="1 to 16384"):
        lab.play(lab.Workload("large", [grid(0, 1, 10)]), [lab.find_policy("balance")], lab.Machine(sms=16385))


def test_the_control_processor_takes_time(played):
    """With a time for each basic block CTAs start later: by the blocks that were executed until then."""
    at_once, later = (played("balance", [grid(0, 1, 10)], block_ns=ns) for ns in (0, 5))
    assert at_once.blocks == later.blocks > 0 and at_once.spans[0][0] == 0
    assert 0 < later.spans[0][0] <= 5 * later.blocks and later.spans[0][0] % 5 == 0


def test_tasks_come_during_a_turn(played):
    """With a time for each basic block a task may come while the control processor looks for work, at any moment of a turn."""
    at = itertools.accumulate(range(0, 40_000, 50))
    tasks = [grid(start, 1, 1) for start in at]
    found = played("balance", tasks, block_ns=50)
    assert found.ctas == len(tasks) == 800 and all(task.at_ns <= first for task, (first, _) in zip(tasks, found.spans))


def test_a_policy_of_a_file(policy, played):
    """All CTAs on the first SM that has room: a packet and an SM instead of four."""
    pack = policy("const struct availability *levels = sm_class_levels(&task->rules.needs, sms);\n"
                  "for (uint32_t rank = 0; rank < 4 && ctas != 0; rank++) {\n"
                  "uint32_t some = levels->level[rank] < ctas ? levels->level[rank] : (uint32_t)ctas;\n"
                  "if (some != 0) { launch_ctas(sm_state_sm(rank), task, some); ctas -= some; } }", "pack")
    assert played(pack, [grid(0, 4, 10)], sms=4).packets == 1
    assert played("balance", [grid(0, 4, 10)], sms=4).packets == 4


@pytest.mark.parametrize("body, status, says", [
    ("", "ERR_INTERNAL", "1 of 1 tasks wait, and no CTA runs: the policy issues none"),
    ("for (;;) { }", "ERR_TIMEOUT", "longer than 2 s"),
    ("nothing();", "ERR_COMPILE", "nothing"),
    ("launch_ctas(0, task, 9);", "ERR_INTERNAL", "Assertion"),
])
def test_wrong_policies(policy, body, status, says):
    """A policy that issues nothing, that has no end, that does not compile, that gives an SM more than it holds."""
    with pytest.raises(ganger.Error) as found:
        lab.play(lab.Workload("w", [grid(0, 20, 10)]), [policy(body, "wrong")], lab.Machine(sms=1), timeout=2)
    assert found.value.status == status and says in str(found.value)


def test_policies_by_name(tmp_path):
    """A name that is none, and files that define none or two."""
    assert set(ALL) == {"balance", "best-fit", "first-fit", "gang", "lottery", "round-robin", "shortest-first"}
    for text, says in (("", "defines 0"), ("const struct policy policy_a = { 0 };\nconst struct policy b = { 0 };\n", "defines 2")):
        (tmp_path / "some.c").write_text(text)
        with pytest.raises(ganger.Error, match=says):
            lab.find_policy(str(tmp_path / "some.c"))
    with pytest.raises(ganger.Error, match="there are balance"):
        lab.find_policy("none")
    with pytest.raises(OSError):
        lab.find_policy(str(tmp_path / "none.c"))
