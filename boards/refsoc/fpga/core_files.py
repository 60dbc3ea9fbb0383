# SPDX-License-Identifier: Apache-2.0
"""The files and options of a core that yosys reads: core.f as arguments of `read_slang` and `read_verilog`.

`$CORE` becomes the folder of the Python package that the first line names, all paths relative to the working
folder. A line `// edit FILE: s/OLD/NEW/` puts a changed copy of a file into OUT: some code suits simulators only."""
import importlib
import os
import re
import sys
from pathlib import Path

PACKAGE = re.compile(r"// package: (\w+)")
EDIT = re.compile(r"// edit (\S+): s/([^/]+)/([^/]+)/")


def edited(path, old, new, out):
    """A copy of the file with `old`, which has to be there once, replaced."""
    text = path.read_text()
    if text.count(old) != 1:
        raise ValueError(f"{path}: has {text.count(old)} of '{old}', not one")
    out.mkdir(parents=True, exist_ok=True)
    copy = out / path.name
    copy.write_text(text.replace(old, new))
    return copy


def words(core_f, out):
    lines = core_f.read_text().splitlines()
    folder = Path(importlib.import_module(PACKAGE.match(lines[0])[1]).data_location)
    edits = {match[1]: match.groups()[1:] for match in map(EDIT.match, lines) if match}
    for line in lines:
        if line.startswith("//") or not line:
            continue
        option, _, rest = line.rpartition("+")
        if option == "+define":
            yield f"-D{rest}"
            continue
        path = Path(rest.replace("$CORE", str(folder)))
        if path.name in edits:
            path = edited(path, *edits[path.name], out)
        yield {"+incdir": "-I", "": ""}[option] + os.path.relpath(path)


def main():
    try:
        print(" ".join(words(Path(sys.argv[1]), Path(sys.argv[2]))))
    except (ValueError, ImportError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
