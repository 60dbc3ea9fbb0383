# SPDX-License-Identifier: Apache-2.0
"""The steps of ganger-cc, in order. The code is linked twice: once to see what the kernels call, and
once more with the entry stubs that fit."""
import errno
import sys
import tempfile
from pathlib import Path

from . import debuginfo, layout, looping, metadata, opencl, opencl_library, options, programs, runtime, separate, stub, supervise
from .errors import KernelError
from .image import Image
from .listing import Listing
from .needs import Graph
from .toolchain import Toolchain, full_disk

SHARED_ALIGN = 128  # GG_CTA_ALIGN
NAME_MOST, ARGUMENT_BYTES_MOST = 127, 65536  # of ganger_task.h and kernel_list.c


def graph_of(tools, elf, image):
    return Graph(Listing(image, tools.disassemble(elf)), image)


def compile_sources(tools, excluded):
    """Objects of all sources; the kernels of OpenCL C by name; and the bytes that each kernel that became a loop keeps
    for a work-item. `excluded`: kernels that must not."""
    texts = [source for source in tools.options.sources if separate.is_object(source) and separate.is_text(source)]
    sources = [source for source in tools.options.sources if source not in texts]
    alone = len(sources) + bool(texts) == 1
    objects, known, loops = [], {}, {}
    if texts:
        joined = separate.join(tools, texts)
        produced, kernels, made = opencl.back_end(tools, joined.read_text(), texts[0], "joined", alone, excluded)
        known.update({kernel.name: kernel for kernel in kernels})
        objects.append(produced)
        loops.update(made)
    for number, source in enumerate(sources):
        if separate.is_object(source):
            produced, made = source, {}
        elif opencl.is_source(source):
            produced, kernels, made = opencl.compile_source(tools, source, number, alone, excluded)
            known.update({kernel.name: kernel for kernel in kernels})
        else:
            produced, made = looping.compile_c(tools, source, number, alone, excluded)
        objects.append(produced)
        loops.update(made)
    return objects, known, loops


def check_limits(kernel):
    """What host libraries take; they refuse more than that with the same words."""
    nbytes = len(kernel.name.encode())
    if nbytes > NAME_MOST:
        raise KernelError(f"The name of kernel {kernel.name[:32]}... has {nbytes} bytes, and {NAME_MOST} is the "
                          "most: give it a shorter one")
    if kernel.args_bytes > ARGUMENT_BYTES_MOST:
        raise KernelError(f"The parameters of kernel {kernel.name} take {kernel.args_bytes} bytes, and "
                          f"{ARGUMENT_BYTES_MOST} is the most: pass a pointer to a buffer")


def find_kernels(elf, image, opts, known):
    kernels = debuginfo.read_kernels(elf, image, known)
    if not kernels and not opts.no_kernels:
        raise KernelError("no kernel found: a kernel is a function marked `kernel`")
    for kernel in kernels:
        check_limits(kernel)
    for name, size in opts.stacks.items():
        named = [k for k in kernels if k.name == name]
        if not named:
            raise KernelError(f"--stack {name}={size}: no such kernel")
        named[0].stack = size
    return kernels


def write_stubs(folder, kernels, graph, loops, race):
    """Stubs in the form that each kernel needs; returns their source file."""
    forms = {k.name: loops[k.name] if k.name in loops else
             stub.THREADS if graph.of([k.address]).barrier else stub.ITEMS for k in kernels}
    source = folder / "ganger_stubs.c"
    source.write_text(stub.stubs_source(kernels, forms, race))
    return source


def describe(tools, opts, image, kernels, graph, loops):
    """The bytes of the section .ganger.kernels."""
    rows = []
    for kernel in kernels:
        kernel.address = image.value(kernel.name)
        entry = image.value(stub.stub_name(kernel))
        # The stub of a kernel with barriers hands its thread function over as a pointer.
        thread = image.named.get(stub.thread_name(kernel))
        needs = graph.of([entry] + ([thread.value] if thread else []), kernel.stack)
        # What a loop keeps for each work-item lies where the stack of its thread would.
        kept = loops.get(kernel.name, 0)
        needs.stack_bytes += kept
        needs.barrier, needs.loops = thread is not None or kept > 0, kernel.name in loops
        rows.append((kernel, needs, entry))
        if needs.unknown and not kernel.stack:
            how = f"--stack {kernel.name}=BYTES" if kernel.wrapper else "GANGER_STACK(bytes)"
            print(f"ganger-cc: note: kernel {kernel.name}: {needs.stack_bytes} bytes of stack assumed "
                  f"({needs.unknown}); {how} sets it", file=sys.stderr)
    return metadata.encode(image, opts.extensions, tools.producer(), rows)


def fits_loop(kernel, graph, xlen):
    """Whether a kernel that was made a loop may stay one. Its stack must be known, for its canary is not looked at after
    each work-item. A structure of C that does not fit into two registers is passed by its address, and each work-item
    may change its own copy of it."""
    copied = any(a.type.type == layout.AGGREGATE and a.type.size > 2 * xlen // 8 for a in kernel.arguments)
    return not graph.of([kernel.address]).unknown and (kernel.wrapper or not copied)


def link_first(tools, opts, started):
    """(objects, kernels, graph, loops) of the code without stubs."""
    excluded = set()
    while True:
        compiled, known, loops = compile_sources(tools, excluded)
        first = tools.link(compiled + started, "first.elf")
        image = Image(first)
        kernels = find_kernels(first, image, opts, known)
        graph = graph_of(tools, first, image)
        unfit = {k.name for k in kernels if k.name in loops and not fits_loop(k, graph, opts.xlen)}
        if not unfit:
            return compiled + started, kernels, graph, loops
        excluded |= unfit


def build(opts, folder):
    """Returns the files that the sources include."""
    tools = Toolchain(opts, folder)
    if opts.compile_only or opts.combine:
        (separate.compile_only if opts.compile_only else separate.combine)(tools)
        return tools.included()
    objects, kernels, graph, loops = link_first(tools, opts, runtime.objects(tools))
    stubs = runtime.stubs(tools, write_stubs(folder, kernels, graph, loops, opts.race))

    linked = tools.link([stubs, *objects], "linked.elf")
    image = Image(linked)
    image.check(SHARED_ALIGN)
    tools.change_relocations(linked, image)
    if opts.debug:
        debuginfo.reach_shared(linked, image)
    section = folder / "ganger.kernels"
    section.write_bytes(describe(tools, opts, image, kernels, graph_of(tools, linked, image), loops))
    tools.finish(linked, section)
    return tools.included()


def build_library(abis):
    """`ganger-cc --opencl-library ABI …`, for make."""
    with tempfile.TemporaryDirectory(prefix="ganger-cc-") as folder:
        targets = [Toolchain(options.of_abi(abi, opencl_library.ARCHITECTURES[abi]), Path(folder)) for abi in abis]
        for tools in targets:
            opencl_library.paths(tools)
        runtime.build(targets)


def compile_in(opts, folder):
    """Exit code of a run whose intermediate files go to a folder."""
    folder = opts.save_temps or folder
    try:
        name = programs.name_of(opts.words, opts.standard_input)
        options.write_input(opts, folder)
        with programs.remembered() as tee:
            included = build(opts, folder)
        if name and opts.output.is_file():
            own = {str(source) for source in opts.sources}
            programs.keep(name, opts.words, included - own, tee.said, opts.output.read_bytes())
    except KernelError as error:
        print("ganger-cc: error: " + str(error).replace(f"{folder}/", ""), file=sys.stderr)
        return 1
    except OSError as error:
        why = full_disk(opts.output, folder) if error.errno == errno.ENOSPC else f"{error.filename or folder}: {error.strerror}"
        print(f"ganger-cc: error: {why}", file=sys.stderr)
        return 1
    return 0


def main(arguments, standard_input=None):
    try:
        if arguments[:1] == ["--opencl-library"]:
            build_library(arguments[1:])
            return 0
        opts = options.parse(arguments, standard_input)
        if opts.save_temps:
            opts.save_temps.mkdir(parents=True, exist_ok=True)
    except KernelError as error:
        print(f"ganger-cc: error: {error}", file=sys.stderr)
        return 1
    return supervise.run(lambda folder: compile_in(opts, folder))
