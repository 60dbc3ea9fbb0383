# SPDX-License-Identifier: Apache-2.0
"""Reference scheduler: SMs that are lost, and their CTAs, which run again (retry_limit)."""

GUILTY = 2  # lost SMs on which a CTA was, when it is suspected
KERNELS = 8  # that the quarantine holds


class Lost:
    """Lost SMs."""

    def sm_lost(self, sm, given, order):
        """An SM is lost. `given`: the host has asked for it; `order`: of the tasks in the slots."""
        sm.lost = True
        running = {task: [cta for _, cta in sorted(sm.running.items()) if cta.task is task]
                   for task in order}
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

    def sm_back(self, sm):
        """It is in service again."""
        sm.lost, sm.task, sm.owes = False, None, False

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
        task.retried += len(ctas)
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

    @staticmethod
    def next_range(task):
        """When no other CTA of a task is left: those of its last range."""
        if not task.left and task.back:
            task.next, task.left, task.losses, task.blames = task.back.pop()

    def lift_quarantine(self, channel):
        """Lets the kernels out that tasks of a channel brought into quarantine."""
        self.quarantine = [entry for entry in self.quarantine if entry[1] != channel]
