/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernel built-ins: bounded prints. Included by ganger_kernel.h.
 *
 * The device does not format. A print is a record of its arguments, built on the thread's stack and
 * given to the control processor as a whole, so the prints of threads do not mix; the host formats
 * it at the end of the task, by the format string, which must be a constant of the module. Each
 * argument is a slot: a word that says what it is, and the values, so that what the host reads does
 * not depend on XLEN. A vector is one slot with several values.
 *
 * What does not fit into GANGER_PRINT_BYTES is left out, and the host says so: a string is cut, a
 * number is missing.
 */
#ifndef FIRMWARE_KERNEL_GANGER_PRINT_H
#define FIRMWARE_KERNEL_GANGER_PRINT_H

#include <stdint.h>

#include "print_record.h"

/** Begin a record.
 * @param format  A constant of the module; the host does not read it elsewhere. */
void ganger_print_begin(struct ganger_print_record *record, const char *format);

/** Add an integer: signed ones are sign-extended by the call. */
void ganger_print_i32(struct ganger_print_record *record, int32_t value);
void ganger_print_i64(struct ganger_print_record *record, int64_t value);

/** Add a floating-point number. */
void ganger_print_f64(struct ganger_print_record *record, double value);

/** Add a pointer. */
void ganger_print_pointer(struct ganger_print_record *record, const void *pointer);

/** Add the bytes of a string, up to its 0; NULL is shown as "(null)". */
void ganger_print_str(struct ganger_print_record *record, const char *text);

/** Add a slot of any kind: a vector.
 * @param bytes  Of the values at `from`; 8 for each. */
void ganger_print_slot(struct ganger_print_record *record, uint32_t kind, const void *from,
		       uint32_t bytes);

/** Print the record.
 * @return  0, also when nobody reads it, or the negative of an error number. A task that prints more
 *          than its `print_bytes` ends with GG_ERR_PRINT_FLOOD or, when its prints are cut, gets
 *          GG_ERR_NO_MEMORY. */
int ganger_print_end(struct ganger_print_record *record);

/** printf of C, without `%n` and wide characters; returns what ganger_print_end() does. */
int ganger_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* This is a macro of another name, because compilers replace calls of printf() by calls of other functions. */
#define printf(...) ganger_printf(__VA_ARGS__)

#endif /* FIRMWARE_KERNEL_GANGER_PRINT_H */
