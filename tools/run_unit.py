# SPDX-License-Identifier: Apache-2.0
"""Runs cmocka programs and counts their cases.

The output is read, not cmocka's XML, since that is written at the end only: here a crash fails
the case that was running and those that never ran, and the cases before it still count.
"""
import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import junit

TIME_OUT_S = 600  # ends a hang; never a measure of speed
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0",
              "UBSAN_OPTIONS": "print_stacktrace=1"}
PLAN = re.compile(r"^\[=+\] .*Running (\d+) test\(s\)")
EVENT = re.compile(r"^\[\s*(RUN|OK|FAILED|SKIPPED|ERROR)\s*\] (\S+)\s*$")


def execute(program):
    """Status and output; the status of a hang is "hangs"."""
    try:
        done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIME_OUT_S, env={**os.environ, **SANITIZERS})
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        return f"hangs, ended after {TIME_OUT_S} s", (error.stdout or b"").decode(errors="replace")
    except OSError as error:
        return f"cannot run: {error.strerror}", ""


def parse(output):
    """The planned number of cases, and the state of each that started, in order.

    A function that is registered several times gets numbers: name, name (2) …"""
    planned, states, runs, label = 0, {}, {}, None
    for line in output.splitlines():
        plan, event = PLAN.match(line), EVENT.match(line)
        if plan:
            planned += int(plan.group(1))
        elif event and event.group(1) == "RUN":
            name = event.group(2)
            runs[name] = runs.get(name, 0) + 1
            label = name if runs[name] == 1 else f"{name} ({runs[name]})"
            states[label] = "failed"  # until it says otherwise
        elif event and label and event.group(2) == label.split()[0] \
                and event.group(1) in ("OK", "SKIPPED"):
            states[label] = "passed" if event.group(1) == "OK" else "skipped"
    return planned, states


def run(program):
    suite = f"tests/{Path(program).parent.name}/{Path(program).name}.c"
    status, output = execute(program)
    planned, states = parse(output)
    cases = [junit.Case(suite, name, state, output if state == "failed" else "")
             for name, state in states.items()]
    for number in range(planned - len(states)):
        cases.append(junit.Case(suite, f"never ran ({number + 1})", "failed", output))
    if not cases:
        cases.append(junit.Case(suite, f"no test ran ({status})", "failed", output))
    elif status != 0 and all(case.state != "failed" for case in cases):
        cases.append(junit.Case(suite, f"after the tests: status {status}", "failed", output))
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", required=True)
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        suites = list(pool.map(run, arguments.programs))
    for program, cases in zip(arguments.programs, suites):
        failed = [case for case in cases if case.state == "failed"]
        print(f"{Path(program).name:32} {len(cases) - len(failed)} passed, {len(failed)} failed")
        for case in failed:
            print(f"  FAILED {case.name}")
        if failed:
            print("\n".join("    " + line for line in failed[0].text.splitlines()[-60:]))
    everything = sum(suites, [])
    junit.write(arguments.xml, everything)
    return int(not everything or any(case.state == "failed" for case in everything))


if __name__ == "__main__":
    sys.exit(main())
