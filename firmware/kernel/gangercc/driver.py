# SPDX-License-Identifier: Apache-2.0
"""The steps of ganger-cc, in order. The code is linked twice: once to see what the kernels call, and
once more with the entry stubs that fit."""
import sys
import tempfile
from pathlib import Path

from . import debuginfo, metadata, opencl, opencl_library, options, stub
from .errors import KernelError
from .image import Image
from .listing import Listing
from .needs import Graph
from .toolchain import KERNEL_FOLDER, Toolchain

SHARED_ALIGN = 64  # GG_CTA_ALIGN
RUNTIME = [KERNEL_FOLDER / "runtime" / name for name in ("threads.S", "support.c", "nd.c")] \
    + [KERNEL_FOLDER.parent / "pull" / "nd_range.c"]


def graph_of(tools, elf, image):
    return Graph(Listing(image, tools.disassemble(elf)), image)


def compile_sources(tools):
    """Objects of all sources, and the kernels of OpenCL C by name."""
    sources = tools.options.sources
    alone = len(sources) == 1
    objects, known = [], {}
    for number, source in enumerate(sources):
        if opencl.is_source(source):
            produced, kernels = opencl.compile_source(tools, source, number, alone)
            known.update({kernel.name: kernel for kernel in kernels})
            objects.append(produced)
        else:
            objects.append(tools.compile_kernel(source, number))
    return objects, known


def find_kernels(elf, image, stacks, known):
    kernels = debuginfo.read_kernels(elf, image, known)
    if not kernels:
        raise KernelError("no kernel found: a kernel is a function marked `kernel`")
    for name, size in stacks.items():
        named = [k for k in kernels if k.name == name]
        if not named:
            raise KernelError(f"--stack {name}={size}: no such kernel")
        named[0].stack = size
    return kernels


def write_stubs(folder, kernels, graph):
    """Stubs in the form that each kernel needs; returns their source file."""
    with_barrier = {k.name for k in kernels if graph.of([k.address]).barrier}
    source = folder / "ganger_stubs.c"
    source.write_text(stub.stubs_source(kernels, with_barrier))
    return source


def describe(tools, opts, image, kernels, graph):
    """The bytes of the section .ganger.kernels."""
    rows = []
    for kernel in kernels:
        kernel.address = image.value(kernel.name)
        entry = image.value(stub.stub_name(kernel))
        # The stub of a kernel with barriers hands its thread function over as a pointer.
        thread = image.named.get(stub.thread_name(kernel))
        needs = graph.of([entry] + ([thread.value] if thread else []), kernel.stack)
        needs.barrier = thread is not None
        rows.append((kernel, needs, entry))
        if needs.unknown and not kernel.stack:
            how = f"--stack {kernel.name}=BYTES" if kernel.wrapper else "GANGER_STACK(bytes)"
            print(f"ganger-cc: note: kernel {kernel.name}: {needs.stack_bytes} bytes of stack assumed "
                  f"({needs.unknown}); {how} sets it", file=sys.stderr)
    return metadata.encode(image, opts.extensions, tools.producer(), rows)


def build(opts, folder):
    tools = Toolchain(opts, folder)
    runtime = [tools.compile_runtime(source) for source in RUNTIME]
    compiled, known = compile_sources(tools)
    objects = compiled + runtime
    first = tools.link(objects, "first.elf")
    image = Image(first)
    kernels = find_kernels(first, image, opts.stacks, known)
    stubs = tools.compile_runtime(write_stubs(folder, kernels, graph_of(tools, first, image)))

    linked = tools.link([stubs, *objects], "linked.elf")
    image = Image(linked)
    image.check(SHARED_ALIGN)
    tools.change_relocations(linked, image)
    section = folder / "ganger.kernels"
    section.write_bytes(describe(tools, opts, image, kernels, graph_of(tools, linked, image)))
    tools.finish(linked, section)


def build_library(abis):
    """`ganger-cc --opencl-library ABI …`, for make."""
    with tempfile.TemporaryDirectory(prefix="ganger-cc-") as folder:
        for abi in abis:
            opencl_library.paths(Toolchain(options.of_abi(abi), Path(folder)))


def main(arguments):
    try:
        if arguments[:1] == ["--opencl-library"]:
            build_library(arguments[1:])
            return 0
        opts = options.parse(arguments)
        if opts.save_temps:
            opts.save_temps.mkdir(parents=True, exist_ok=True)
            build(opts, opts.save_temps)
        else:
            with tempfile.TemporaryDirectory(prefix="ganger-cc-") as folder:
                build(opts, Path(folder))
    except KernelError as error:
        print(f"ganger-cc: error: {error}", file=sys.stderr)
        return 1
    return 0
