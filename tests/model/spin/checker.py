# SPDX-License-Identifier: Apache-2.0
"""Runs the model checker Spin on a model of this folder: model to C, C to a program, program run.

The program visits every state that the model can reach. Its result goes into REPORT, a line for
each run; run.py prints them at the end.
"""
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("GANGER_BUILD", "build")).resolve() / "spin"
TIME_OUT_S = 900  # ends a hang; never a measure of speed
DEPTH = 100000    # steps of the longest run; more is an error, as below
MEMORY_MIB = 2000
TRAIL_LINES = 80
REPORT = []

ERRORS = re.compile(r"errors: (\d+)")
STATES = re.compile(r"(\d+) states, stored")
SAID = re.compile(r"^pan:\d+: (.*) \(at depth", re.MULTILINE)
MEMORY = re.compile(r"([\d.]+)\s+total actual memory")
SECONDS = re.compile(r"pan: elapsed time ([\d.]+)")
UNREACHED = re.compile(r"^\t\S+:(\d+), state \d+, (\".*)$", re.MULTILINE)
# The search did not see every state, so that "errors: 0" means nothing.
INCOMPLETE = re.compile(r"Search not completed|max search depth too small|out of memory|-DMEMLIM")


@dataclass
class Outcome:
    errors: int
    states: int
    said: str        # what was violated, as Spin says it; empty without an error
    unreached: list  # statements of the processes that no run came to
    text: str


def name(value):
    """The macros of a case as its name; what is expected of it is no part of the name."""
    return " ".join(value) if isinstance(value, list) else "found"


def spin_missing():
    """Why Spin cannot be used, or nothing. Another program has the same name."""
    if not shutil.which("spin"):
        return "the model checker spin is not installed (make deps, or apt-get install spin)"
    version = subprocess.run(["spin", "-V"], capture_output=True, text=True).stdout
    if not version.startswith("Spin Version"):
        return "the command spin is not the model checker (apt-get install spin)"
    return ""


def command(words, folder):
    """Output of a command; a status other than 0 or a hang fails the test."""
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=TIME_OUT_S)
    assert done.returncode == 0, f"{' '.join(words)}: status {done.returncode}\n{done.stdout}"
    return done.stdout


def trail(model, defines, folder):
    """The steps to the error."""
    if not list(folder.glob("*.trail")):
        return ""
    steps = command(["spin", *defines, "-t", "-p", "-g", "-l", model], folder).splitlines()
    return "\n".join(steps[-TRAIL_LINES:])


def explore(model, defines=(), liveness=False, flags=("-O1",)):
    """All states of a model with these macros; with liveness also its LTL property."""
    label = " ".join([model, *defines, *(["ltl"] if liveness else [])])
    folder = BUILD / re.sub(r"\W+", "_", label)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in HERE.glob("*.pml"):
        shutil.copy(path, folder)
    macros = [f"-D{define}" for define in defines]
    command(["spin", *macros, "-a", model], folder)
    kind = [] if liveness else ["-DSAFETY", "-DNOCLAIM"]
    command(["gcc", *flags, "-w", "-DCOLLAPSE", f"-DMEMLIM={MEMORY_MIB}", *kind,
             "-o", "pan", "pan.c"], folder)
    text = command(["./pan", f"-m{DEPTH}", *(["-a"] if liveness else [])], folder)
    found = ERRORS.search(text)
    assert found, text
    outcome = Outcome(int(found[1]), int(STATES.search(text)[1]), " ".join(SAID.findall(text)),
                      [f"{line}: {what}" for line, what in UNREACHED.findall(text)], text)
    REPORT.append((label, outcome.states, float(MEMORY.search(text)[1]),
                   float(SECONDS.search(text)[1]), outcome.said))
    if outcome.errors:
        outcome.text += trail(model, macros, folder)
    return outcome


def holds(model, defines=(), liveness=False, least=1):
    """No error in any state, all states seen, and at least so many of them: no empty model."""
    outcome = explore(model, defines, liveness)
    assert outcome.errors == 0 and not INCOMPLETE.search(outcome.text), outcome.text
    assert outcome.states >= least, f"{outcome.states} states, at least {least} expected"
    return outcome


def finds(model, defines, expected):
    """The planted fault is found, and for its own reason."""
    # The fault is found soon, so compiling takes most of the time; it is found sooner still with the last process
    # first.
    outcome = explore(model, defines, flags=("-O0", "-DREVERSE"))
    assert outcome.errors, f"{model} {defines}: the planted fault passed\n{outcome.text}"
    assert expected in outcome.said, f"expected: {expected}; found: {outcome.said}"
