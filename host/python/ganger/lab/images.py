# SPDX-License-Identifier: Apache-2.0
"""Images of a board with another policy, for `ganger lab run --device`: built by the board's own rules, and kept in the build folder."""

import hashlib
import os
import re
import shutil
from pathlib import Path

from ..errors import Error
from ..places import build_folder, root
from .policies import Policy, call_make

OWN = ("balance", "round-robin")  # What the images of all boards have.
_TABLES = re.compile(r"^BOARD_TABLES\s*=(.*)$", re.MULTILINE)
_COMPILER = os.environ.get("CROSS", "riscv64-unknown-elf-") + "gcc"


def check_policy(policy: Policy) -> None:
    """Raises Error ERR_ARGUMENT for a policy that an image cannot have."""
    if policy.make is not None or policy.source:
        raise Error("ERR_ARGUMENT", "A device plays the policies of firmware/cp/policy. Put the file there: "
                    "docs/tutorials/beat-round-robin.md shows it." if policy.source else
                    "A device plays policies in C, as those of firmware/cp/policy; a class in Python is for the simulation.",
                    "policy", policy.name)


def mode_of(policy: Policy) -> str:
    """The mode of tasks with which an image plays a policy: one that chooses SMs is in the place of round robin."""
    return OWN[policy.symbol != "policy_balance"]


def _tables(board: str, policy: Policy) -> str:
    """BOARD_TABLES of a board, with the policy."""
    path = root() / "boards" / board / "board.mk"
    found = _TABLES.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    words = found[1].split() if found else []
    if policy.symbol not in ("policy_balance", "policy_round_robin"):
        words.append(f"CP_POLICY={policy.symbol}")
    if policy.order != "policy_by_age":
        words.append(f"CP_ORDER={policy.order}")
    return " ".join(words)


def build_images(board: str, policy: Policy) -> Path:
    """A build folder with images of a board that have a policy: the usual one for those that all boards have, else one that is
    made, or brought up to date, below it. Raises Error ERR_ARGUMENT, ERR_BOARD, ERR_COMPILE, ERR_IMAGE_MISSING."""
    check_policy(policy)
    build = build_folder().resolve()
    if policy.name in OWN:
        return build
    if not (root() / "firmware" / "firmware.mk").is_file():
        raise Error("ERR_IMAGE_MISSING", "An image with another policy is compiled from the control processor's files: it needs the "
                    "repository and a compiler. Clone it, and use its host/ganger.", "policy", policy.name)
    if not (root() / "boards" / board / "board.mk").is_file():
        raise Error("ERR_BOARD", "There is no folder of boards/ of this name with a board.mk.", "board", board)
    for tool, package in ((_COMPILER, "gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf"), ("make", "make")):
        if shutil.which(tool) is None:
            raise Error("ERR_COMPILE", f"An image with {policy.name} has to be built, and {tool} is not there: `make deps` installs what is "
                        f"needed, or apt install {package}.", "policy", policy.name)
    tables = _tables(board, policy)  # A change of them is none of a file, so make would not see it.
    folder = build / "lab" / "images" / f"{policy.name}-{hashlib.sha256(tables.encode()).hexdigest()[:8]}"
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("host", "qemu"):  # The broker and the plug-ins are those of the usual folder.
        if not (folder / part).exists():
            (folder / part).symlink_to(build / part)
    call_make(f"BUILD={folder}", f"BOARD={board}", f"BOARD_TABLES={tables}",
              *(str(folder / board / image) for image in ("cp.elf", "sm.elf")))
    return folder
