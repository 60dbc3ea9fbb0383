# SPDX-License-Identifier: Apache-2.0
"""Objects of the runtime that is linked to every module: built once for each set of options, then kept (cache.py)."""
import os
import shutil

from . import cache
from .toolchain import KERNEL_FOLDER, PICOLIBC, PREFIX, ROOT

SOURCES = [KERNEL_FOLDER / "runtime" / name for name in ("threads.S", "support.c", "nd.c")] \
    + [ROOT / "firmware/pull/nd_range.c"]
RACE = KERNEL_FOLDER / "runtime" / "race.c"  # of --race
HEADERS = [*sorted(KERNEL_FOLDER.glob("*.h")), KERNEL_FOLDER / "runtime/stub.h", KERNEL_FOLDER / "runtime/race.h", ROOT / "firmware/pull/nd_range.h",
           ROOT / "firmware/abi/ganger_abi.h", ROOT / "firmware/abi/field.h"]


def compiler_identity():
    """What changes with the compiler or its headers."""
    return [cache.identity(path) for path in (shutil.which(PREFIX + "gcc"), PICOLIBC) if path and os.path.exists(path)]


def objects(tools):
    """Paths of the objects, in the folder of this run."""
    common = [*compiler_identity(), *map(str, tools.runtime_compiler()), *(path.read_bytes() for path in HEADERS)]
    return [tools.kept_object(source, cache.key(*common, source.name, source.read_bytes())) for source in SOURCES + [RACE] * tools.options.race]
