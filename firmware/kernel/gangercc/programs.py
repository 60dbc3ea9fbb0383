# SPDX-License-Identifier: Apache-2.0
"""Whole programs that are kept: the same source with the same options is not built again.

The name of a program is the SHA-256 of these texts, a zero byte after each: "ganger program 1"; the real path of
ganger-cc; the current folder; the values of ENVIRONMENT, empty where there is none; the arguments but for those that
say where the result goes; an empty text; and the content of each source among the arguments, in their order, where `-`
is standard input. Or the caller names the program by `--key`, a SHA-256 that it made of all of that and of the files
in the folder of the output, which may be included: host/opencl/kept.c.

What is kept is text first, and then bytes:

    ganger program 1
    stat SIZE MTIME PATH       a tool, or a part of ganger-cc: the same while its size and its time, in ns, are
    hash SHA256 PATH           a file that a source includes: the same while its content is
    log BYTES                  what the compilers said
    image BYTES                the ELF
                               an empty line, and then log and image

A program is used when all that it names is still the same. A header that appears in a folder that is searched before
that of the one which was used is not seen; `--no-cache` builds anew.
"""
import contextlib
import hashlib
import io
import os
import re
import shutil
import sys
from pathlib import Path

from . import cache

KIND = "programs"
MAGIC = "ganger program 1"
ENVIRONMENT = ("PATH", "GANGER_BUILD", "CPATH", "C_INCLUDE_PATH")
NEVER = ("--no-cache", "-v", "--save-temps", "--opencl-library", "-h", "--help")  # not looked up, not kept
CHANGING = (b"__TIME__", b"__DATE__", b"__TIMESTAMP__")  # not the same twice
KERNEL_FOLDER = Path(__file__).resolve().parent.parent
ROOT = KERNEL_FOLDER.parent.parent
OWN = (".", "gangercc", "gangercc/loops", "opencl", "runtime")
OTHERS = (ROOT / "firmware/pull/nd_range.c", ROOT / "firmware/pull/nd_range.h", ROOT / "firmware/abi/ganger_abi.h")
INSTALLED = "/usr/"  # Nobody edits headers there without a new time.
TOOLS = ("riscv64-unknown-elf-gcc", "riscv64-unknown-elf-ld", "clang-14", "clang", "llvm-spirv-14")


def split_output(arguments):
    """(arguments without the output, the output or None)"""
    rest, output, words = [], None, iter(arguments)
    for word in words:
        if word == "-o":
            output = next(words, None)
        elif word.startswith("-o"):
            output = word[2:]
        else:
            rest.append(word)
    return rest, output


def key_of(arguments):
    """The name that the caller gave, or None."""
    for word, following in zip(arguments, [*arguments[1:], ""]):
        if word == "--key" or word.startswith("--key="):
            return word[6:] or following
    return None


def is_key(text):
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def contents(arguments, standard_input):
    """The sources among the arguments; a name that is none does no harm."""
    for word in arguments:
        if word == "-":
            yield standard_input or b""
        elif word.endswith((".c", ".cl", ".spv", ".o")) and not word.startswith("-"):
            try:
                yield Path(word).read_bytes()
            except OSError:
                yield b""


def name_of(arguments, standard_input=None):
    """The name of the program of these arguments, or None: it is not kept."""
    if any(word.split("=")[0] in NEVER for word in arguments):
        return None
    given = key_of(arguments)
    if given is not None:
        return given if is_key(given) else None
    rest, _output = split_output(arguments)
    try:
        here = os.getcwd()
    except OSError:
        return None
    return cache.key(MAGIC, os.path.realpath(KERNEL_FOLDER / "ganger-cc"), here,
                     *(os.environ.get(one, "") for one in ENVIRONMENT), *rest, "", *contents(rest, standard_input))


def is_same(line):
    """Whether what a line names has not changed."""
    what, first, rest = line.split(" ", 2)
    try:
        if what == "hash":
            return hashlib.sha256(Path(rest).read_bytes()).hexdigest() == first
        time, path = rest.split(" ", 1)
        facts = os.stat(path)
        return what == "stat" and (facts.st_size, facts.st_mtime_ns) == (int(first), int(time))
    except (OSError, ValueError):
        return False


def find(name):
    """(log, image) of a program that is kept and whose parts are the same, or None."""
    data = cache.get(KIND, name)
    if data is None:
        return None
    head, _, rest = data.partition(b"\n\n")
    magic, *parts, log, _image = os.fsdecode(head).split("\n")
    if magic != MAGIC or not all(map(is_same, parts)):
        return None
    size = int(log.split()[1])
    return rest[:size].decode("utf-8", "replace"), rest[size:]


def tool_lines():
    """What programs are made with: compilers, and all files of ganger-cc."""
    found = [shutil.which(tool) for tool in TOOLS]
    own = [path for folder in OWN for path in (KERNEL_FOLDER / folder).iterdir() if path.is_file()]
    return [f"stat {cache.identity(path)}" for path in [*filter(None, found), *sorted(own), *OTHERS]]


def keep(name, arguments, included, log, image):
    """Keeps a program. `included`: paths of all files that its sources include."""
    lines = [MAGIC, *tool_lines()]
    if key_of(arguments):
        inside = os.path.realpath(os.path.dirname(split_output(arguments)[1]) or ".") + os.sep
        included = [path for path in included if not os.path.realpath(path).startswith(inside)]
    try:
        for path in sorted({os.path.realpath(path) for path in included}):
            if path.startswith(INSTALLED):
                lines.append(f"stat {cache.identity(path)}")
                continue
            content = Path(path).read_bytes()
            if any(word in content for word in CHANGING):
                return
            lines.append(f"hash {hashlib.sha256(content).hexdigest()} {path}")
    except OSError:
        return
    said = log.encode("utf-8", "replace")
    if any("\n" in line for line in lines):
        return
    lines += [f"log {len(said)}", f"image {len(image)}"]
    cache.put(KIND, name, os.fsencode("\n".join(lines)) + b"\n\n" + said + image)


def write(path, image):
    """Writes the ELF where it belongs, as a whole or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.is_file():
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            temporary.write_bytes(image)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    else:
        path.write_bytes(image)  # A device, such as /dev/null.


def answer(arguments, standard_input):
    """Does all of ganger-cc's work if the program is kept. Returns whether it was."""
    name = name_of(arguments, standard_input)
    _rest, output = split_output(arguments)
    found = find(name) if name and output else None
    if found is None:
        return False
    try:
        write(output, found[1])
    except OSError:
        return False  # The long way has the words for it.
    sys.stderr.write(found[0])
    return True


class Tee(io.TextIOBase):
    """Standard error that remembers what was said."""

    def __init__(self, stream):
        self.stream = stream
        self.said = ""

    def write(self, text):
        self.said += text
        return self.stream.write(text)

    def flush(self):
        self.stream.flush()


@contextlib.contextmanager
def remembered():
    """Standard error is remembered meanwhile."""
    tee = Tee(sys.stderr)
    with contextlib.redirect_stderr(tee):
        yield tee
