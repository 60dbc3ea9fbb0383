# SPDX-License-Identifier: Apache-2.0
"""Policies by name or file, and the program that plays workloads with one of them."""

import fcntl
import functools
import hashlib
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple, Type, Union

from .. import abi
from ..errors import Error
from ..places import build_folder, root
from .python_policy import METHODS, load_class

_MODES = abi.ENUMS["task_mode"]
_DEFINITION = re.compile(r"^const struct policy(_order)? (\w+)\s*=", re.MULTILINE)
SIZES = (512, 16384)  # SMs for which the control processor's tables are made.
_WAIT_S = 600


class Policy(NamedTuple):
    """symbol: the constant in C that chooses SMs, order: that which chooses tasks; source: the file that defines them, "" for
    one of the source tree; digest: of its text; mode: of the tasks that it gets; make: of a policy in Python, its class."""
    name: str
    symbol: str
    order: str
    source: str
    digest: str
    mode: int
    make: Optional[Callable[[], Any]] = None


def _shipped() -> Dict[str, str]:
    folder = root() / "firmware" / "cp" / "policy"
    return {path.stem.removeprefix("policy_").replace("_", "-"): str(path) for path in sorted(folder.glob("policy_*.c"))}


def POLICIES() -> Tuple[str, ...]:
    """Names of the policies of the source tree."""
    return tuple(_shipped())


def _of_class(chosen: Type[Any]) -> Policy:
    if not isinstance(chosen, type):
        raise Error("ERR_ARGUMENT", "A policy is the class itself, a name or the name of a file.", "policy", repr(chosen))
    has = [callable(getattr(chosen, method, None)) for method in METHODS]
    if not any(has):
        raise Error("ERR_ARGUMENT", f"{chosen.__name__} has neither a method sm(task, room) nor next(tasks).", "policy", chosen.__name__)
    return Policy(chosen.__name__, "policy_ask" if has[0] else "policy_balance", "policy_ask_order" if has[1] else "policy_by_age",
                  "", "", _MODES["ROUND_ROBIN" if has[0] else "LOAD_BALANCING"], chosen)


def find_policy(name: Union[str, Type[Any]]) -> Policy:
    """A policy: a class in Python; or by its name, or the name of a file that ends in .c or .py. Raises Error ERR_ARGUMENT, or
    OSError."""
    if not isinstance(name, str):
        return _of_class(name)
    if name.endswith(".py"):
        return _of_class(load_class(Path(name)))
    shipped = _shipped()
    if name not in shipped and not name.endswith(".c"):
        raise Error("ERR_ARGUMENT", f"There is no policy {name!r}: there are {', '.join(shipped)}, or a file of C or Python.",
                    "policy", name)
    path = Path(shipped.get(name, name)).resolve()
    text = path.read_bytes()
    found = _DEFINITION.findall(text.decode("utf-8", "replace"))
    kinds = {kind: symbol for kind, symbol in found}
    if not 1 <= len(found) == len(kinds):
        raise Error("ERR_ARGUMENT", f"{name} defines {len(found)} policies; `const struct policy policy_NAME = {{ … }};` and "
                    "`const struct policy_order policy_NAME = { … };` are wanted, or one of them, each in a line of its own.",
                    "policy", name)
    symbol = kinds.get("", "policy_balance")
    mode = "LOAD_BALANCING" if symbol == "policy_balance" else "ROUND_ROBIN"
    return Policy(name if name in shipped else path.stem, symbol, kinds.get("_order", "policy_by_age"),
                  "" if name in shipped else str(path), hashlib.sha256(text).hexdigest()[:12], _MODES[mode])


def size_for(sms: int) -> int:
    """The tables that a device needs. Raises Error ERR_ARGUMENT."""
    if not 1 <= sms <= SIZES[-1]:
        raise Error("ERR_ARGUMENT", f"A device of the laboratory has 1 to {SIZES[-1]} SMs.", "sms", sms)
    return next(size for size in SIZES if sms <= size)


def call_make(*words: str) -> None:
    """Calls make in the source tree, one at a time. Raises Error ERR_COMPILE."""
    build = build_folder().resolve()
    (build / "lab").mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    with open(build / "lab" / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["make", "-C", str(root()), f"-j{os.cpu_count() or 1}", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=_WAIT_S,
                              check=False, text=True, errors="replace")
    if done.returncode:
        raise Error("ERR_COMPILE", f"The laboratory does not build: {done.stdout.strip()[-2000:]}")


@functools.lru_cache(maxsize=64)
def build_program(policy: Policy, size: int) -> Path:
    """Builds the program for a policy, in the build folder. What does not depend on it is built once. Raises Error
    ERR_COMPILE; ERR_IMAGE_MISSING where there is no source tree."""
    if not (root() / "host" / "lab" / "lab.mk").is_file():
        raise Error("ERR_IMAGE_MISSING", "The laboratory compiles the control processor's files: it needs the repository and a C "
                    "compiler. Clone it, and use its host/ganger.")
    name = f"{policy.name}-{policy.digest}" if policy.make is None else f"{policy.symbol}-{policy.order}"
    program = build_folder().resolve() / "lab" / str(size) / name
    call_make(f"BUILD={build_folder().resolve()}", "lab-program", f"LAB_SIZE={size}", f"LAB_NAME={policy.symbol}",
              f"LAB_ORDER={policy.order}", f"LAB_POLICY={policy.source}", f"LAB_PROGRAM={program}")
    return program
