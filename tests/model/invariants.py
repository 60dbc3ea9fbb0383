# SPDX-License-Identifier: Apache-2.0
"""What must hold after every turn, whatever the reference decides."""
from compare import bits

READY = 1
WAVED = 1 << 9  # SM_STATE.task_assign


class Invariants:
    """Keeps account of what the device was seen to do."""

    def __init__(self, world, resources):
        self.world = world
        self.resources = resources
        self.open = {}  # tag: verb, of commands without a completion
        self.submitted = {}  # tag: TMD
        self.launched = {}  # ident: numbers of CTAs
        self.resident = {}  # (SM, start): (TMD, CTA, units)
        self.assigned = {}  # SM: task_assign seen last

    def posted(self, tag, verb, what):
        """A command was posted."""
        assert tag not in self.open
        self.open[tag] = verb
        if verb == "submit":
            self.submitted[tag] = what[0]

    def ended(self, ctas):
        """CTAs are reported as ended."""
        for sm, _, cta in ctas:
            del self.resident[sm, cta.start]

    def lost(self, sm, ctas):
        """CTAs are lost with their SM, and may be launched again."""
        for cta in ctas:
            self.resident.pop((sm, cta.start), None)
            self.launched[cta.task.ident].discard(cta.number)

    def turned(self, seen, view):
        """After a turn."""
        now = set()
        self.check_assignments(seen)
        for sm, ident, number, start, units, *_ in view.packets:
            tmd = self.world.tmds[ident]
            assert number not in self.launched.setdefault(ident, set()), "launched twice"
            assert not tmd.only or sm in tmd.only, "affinity"
            assert not tmd.gpcs or tmd.gpcs >> self.world.reference.sms[sm].gpc & 1, "affinity"
            self.launched[ident].add(number)
            self.resident[sm, start] = tmd, number, units
            now.add((sm, ident))
        self.check_room()
        self.check_tasks()
        self.check_priority(seen, now)
        self.completed(view)

    @staticmethod
    def check_assignments(seen):
        """Each packet tells its SM what to acknowledge first (S0-C2)."""
        last = {packet.sm: packet.assign for packet in seen.packets if not packet.pull}
        assert all(packet.assign & 0xff == packet.task & 0xff for packet in seen.packets), "S0-C2"
        assert all(seen.sms[sm].task_assign == assign for sm, assign in last.items()), "S0-R27"

    def check_room(self):
        """No SM is over-committed (S0-R35)."""
        used = {}
        for (sm, start), (tmd, _, units) in self.resident.items():
            ctas, warps, taken = used.get(sm, (0, 0, 0))
            mask = ((1 << units) - 1) << start
            assert not taken & mask and not mask >> self.resources["units"], "units taken twice"
            used[sm] = ctas + 1, warps + tmd.warps, taken | mask
        for ctas, warps, _ in used.values():
            assert ctas <= self.resources["ctas"] and warps <= self.resources["warps"], "too many"

    def check_tasks(self):
        """Sequence and throttle mode."""
        tmds = [tmd for tmd, _, _ in self.resident.values()]
        assert len({tmd.throttle for tmd in tmds}) <= 1, "S0-R22: both kinds are resident"
        in_order = [tmd.ident for tmd in tmds if tmd.sequential]
        assert len(in_order) == len(set(in_order)), "S0-R23: two CTAs of a sequential task"

    def check_priority(self, seen, launched):
        """No task was issued to an SM that a better one could have had (S0-R26)."""
        slots = {slot.index: slot for slot in seen.slots}
        issued = []
        for number, sm in enumerate(seen.sms):
            if self.assigned.get(number) != sm.task_assign and sm.state_sync and \
                    not sm.task_assign & WAVED:
                issued.append((number, slots[sm.task_assign & 0xff]))
            self.assigned[number] = sm.task_assign
        if self.world.reference.floor:
            return
        waiting = [slot for slot in seen.slots if slot.state == READY and slot.left and
                   self.could(slot)]
        for number, lower in issued:
            for higher in waiting:
                tmd = self.world.tmds[higher.ident]
                sm = self.world.reference.sms[number]
                assert higher.priority >= lower.priority or tmd.only and number not in tmd.only \
                    or tmd.gpcs and not tmd.gpcs >> sm.gpc & 1, \
                    f"S0-R26: {lower} was assigned SM {number} before {higher}"

    def could(self, slot):
        """Whether a task with CTAs left could take an SM."""
        tmd = self.world.tmds[slot.ident]
        throttle_on = self.world.reference.throttle_on
        return tmd.kind == "grid" and tmd.throttle == throttle_on and \
            not (tmd.sequential and slot.in_flight)

    def completed(self, view):
        """Exactly one completion for every command."""
        for tag, status, ctas, _ in view.completions:
            assert tag in self.open, f"tag {tag}: a second completion"
            del self.open[tag]
            tmd = self.submitted.get(tag)
            if tmd and status == "OK" and tmd.kind == "grid":
                assert ctas == len(tmd.run)
                assert self.launched.get(tmd.ident, set()) == set(tmd.run)

    def finished(self):
        """At the end nothing is open."""
        assert not self.open, f"no completion: {self.open}"
        assert not self.resident
