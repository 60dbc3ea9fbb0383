# SPDX-License-Identifier: Apache-2.0
"""OpenCL C's built-in functions as LLVM bitcode, one set of files for each ABI: whatever a kernel uses
of it becomes a part of the kernel, for the kernel's -march. `make` builds it for the usual ABIs; what
is missing or old is built on use.

The files are in BUILD/opencl/ABI, where BUILD is $GANGER_BUILD or the folder build."""
import os
import sys
import tempfile
from pathlib import Path

from .errors import KernelError
from .toolchain import CODE, KERNEL_FOLDER, PICOLIBC, ROOT

# Its text of LLVM is what opencl_ir reads; later versions write another one.
CLANG = "clang-14"
FOLDER = KERNEL_FOLDER / "opencl"
# A file may use those behind it.
PARTS = ("half.cl", "convert.cl", "common.cl", "math_more.cl", "math.cl", "relational.cl",
         "integer.cl", "memory.cl", "atomic.cl", "atomic_c11.cl", "cluster.c", "runtime.c", "items.c")
VERSION_3 = ("atomic_c11.cl",)  # of OpenCL C 3.0; the others are of 1.2
EXTENSIONS = ("-all,+cl_khr_fp64,+__opencl_c_atomic_order_acq_rel,+__opencl_c_atomic_order_seq_cst,+__opencl_c_fp64,+cl_khr_byte_addressable_store,"
              "+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,"
              "+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics")
EXTENSIONS_64 = ",+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics"
# What clang 14 does not define by itself.
MACROS = ("-D__OPENCL_VERSION__=300",)
MACROS_3 = ("-D__opencl_c_atomic_scope_device=1",)
# An architecture that has what the ABI needs.
ARCHITECTURES = {"ilp32": "rv32imac", "ilp32f": "rv32imafc", "ilp32d": "rv32gc",
                 "lp64": "rv64imac", "lp64f": "rv64imafc", "lp64d": "rv64gc"}


def compiler(xlen):
    """clang for OpenCL C. Pointers into all address spaces are the same to it."""
    return [CLANG, "-x", "cl", f"--target=riscv{xlen}-unknown-elf", "-fno-math-errno",
            "-Xclang", "-cl-ext=" + EXTENSIONS + (EXTENSIONS_64 if xlen == 64 else ""), *MACROS]


def command(name, abi, produced):
    xlen = 64 if abi.startswith("lp64") else 32
    common = ["-O2", *CODE, f"-march={ARCHITECTURES[abi]}", f"-mabi={abi}", "-emit-llvm", "-c", FOLDER / name, "-o", produced]
    if name.endswith(".cl"):
        language = ["-cl-std=CL3.0", *MACROS_3] if name in VERSION_3 else ["-cl-std=CL1.2"]
        return [*compiler(xlen), *language, "-Wall", "-Werror", *common]
    return [CLANG, f"--target=riscv{xlen}-unknown-elf", "-std=c11", "-Wall", "-Werror", "-nostdlibinc",
            "-isystem", PICOLIBC, "-I", ROOT, "-I", KERNEL_FOLDER, *common]


def newest():
    """Time of the last change of what the library is made of."""
    parts = [*FOLDER.iterdir(), *KERNEL_FOLDER.glob("*.h"), Path(__file__),
             Path(__file__).with_name("toolchain.py")]
    return max(part.stat().st_mtime for part in parts)


def build_part(tools, name, abi, folder):
    """Others may build the same at the same time: the file appears when it is complete."""
    handle, produced = tempfile.mkstemp(dir=folder, prefix=name)
    os.close(handle)
    try:
        tools.checked(command(name, abi, produced), f"{FOLDER / name}: does not compile")
        os.replace(produced, folder / f"{name}.bc")
    except KernelError:
        os.unlink(produced)
        raise


def build(tools, abi, folder):
    """Builds what is missing or old; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    since = newest()
    files = [folder / f"{name}.bc" for name in PARTS]
    old = [name for name, file in zip(PARTS, files)
           if not file.exists() or file.stat().st_mtime < since]
    if old:
        from concurrent.futures import ThreadPoolExecutor  # Each run would wait for it.
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: build_part(tools, name, abi, folder), old))
    return files


def paths(tools):
    """The files for the ABI of this run; in its own folder if BUILD cannot be written."""
    abi = tools.options.mabi
    if abi not in ARCHITECTURES:
        raise KernelError(f"-mabi={abi}: OpenCL C is for {', '.join(sorted(ARCHITECTURES))}")
    place = tools.library() / abi
    if (place.parent / "prebuilt").exists() and place.is_dir():  # Of an installed package.
        return [place / f"{name}.bc" for name in PARTS]
    try:
        return build(tools, abi, place)
    except OSError:
        print(f"ganger-cc: note: {place} cannot be written; building the OpenCL library for this run",
              file=sys.stderr)
        return build(tools, abi, tools.folder / "opencl")
