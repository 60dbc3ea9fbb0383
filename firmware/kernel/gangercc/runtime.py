# SPDX-License-Identifier: Apache-2.0
"""Objects of the runtime that is linked to every module: built once for each set of options, then kept (cache.py).
`make` builds those for the usual targets, which whoever has the same compiler finds there, also with an empty cache."""
import os
import shutil

from . import cache
from .toolchain import KERNEL_FOLDER, PICOLIBC, PREFIX, ROOT, RUNTIME

SOURCES = [KERNEL_FOLDER / "runtime" / name for name in ("threads.S", "support.c", "nd.c")] \
    + [ROOT / "firmware/pull/nd_range.c"]
FOLD = KERNEL_FOLDER / "runtime" / "fold.c"  # of OpenCL C
RACE = KERNEL_FOLDER / "runtime" / "race.c"  # of --race
HEADERS = [*sorted(KERNEL_FOLDER.glob("*.h")), KERNEL_FOLDER / "runtime/stub.h", KERNEL_FOLDER / "runtime/race.h", ROOT / "firmware/pull/nd_range.h",
           ROOT / "firmware/abi/ganger_abi.h", ROOT / "firmware/abi/field.h"]


def compiler_identity():
    """What changes with the compiler or its headers."""
    return [cache.identity(path) for path in (shutil.which(PREFIX + "gcc"), PICOLIBC) if path and os.path.exists(path)]


def names(tools, sources):
    """Under which name the object of each source is kept."""
    common = [*compiler_identity(), *map(str, tools.runtime_compiler()), *(path.read_bytes() for path in HEADERS)]
    return [cache.key(*common, source.name, source.read_bytes()) for source in sources]


def objects(tools):
    """Paths of the objects, in the folder of this run."""
    sources = SOURCES + [FOLD] * any(source.suffix != ".c" for source in tools.options.sources) + [RACE] * tools.options.race
    return [tools.kept_object(source, name) for source, name in zip(sources, names(tools, sources))]


def stubs(tools, source):
    """Path of the object of the stubs, which programs have in common whose kernels have the same names and forms."""
    return tools.kept_object(source, names(tools, [source])[0])


def build(targets):
    """For make: builds what is missing for these targets, and removes what nobody finds any more."""
    place, found = targets[0].library() / RUNTIME, {}
    place.mkdir(parents=True, exist_ok=True)
    for tools in targets:
        for name, source in zip(names(tools, SOURCES + [FOLD]), SOURCES + [FOLD]):
            found[name] = cache.read(place / name) or tools.compile_runtime(source).read_bytes()
    for tool in ("clang-14", PREFIX + "gcc"):
        name, line = targets[0].version(tool)
        found[name] = line
    for name, data in found.items():
        cache.write(place, name, data)
    for name in set(os.listdir(place)) - set(found):
        os.unlink(place / name)
