# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: from acceptance to completion; dependences, children, failure."""
from reference_parts import DECREMENT, INCREMENT_PUT, SCHEDULE, UNIT_BYTES, Task

DEPTH_MAX = 32
FAILED_KEPT = 64


class Life:
    """The life of tasks."""

    def find(self, name):
        """The newest live task of a name."""
        named = [task for task in self.live if task.tmd.name == name]
        return named[-1] if named else None

    def refusal(self, tmd, parent):
        """Why a TMD is refused, or OK."""
        warps, units = self.needs_max
        if tmd.warps > warps:
            return "ERR_BLOCK_TOO_LARGE"
        if tmd.kind == "null" and tmd.retry:
            return "ERR_UNSUPPORTED"
        if tmd.kind != "null" and tmd.kernel in [kernel for kernel, _ in self.quarantine]:
            return "ERR_QUARANTINE"
        if not any(self.has_share(sm) or not tmd.throttle for sm in self.allowed(tmd)):
            return "ERR_AFFINITY"
        if tmd.shared > units * UNIT_BYTES * (self.throttle if tmd.throttle else 1):
            return "ERR_SHARED_TOO_LARGE"
        if tmd.after and any(action == DECREMENT for _, action, _ in tmd.dependents):
            return "ERR_DEPENDENT"
        asked = {}
        for other, action, _ in tmd.dependents:
            task = self.find(other.name)
            if action == DECREMENT:
                asked[task] = asked.get(task, 0) + 1
                if task is None or task.place != "held" or task.status != "OK" or \
                        task.promised + asked[task] > task.tmd.dependence_count:
                    return "ERR_DEPENDENT"
            elif action == INCREMENT_PUT and (task is None or task.tmd.kind != "queue"):
                return "ERR_DEPENDENT"
        for other in tmd.after:
            task = self.find(other.name)
            if task is None and other.name in self.failed:
                return "ERR_DEPENDENCY"
            if task and parent and task.parent is not parent:
                return "ERR_DEPENDENT"  # others may wait for the parent, which waits for its child
        return "OK"

    def note_failed(self, tmd):
        """Keep the name of a failed task: one that is submitted `after` it fails, too, even when this one is gone."""
        self.failed = [*self.failed, tmd.name][-FAILED_KEPT:]

    def accept(self, tmd, tag, channel, parent=None):
        """Take a TMD as a task, or refuse it; the status."""
        status = self.refusal(tmd, parent)
        if status != "OK":
            self.note_failed(tmd)
            return status
        task = Task(tmd, tag, channel)
        self.live.append(task)
        if parent:
            task.parent, task.depth = parent, parent.depth + 1
            parent.children.append(task)
        task.dependents = [(self.find(other.name), action, amount) if action != SCHEDULE
                           else (other, action, amount) for other, action, amount in tmd.dependents]
        for other, action, _ in task.dependents:
            if action == DECREMENT:
                other.promised += 1
        for other in tmd.after:
            first = self.find(other.name)
            if first and first is not task:
                task.after.append(first)
                first.followers.append(task)
        if tmd.kind == "queue":
            self.queue_begin(task)
        task.place = "held"
        self.release(task)
        return "OK"

    def release(self, task):
        """A task that waits for nothing any more is free to run."""
        if task.place != "held" or task.status != "OK" or task.waits_for or task.after:
            return
        if task.tmd.kind == "null":
            self.settle(task)
        elif task.tmd.kind == "queue" and not self.startable(task):
            task.place = "parked"
            self.settle(task)
        elif task.suspended:
            task.place = "suspended"
        else:
            self.add(task, task.tmd.head)

    def drained(self, task):
        """Nothing of a task in a slot is in flight any more."""
        if task.status == "OK" and self.startable(task) and (task.leaving or task.suspended):
            self.leave(task)
        elif task.status != "OK" or not self.startable(task):
            if task.place == "slot":
                self.vacate(task)
                task.place = "parked"
            self.settle(task)

    def fail(self, task, status):
        """The first error ends a task: nothing more of it is issued, and its descendants go."""
        if task.status != "OK" or task.place == "over":
            return
        task.status = status
        task.leaving = False
        for child in list(task.children):
            self.fail(child, "ERR_CANCELLED")
        if task.place == "pending":
            self.pending[task.priority].remove(task)
            task.place = "parked"
        if not task.in_flight:
            self.drained(task)

    def complete(self, task):
        """Whether a task's own work is done; its children may still run."""
        if task.in_flight or task.place in ("over", "slot", "pending"):
            return False
        if task.status != "OK":
            return True
        if task.tmd.kind == "queue":
            return task.closed and task.put == task.taken
        return not task.left

    def settle(self, task):
        """A task is over, later in the turn, when all that is its own and its children are."""
        if not task.children and self.complete(task):
            self.ending.append(task)

    def end_tasks(self):
        """Tasks that are over leave the device, in the order in which they end."""
        while self.ending:
            task = self.ending.pop(0)
            if not self.complete(task):
                continue
            task.place = "ended"
            if task.parent and task.parent.status != "OK":
                self.fail(task, "ERR_CANCELLED")
            if task.status == "OK" and not task.children:
                self.schedule_dependents(task)
            if not task.children:
                self.over(task)

    def schedule_dependents(self, task):
        """Its SCHEDULE dependents run as its children before it is over."""
        for other, action, _ in task.dependents:
            if action == SCHEDULE and task.status == "OK":
                status = "ERR_DEPTH" if task.depth == DEPTH_MAX else \
                    self.accept(other, task.tag, task.channel, task)
                if status != "OK":
                    self.fail(task, status)
        task.dependents = [entry for entry in task.dependents if entry[1] != SCHEDULE]

    def over(self, task):
        """Dependents, parent, completion."""
        task.place = "over"
        self.live.remove(task)
        failed = task.status != "OK"
        if failed:
            self.note_failed(task.tmd)
        for other, action, amount in task.dependents:
            if action == DECREMENT and other.place == "held":
                other.waits_for -= 1
                self.lift(other, failed)
            elif action == INCREMENT_PUT and not failed and other.place != "over":
                self.increment(other, amount)
        for other in task.followers:
            other.after.remove(task)
            self.lift(other, failed)
        if task.parent:
            self.child_over(task.parent, task)
        else:
            self.completions.append((task.tag, task.status, task.done))
            self.retried[task.tag] = task.retried
            self.posting = True

    def increment(self, task, amount):
        """INCREMENT_PUT: what a push would refuse ends the queue's task."""
        status = "ERR_QUEUE_CLOSED" if task.closed else self.queue_put(task, amount)
        if status != "OK":
            self.fail(task, status)
            self.settle(task)

    def lift(self, task, failed):
        """One of the tasks that a task waits for is over."""
        if failed:
            self.fail(task, "ERR_DEPENDENCY")
            self.settle(task)
        else:
            self.release(task)

    def child_over(self, parent, child):
        """A failed child fails its parent; the last one lets it end."""
        parent.children.remove(child)
        if child.status != "OK":
            self.fail(parent, child.status)
        self.settle(parent)
