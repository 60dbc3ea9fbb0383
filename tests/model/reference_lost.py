# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: SMs that are lost, their CTAs, which run again (retry_limit), and how SMs come back (RESET_SM)."""

ANSWER_TICKS = 100_000_001  # that an SM has to stop, and to start: 10 s at 10 MHz, and a tick
GUILTY = 2  # lost SMs on which a CTA was, when it is suspected
KERNELS = 8  # that the quarantine holds


class Lost:
    """Lost SMs."""

    def reset_sm(self, tag, number):
        """RESET_SM; why it is refused, or None: it is answered later."""
        if number >= len(self.sms):
            return "ERR_ARGUMENT"
        sm = self.sms[number]
        if self.resetting or sm.reset:
            return "ERR_BUSY"
        self.resetting = [tag, sm, None]
        sm.given = True
        self.reset_begin(sm, self.now)
        return None

    def reset_begin(self, sm, since):
        """An SM is asked to stop, by the host or the watchdog. All waves are opened."""
        if not sm.reset:
            sm.reset, sm.since, sm.absent, self.opening = "stops", since, True, True

    def resets(self):
        """Goes on with all resets; the command's answer waits while others do."""
        for sm in self.sms:
            if sm.reset:
                self.reset_step(sm)
        if self.resetting and self.resetting[2] and not self.posting:
            self.completions.append((self.resetting[0], self.resetting[2], 0))
            self.resetting = None

    def reset_step(self, sm):
        """An SM that sleeps is started; one that runs again is in service; one that does not answer is written off."""
        late = self.now - sm.since > ANSWER_TICKS
        if sm.reset == "starts" and sm.runs_again:
            sm.absent = sm.lost = sm.given = sm.runs_again = False
            sm.task, sm.owes = None, False
            self.reset_end(sm, "OK")
        elif sm.reset == "stops" and sm.asleep:
            self.sm_lost(sm)
            sm.reset, sm.since, sm.asleep = "starts", self.now, False
            self.answers = [answer for answer in self.answers if answer[0] != sm.number]  # its rings begin anew
        elif late:
            sm.given = sm.given and sm.reset == "starts"
            self.sm_lost(sm)
            self.reset_end(sm, "ERR_SM_LOST")

    def reset_end(self, sm, status):
        """A reset is over."""
        sm.reset = None
        if self.resetting and self.resetting[1] is sm:
            self.resetting[2] = status

    def sm_lost(self, sm):
        """An SM is lost, unless it is already."""
        if sm.lost:
            return
        sm.lost = sm.absent = True
        given = sm.given
        tasks = {task.ident: task for task in self.slots}
        running = {tasks[ident]: [cta for _, cta in sorted(sm.running.items()) if cta.task is tasks[ident]]
                   for ident in self.slot_order if ident in tasks}
        running = {task: ctas for task, ctas in running.items() if ctas}
        if not given:
            self.judge(running)
        for task, ctas in running.items():
            status = self.keep(task, ctas, given)
            for cta in ctas:
                del sm.running[cta.start]
                sm.give_back(cta)
            task.in_flight -= len(ctas)
            self.gone += [(sm.number, ctas)]
            if status != "OK":
                self.fail(task, status)
            if not task.in_flight and task.place == "slot":
                self.drained(task)

    def judge(self, running):
        """If CTAs of one kernel only were on lost SMs before, it is guilty: its tasks end."""
        suspects = [task for task, ctas in running.items()
                    if task.tmd.retry and any(cta.blames + 1 >= GUILTY for cta in ctas)]
        if len({task.tmd.kernel for task in suspects}) != 1:
            return
        for task in suspects:
            if task.tmd.kernel not in [kernel for kernel, _ in self.quarantine]:
                self.quarantine = [*self.quarantine, (task.tmd.kernel, task.channel)][-KERNELS:]
            self.fail(task, "ERR_QUARANTINE")

    def keep(self, task, ctas, given):
        """Keeps lost CTAs, to issue them again; the status."""
        if task.status != "OK" or any(cta.losses >= task.tmd.retry for cta in ctas):
            return "ERR_SM_LOST"
        for cta in ctas:
            self.add_range(task, cta.number, cta.losses + 1, cta.blames + (not given))
        if not task.left:
            self.next_range(task)
            if task.tmd.quota and not task.turn_left and not task.suspended:
                self.end_turn(task)
        return "OK"

    @staticmethod
    def add_range(task, number, *losses):
        """One more lost CTA: next to those of the last range, or a range of its own."""
        if task.back:
            first, count, *before = task.back[-1]
            if before == list(losses) and number in (first - 1, first + count):
                task.back[-1] = min(first, number), count + 1, *losses
                return
        task.back.append((number, 1, *losses))

    def next_range(self, task):
        """When no other CTA of a task is left: those of its last range. A queue task has them first, one by one."""
        if task.tmd.kind == "queue":
            self.queue_again(task)
        elif not task.left and task.back:
            task.next, task.left, task.losses, task.blames = task.back.pop()
            task.retried += task.left

    def lift_quarantine(self, channel):
        """Lets the kernels out that tasks of a channel brought into quarantine."""
        self.quarantine = [entry for entry in self.quarantine if entry[1] != channel]
