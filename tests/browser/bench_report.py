# SPDX-License-Identifier: Apache-2.0
"""How long Chromium takes to open the report of a long trace: from the navigation to the first frame with all of it.

Prints, for traces of a million records of few long tasks and of many short ones: bytes of the file, for each of five openings its
seconds and what the page's process took of the processors, and the seconds of a whole drawing after that. The first does depend on
what else the machine does, which is printed before; the second hardly does."""
import os
import random
import sys
import tempfile
from pathlib import Path

from conftest import opened, processor_seconds, started, until
from ganger.trace import Trace
from ganger.trace_events import Event

RECORDS, SMS, TIMES = 1000000, 64, 5
CP = ("ACCEPT", "SLOT", "ASSIGN", "LAUNCH", "TASK")


def records(ctas):
    """So many records on SMs that are busy all the time: of tasks with that many CTAs each, one after the other."""
    chance, free, events = random.Random(1), [1000] * SMS, []
    for tag in range(1, 1 + RECORDS // (ctas + len(CP))):
        begin = min(free)
        for cta in range(ctas):
            sm = (tag * ctas + cta) % SMS
            start = free[sm] + chance.randrange(20, 400)
            free[sm] = start + chance.randrange(500, 6000)
            events.append(Event("CTA", sm, 0, tag, cta, 0, start, free[sm]))
        events += [Event(kind, None, 0, tag, 0, 0, begin, max(free) if kind == "TASK" else begin) for kind in CP]
    return events


def main():
    """Prints the figures."""
    chromium = started()
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        for ctas in (1995, 45):
            file, events = Path(folder) / "long.html", records(ctas)
            Trace(events, 0, SMS, {}).save(file)
            seconds, taken = [], []
            for _ in range(TIMES):
                chromium.get("about:blank")
                before = processor_seconds(chromium)
                opened(chromium, file)
                until(chromium, "state.opened_ms")
                seconds.append(chromium.execute_script("return state.opened_ms") / 1000)
                taken.append(max(now - before.get(process, 0.0) for process, now in processor_seconds(chromium).items()))
            drawing = chromium.execute_script("const begun = performance.now(); drawNow(); return performance.now() - begun")
            print(f"{len(events):,} records of {RECORDS // (ctas + len(CP)):,} tasks: {file.stat().st_size:,} bytes; opened in "
                  f"{', '.join(f'{one:.2f}' for one in seconds)} s, with {', '.join(f'{one:.2f}' for one in taken)} s of a processor; "
                  f"drawn again in {drawing / 1000:.2f} s", flush=True)
    chromium.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
