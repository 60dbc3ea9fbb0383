# SPDX-License-Identifier: Apache-2.0
"""^C, and the other signals that ask a program to end: SIGTERM, SIGHUP.

They end a command with one line and exit code 128 + signal, at its next step that may be cut. Steps
that must be whole are in `with whole():`. What has to go at the end in any case is told to at_end().
Only the first signal counts; what comes after it, while the command clears up, is ignored.

host/ganger starts Python with SIGINT blocked, so that it does not hit an import; begin() lets it in.
"""

import contextlib
import signal
import sys
import threading
from types import FrameType
from typing import Callable, Iterator, List, Optional

from ..clib import Handle

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_RETRY_S = 0.01
# What must be whole: cut there, a device that counts as closed would stay.
_CLOSING = Handle.close.__code__


class _State:
    """number: the first signal, or 0; whole: blocks that must not be cut; over: nothing is cut any
    more; cleanups: what at_end() was told."""
    number = 0
    whole = 0
    over = False
    cleanups: List[Callable[[], None]] = []


def _closes(frame: Optional[FrameType]) -> bool:
    while frame is not None and frame.f_code is not _CLOSING:
        frame = frame.f_back
    return frame is not None


def _cut() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    raise KeyboardInterrupt


def _take(number: int, frame: Optional[FrameType]) -> None:
    if _State.over or (_State.number and number != signal.SIGALRM):
        return
    _State.number = _State.number or number
    if _State.whole:
        return
    if _closes(frame):
        signal.setitimer(signal.ITIMER_REAL, _RETRY_S)
        return
    _cut()


def _lost(unraisable: "sys.UnraisableHookArgs") -> None:
    """An interrupt that hit a destructor was dropped by Python: once more, soon."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        if not _State.over:
            signal.setitimer(signal.ITIMER_REAL, _RETRY_S)
    else:
        sys.__unraisablehook__(unraisable)


def begin() -> None:
    """From now on signals raise KeyboardInterrupt. One that is ignored stays so."""
    if threading.current_thread() is not threading.main_thread():
        return
    sys.unraisablehook = _lost
    signal.signal(signal.SIGALRM, _take)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _take)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def _close() -> None:
    """From now on signals do nothing, and the timer of a second try is off. Signals are ignored by the
    system: Python gives those that have handlers of its own back when it ends, and one that came then
    would still kill the process."""
    _State.over = True
    if threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number in (*SIGNALS, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)


def finish() -> bool:
    """The command's result stands: no signal cuts it from now on. False: one has come before."""
    _close()
    return _State.number == 0


def end() -> int:
    """Clears up; exit code for a command that was cut."""
    _close()
    while _State.cleanups:
        _State.cleanups.pop()()
    return 128 + _State.number


def at_end(function: Callable[[], None]) -> None:
    """Calls a function at the end of the command, however it ends; the last one comes first."""
    _State.cleanups.append(function)


@contextlib.contextmanager
def whole() -> Iterator[None]:
    """A block that is not cut: a signal that comes meanwhile is taken at its end."""
    _State.whole += 1
    try:
        yield
    finally:
        _State.whole -= 1
    if _State.number and not _State.whole and not _State.over:
        _cut()
