# SPDX-License-Identifier: Apache-2.0
"""Of a profile: what CTAs and work-items executed, how even that is, and how long they would wait at barriers."""

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from .typed import Json

GROUP = 32  # Work-items of a group, as wide as those of common GPUs.


class Turn(NamedTuple):
    """What a work-item executed before another one had its turn on the SM. `tag`: of the task; `thread`: its linear number in the
    CTA; `instructions`: of the kernel; `runtime`: of the CTA, before or after; `barrier`: the offset of the call of the barrier
    that ended the turn, None: something else did."""
    sm: int
    tag: int
    cta: int
    thread: int
    instructions: int
    runtime: int
    barrier: Optional[int]


class CtaWork(NamedTuple):
    """A CTA: by number of the work-item what it executed; `runtime`: what was executed for the CTA; `barriers`: how often all met;
    `waited`: see Work."""
    tag: int
    cta: int
    sm: int
    items: Dict[int, int]
    runtime: int
    barriers: int
    waited: int

    @property
    def instructions(self) -> int:
        """All of them."""
        return sum(self.items.values()) + self.runtime

    def as_dict(self) -> Json:
        """For JSON."""
        counts = list(self.items.values())
        return {"tag": self.tag, "cta": self.cta, "sm": self.sm, "instructions": self.instructions, "runtime": self.runtime,
                "work_items": len(counts), "least": min(counts), "most": max(counts), "barriers": self.barriers, "waited": self.waited}


class GroupWork(NamedTuple):
    """Work-items with the same numbers, `first` and on, of all CTAs: what they executed, what one executed at least and at most;
    `together`: what a machine takes that runs them side by side, where each step lasts for all of them as long as for the
    slowest: for each CTA, the most that one executed times their number."""
    first: int
    instructions: int
    least: int
    most: int
    together: int


class BarrierWork(NamedTuple):
    """The barrier that is called at an offset: arrivals of work-items; `waited`: see Work."""
    offset: int
    arrivals: int
    waited: int


def _segments(turns: Sequence[Turn]) -> List[Dict[int, Tuple[int, int]]]:
    """Of the turns of a CTA: for each barrier that its work-items met at, (what each executed since the one before, offset of
    the call), by number."""
    rounds: List[Dict[int, Tuple[int, int]]] = []
    number: Dict[int, int] = {}
    since: Dict[int, int] = {}
    for turn in turns:
        since[turn.thread] = since.get(turn.thread, 0) + turn.instructions
        if turn.barrier is not None:
            at = number.get(turn.thread, 0)
            if at == len(rounds):
                rounds.append({})
            rounds[at][turn.thread] = (since.pop(turn.thread), turn.barrier)
            number[turn.thread] = at + 1
    return rounds


def imbalance(counts: Sequence[int]) -> float:
    """The largest of the counts of SMs, by the mean of all of them: 1 is even; 0: nothing ran."""
    return max(counts) * len(counts) / sum(counts) if any(counts) else 0.0


class Work:
    """From the turns of all SMs, in their order.

    An SM is one lane, so nobody really waits at a barrier. `waited` is what work-items would wait if all of a CTA ran side by
    side: before each barrier, for each work-item, by how much it executed less than the one that executed most. In instructions.
    """

    def __init__(self, turns: Sequence[Turn], group: int = GROUP):
        self.turns, self.group = turns, group
        by_cta: Dict[Tuple[int, int], List[Turn]] = {}
        for turn in turns:
            by_cta.setdefault((turn.tag, turn.cta), []).append(turn)
        self.barriers: Dict[int, BarrierWork] = {}
        self.ctas = [self._cta(tag, cta, by_cta[tag, cta]) for tag, cta in sorted(by_cta)]

    def _cta(self, tag: int, cta: int, turns: List[Turn]) -> CtaWork:
        items: Dict[int, int] = {}
        for turn in turns:
            items[turn.thread] = items.get(turn.thread, 0) + turn.instructions
        rounds, waited = _segments(turns), 0
        for met in rounds:
            most = max(count for count, _offset in met.values())
            for count, offset in met.values():
                old = self.barriers.get(offset, BarrierWork(offset, 0, 0))
                self.barriers[offset] = BarrierWork(offset, old.arrivals + 1, old.waited + most - count)
                waited += most - count
        return CtaWork(tag, cta, turns[0].sm, items, sum(turn.runtime for turn in turns), len(rounds), waited)

    def groups(self) -> List[GroupWork]:
        """Groups of work-items by number; a CTA that has none of them counts for nothing."""
        found: Dict[int, GroupWork] = {}
        for cta in self.ctas:
            parts: Dict[int, List[int]] = {}
            for thread, count in cta.items.items():
                parts.setdefault(thread // self.group, []).append(count)
            for number, counts in parts.items():
                old = found.get(number, GroupWork(number * self.group, 0, min(counts), 0, 0))
                found[number] = GroupWork(old.first, old.instructions + sum(counts), min(old.least, *counts), max(old.most, *counts),
                                          old.together + max(counts) * len(counts))
        return [found[number] for number in sorted(found)]

    @property
    def divergence(self) -> float:
        """What groups of work-items side by side would take, by what they executed: 1 is even; 0: nothing ran."""
        groups = self.groups()
        done = sum(one.instructions for one in groups)
        return sum(one.together for one in groups) / done if done else 0.0

    def as_dict(self) -> Json:
        """For JSON, but for the barriers."""
        return {"divergence": self.divergence, "group": self.group, "groups": [one._asdict() for one in self.groups()],
                "ctas": [one.as_dict() for one in self.ctas]}
