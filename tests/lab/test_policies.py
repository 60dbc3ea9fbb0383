# SPDX-License-Identifier: Apache-2.0
"""What makes each policy different: where CTAs go, and whose turn it is."""
import collections

import pytest

from ganger import lab

US = 1000
LONG = 1000


def grid(at_us, ctas, us, **more):
    return lab.Task(at_us * US, ctas, (us * US,), **more)


def placed(found):
    """(SM, CTAs) of each packet, in the order of the tasks and of their CTAs."""
    return [(packet.sm, packet.ctas) for packet in sorted(found.log, key=lambda packet: (packet.task, packet.first))]


# Eight CTAs fill SM 0 for 10 us, four are on the next SM for long; then, with SM 0 empty again, two and six more come.
HOLES = [grid(0, 8, 10), grid(1, 4, LONG), grid(20, 2, LONG), grid(21, 6, LONG)]


def test_first_fit(played):
    """The lowest SM that has room is filled before the next one gets anything, however much room that has."""
    found = played("first-fit", [grid(0, 3, LONG), grid(1, 3, LONG), grid(2, 13, LONG)], sms=4, lanes=8)
    assert placed(found) == [(0, 3), (0, 3), (0, 2), (1, 8), (2, 3)]
    assert placed(played("first-fit", HOLES, sms=4, lanes=8)) == [(0, 8), (1, 4), (0, 2), (0, 6)]


def test_best_fit(played):
    """A CTA goes where it leaves the least room: to the SM with four CTAs, not to the empty ones before and behind it."""
    assert placed(played("best-fit", HOLES, sms=4, lanes=8)) == [(0, 8), (1, 4), (1, 2), (1, 2), (0, 4)]


def test_best_fit_keeps_whole_sms(played):
    """A task that needs a whole SM finds one at once, which load balancing has given to others."""
    tasks = [grid(0, 1, LONG), grid(1, 1, LONG), grid(2, 1, 10, shared_bytes=65536)]
    assert played("best-fit", tasks, sms=2).spans[2][0] == 2 * US
    assert played("balance", tasks, sms=2).spans[2][0] == LONG * US


def starts(found):
    """Tasks in the order in which they started."""
    return [task for _at, task in sorted((first, task) for task, (first, _last) in enumerate(found.spans))]


def test_shortest_first(played):
    """By CTAs times warps; of the best priority only; among equals by age."""
    one = {"sms": 1, "slots": 1, "lanes": 1}
    first = grid(0, 1, 10)
    assert starts(played("shortest-first", [first, *(grid(at, ctas, 10) for at, ctas in enumerate((5, 3, 1, 3), 1))], **one)) == [0, 3, 2, 4, 1]
    assert starts(played("shortest-first", [first, grid(1, 2, 10, threads=1024), grid(1, 9, 10)], **one)) == [0, 2, 1]
    assert starts(played("shortest-first", [first, grid(1, 1, 10), grid(1, 9, 10, priority=1)], **one)) == [0, 2, 1]


def test_shortest_first_by_what_is_left(played):
    """Of six CTAs one is left when a task of two comes: it is next. Two are left when a task of one comes: it waits."""
    for new, at, last in ((2, 45, 60), (1, 35, 70)):
        found = played("shortest-first", [grid(0, 6, 10), grid(at, new, 10)], sms=1, slots=1, lanes=1)
        assert found.spans[0] == (0, last * US)


def test_shortest_first_has_the_slot(played):
    """The task table is full: of those that wait for a slot, the shortest gets the next one."""
    found = played("shortest-first", [*(grid(0, 2, 10) for _ in range(40)), grid(1, 1, 10)], sms=1, slots=1, lanes=1)
    assert found.spans[40] == (20 * US, 30 * US)
    assert played("balance", [*(grid(0, 2, 10) for _ in range(40)), grid(1, 1, 10)], sms=1, slots=1, lanes=1).spans[40][0] == 800 * US


@pytest.mark.parametrize("priorities", [(1, 10), (3, 8), (5, 5), (1, 4, 7, 10)])
def test_lottery(priorities, played):
    """A task's share of 1,100 CTAs is that of its tickets, 11 less its priority: within four standard deviations. It is the
    same in the next run."""
    tasks = [grid(0, 1, 5, priority=1), *(grid(1, 1200, 10, priority=priority) for priority in priorities)]
    one, same = (played("lottery", tasks, sms=1, slots=1, lanes=1) for _ in range(2))
    assert one.log == same.log
    got, tickets = collections.Counter(packet.task for packet in one.log[1:1101]), sum(11 - priority for priority in priorities)
    for task, priority in enumerate(priorities, 1):
        share = (11 - priority) / tickets
        assert abs(got[task] - 1100 * share) <= 4 * (1100 * share * (1 - share)) ** 0.5
    assert {packet.ctas for packet in played("lottery", tasks, sms=2).log} == {1}
    other = collections.Counter(packet.task for packet in played("balance", tasks, sms=1, slots=1, lanes=1).log[1:1101])
    assert other == {1: 1100}


def test_lottery_keeps_the_winner(played):
    """A CTA that needs a whole SM, with one ticket of 31, is drawn in time, and then nobody else gets the room that it waits
    for."""
    small = lab.Task(0, 400, tuple((7 + cta * 13 % 11) * US for cta in range(400)), priority=1)
    found = played("lottery", [small, small, small, grid(1, 1, 10, priority=10, shared_bytes=65536)], sms=1, lanes=8)
    assert sum(packet.ctas for packet in found.log if packet.at_ns < found.spans[3][0]) < 200


def test_gang(played):
    """20 CTAs start together when 20 of the 32 places are free, which is when the 20 before them have ended; what is behind
    them waits, too."""
    found = played("gang", [grid(0, 20, 100), grid(1, 20, 10), grid(2, 1, 10)], sms=4, lanes=8)
    assert {packet.at_ns for packet in found.log if packet.task == 1} == {100 * US} and found.spans[1] == (100 * US, 110 * US)
    assert found.spans[2][0] == 100 * US
    other = played("balance", [grid(0, 20, 100), grid(1, 20, 10), grid(2, 1, 10)], sms=4, lanes=8)
    assert other.spans[1] == (1 * US, 21 * US)


def test_gang_of_a_large_task(played):
    """More CTAs than the device holds start as many together as it holds when it is idle, then what is left of them."""
    found = played("gang", [grid(0, 1, 50), grid(1, 70, 10)], sms=4, lanes=8)
    begun = collections.Counter()
    for packet in found.log:
        begun[packet.at_ns, packet.task] += packet.ctas
    assert begun == {(0, 0): 1, (50 * US, 1): 32, (60 * US, 1): 32, (70 * US, 1): 6}


def test_an_order_alone(tmp_path, played):
    """A file that only chooses tasks: the youngest is next, and SMs are chosen as load balancing does. With both constants
    in a file, it chooses SMs, too."""
    text = ('#include "firmware/cp/policy/policy.h"\nstatic uint32_t youngest(struct task *const *tasks, uint32_t count)\n'
            "{ (void)tasks; return count - 1; }\nconst struct policy_order policy_youngest = { .next = youngest };\n")
    (tmp_path / "youngest.c").write_text(text)
    found = played(lab.find_policy(str(tmp_path / "youngest.c")), [grid(0, 1, 10), grid(1, 1, 10), grid(2, 1, 10)], sms=1, slots=1)
    assert starts(found) == [0, 2, 1]
    (tmp_path / "both.c").write_text(
        text + '#include "firmware/cp/launch/launch.h"\nstatic void last(struct task *task, uint64_t ctas, const uint32_t *sms)\n'
        "{ (void)sms; (void)ctas; launch_ctas(3, task, 1); }\nconst struct policy policy_last = { .issue = last };\n")
    found = played(lab.find_policy(str(tmp_path / "both.c")), [grid(0, 1, 10), grid(1, 1, 10)], sms=4)
    assert placed(found) == [(3, 1), (3, 1)]
