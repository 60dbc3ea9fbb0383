# SPDX-License-Identifier: Apache-2.0
"""kept.py IMAGE MAP COMMAND...: links by COMMAND, which makes the two files, or takes what it made of the same files before, in any clone.

ccache keeps objects, not images, and to link one in one piece takes five seconds. Images are kept where ganger-cc keeps what it
makes. The key is the command, the files among its words, and the compiler's version; libraries, which only MAP names, are
compared when a kept image is found.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "firmware/kernel"))
from gangercc import cache  # noqa: E402  # pylint: disable=wrong-import-position

KIND = "images"
LIBRARY = re.compile(r"^LOAD (/.*\.a)$", re.MULTILINE)


def digests(paths):
    """Path: what it holds, or None where there is no such file."""
    return {path: hashlib.sha256(Path(path).read_bytes()).hexdigest() if os.path.isfile(path) else None for path in paths}


def key(command):
    """The name of what a command makes."""
    version = subprocess.run([command[0], "--version"], stdout=subprocess.PIPE, check=False).stdout
    return cache.key(version, json.dumps([command, digests(command)]))


def take(name, image, plan):
    """Writes what is kept under this name. Returns whether there is something, made with the libraries of now."""
    data = cache.get(KIND, name)
    if data is None:
        return False
    head, _newline, rest = data.partition(b"\n")
    libraries, size = json.loads(head)
    if libraries != digests(libraries):
        return False
    image.write_bytes(rest[:size])
    image.chmod(0o755)
    plan.write_bytes(rest[size:])
    return True


def keep(name, image, plan):
    """Keeps what was linked."""
    made, text = image.read_bytes(), plan.read_bytes()
    head = [digests(LIBRARY.findall(text.decode(errors="replace"))), len(made)]
    cache.put(KIND, name, json.dumps(head).encode() + b"\n" + made + text)


def main():
    image, plan, command = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    for file in (image, plan):
        file.unlink(missing_ok=True)  # The image is among the words of the command.
    name = key(command)
    if take(name, image, plan):
        return 0
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        keep(name, image, plan)
    return status


if __name__ == "__main__":
    sys.exit(main())
