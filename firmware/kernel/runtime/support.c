/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The rest of the runtime: divergent barriers, prints, and what the C library asks of its system.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/kernel/ganger_print.h"
#include "firmware/kernel/runtime/stub.h"

void ganger_diverged(void);
void _exit(int status);
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text);

/** Environment call that ends the CTA. */
_Noreturn static void call(uintptr_t number, uintptr_t first, uintptr_t second, uintptr_t third)
{
	register uintptr_t a0 __asm__("a0") = first;
	register uintptr_t a1 __asm__("a1") = second;
	register uintptr_t a2 __asm__("a2") = third;
	register uintptr_t a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : : "r"(a0), "r"(a1), "r"(a2), "r"(a7) : "memory");
	__builtin_unreachable();
}

/** The first thread that has returned, or the first that waits; there is one of either. */
static uint32_t first_thread(const struct gg_cta *cta, int returned)
{
	uintptr_t context = cta->stack_base;
	uint32_t thread = 0;

	while ((((const struct gg_thread *)context)->sp == 0) != returned) {
		context += cta->stack_bytes;
		thread++;
	}
	return thread;
}

/**
 * Some threads have returned while others wait at a barrier (S3-Q4). Names the first thread of the
 * smaller party; of equal parties, the first that has returned. Called by threads.S.
 */
void ganger_diverged(void)
{
	struct gg_cta *cta = ganger_block();
	uint32_t returned = cta->done;
	uint32_t waiting = cta->threads - returned;

	cta->waiting = waiting;
	call(GG_CALL_DIVERGED, first_thread(cta, returned <= waiting), returned, waiting);
}

void ganger_loop_meet(void)
{
	const struct gg_cta *cta = ganger_block();

	if (((const struct gg_thread *)cta->context)->canary != cta->context) {
		ganger_stack_overflow();
	}
	if ((cta->flags & GG_CTA_FLAG_YIELD) != 0) {
		register uintptr_t a0 __asm__("a0");
		register uintptr_t a7 __asm__("a7") = GG_CALL_YIELD;

		__asm__ volatile("ecall" : "=r"(a0) : "r"(a7) : "memory");
	}
}

/** Failed assertions end here, too. */
void abort(void)
{
	struct gg_cta *cta = ganger_block();

	cta->result = GG_ABORT_KERNEL;
	call(GG_CALL_ABORT, GG_ABORT_KERNEL, cta->thread, 0);
}

/** A kernel has no process to leave: the same as abort(). */
void _exit(int status)
{
	(void)status;
	abort();
}

/** A failed assertion of the C library: its message is printed. */
void __assert_func(const char *file, int line, const char *function, const char *text)
{
	ganger_printf("%s:%d: %s: assertion failed: %s\n", file, line, function, text);
	abort();
}

void ganger_print_begin(struct ganger_print_record *record, const char *format)
{
	record->bytes = GANGER_PRINT_HEADER;
	record->flags = 0;
	record->format = (uintptr_t)format;
}

void ganger_print_slot(struct ganger_print_record *record, uint32_t kind, const void *from,
		       uint32_t bytes)
{
	uint32_t *slot = &record->slots[(record->bytes - GANGER_PRINT_HEADER) / 4];
	const uint32_t room = GANGER_PRINT_BYTES - record->bytes;

	if ((record->flags & GANGER_PRINT_CUT) != 0 || room < 4 ||
	    (bytes > room - 4 && kind != GANGER_PRINT_STRING)) {
		record->flags |= GANGER_PRINT_CUT;
		return;
	}
	if (bytes > room - 4) {
		record->flags |= GANGER_PRINT_CUT;
		bytes = room - 4;
	}
	*slot = kind | bytes << GANGER_PRINT_SHIFT;
	memcpy(slot + 1, from, bytes);
	record->bytes += 4 + (bytes + 3) / 4 * 4;
}

void ganger_print_i64(struct ganger_print_record *record, int64_t value)
{
	ganger_print_slot(record, GANGER_PRINT_INTEGER, &value, sizeof(value));
}

void ganger_print_i32(struct ganger_print_record *record, int32_t value)
{
	ganger_print_i64(record, value);
}

void ganger_print_f64(struct ganger_print_record *record, double value)
{
	ganger_print_slot(record, GANGER_PRINT_FLOAT, &value, sizeof(value));
}

void ganger_print_pointer(struct ganger_print_record *record, const void *pointer)
{
	const uint64_t value = (uintptr_t)pointer;

	ganger_print_slot(record, GANGER_PRINT_POINTER, &value, sizeof(value));
}

/* Looks no further than the record has room for. */
static void add_text(struct ganger_print_record *record, const char *text, size_t most)
{
	uint32_t bytes = 0;

	while (bytes < most && bytes < GANGER_PRINT_BYTES && text[bytes] != 0) {
		bytes++;
	}
	ganger_print_slot(record, GANGER_PRINT_STRING, text, bytes);
}

void ganger_print_str(struct ganger_print_record *record, const char *text)
{
	add_text(record, text != NULL ? text : "(null)", GANGER_PRINT_BYTES);
}

int ganger_print_end(struct ganger_print_record *record)
{
	register uintptr_t a0 __asm__("a0") = (uintptr_t)record;
	register uintptr_t a1 __asm__("a1") = record->bytes;
	register uintptr_t a7 __asm__("a7") = GG_CALL_PRINT;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
	return (int)a0;
}

/** A conversion of a format string. */
struct conversion {
	int precision; /**< -1: none. */
	int longs;     /**< `l`s; 2 for `ll` and `j`, 1 for `z` and `t` also. */
	int wide;      /**< `L`. */
	char letter;   /**< What it converts to; 0 at the end of the string. */
};

/* A number in the format, or the next argument for a `*`, which becomes a slot. */
static const char *read_number(struct ganger_print_record *record, const char *at,
			       va_list *arguments, int *number)
{
	*number = 0;
	if (*at == '*') {
		*number = va_arg(*arguments, int);
		ganger_print_i32(record, *number);
		return at + 1;
	}
	while (*at >= '0' && *at <= '9') {
		*number = (int)((unsigned int)*number * 10u + (unsigned int)(*at - '0'));
		at++;
	}
	return at;
}

/* Reads a conversion from behind the `%` to its letter. */
static const char *read_conversion(struct ganger_print_record *record, const char *at,
				   va_list *arguments, struct conversion *conversion)
{
	int width;

	*conversion = (struct conversion){ .precision = -1 };
	while (*at != 0 && strchr("-+ #0", *at) != NULL) {
		at++;
	}
	at = read_number(record, at, arguments, &width);
	if (*at == '.') {
		at = read_number(record, at + 1, arguments, &conversion->precision);
	}
	while (*at != 0 && strchr("hljztL", *at) != NULL) {
		conversion->longs += *at == 'j' ? 2 : *at != 'h' && *at != 'L';
		conversion->wide |= *at == 'L';
		at++;
	}
	conversion->letter = *at;
	return at;
}

static void add_integer(struct ganger_print_record *record, const struct conversion *conversion,
			va_list *arguments)
{
	const int is_signed = conversion->letter == 'd' || conversion->letter == 'i';

	if (conversion->longs >= 2) {
		ganger_print_i64(record, va_arg(*arguments, long long));
	} else if (conversion->longs == 1 && is_signed) {
		ganger_print_i64(record, va_arg(*arguments, long));
	} else if (conversion->longs == 1) {
		ganger_print_i64(record, (int64_t)va_arg(*arguments, unsigned long));
	} else if (is_signed) {
		ganger_print_i64(record, va_arg(*arguments, int));
	} else {
		ganger_print_i64(record, va_arg(*arguments, unsigned int));
	}
}

/* Returns 0 when the conversion is unknown, so that nobody knows what follows. */
static int add_argument(struct ganger_print_record *record, const struct conversion *conversion,
			va_list *arguments)
{
	const char letter = conversion->letter;

	if (strchr("diouxXc", letter) != NULL) {
		add_integer(record, conversion, arguments);
	} else if (strchr("fFeEgGaA", letter) != NULL) {
		ganger_print_f64(record, conversion->wide ? (double)va_arg(*arguments, long double)
							  : va_arg(*arguments, double));
	} else if (letter == 'p') {
		ganger_print_pointer(record, va_arg(*arguments, const void *));
	} else if (letter == 's') {
		const char *text = va_arg(*arguments, const char *);

		add_text(record, text != NULL ? text : "(null)", (size_t)conversion->precision);
	}
	return strchr("diouxXcfFeEgGaAps", letter) != NULL;
}

int ganger_printf(const char *format, ...)
{
	struct ganger_print_record record;
	struct conversion conversion = { .letter = 0 };
	const char *at = format;
	int known = 1;
	va_list arguments;

	ganger_print_begin(&record, format);
	va_start(arguments, format);
	while (known && (at = strchr(at, '%')) != NULL) {
		if (at[1] == '%') {
			at += 2;
			continue;
		}
		at = read_conversion(&record, at + 1, &arguments, &conversion);
		known = conversion.letter != 0 && add_argument(&record, &conversion, &arguments);
	}
	va_end(arguments);
	return ganger_print_end(&record);
}
