# SPDX-License-Identifier: Apache-2.0
"""Where the parts of the project are that are not Python: in the repository, or in the installed package."""

import os
import stat
from pathlib import Path
from typing import List, Optional

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


def default_path() -> str:
    """Where `ganger up` listens: in $XDG_RUNTIME_DIR, or in /tmp/ganger-$UID, made for us alone."""
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if folder and os.access(folder, os.W_OK):
        return os.path.join(folder, "ganger.sock")
    folder = f"/tmp/ganger-{os.getuid()}"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    found = os.lstat(folder)
    if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o077:
        raise Error("ERR_IO", "The folder is not ours alone.", "path", folder)
    return os.path.join(folder, "ganger.sock")


def path_of(number: int, first: Optional[str] = None) -> str:
    """Where `ganger up --devices N` has a device; first: where it has number 0."""
    return f"{first or default_path()}.{number}" if number else first or default_path()


def paths_up(first: Optional[str] = None) -> List[str]:
    """Where there are sockets of devices of `ganger up`, in order; first: as above."""
    place = Path(first or default_path())
    numbers = sorted(int(one.name[len(place.name) + 1:]) for one in place.parent.glob(f"{place.name}.*")
                     if one.name[len(place.name) + 1:].isdecimal())
    return [path for path in map(lambda number: path_of(number, str(place)), [0, *numbers])
            if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode)]
