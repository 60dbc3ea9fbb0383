# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: queue tasks (S0-R05, S0-R06)."""
from reference_parts import NEVER, TICKS_PER_US, Cta


class Queues:
    """Queues of items."""

    def queue_begin(self, task):
        """A queue task is accepted."""
        task.put = task.tmd.outstanding
        task.came = [self.now] * task.put

    def queue_ctas(self, task):
        """CTAs that could start with the items that wait (S0-C3, S0-C4)."""
        full = task.tmd.items
        if task.status != "OK":
            return 0
        count, rest = divmod(len(task.came), full)
        if rest and (rest >= (task.tmd.minimum or full) or task.closed or self.timed_out(task)):
            count += 1
        return count

    def timed_out(self, task):
        """Whether the items that are too few for a CTA have waited long enough; the clock is looked
        at once in a turn."""
        limit = task.tmd.coalesce_us
        return limit == 0 or limit != NEVER and self.looked >= self.time_out(task)[0]

    @staticmethod
    def time_out(task):
        """When the items that are too few for a CTA have waited long enough, and since when they wait; 0 if there are none."""
        first = (task.came[len(task.came) // task.tmd.items * task.tmd.items:] or [0])[0]
        return first + task.tmd.coalesce_us * TICKS_PER_US, first

    def queue_take(self, task):
        """The next CTA, with its items; a lost one has them already."""
        cta = Cta(task, task.next, self.units_of(task.tmd), 0)
        if task.again:
            task.next, task.again = task.again, 0
        else:
            count = min(task.tmd.items, task.put - task.taken)
            task.running[task.next] = [False, task.taken, count]
            task.taken += count
            task.next += 1
            del task.came[:count]
        task.losses = task.blames = 0
        _, cta.position, cta.items = task.running[cta.number]
        return cta

    @staticmethod
    def queue_again(task):
        """The first CTA of the last range of those that were lost is next."""
        if task.back and not task.again:
            task.again = task.next
            task.next, count, task.losses, task.blames = task.back.pop()
            task.retried += 1
            if count > 1:
                task.back.append((task.next + 1, count - 1, task.losses, task.blames))

    def queue_ended(self, cta):
        """A CTA ended: places are free again in order, from the oldest."""
        running = cta.task.running
        running[cta.number][0] = True
        for number in sorted(running):
            if not running[number][0]:
                break
            del running[number]

    def queue_room(self, task):
        """Items that its ring has room for."""
        return task.tmd.capacity - (task.put - task.taken) - \
            sum(count for *_, count in task.running.values())

    def queue_put(self, task, count):
        """Add items; the status."""
        if count > self.queue_room(task):
            return "ERR_QUEUE_FULL"
        task.put += count
        task.came += [self.now] * count
        self.queue_wake(task)
        return "OK"

    def queue_wake(self, task):
        """Something that lets CTAs start may have happened."""
        if task.place in ("parked", "suspended") and task.status == "OK":
            if not self.startable(task):
                self.settle(task)
            elif not task.suspended:
                self.add(task, task.tmd.head)

    def push(self, name, count, from_task=None):
        """PUSH; the status."""
        task = self.find(name)
        if task is None or task.tmd.kind != "queue":
            return "ERR_TASK"
        if task.status != "OK" or task.closed and task is not from_task:
            return "ERR_QUEUE_CLOSED"
        return self.queue_put(task, count)

    def close(self, name):
        """CLOSE; the status."""
        task = self.find(name)
        if task is None or task.tmd.kind != "queue":
            return "ERR_TASK"
        task.closed = True
        self.queue_wake(task)
        return "OK"

    def timers(self):
        """Time-outs of coalescing, in their order."""
        self.looked = self.now
        for task in sorted((task for task in self.live if task.tmd.kind == "queue"), key=self.time_out):
            self.queue_wake(task)
