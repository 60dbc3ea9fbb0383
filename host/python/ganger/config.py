# SPDX-License-Identifier: Apache-2.0
"""The CONFIG block from Python's values and back: dev.config."""

import ctypes
from typing import Any, Callable, Dict, Iterable, List, Tuple

from . import abi, clib, structs
from .checks import unsigned
from .errors import Error
from .modes import mode_name, mode_number
from .typed import Json

_WORDS = {name: layout[0] // 4 for name, layout in abi.BLOCKS["config"][1].items()}
_PARTS = {name.lower(): bit for name, bit in abi.ENUMS["config_part"].items()}
_PART_OF = {"floor_per_mille": "floor", "time_limit_us": "time_limit", "throttle_sms": "throttle",
            "cga_ids": "cluster", "cga_patience": "cluster", "far_ticks": "pull",
            "chunk_us": "pull", "local_low": "pull", "latency": "pull", "answer_ms": "answer",
            "watch_ms": "watch", "park_ms": "park"}
_SMS = 512  # SMs that the block has words for.
_PLAIN = ("throttle_sms", "cga_ids", "cga_patience", "far_ticks", "chunk_us", "local_low",
          "answer_ms", "watch_ms", "restarts", "park_ms")
_GPCS = abi.BLOCKS["config"][1]["latency"][1]


def _set_enabled(words: Any, sms: Iterable[int], _count: int) -> None:
    chosen = {unsigned("enabled", sm, _SMS - 1) for sm in sms}
    for place in range(16):
        words[_WORDS["enabled"] + place] = sum(1 << bit for bit in range(32)
                                               if place * 32 + bit in chosen)


def _set_rank(words: Any, sms: Iterable[int], count: int) -> None:
    order = [unsigned("rank", sm) for sm in sms]
    order += [sm for sm in range(count) if sm not in set(order)]
    for rank, sm in enumerate(order[:_SMS]):
        words[_WORDS["rank"] + rank] = sm


def _set_group(words: Any, groups: Dict[int, Tuple[int, int, int]], count: int) -> None:
    for sm, place in groups.items():
        if not 0 <= sm < count or len(place) != 3:
            raise Error("ERR_ARGUMENT", f"SM: (gpc, cpc, tpc), SMs 0 to {count - 1}", "group", sm)
        gpc, cpc, tpc = (unsigned("group", number, 0xff) for number in place)
        words[_WORDS["group"] + sm] = gpc | cpc << 8 | tpc << 16


def _set_latency(words: Any, ticks: Iterable[int], _count: int) -> None:
    given = [unsigned("latency", one) for one in ticks]
    if len(given) > _GPCS:
        raise Error("ERR_ARGUMENT", f"At most {_GPCS}, one a GPC.", "latency", len(given))
    for gpc in range(_GPCS):
        words[_WORDS["latency"] + gpc] = given[gpc] if gpc < len(given) else 0


_SETTERS: Dict[str, Callable[[Any, Any, int], None]] = {"enabled": _set_enabled, "rank": _set_rank, "group": _set_group,
            "latency": _set_latency}


def _decoded(words: Any, count: int) -> Json:
    return {
        "mode": mode_name(words[_WORDS["mode"]]),
        "floor_per_mille": words[_WORDS["floor_per_mille"]],
        "time_limit_us": words[_WORDS["time_limit_us"]],
        "trace": bool(words[_WORDS["trace"]]),
        **{name: words[_WORDS[name]] for name in _PLAIN},
        "enabled": [sm for sm in range(count)
                    if words[_WORDS["enabled"] + sm // 32] >> sm % 32 & 1],
        "rank": [words[_WORDS["rank"] + rank] for rank in range(count)],
        "group": {sm: tuple(words[_WORDS["group"] + sm] >> shift & 0xff for shift in (0, 8, 16))
                  for sm in range(count)},
        "latency": [words[_WORDS["latency"] + gpc] for gpc in range(_GPCS)],
    }


def _change(handle: clib.Handle, sms: int, parts: Json, timeout: float) -> Json:
    """Writes and applies the named parts; returns all. Raises Error ERR_CONFIG, TypeError."""
    words = structs.ConfigWords()
    handle.device_call("gg_config_get", ctypes.byref(words))
    mask = 0
    for name, value in parts.items():
        part = _PART_OF.get(name, name)
        if part not in _PARTS or name in _PART_OF.values():
            raise TypeError(f"config() has no part {name}")
        mask |= 1 << _PARTS[part]
        if name in _SETTERS:
            _SETTERS[name](words, value, sms)
        else:
            number = mode_number(value) if name == "mode" else value
            words[_WORDS[name]] = unsigned(name, number)
    if mask:
        handle.device_call("gg_config_set", mask, ctypes.byref(words),
                           clib.milliseconds(timeout))
        handle.device_call("gg_config_get", ctypes.byref(words))
    return _decoded(words, sms)


class Config:
    """`dev.config`: what is in force, by attribute; a call changes several parts, all or nothing.

        dev.config.floor_per_mille = 50
        dev.config(mode="round-robin", enabled=[0, 1, 2])     # returns all parts as a dict

    mode ("device": "balance", and "pull" for plain grids that do not fit into the device; "balance";
    "round-robin"), floor_per_mille (per mille of CTAs kept for lower priorities),
    time_limit_us, trace, enabled (SM numbers), rank (SM numbers, preferred first; the rest follow
    in order), group ({SM: (gpc, cpc, tpc)}: the tree of SMs; those left out stay where they are),
    throttle_sms (SMs whose memory an SM has in throttle mode), cga_ids (ids of CGAs in each GPC and
    in the device, 1 to 256), cga_patience (CTAs that may start past a CGA that does not fit, until
    SMs are kept free for it), and of PULL grids far_ticks (a GPC with a higher latency takes work
    through a queue of its own; 0: none does), chunk_us (microseconds that a chunk takes whose size
    the device chooses; 0: no limit), local_low (per mille of a portion that is left of such a queue
    when the next one is fetched), latency (ticks by GPC; the rest are 0). answer_ms (milliseconds
    that an SM has to stop and to start when it is reset, 1 to 60,000), watch_ms (milliseconds after which an SM with CTAs that takes no interrupt is reset; 0: never), restarts (panics in a minute after which the control processor boots again, up to 1,000), park_ms (milliseconds for which CTAs may hold up a more urgent task, or a suspension: before that they are parked; up to 60,000; 0: never. The first time it takes memory from the device: twice info.sms times the memory of an SM). Raises Error ERR_CONFIG, ERR_BUSY (group: while there are tasks with CGAs), and changes nothing then.
    """

    def __init__(self, handle: clib.Handle, sms: int):
        vars(self).update(_handle=handle, _sms=sms)

    def __call__(self, timeout: float = 10, **parts: Any) -> Json:
        return _change(vars(self)["_handle"], vars(self)["_sms"], parts, timeout)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.__dir__():
            raise AttributeError(f"there is no configuration {name}")
        return self()[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self(**{name: value})

    def __dir__(self) -> List[str]:
        return ["mode", "floor_per_mille", "time_limit_us", "trace", "throttle_sms", "enabled",
                "rank", "group", "cga_ids", "cga_patience", "far_ticks", "chunk_us", "local_low",
                "latency", "answer_ms", "watch_ms", "restarts", "park_ms"]

    def __repr__(self) -> str:
        return f"<ganger.Config {self()}>"
