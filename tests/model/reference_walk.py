# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: which task is issued, and to which SM (S0-R20 to S0-R35)."""
from reference_parts import BALANCE, BY_DEVICE, UNIT_BYTES, WINDOW, Cta


class Walk:
    """Work distribution: which tasks are issued, and to which SMs."""

    def units_of(self, tmd):
        """Units that a CTA takes of an SM in the mode that is on."""
        size = UNIT_BYTES * (self.throttle if self.throttle_on else 1)
        return max(1, -(-tmd.shared // size))

    def takes_part(self, sm):
        """Whether an SM takes part in the mode that is on."""
        return not self.throttle_on or self.has_share(sm)

    def has_share(self, sm):
        """Whether an SM runs in throttle mode: it has the whole memory of `throttle` SMs."""
        whole = sm.number + self.throttle <= len(self.sms)
        return sm.number % self.throttle == 0 and whole

    def allowed(self, tmd):
        """SMs that a task may run on (S0-R25)."""
        return [sm for sm in self.sms if (not tmd.only or sm.number in tmd.only) and
                (not tmd.gpcs or tmd.gpcs >> sm.gpc & 1)]

    def ready(self, task):
        """Whether a task could be given SMs (S0-R20, R21, R22, R23)."""
        return self.has_work(task) and task.tmd.throttle == self.throttle_on

    def has_work(self, task):
        """The same, in the mode that is right for it."""
        return (task.place == "slot" and not task.leaving and not task.suspended and
                task.status == "OK" and
                self.startable(task) > 0 and not (task.tmd.sequential and task.in_flight))

    def startable(self, task):
        """CTAs that could start now if there were SMs."""
        if task.tmd.kind == "grid":
            return task.left
        if task.again:
            return 1  # it is in the window, and comes first
        return min(self.queue_ctas(task), WINDOW - len(task.running))

    def unissued(self, task):
        """CTAs that there are to issue, also when the window is full."""
        if task.tmd.kind == "grid":
            return task.left
        return self.queue_ctas(task) + bool(task.again) + sum(count for _, count, *_ in task.back)

    def order(self):
        """Tasks in slots, first by priority, then by age (S0-R26)."""
        return sorted(self.slots, key=lambda task: (task.priority, task.stamp))

    def walk(self):
        """Issue all that can be issued now."""
        if self.throttle_switches():
            return
        claimed, blocked = set(), set()
        self.floor_begin()
        while True:
            ready = [task for task in self.order() if self.ready(task) and task not in blocked]
            if not ready or len(claimed) == len(self.sms):
                return
            if ready[0].tmd.quota and not ready[0].turn_left:
                self.end_turn(ready[0])
                continue
            task, most, due = self.choose(ready)
            free = [sm for sm in self.allowed(task.tmd)
                    if sm not in claimed and self.takes_part(sm)]
            issued = self.issue(task, most, free)
            self.account(task, issued)
            self.floor_account(task, issued, due)
            if issued < most:
                claimed.update(self.allowed(task.tmd))
                blocked.add(task)

    def choose(self, ready):
        """The next task to issue, how many CTAs of it before all is looked at anew, and whether it
        is the floor's."""
        task, most, due = self.floor_choice(ready)
        most = min(most, self.startable(task))
        if task.tmd.sequential:
            most = 1
        if task.tmd.quota:
            most = min(most, task.turn_left)
        return task, most, due

    def account(self, task, issued):
        """CTAs were issued: the quota (S0-R24)."""
        if task.tmd.quota:
            task.turn_left -= issued
            self.end_turn(task)

    def end_turn(self, task):
        """A task with CTAs left that has used its quota goes behind the others of its priority (S0-R24)."""
        if task.tmd.quota and not task.turn_left and self.startable(task):
            task.turn_left = task.tmd.quota
            self.stamp += 1
            task.stamp = self.stamp

    def issue(self, task, most, free):
        """Issue at most so many CTAs to these SMs; how many."""
        mode = self.mode if task.tmd.mode == BY_DEVICE else task.tmd.mode
        if mode == BALANCE:
            return self.issue_balanced(task, most, free)
        return self.issue_in_turn(task, most, free)

    def issue_balanced(self, task, most, free):
        """One CTA at a time to the SM with most room, of equals the first of the SM priority
        list (S0-R31); then the CTAs are numbered in the order of that list (S0-R34)."""
        units, warps = self.units_of(task.tmd), task.tmd.warps
        room = {sm: sm.room(warps, units) for sm in free}
        given = dict.fromkeys(free, 0)
        issued = 0
        while issued < most and room:
            best = min(room, key=lambda sm: (-room[sm], self.rank.index(sm.number)))
            if not room[best]:
                break
            room[best] -= 1
            given[best] += 1
            issued += 1
        for sm in sorted(free, key=lambda sm: self.rank.index(sm.number)):
            if given[sm]:
                self.give(task, sm, given[sm])
        return issued

    def issue_in_turn(self, task, most, free):
        """One CTA at a time to the next SM by number (S0-R32)."""
        units, warps = self.units_of(task.tmd), task.tmd.warps
        for issued in range(most):
            fit = [sm for sm in free if sm.room(warps, units)]
            if not fit:
                return issued
            sm = min(fit, key=lambda sm: (sm.number - self.last_sm - 1) % len(self.sms))
            self.last_sm = sm.number
            self.give(task, sm, 1)
        return most

    def give(self, task, sm, count):
        """The next CTAs of a task go to an SM (S0-R27, S0-R34)."""
        for _ in range(count):
            if task.tmd.kind == "queue":
                cta = self.queue_take(task)
            else:
                cta = Cta(task, task.next, self.units_of(task.tmd), 0)
                task.left -= 1
                task.next += 1
            task.in_flight += 1
            sm.take(cta)
            sm.running[cta.start] = cta
            self.sent.append((sm.number, cta))
        self.next_range(task)
        if sm.task is not task:
            sm.task, sm.owes = task, True

    def throttle_switches(self):
        """Whether the mode waits to be switched (S0-R22); switches it when it may be."""
        want = self.throttle_wanted()
        if want == self.throttle_on:
            return False
        if any(sm.running for sm in self.sms):
            return True
        self.throttle_on = want
        for sm in self.sms:
            sm.task, sm.owes = None, False
        return False

    def throttle_wanted(self):
        """Whether throttle mode should be on."""
        live = [task for task in self.slots if self.has_work(task)]
        wanting = [task for task in live if task.tmd.throttle and any(
            sm.enabled and not sm.absent and self.has_share(sm) for sm in self.allowed(task.tmd))]
        normal = [task.priority for task in live if not task.tmd.throttle]
        return bool(wanting) and min(task.priority for task in wanting) <= min(normal, default=10)
