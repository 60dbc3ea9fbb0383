# SPDX-License-Identifier: Apache-2.0
"""The steps of ganger-cc, in order. The code is linked twice: once to see what the kernels call, and
once more with the entry stubs that fit."""
import sys
import tempfile
from pathlib import Path

from . import debuginfo, metadata, opencl, opencl_library, options, stub, supervise
from .errors import KernelError
from .image import Image
from .listing import Listing
from .needs import Graph
from .toolchain import KERNEL_FOLDER, Toolchain

SHARED_ALIGN = 64  # GG_CTA_ALIGN
NAME_MOST, PARAMETERS_MOST, ARGUMENT_BYTES_MOST = 127, 32, 65536  # of ganger_task.h and kernel_list.c
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


def check_limits(kernel):
    """What host libraries take; they refuse more than that with the same words."""
    nbytes = len(kernel.name.encode())
    if nbytes > NAME_MOST:
        raise KernelError(f"The name of kernel {kernel.name[:32]}... has {nbytes} bytes, and {NAME_MOST} is the "
                          "most: give it a shorter one")
    if len(kernel.arguments) > PARAMETERS_MOST:
        raise KernelError(f"Kernel {kernel.name} has {len(kernel.arguments)} parameters, and {PARAMETERS_MOST} is "
                          "the most: put some into a struct")
    if kernel.args_bytes > ARGUMENT_BYTES_MOST:
        raise KernelError(f"The parameters of kernel {kernel.name} take {kernel.args_bytes} bytes, and "
                          f"{ARGUMENT_BYTES_MOST} is the most: pass a pointer to a buffer")


def find_kernels(elf, image, stacks, known):
    kernels = debuginfo.read_kernels(elf, image, known)
    if not kernels:
        raise KernelError("no kernel found: a kernel is a function marked `kernel`")
    for kernel in kernels:
        check_limits(kernel)
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


def compile_in(opts, folder):
    """Exit code of a run whose intermediate files go to a folder."""
    try:
        build(opts, opts.save_temps or folder)
    except KernelError as error:
        print(f"ganger-cc: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"ganger-cc: error: {error.filename or folder}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def main(arguments):
    try:
        if arguments[:1] == ["--opencl-library"]:
            build_library(arguments[1:])
            return 0
        opts = options.parse(arguments)
        if opts.save_temps:
            opts.save_temps.mkdir(parents=True, exist_ok=True)
    except KernelError as error:
        print(f"ganger-cc: error: {error}", file=sys.stderr)
        return 1
    return supervise.run(lambda folder: compile_in(opts, folder))
