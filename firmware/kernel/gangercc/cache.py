# SPDX-License-Identifier: Apache-2.0
"""Files that are kept from one run to the next, by content: objects of the runtime and stubs, and whole programs.

They are in $GANGER_CACHE, which without that is $XDG_CACHE_HOME/ganger or ~/.cache/ganger. A file there is 32 bytes,
the SHA-256 of what follows, and then what was kept; its name is 64 hexadecimal digits, a SHA-256 of what it was made
of. It appears as a whole, by a rename, so that any number of processes can use the folder. Where it cannot be written,
nothing is kept. What was used longest ago, by the time of its file, goes when the files of a folder take more than
MOST_BYTES.

host/opencl/kept.c reads these files, too, so what is said here and in programs.py is an interface.
"""
import hashlib
import os

MOST_BYTES = 256 << 20  # of each folder; $GANGER_CACHE_BYTES is another number
DIGEST = 32


def folder(kind):
    """Where files of a kind are kept, or None where there is no place for them."""
    named = os.environ.get("GANGER_CACHE", "")
    if os.path.isabs(named):
        return os.path.join(named, kind)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # As the XDG specification wants it.
        home = os.environ.get("HOME", "")
        base = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return os.path.join(base, "ganger", kind) if base else None


def most_bytes():
    said = os.environ.get("GANGER_CACHE_BYTES", "")
    return int(said) if said.isdecimal() else MOST_BYTES


def key(*texts):
    """The name of what is made of these texts and bytes."""
    total = hashlib.sha256()
    for text in texts:
        total.update((text if isinstance(text, bytes) else os.fsencode(text)) + b"\0")
    return total.hexdigest()


def identity(path):
    """What changes when a program or a file of an installed package is exchanged, without reading it."""
    found = os.stat(path)
    return f"{found.st_size} {found.st_mtime_ns} {os.path.realpath(path)}"


def read(path):
    """What a file keeps, or None: it is not there, or it is damaged."""
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    return data[DIGEST:] if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST] else None


def write(place, name, data):
    """Writes a file that appears as a whole. An OSError leaves nothing."""
    path = os.path.join(place, f"new-{os.getpid()}-{name[:16]}")
    os.makedirs(place, 0o700, exist_ok=True)
    try:
        with open(path, "wb") as stream:
            stream.write(hashlib.sha256(data).digest() + data)
        os.replace(path, os.path.join(place, name))
    except OSError:
        if os.path.exists(path):
            os.unlink(path)
        raise


def get(kind, name):
    """What was kept, or None. It counts as used."""
    place = folder(kind)
    if place is None:
        return None
    path = os.path.join(place, name)
    found = read(path)
    try:
        os.utime(path)
    except OSError:
        pass  # It may be used for less long, then.
    return found


def put(kind, name, data):
    """Keeps bytes, if that is possible."""
    place = folder(kind)
    if place is None or len(data) > most_bytes() // 4:
        return
    try:
        write(place, name, data)
        trim(place)
    except OSError:
        pass


def trim(place):
    """Removes what was used longest ago. Others may remove the same at the same time."""
    found = []
    for entry in os.scandir(place):
        try:
            facts = entry.stat()
        except OSError:
            continue
        found.append((facts.st_mtime_ns, facts.st_size, entry.path))
    most, total = most_bytes(), sum(size for _time, size, _path in found)
    for _time, size, path in sorted(found):
        if total <= most:
            break
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
        total -= size
