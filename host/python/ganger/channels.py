# SPDX-License-Identifier: Apache-2.0
"""Channels of a device: dev.channels[2].suspend()."""

from . import clib
from .registers import Registers


class Channel:
    """A mailbox channel."""

    def __init__(self, handle: clib.Handle, regs: Registers, number: int):
        self._handle = handle
        self._regs = regs
        self.number = number

    def _call(self, name: str, timeout: float) -> None:
        self._handle.device_call(name, self.number, clib.milliseconds(timeout))

    @property
    def state(self) -> str:
        """"OPEN", "SUSPENDED", or "REFUSED"."""
        name: str = self._regs.channel[self.number].state.name()
        return name

    def cancel(self, timeout: float = 10) -> None:
        """Cancels its tasks: all that were posted before; if it is suspended or full, only
        those that the device has taken. Raises Error."""
        self._call("gg_channel_cancel", timeout)

    def suspend(self, timeout: float = 10) -> None:
        """The device stops reading it; tasks that it has taken go on. Raises Error ERR_ARGUMENT
        when no other channel is open."""
        self._call("gg_channel_suspend", timeout)

    def resume(self, timeout: float = 10) -> None:
        """Undoes suspend()."""
        self._call("gg_channel_resume", timeout)

    def reset(self, timeout: float = 10) -> None:
        """Resets it: see Device.channel_reset()."""
        self._call("gg_channel_reset", timeout)

    def __repr__(self) -> str:
        return f"<ganger.Channel {self.number} {self.state}>"
