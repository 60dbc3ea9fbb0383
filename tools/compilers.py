# SPDX-License-Identifier: Apache-2.0
"""How each folder's C code is compiled by the checks, with both compilers and for every target."""
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import tree

WARNINGS = "-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror".split()
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)$")
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include"

# Targets: firmware is soft-float without F and D, kernels have both.
FIRMWARE = {"rv64": ("rv64imac", "lp64"), "rv32": ("rv32imac", "ilp32")}
KERNEL = {"rv64": ("rv64gc", "lp64d"), "rv32": ("rv32gc", "ilp32d")}

# Folder: where its code runs. The longest prefix of a file's path decides.
TARGETS = {
    "boards": ("board",),
    "hal": ("host", "firmware"),
    "hal/drivers": ("firmware",),
    "hal/riscv": ("firmware",),
    "firmware": ("firmware",),
    "firmware/abi": ("host", "firmware"),
    "firmware/cp": ("host", "firmware"),
    "firmware/link": ("host", "firmware"),
    "firmware/pull": ("host", "firmware"),
    "firmware/graph": ("host", "firmware"),
    "firmware/kernel": ("kernel",),
    "host": ("host",),
    "qemu": ("host",),
    "tests/fake": ("host",),
    "tests/opencl/quick": ("host",),
    "tests/scale": ("host",),
    "tests/unit": ("host",),
}


def riscv(xlen, march, mabi):
    common = ["-march=" + march, "-mabi=" + mabi, "-mcmodel=medany"]
    gcc = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-misa-spec=2.2"] + common
    clang = ["clang", f"--target=riscv{xlen}-unknown-elf", "-nostdlibinc", "-isystem", PICOLIBC]
    return [gcc, clang + common]


def board_values(path):
    """The plain NAME = value lines of a board.mk."""
    values = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            values[name.strip()] = value.strip()
    return values


def board_commands(root, path):
    """For a file of one board its own target, for a file that boards share that of each board."""
    makefiles = [root / path.parent / "board.mk"]
    if not makefiles[0].exists():
        makefiles = sorted((root / "boards").glob("*/board.mk"))
    for makefile in makefiles:
        values = board_values(makefile)
        macros = [f"-D{name}={value}" for name, value in values.items() if NUMBER.match(value)]
        macros += ["-I.", f'-DBOARD_NAME="{makefile.parent.name}"']
        for command in riscv(values.get("BOARD_XLEN", "64"), values.get("BOARD_MARCH", "rv64imac"),
                             values.get("BOARD_MABI", "lp64")):
            yield command + macros


def commands(root, path):
    """Compilers with all flags but the warnings, for every place where a file's code runs."""
    found = []
    for place in places(path):
        if place == "host":
            flags = ["-Itests/fake", "-I.", "-Ihost/include", "-pthread", "-D_GNU_SOURCE"]
            found += [["gcc"] + flags, ["clang"] + flags]
        elif place == "board":
            found += board_commands(root, path)
        else:
            include = ["-I."] + (["-Ifirmware/kernel"] if place == "kernel" else [])
            targets = FIRMWARE if place == "firmware" else KERNEL
            found += [command + include for name, (march, mabi) in targets.items()
                      for command in riscv(name[2:], march, mabi)]
    return found


def places(path):
    """Where a file's code runs; empty for files outside of all folders."""
    name = path.as_posix()
    fitting = [f for f in TARGETS if name.startswith(f + "/")]
    return TARGETS[max(fitting, key=len)] if fitting else ()


def run(root, command, timeout=600, **options):
    """Exit status and all output of a command; a missing tool is a failure, not a crash."""
    try:
        done = subprocess.run(command, cwd=root, text=True, errors="replace", timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, f"{command[0]}: {error}\n"
    return done.returncode, done.stdout


def run_all(root, jobs):
    """Runs (label, command, options) in parallel; one problem for each that fails."""
    def problem(job):
        label, command, options = job
        status, output = run(root, command, **options)
        return f"{label}: {' '.join(command[:2])} says:\n{output.rstrip()}" if status else None

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [p for p in pool.map(problem, jobs) if p]


def c_files(root, suffix):
    return [p for p in tree.files(root, {suffix}, TARGETS) if places(p)]
