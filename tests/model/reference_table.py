# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: the scheduler table, and who gets a slot (S0-R10 to S0-R13)."""


class Table:
    """Task management: the scheduler table and the slots."""

    def add(self, task, head):
        """Put a task that is free to run into its list (S0-R10)."""
        task.place = "pending"
        self.pending[task.priority].insert(0 if head else len(self.pending[task.priority]), task)

    def best(self):
        """The best pending task."""
        for waiting in self.pending.values():
            if waiting:
                return waiting[0]
        return None

    def fill(self):
        """Fill the slots; make room for better tasks (S0-R12, S0-R13)."""
        while (task := self.best()) is not None:
            self.seat_guest()
            if (task := self.best()) is None:
                return
            kept = 1 if self.floor_is_on() and not self.guest else 0
            if len(self.slots) >= self.slots_max - kept:
                self.evict(task.priority)
            if len(self.slots) >= self.slots_max - kept:
                return
            task = self.best()
            self.pending[task.priority].pop(0)
            self.enter(task)

    def enter(self, task):
        """Put a task into a slot."""
        self.stamp += 1
        task.stamp = self.stamp
        task.place = "slot"
        task.leaving = False
        task.turn_left = task.tmd.quota
        self.slots.append(task)

    def evict(self, priority):
        """Make tasks of lower priority leave, as many as better ones wait; whether a slot is free now."""
        while True:
            if sum(task.leaving and not task.suspended and task.status == "OK" for task in self.slots) >= len(self.pending[priority]):
                return False
            victim = self.victim(priority)
            if victim is None:
                return False
            victim.leaving = True
            if self.leave(victim):
                return True

    def victim(self, priority):
        """The task that is to make room."""
        victims = [task for task in self.slots if task.priority > priority and
                   task is not self.guest and task.status == "OK" and self.unissued(task) and
                   not task.leaving]
        if not victims:
            return None
        lowest = max(task.priority for task in victims)
        victims = [task for task in victims if task.priority == lowest]
        return min(victims, key=lambda task: (task.in_flight > 0, -task.stamp))

    def leave(self, task):
        """A task that is to leave its slot does so when nothing of it is in flight."""
        if task.in_flight:
            return False
        self.vacate(task)
        task.leaving = False
        if task.suspended:
            task.place = "suspended"
        else:
            self.add(task, True)
        return True

    def vacate(self, task):
        """Free a task's slot: SMs that were assigned to it have no task."""
        self.slots.remove(task)
        for sm in self.sms:
            if sm.task is task:
                sm.task, sm.owes = None, False
