# SPDX-License-Identifier: Apache-2.0
"""Where the parts of the project are that are not Python: in the repository, or in the installed package."""

import os
from pathlib import Path

from .errors import Error

_HERE = Path(__file__).resolve().parent


def root() -> Path:
    """The repository that this package lies in, or what an installed package has of it."""
    installed = _HERE / "dist"  # host/python/setup.py puts it there.
    return installed if installed.is_dir() else _HERE.parents[2]


def build_folder() -> Path:
    """$GANGER_BUILD, or the build folder below root()."""
    chosen = os.environ.get("GANGER_BUILD")
    return Path(chosen) if chosen else root() / "build"


def sample(name: str, xlen: int = 64) -> Path:
    """The ELF of a kernel that comes with the package: sample("vecadd"). xlen: 64 or 32, as
    `info.xlen` of the device. Raises Error ERR_IMAGE_MISSING with the names that there are."""
    if xlen not in (32, 64):
        raise Error("ERR_ARGUMENT", "Cores have 32 or 64 bits.", "xlen", xlen)
    folder = build_folder() / "kernels" / ("rv32" if xlen == 32 else "")
    path = folder / f"{name}.elf"
    if not path.is_file():
        names = ", ".join(sorted(one.stem for one in folder.glob("*.elf"))) or "none: run make"
        raise Error("ERR_IMAGE_MISSING", f"No sample kernel of this name; there are {names}.",
                    "sample", name)
    return path
