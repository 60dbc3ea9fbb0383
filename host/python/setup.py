# SPDX-License-Identifier: Apache-2.0
"""Puts what the package needs besides Python into it, as `ganger/dist`, with the repository's folders: library,
broker, images of the devices, sample kernels, and the kernels' compiler with its sources. `make` has built them."""
import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("GANGER_BUILD") or ROOT / "build").resolve()
WORK = BUILD / "wheel"  # Nothing is written into the sources.

SOURCES = ("LICENSE", "host/include/*.h", "host/demo/harbour.pgm", "firmware/abi/*.h", "firmware/pull/nd_range.[ch]",
           "firmware/kernel/ganger-cc", "firmware/kernel/*.h", "firmware/kernel/*.ld", "firmware/kernel/gangercc/*.py",
           "firmware/kernel/gangercc/loops/*.py",
           "firmware/kernel/runtime/*", "firmware/kernel/opencl/*", "firmware/kernel/samples/*.c")
BUILT = ("host/libganger.so", "host/ganger-broker", "qemu-virt*/board.mk", "qemu-virt*/cp.elf", "qemu-virt*/sm.elf",
         "kernels/*.elf", "kernels/rv32/*.elf", "opencl/*/*.bc")
OPTIONAL = ("qemu/libcount.so", "qemu/libprofile.so")  # Counts instructions: make plugin.


def copy(folder, patterns, target, needed=True):
    """Copies files with their folders."""
    for pattern in patterns:
        found = [file for file in sorted(folder.glob(pattern)) if file.is_file()]
        if needed and not found:
            raise SystemExit(f"ganger: there is no {folder / pattern}; run `make` in {ROOT} first")
        for file in found:
            place = target / file.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)


class BuildPy(build_py):
    """Copies the other files, too. An editable installation finds them in the repository."""

    def run(self):
        package = Path(self.build_lib) / "ganger"
        shutil.rmtree(package, ignore_errors=True)  # What is there would be packed.
        super().run()
        if self.editable_mode:
            return
        copy(ROOT, SOURCES, package / "dist")
        copy(BUILD, BUILT, package / "dist" / "build")
        copy(BUILD, OPTIONAL, package / "dist" / "build", needed=False)
        (package / "dist" / "build" / "opencl" / "prebuilt").touch()  # No file is older than its sources.


class BdistWheel(bdist_wheel):
    """For any Python 3 on this kind of machine."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


WORK.mkdir(parents=True, exist_ok=True)
# A list of files from before the repository was moved would be believed, and its paths refused.
shutil.rmtree(WORK / "ganger.egg-info", ignore_errors=True)
setup(cmdclass={"build_py": BuildPy, "bdist_wheel": BdistWheel},
      options={"build": {"build_base": str(WORK / "build")}, "egg_info": {"egg_base": str(WORK)}})
