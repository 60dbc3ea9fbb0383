# SPDX-License-Identifier: Apache-2.0
"""C emitter: structs of words, masks of bit fields, enumerations."""
import textwrap

from version import MAGIC, MAJOR, MINOR

BANNER = ("/* SPDX-License-Identifier: Apache-2.0 */\n"
          "/* Generated from firmware/abi/ganger.rdl by `make abi`. Do not edit. */\n")

# Blocks whose every place in memory is a multiple of 8.
PAIRED = {"tmd", "command", "completion", "packet", "report", "trace_record", "cap", "slot", "sm_state", "perf"}


def comment(text, indent=""):
    """A doxygen comment above a declaration, wrapped."""
    lines = textwrap.wrap(text, 92 - 8 * len(indent))
    if len(lines) <= 1:
        return f"{indent}/** {''.join(lines)} */\n"
    body = "".join(f"{indent} * {line}\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def enumerator(enum, name):
    return f"GG_{name}" if enum == "status" else f"GG_{enum.upper()}_{name}"


def enumeration(name, members):
    out = f"enum gg_{name} {{\n"
    for member in members:
        out += f"\t{enumerator(name, member.name)} = {member.value}, /**< {member.desc} */\n"
    return out + "};\n\n"


def struct(block):
    out = comment(f"{block.title}. {block.desc}") + f"struct gg_{block.name} {{\n"
    at = 0
    for word in block.words:
        if word.offset > at:
            out += f"\tuint32_t gap_{at:x}[{(word.offset - at) // 4}]; /**< Zero. */\n"
        text = f"{word.desc} Writer: {word.writer}."
        array = f"[{word.count}]" if word.count > 1 else ""
        out += comment(text, "\t") + f"\tuint32_t {word.name}{array};\n"
        at = word.offset + 4 * word.count
    out += "} GG_PAIRED;\n" if block.name in PAIRED else "};\n"
    out += f"GG_STATIC_ASSERT(sizeof(struct gg_{block.name}) == {block.bytes}, \"shared size\");\n\n"
    return out


def masks(block):
    out = ""
    for word in block.words:
        for bits in word.bits:
            name = f"GG_{block.name.upper()}_{bits.name.upper()}"
            out += f"#define {name} 0x{bits.mask:08x}u /**< {word.name}: {bits.desc} */\n"
    return out + "\n" if out else ""


def header(blocks, enums):
    """firmware/abi/ganger_abi.h"""
    out = BANNER + """/** @file
 * The ABI: register blocks and descriptors shared by the host, the control processor and the SMs.
 *
 * A macro GG_<BLOCK>_<FIELD> is the mask of a bit field in its word: see firmware/abi/field.h.
 */
#ifndef FIRMWARE_ABI_GANGER_ABI_H
#define FIRMWARE_ABI_GANGER_ABI_H

#include <stdint.h>

""" + f"""#define GG_ABI_MAGIC 0x{MAGIC:08x}u /**< The letters GNGR. */
#define GG_ABI_MAJOR {MAJOR}u          /**< Version of this ABI: major. */
#define GG_ABI_MINOR {MINOR}u         /**< Version of this ABI: minor. */
""" + """#define GG_TMD_VERSION_1 1u      /**< The TMD version of this ABI. */

/** A check by the compiler, in any C from C99 on and in C++. */
#ifdef __cplusplus
#define GG_STATIC_ASSERT static_assert
#else
#define GG_STATIC_ASSERT __extension__ _Static_assert
#endif

"""
    out += """/** A block whose every place in memory is a multiple of 8: 64 bits take a pair of its words at once. */
#if UINTPTR_MAX > 0xffffffffu
#define GG_PAIRED __attribute__((aligned(8)))
#else
#define GG_PAIRED
#endif

"""
    for name, members in enums.items():
        out += enumeration(name, members)
    for block in blocks:
        out += struct(block) + masks(block)
    out += "/** Names of the fields that a refusal can point at. */\nenum gg_field {\n"
    out += "\tGG_FIELD_NONE = 0, /**< No field. */\n"
    for block in blocks:
        seen = set()
        for name, number in block.field_ids():
            if name not in seen:  # a pair is named by its low word
                seen.add(name)
                out += f"\tGG_FIELD_{block.name.upper()}_{name.upper()} = 0x{number:08x},\n"
    return out + "};\n\n#endif /* FIRMWARE_ABI_GANGER_ABI_H */\n"


def names(blocks, enums):
    """firmware/abi/ganger_names.h: for the host, which shows names instead of numbers."""
    out = BANNER + """/** @file
 * Names of statuses and fields, for the host's messages.
 */
#ifndef FIRMWARE_ABI_GANGER_NAMES_H
#define FIRMWARE_ABI_GANGER_NAMES_H

#include <stdint.h>

/** A number, its name, and a sentence that explains it. */
struct gg_name {
	int32_t value;    /**< Number. */
	const char *name; /**< Name in the ABI. */
	const char *text; /**< What it says. */
};

/** Statuses. */
static const struct gg_name gg_status_names[] = {
"""
    for member in enums["status"]:
        out += f"\t{{ {member.value}, \"{member.name}\", \"{member.desc}\" }},\n"
    out += "};\n\n/** Field ids. */\nstatic const struct gg_name gg_field_names[] = {\n"
    for block in blocks:
        for name, number in block.field_ids():
            out += f"\t{{ 0x{number:08x}, \"{name}\", \"{block.name}\" }},\n"
    return out + "};\n\n#endif /* FIRMWARE_ABI_GANGER_NAMES_H */\n"
