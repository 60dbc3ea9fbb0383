# SPDX-License-Identifier: Apache-2.0
"""The programs that ganger-cc runs, and what their failures mean to the author of a kernel."""
import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import cache
from .errors import KernelError

KERNEL_FOLDER = Path(__file__).resolve().parent.parent
ROOT = KERNEL_FOLDER.parent.parent
PREFIX = "riscv64-unknown-elf-"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/include"
SECONDS = 300
RUNTIME = "runtime"  # in the folder of Toolchain.library()

# What makes code position-independent as kernel.ld wants it, and its needs measurable.
CODE = ["-mcmodel=medany", "-ftls-model=local-exec", "-ffunction-sections", "-fdata-sections",
        "-fno-jump-tables", "-fno-common", "-fno-pic", "-fno-stack-protector",
        "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
# Kernels that are the same stay two; shared variables keep symbols of their own.
GCC_ONLY = ["-fno-ipa-icf", "-fno-section-anchors", "-misa-spec=2.2"]

UNDEFINED = re.compile(r"undefined reference to [`']([^']+)'")


def full_disk(output, folder):
    return f"a disk is full: that of {output.parent}, or that of {folder}, which TMPDIR chooses"


class Toolchain:
    """One target's tools; all files go into `folder`."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.depends = []
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
        sys.stderr.write(self.without_folder(done.stderr))
        if done.returncode:
            raise KernelError(self.no_room(done) or what)
        return done.stdout

    def without_folder(self, text):
        """What came from standard input has a name and no folder."""
        return text.replace(f"{self.folder}/", "")

    def dependencies(self, produced):
        """Options that make a compiler write which files a source includes."""
        self.depends.append(produced.with_suffix(".d"))
        return ["-MD", "-MF", self.depends[-1]]

    def included(self):
        """These files."""
        return {re.sub(r"\\(.)", r"\1", word) for path in self.depends
                for word in re.findall(r"(?:\\.|\S)+", path.read_text().replace("\\\n", " ").partition(": ")[2])}

    def no_room(self, done):
        """What to say when a program failed since a disk is full, else ""."""
        if os.strerror(errno.ENOSPC) not in done.stderr:
            return ""
        return full_disk(self.options.output, self.folder)

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
                      *self.dependencies(produced), "-c", source, "-o", produced], f"{source}: does not compile")
        return produced

    def runtime_compiler(self):
        """For our own sources and the generated stubs: always gcc, and the same options for the same target."""
        return [*self.compiler("gcc"), "-O2", "-gdwarf-4", "-fno-builtin"]

    def compile_runtime(self, source):
        produced = self.folder / (source.stem + "-runtime.o")
        self.checked([*self.runtime_compiler(), f"-I{ROOT}", f"-ffile-prefix-map={ROOT}=.",
                      f"-ffile-prefix-map={self.folder}=.", f"-fdebug-prefix-map={Path.cwd()}=.", "-c", source, "-o", produced],
                     f"{source}: our own runtime does not compile")
        return produced

    def kept(self, name, make):
        """What was made once under this name: by `make` (runtime.py), or by a run of this user. Else make()."""
        if not self.options.cache:
            return make()
        found = cache.read(self.library() / RUNTIME / name)
        found = cache.get("objects", name) if found is None else found
        if found is None:
            found = make()
            cache.put("objects", name, found)
        return found

    @staticmethod
    def library():
        """The folder of what `make` has built for all kernels: BUILD/opencl."""
        return Path(os.environ.get("GANGER_BUILD") or ROOT / "build").resolve() / "opencl"

    def kept_object(self, source, name):
        """As compile_runtime(), but once for each name."""
        produced = self.folder / (source.stem + "-runtime.o")
        found = self.kept(name, lambda: self.compile_runtime(source).read_bytes())
        produced.write_bytes(found)
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

    def version(self, tool):
        """(name under which it is kept, the first line that a compiler says of itself)"""
        path = shutil.which(tool)
        if path is None:
            raise KernelError(f"{tool} is not installed: run `make deps`")
        name = cache.key("version", cache.identity(path))
        return name, self.kept(name, lambda: self.checked([tool, "--version"], "no compiler").splitlines()[0].encode())

    def producer(self):
        if not any(source.suffix == ".c" for source in self.options.sources):
            return self.version("clang-14")[1].decode()
        return self.version("clang" if self.options.cc == "clang" else PREFIX + "gcc")[1].decode()
