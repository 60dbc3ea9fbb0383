# SPDX-License-Identifier: Apache-2.0
"""ganger-cc: from kernel sources to a module, a position-independent ELF with a description.

    driver      the steps, in order
    options     the command line
    programs    whole programs that are kept from one run to the next
    cache       the user's cache folder
    supervise   the process that waits, so that ^C leaves nothing
    toolchain   compiler, linker, objcopy, objdump
    runtime     objects of the runtime, built once
    image       the linked ELF: symbols, relocations, notes
    debuginfo   signatures of kernels, from DWARF
    layout      C types: sizes, alignment, and their text in a stub
    stub        the C source of the entry stubs
    listing     functions, frames and calls, from the disassembly
    needs       stack, shared memory and barrier of each kernel, from the call graph
    opencl      .cl files: to objects, by way of LLVM's text; with
                opencl_ir, opencl_types (that text) and opencl_library (built-in functions)
    separate    objects: -c and -r
    metadata    the section .ganger.kernels
"""
