/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The language of kernels in C: OpenCL's names for what a kernel is, knows and can do.
 *
 * ganger-cc includes this file before each source; a source may also include it itself.
 *
 *     kernel void scale(global float *data, float factor, uint n)
 *     {
 *             size_t i = get_global_id(0);
 *
 *             if (i < n) {
 *                     data[i] *= factor;
 *             }
 *     }
 *
 * What differs from OpenCL C:
 * - `local` belongs to variables only: `local float tile[16][16];` in a function or outside of all.
 *   A parameter that points to shared memory is `local_pointer(float) tile`.
 * - A shared variable has no initial value, nor is it zero.
 * - `global` and `private` say nothing to the compiler: every pointer can reach all memory.
 * - `long` is that of C, with 32 bits on RV32; `ulong` has 64 everywhere, as in OpenCL C.
 */
#ifndef FIRMWARE_KERNEL_GANGER_KERNEL_H
#define FIRMWARE_KERNEL_GANGER_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* may define ulong, which is another type on RV32: so it comes first */

/** Marks a function as a kernel: void, not static, with a fixed number of parameters. */
#define __kernel __attribute__((used, section(".text.ganger.kernels")))
#define kernel   __kernel

/** Device memory, the same for all CTAs: a remark for the reader. */
#define __global
#define global __global

/** Memory of one thread: a remark for the reader. */
#define __private

/** A variable that all threads of a CTA share: storage at a fixed distance from tp. */
#define __local static _Thread_local
#define local   __local

/** Memory that kernels only read. */
#define __constant const
#define constant   __constant

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

/** 64 bits, as in OpenCL C, on RV32 too, where unsigned long has 32. */
#define ulong uint64_t

/**
 * Type of a parameter that points to shared memory; the host gives its size with the task. `type`
 * is one word: a type below, or one of your own after GANGER_LOCAL_TYPE(type);
 */
#define local_pointer(type) ganger_local_##type *

/** Lets local_pointer() take a type. ganger-cc knows such pointers by the name of this type. */
#define GANGER_LOCAL_TYPE(type) typedef type ganger_local_##type

GANGER_LOCAL_TYPE(uchar);
GANGER_LOCAL_TYPE(ushort);
GANGER_LOCAL_TYPE(uint);
GANGER_LOCAL_TYPE(ulong);
GANGER_LOCAL_TYPE(char);
GANGER_LOCAL_TYPE(short);
GANGER_LOCAL_TYPE(int);
GANGER_LOCAL_TYPE(float);
GANGER_LOCAL_TYPE(double);
GANGER_LOCAL_TYPE(int8_t);
GANGER_LOCAL_TYPE(int16_t);
GANGER_LOCAL_TYPE(int32_t);
GANGER_LOCAL_TYPE(int64_t);
GANGER_LOCAL_TYPE(uint8_t);
GANGER_LOCAL_TYPE(uint16_t);
GANGER_LOCAL_TYPE(uint32_t);
GANGER_LOCAL_TYPE(uint64_t);

/* A remark to ganger-cc about the next kernel of the file. */
struct ganger_note {
	uint32_t what;     /**< GANGER_NOTE_… */
	uint32_t value[3]; /**< Three sizes, or one. */
};
#define GANGER_NOTE_BLOCK         1u
#define GANGER_NOTE_STACK         2u
#define GANGER_NOTE_PASTE(a, b)   a##b
#define GANGER_NOTE_NAME(counter) GANGER_NOTE_PASTE(ganger_note_, counter)
#define GANGER_NOTE(what, x, y, z)                                    \
	static const struct ganger_note GANGER_NOTE_NAME(__COUNTER__) \
		__attribute__((used, section(".ganger.notes"))) = { what, { x, y, z } }

/** Before a kernel, with a semicolon: it runs with this block size only (reqd_work_group_size). */
#define GANGER_BLOCK(x, y, z) GANGER_NOTE(GANGER_NOTE_BLOCK, x, y, z)

/**
 * Before a kernel, with a semicolon: the least stack of a thread, in bytes. Needed where ganger-cc
 * cannot measure it and 4,096 is wrong: recursion, calls through pointers, alloca.
 */
#define GANGER_STACK(bytes) GANGER_NOTE(GANGER_NOTE_STACK, bytes, 0, 0)

#include "ganger_ids.h"
#include "ganger_sync.h"
#include "ganger_atomic.h"
#include "ganger_tasks.h"
#include "ganger_cluster.h"
#include "ganger_nd.h"
#include "ganger_print.h"

#endif /* FIRMWARE_KERNEL_GANGER_KERNEL_H */
