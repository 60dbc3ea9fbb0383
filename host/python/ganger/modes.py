# SPDX-License-Identifier: Apache-2.0
"""Distribution modes by name: `mode=` of ganger.Work, dev.config.mode, and Done.mode."""

from typing import Union

from . import abi
from .errors import Error

_SHORT = {"LOAD_BALANCING": "balance", "MULTI_CAST": "multicast"}
MODES = {_SHORT.get(name, name.lower().replace("_", "-")): number
         for name, number in abi.ENUMS["task_mode"].items()}


def mode_number(mode: Union[None, int, str]) -> int:
    """Number of a distribution mode given by name, number, or None (the device's)."""
    if mode is None:
        return MODES["device"]
    if isinstance(mode, int):
        return mode
    if mode not in MODES:
        raise Error("ERR_MODE", f"Modes are {', '.join(MODES)}.", "mode", mode)
    return MODES[mode]


def mode_name(number: int) -> str:
    """Name of a distribution mode; of one that this version does not know its number."""
    return next((name for name, known in MODES.items() if known == number), str(number))
