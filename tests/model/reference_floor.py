# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: the share of CTAs that is kept for tasks of lower priority."""

WHOLE = 1000  # credit of a CTA
SAVED_MAX = 64 * WHOLE


def after(last, priorities):
    """The next priority in rotation."""
    return min(priorities, key=lambda priority: (priority - last - 1) % 10)


class Floor:
    """The floor."""

    def floor_is_on(self):
        """Whether lower priorities have a share; not while throttle tasks are in the device."""
        return self.floor > 0 and not any(task.tmd.throttle for task in self.live)

    def floor_begin(self):
        """A walk begins: credit is dropped when no lower priority waits."""
        self.floor_pays = self.floor_is_on()
        ready = [task.priority for task in self.slots if self.ready(task)]
        if ready and not self.waits_below(min(ready)):
            self.credit = 0

    def ready_below(self, priority):
        """Priorities of ready tasks that are lower."""
        return {task.priority for task in self.slots
                if self.ready(task) and task.priority > priority}

    def waits_below(self, priority):
        """Whether a task of lower priority waits, with or without a slot."""
        pending = {number for number, tasks in self.pending.items() if tasks}
        return bool({number for number in pending if number > priority} |
                    self.ready_below(priority))

    def floor_choice(self, ready):
        """The task to issue, at most how many CTAs of it, and whether it is the floor's. `ready`
        are those that have not had all they can get in this walk."""
        task = ready[0]
        lower = self.ready_below(task.priority)
        if not self.floor_pays or not lower:
            return task, 1 << 32, False
        if self.credit < WHOLE:
            return task, -(-(WHOLE - self.credit) // self.floor), False
        turn = after(self.last_lower, lower)
        due = next(task for task in self.order() if self.ready(task) and task.priority == turn)
        return due, 1, True

    def floor_account(self, task, issued, due):
        """CTAs were issued."""
        if due and not issued:
            self.floor_pays = False
        elif due:
            self.credit += self.floor - WHOLE
            self.last_lower = task.priority
            self.guest_served = self.guest_served or task is self.guest
        elif self.floor_is_on() and self.waits_below(task.priority):
            self.credit = min(self.credit + issued * self.floor, SAVED_MAX)

    def seat_guest(self):
        """One slot is kept for a pending task of a lower priority; when it has been served it makes
        room for one of another."""
        if self.guest and self.guest.place != "slot":
            self.guest = None
        if not self.floor_is_on():
            return
        have = {task.priority for task in self.slots if self.ready(task)}
        waiting = {priority for priority, tasks in self.pending.items() if tasks}
        lower = {priority for priority in waiting if priority > min(have | waiting)}
        if self.guest is None and lower and len(self.slots) < self.slots_max:
            self.last_guest = after(self.last_guest, lower)
            self.guest = self.pending[self.last_guest].pop(0)
            self.guest_served = False
            self.enter(self.guest)
        elif self.guest and self.guest_served and self.credit < WHOLE and \
                lower - {self.guest.priority} and \
                not self.guest.leaving and self.guest.status == "OK" and self.startable(self.guest):
            self.guest.leaving = True
            self.leave(self.guest)
