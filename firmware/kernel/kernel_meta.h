/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The section .ganger.kernels of a kernel ELF: what a loader must know about its kernels.
 *
 * Written by ganger-cc, read by hosts. Little endian on every host. A header, an array of kernels,
 * an array of arguments and a table of strings that end in a zero byte. Places are byte offsets
 * from the start of the section; names are byte offsets into the string table. A reader takes the
 * sizes of the entries from the header, so a newer minor version can add fields at their ends; it
 * refuses another major version.
 *
 * Loading. The ELF is linked at 0. The loader clears image_bytes from a base that is aligned to
 * GGK_LOAD_ALIGN, copies the PT_LOAD segments there and adds the base to every word that an
 * R_RISCV_32 (RV32) or R_RISCV_64 (RV64) relocation of an allocated section names; the word holds
 * its value for base 0 and may lie at any even address. Nothing else has to change. Code and
 * constants are [0, text_bytes); the module's variables, one copy for all CTAs, are
 * [data_offset, image_bytes).
 *
 * Arguments. The argument block is laid out as a C struct: `offset`, `bytes`, `align` of each
 * argument say where. A GGK_ARG_LOCAL argument is a word of the XLEN that holds the offset of the
 * buffer from the base of the CTA's shared memory: the host puts such buffers behind the kernel's
 * shared_bytes, each aligned to 16, and adds them to the shared memory that the TMD asks for.
 *
 * Folded grids. A task has 16 bits for the CTAs along y, and along z. A grid that has more is launched as one along x,
 * of as many CTAs and without edges: the entry is the header's `fold`, and struct ggk_fold lies before the arguments in
 * their block. The code at `fold` gives each CTA its place and size, and goes on at the kernel's entry.
 */
#ifndef FIRMWARE_KERNEL_KERNEL_META_H
#define FIRMWARE_KERNEL_KERNEL_META_H

#include <assert.h>
#include <stdint.h>

#define GGK_SECTION    ".ganger.kernels"
#define GGK_MAGIC      0x4b4d4747u /**< The letters GGMK. */
#define GGK_MAJOR      1u
#define GGK_MINOR      3u
#define GGK_LOAD_ALIGN 4096u /**< Alignment of the load address, and of code against data. */

/** Kernel flags. */
#define GGK_BARRIER 1u /**< Each thread needs its own stack (S3-R84); without: one for all. */
#define GGK_STACK_ASSUMED \
	2u /**< Recursion, indirect calls or alloca: stack_bytes was not measured. */
#define GGK_BLOCK_FIXED 4u  /**< Runs with the block size `block` only. */
#define GGK_SILENT      8u  /**< Neither it nor a child of it can print. Since minor version 1. */
#define GGK_EDGES       16u /**< Its language allows CTAs of fewer threads at the end of a grid. */
#define GGK_LOOPS       32u /**< It is a loop over its work-items. Since minor version 3. */

/** Argument kinds. */
enum ggk_kind {
	GGK_ARG_VALUE = 0,  /**< By value; see enum ggk_type. */
	GGK_ARG_GLOBAL = 1, /**< Pointer to device memory: an address of the XLEN. */
	GGK_ARG_LOCAL = 2,  /**< Pointer to shared memory of a size that the host chooses. */
};

/** What an argument passed by value is. */
enum ggk_type {
	GGK_TYPE_POINTER = 0,   /**< Not by value. */
	GGK_TYPE_SIGNED = 1,    /**< Signed integer of `bytes`. */
	GGK_TYPE_UNSIGNED = 2,  /**< Unsigned integer, enumeration, character. */
	GGK_TYPE_FLOAT = 3,     /**< IEEE binary32 or binary64. */
	GGK_TYPE_BOOL = 4,      /**< 0 or 1. */
	GGK_TYPE_AGGREGATE = 5, /**< struct, union or vector: `bytes` as C lays them out. */
};

/** Argument flags. */
#define GGK_ARG_CONST       1u /**< Pointer to const: the kernel only reads. */
#define GGK_ARG_VOLATILE    2u /**< Pointer to volatile. Since minor version 1, as the next ones. */
#define GGK_ARG_RESTRICT    4u /**< Restricted pointer. */
#define GGK_ARG_SPACE_SHIFT 8u /**< Bits 9:8: enum ggk_space. */

/** Address space of what an argument points to. */
enum ggk_space {
	GGK_SPACE_PRIVATE = 0, /**< No pointer. */
	GGK_SPACE_GLOBAL = 1,  /**< Also of any pointer of C that is not `local_pointer`. */
	GGK_SPACE_CONSTANT = 2,
	GGK_SPACE_LOCAL = 3,
};

/** First in the section. */
struct ggk_header {
	uint32_t magic;        /**< GGK_MAGIC. */
	uint16_t major;        /**< GGK_MAJOR. */
	uint16_t minor;        /**< GGK_MINOR or newer. */
	uint32_t total_bytes;  /**< Of all that belongs to the section. */
	uint16_t header_bytes; /**< Size of this struct. */
	uint16_t xlen;         /**< 32 or 64. */
	uint32_t isa; /**< Extensions that the code needs: bit n is letter A + n, as in misa. */
	uint32_t text_bytes;     /**< Code and constants, from 0; a multiple of GGK_LOAD_ALIGN. */
	uint32_t data_offset;    /**< First byte of the variables; a multiple of GGK_LOAD_ALIGN. */
	uint32_t image_bytes;    /**< End of the image in memory; a multiple of GGK_LOAD_ALIGN. */
	uint32_t kernels_offset; /**< Place of the first struct ggk_kernel. */
	uint16_t kernel_bytes;   /**< Size of a struct ggk_kernel. */
	uint16_t kernel_count;   /**< 1 or more. */
	uint32_t arguments_offset; /**< Place of the first struct ggk_argument. */
	uint16_t argument_bytes;   /**< Size of a struct ggk_argument. */
	uint16_t argument_count;   /**< Of all kernels together. */
	uint32_t strings_offset;   /**< Place of the string table. */
	uint32_t strings_bytes;    /**< Its length; its last byte is 0. */
	uint32_t producer;         /**< String: compiler and its version. */
	uint32_t fold;             /**< Entry of folded grids; 0: there is none. Minor 2. */
};

/** A kernel. */
struct ggk_kernel {
	uint32_t name;           /**< String. */
	uint32_t flags;          /**< GGK_BARRIER, … */
	uint32_t entry;          /**< Where a CTA starts, from the load address: the TMD's entry. */
	uint32_t function;       /**< The C function, for debuggers. */
	uint32_t stack_bytes;    /**< Of one thread; a multiple of 16. */
	uint32_t shared_bytes;   /**< Shared variables of the CTA, without the CTA block. */
	uint32_t args_bytes;     /**< Argument block; 0 without arguments. */
	uint16_t first_argument; /**< Index of the first in the array of arguments. */
	uint16_t argument_count; /**< 0 or more. */
	uint32_t block[3];       /**< With GGK_BLOCK_FIXED: threads along x, y, z; else 0. */
	uint32_t
		attributes; /**< String: attributes as in OpenCL C, a space between two. Minor 1. */
};

/** An argument of a kernel. */
struct ggk_argument {
	uint32_t name;      /**< String. */
	uint32_t type_name; /**< String: the type as in C, for messages. */
	uint32_t offset;    /**< In the argument block. */
	uint32_t bytes;     /**< Size there. */
	uint16_t align;     /**< Alignment there. */
	uint8_t kind;       /**< enum ggk_kind. */
	uint8_t type;       /**< enum ggk_type. */
	uint32_t flags;     /**< GGK_ARG_CONST, … */
	uint32_t cl_type;   /**< String: the type as clGetKernelArgInfo() tells it. Minor 1. */
};

/** Before the arguments of a folded grid. Writer: host. */
struct ggk_fold {
	uint32_t grid[3]; /**< CTAs along x, y, z; their product is the CTAs of the task. */
	/** All 0, or along x, y, z: threads of a CTA in the lower half, of the last one in the upper half. */
	uint32_t edge[3];
	uint64_t entry; /**< Address of the kernel's entry. */
};

/** Sizes in minor version 0: a reader takes what is behind them as 0 if it is not there. */
#define GGK_HEADER_BYTES_0   60u
#define GGK_KERNEL_BYTES_0   44u
#define GGK_ARGUMENT_BYTES_0 24u

static_assert(sizeof(struct ggk_header) == 64, "size on disk");
static_assert(sizeof(struct ggk_kernel) == 48, "size on disk");
static_assert(sizeof(struct ggk_argument) == 28, "size on disk");
static_assert(sizeof(struct ggk_fold) == 32, "arguments behind it are aligned");

#endif /* FIRMWARE_KERNEL_KERNEL_META_H */
