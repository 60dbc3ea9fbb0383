# SPDX-License-Identifier: Apache-2.0
"""The programs that ganger-cc runs, and what their failures mean to the author of a kernel."""
import errno
import os
import re
import subprocess
import sys
from pathlib import Path

from .errors import KernelError

KERNEL_FOLDER = Path(__file__).resolve().parent.parent
ROOT = KERNEL_FOLDER.parent.parent
PREFIX = "riscv64-unknown-elf-"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include"
SECONDS = 300

# What makes code position-independent as kernel.ld wants it, and its needs measurable.
CODE = ["-mcmodel=medany", "-ftls-model=local-exec", "-ffunction-sections", "-fdata-sections",
        "-fno-jump-tables", "-fno-common", "-fno-pic", "-fno-stack-protector",
        "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
# Kernels that are the same stay two; shared variables keep symbols of their own.
GCC_ONLY = ["-fno-ipa-icf", "-fno-section-anchors", "-misa-spec=2.2"]

UNDEFINED = re.compile(r"undefined reference to [`']([^']+)'")


class Toolchain:
    """One target's tools; all files go into `folder`."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.machine = [f"-march={options.march}", f"-mabi={options.mabi}"]

    def run(self, command):
        """Standard output; a warning goes to the user, a failure is a KernelError."""
        if self.options.verbose:
            print(" ".join(map(str, command)), file=sys.stderr)
        try:
            done = subprocess.run(command, text=True, errors="replace", timeout=SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except FileNotFoundError:
            raise KernelError(f"{command[0]} is not installed: run `make deps`") from None
        except subprocess.TimeoutExpired:
            raise KernelError(f"{command[0]} did not end within {SECONDS} s") from None
        return done

    def checked(self, command, what):
        done = self.run(command)
        sys.stderr.write(done.stderr)
        if done.returncode:
            raise KernelError(self.no_room(done) or what)
        return done.stdout

    def no_room(self, done):
        """What to say when a program failed since a disk is full, else ""."""
        if os.strerror(errno.ENOSPC) not in done.stderr:
            return ""
        return f"a disk is full: that of {self.options.output.parent}, or that of {self.folder}, which TMPDIR chooses"

    def compiler(self, kind):
        if kind == "gcc":
            return [PREFIX + "gcc", "--specs=picolibc.specs", *self.machine, *CODE, *GCC_ONLY]
        return ["clang", f"--target=riscv{self.options.xlen}-unknown-elf", "-nostdlibinc",
                "-isystem", PICOLIBC, *self.machine, *CODE]

    def compile_kernel(self, source, number):
        o = self.options
        produced = self.folder / f"{number}-{source.stem}.o"
        defines = [f"-D{d}" for d in o.defines] + [f"-I{i}" for i in o.includes]
        own = ["-isystem", KERNEL_FOLDER, "-isystem", ROOT, "-include", "ganger_kernel.h"]
        self.checked([*self.compiler(o.cc or "gcc"), f"-O{o.optimize}", "-gdwarf-4", *defines, *own, *o.flags,
                      "-c", source, "-o", produced], f"{source}: does not compile")
        return produced

    def compile_runtime(self, source):
        """Our own sources and the generated stubs: always with gcc and the same options."""
        produced = self.folder / (source.stem + "-runtime.o")
        self.checked([*self.compiler("gcc"), "-O2", "-gdwarf-4", "-fno-builtin", f"-I{ROOT}",
                      f"-ffile-prefix-map={ROOT}=.", "-c", source, "-o", produced],
                     f"{source}: our own runtime does not compile")
        return produced

    def link(self, objects, name):
        produced = self.folder / name
        done = self.run([*self.compiler("gcc"), "-nostartfiles", "-static", f"-T{KERNEL_FOLDER}/kernel.ld",
                         "-Wl,--no-relax,--emit-relocs,--gc-sections,--build-id=none",
                         "-Wl,--no-warn-rwx-segments,-z,max-page-size=4096",
                         *objects, "-lm", "-o", produced])
        if done.returncode:
            missing = sorted(set(UNDEFINED.findall(done.stderr)))
            if missing:
                why = ("; atomics need a core with the A extension"
                       if any(name.startswith("__atomic_") for name in missing) else "")
                raise KernelError("undefined: " + ", ".join(missing) + why)
            raise KernelError(self.no_room(done) or "does not link:\n" + done.stderr.rstrip())
        sys.stderr.write(done.stderr)
        return produced

    def disassemble(self, elf):
        """Of a copy without the compiler's labels: objdump looks through all of them for each line."""
        bare = self.folder / f"bare-{elf.name}"
        self.checked([PREFIX + "objcopy", "--strip-debug", "--discard-locals", "--remove-relocations=*",
                      elf, bare], f"{elf}: cannot be copied")
        return self.checked([PREFIX + "objdump", "-d", "-z", "-M", "no-aliases", bare],
                            f"{elf}: cannot be disassembled")

    @staticmethod
    def change_relocations(elf, image):
        """Writes image.absolute_fixes() into the file: the type is the lower part of r_info."""
        with open(elf, "r+b") as stream:
            for place, number in image.absolute_fixes():
                stream.seek(place + image.xlen // 8)
                stream.write(bytes([number]))

    def finish(self, elf, section):
        strip = [] if self.options.debug else ["--strip-debug"]
        self.options.output.parent.mkdir(parents=True, exist_ok=True)
        self.checked([PREFIX + "objcopy", *strip, "--discard-locals", "--remove-section=.ganger.notes",
                      "--remove-section=.rela.ganger.notes", "--remove-section=.rela.debug*", f"--add-section=.ganger.kernels={section}",
                      "--set-section-flags=.ganger.kernels=noload,readonly", elf, self.options.output],
                     f"{self.options.output}: cannot be written")

    def producer(self):
        if not any(source.suffix == ".c" for source in self.options.sources):
            command = ["clang-14", "--version"]
        else:
            command = ["clang" if self.options.cc == "clang" else PREFIX + "gcc", "--version"]
        return self.checked(command, "no compiler").splitlines()[0]
