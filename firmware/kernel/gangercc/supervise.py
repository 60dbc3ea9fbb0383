# SPDX-License-Identifier: Apache-2.0
"""Runs the compiler so that nothing of it is left, whenever it is interrupted.

A process of its own does the work, with the programs that it starts, in a process group of their own. This one
only waits, and removes the temporary folder. It takes signals when it waits and never otherwise.
"""
import os
import signal
import sys
from pathlib import Path

ENDS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def block():
    """Keeps signals that end a program for run(). Called before anything else, so that ^C does not hit an import."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS | {signal.SIGCHLD})


def ends():
    """The signals that end this program; one that its starter ignores, such as a shell in the background, does not."""
    return {number for number in ENDS if signal.getsignal(number) != signal.SIG_IGN}


def standard_input():
    """All of standard input. A signal ends this program meanwhile."""
    for number in ends():
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
    data = sys.stdin.buffer.read()
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    return data


def work(function, folder):
    """The worker: never returns."""
    os.setpgid(0, 0)
    for number in ends():
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS | {signal.SIGCHLD})
    code = 1
    try:
        code = function(folder)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def wait(worker):
    """The worker's exit code; or, once it is dead, 128 and the number of the signal that ended us."""
    got = signal.sigwait(ends() | {signal.SIGCHLD})
    if got == signal.SIGCHLD:
        status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        return status if status >= 0 else 128 - status
    os.killpg(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    print("ganger-cc: interrupted", file=sys.stderr)
    return 128 + got


def run(function):
    """Calls function(folder) with a folder for temporary files; returns its result, which is an exit code."""
    import shutil  # pylint: disable=import-outside-toplevel
    import tempfile  # pylint: disable=import-outside-toplevel
    block()
    try:
        folder = tempfile.mkdtemp(prefix="ganger-cc-")
    except OSError as error:
        print(f"ganger-cc: error: no temporary folder: {error.strerror}; set TMPDIR to a folder with room",
              file=sys.stderr)
        return 1
    os.environ["TMPDIR"] = folder  # The compiler's own files go with the folder.
    try:
        worker = os.fork()
        if worker == 0:
            work(function, Path(folder))
        try:
            os.setpgid(worker, worker)  # Both set it: whoever comes first.
        except OSError:
            pass  # It has set it, or has ended.
        return wait(worker)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
