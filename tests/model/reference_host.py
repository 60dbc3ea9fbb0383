# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: channels and their commands (S0-R14), and the requests of CTAs."""
from reference_life import DEPTH_MAX

BATCH = 16


class Host:
    """Commands of the host."""

    def take_commands(self):
        """A batch of commands of the channel that is to be read next."""
        count = len(self.channels)
        reading = [number for number, commands in enumerate(self.channels)
                   if commands and not self.channel_suspended[number]]
        if not reading:
            return
        channel = min(reading, key=lambda number: (self.channel_priority[number],
                                                   (number - self.last_channel - 1) % count))
        self.last_channel = channel
        for _ in range(min(BATCH, len(self.channels[channel]))):
            if self.posting or self.channel_suspended[channel]:  # they go first
                return
            verb, tag, *what = self.channels[channel].pop(0)
            self.command(channel, verb, tag, what)

    def command(self, channel, verb, tag, what):
        """One command; those that are no task are answered at once."""
        if verb == "submit":
            status = self.accept(what[0], tag, channel)
            if status == "OK":
                return
        elif verb == "fence":
            before = {task for task in self.live if task.channel == channel and not task.parent}
            self.fences.append((tag, channel, before))
            self.end_fences()
            return
        elif verb == "reset_sm":
            status = self.reset_sm(tag, *what)
            if status is None:
                return
        elif verb == "cancel_channel" and self.cancels:
            status = "ERR_BUSY"
        elif verb == "cancel_channel":
            self.cancelling += [task for task in self.live if task.channel == what[0]]
            self.cancels.append(tag)
            return
        else:
            status = getattr(self, verb)(*what)
        self.completions.append((tag, status, 0))

    def end_fences(self):
        """Fences whose tasks are all over."""
        live = set(self.live)
        for fence in [fence for fence in self.fences if not fence[2] & live]:
            self.fences.remove(fence)
            self.completions.append((fence[0], "OK", 0))
            self.posting = True

    def nop(self):
        """NOP does nothing."""
        return "OK"

    def configure(self, part):
        """CONFIG of a part: what the block holds when the command is taken."""
        value = self.block[part]
        busy = any(task.tmd.throttle for task in self.live)
        if part == "THROTTLE" and value != self.throttle and busy:
            return "ERR_BUSY"
        if part == "ENABLED":
            for sm in self.sms:
                sm.enabled = sm.number in value
        elif part == "GROUP":
            for sm, gpc in zip(self.sms, value):
                sm.gpc = gpc
        else:
            setattr(self, part.lower(), value)
        if part == "FLOOR":
            self.credit = 0
        return "OK"

    def cancel(self, name):
        """CANCEL of a task."""
        task = self.find(name)
        if task is None:
            return "ERR_TASK"
        self.fail(task, "ERR_CANCELLED")
        self.settle(task)
        return "OK"

    def cancel_all(self):
        """CANCEL of all tasks that a channel has submitted, but not their children: these go with
        them. The command is answered when no completion waits."""
        for task in self.cancelling:
            if not task.parent:
                self.fail(task, "ERR_CANCELLED")
                self.settle(task)
        self.cancelling = []
        if not self.posting:
            self.completions += [(tag, "OK", 0) for tag in self.cancels]
            self.cancels = []

    def suspend(self, name):
        """SUSPEND of a task: nothing more of it is issued; it leaves its slot."""
        task = self.find(name)
        if task is None:
            return "ERR_TASK"
        if task.suspended:
            return "OK"
        task.suspended = True
        if task.place == "pending":
            self.pending[task.priority].remove(task)
            task.place = "suspended"
        elif task.place == "parked":
            task.place = "suspended"
        elif task.place == "slot" and self.unissued(task) and task.status == "OK":
            task.leaving = True
            self.leave(task)
        return "OK"

    def resume(self, name):
        """RESUME of a task: it waits for a slot again."""
        task = self.find(name)
        if task is None:
            return "ERR_TASK"
        if not task.suspended:
            return "OK"
        task.suspended = False
        if task.place in ("suspended", "parked") and self.unissued(task):
            task.place = "held"
            self.release(task)
        return "OK"

    def suspend_channel(self, channel):
        """SUSPEND of a channel: it is not read. A channel cannot suspend itself, because nobody could resume it."""
        if channel == self.last_channel:
            return "ERR_ARGUMENT"
        self.channel_suspended[channel] = True
        return "OK"

    def resume_channel(self, channel):
        """RESUME of a channel: it is read again."""
        self.channel_suspended[channel] = False
        return "OK"

    def requested(self, task, kind, *what):
        """What a CTA asks for; the status."""
        if task.status != "OK":
            return "ERR_CANCELLED"
        if kind == "launch":
            if task.depth == DEPTH_MAX:
                return "ERR_DEPTH"
            return self.accept(what[0], task.tag, task.channel, task)
        if kind == "push":
            return self.push(*what, from_task=task)
        return self.close(*what)
