/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/print_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/kernel/print_record.h"

#define FORMAT_MAX 4096u /* of a format string */
#define WIDTH_MAX  1024  /* largest width and precision of a conversion */
#define SPEC       64u

/** The slots of a record that are left. */
struct slots {
	const uint8_t *at;
	size_t bytes;
	bool cut; /* values are missing, or the last string was cut off */
};

/** A slot: `bytes` of values. */
struct slot {
	uint32_t kind;
	const uint8_t *at;
	size_t bytes;
};

/** A conversion of a format string. */
struct conversion {
	char flags[6];
	int width;     /* -1: none */
	int precision; /* -1: none */
	size_t values; /* of a vector, or 1 */
	char length;   /* 'H' stands for hh, 0 for what is 32 bits or longer */
	char letter;   /* 0: the string has ended */
};

static void add(struct text *text, const char *more, size_t bytes)
{
	if (bytes == 0)
		return;
	if (text->bytes + bytes > text->capacity) {
		size_t capacity = 2 * (text->bytes + bytes);
		char *at = realloc(text->at, capacity);

		if (!at) {
			text->missing = true;
			return;
		}
		text->at = at;
		text->capacity = capacity;
	}
	memcpy(text->at + text->bytes, more, bytes);
	text->bytes += bytes;
}

__attribute__((format(printf, 2, 3))) static void addf(struct text *text, const char *format, ...)
{
	char shown[2 * WIDTH_MAX];
	va_list arguments;
	int bytes;

	va_start(arguments, format);
	bytes = vsnprintf(shown, sizeof(shown), format, arguments);
	va_end(arguments);
	if (bytes > 0)
		add(text, shown, (size_t)bytes < sizeof(shown) ? (size_t)bytes : sizeof(shown) - 1);
}

/** Takes the next slot. @return false: there is none, or it is cut off. */
static bool next_slot(struct slots *slots, struct slot *slot)
{
	uint32_t head;
	size_t padded;

	if (slots->bytes < sizeof(head))
		return false;
	memcpy(&head, slots->at, sizeof(head));
	slot->kind = head & ((1u << GANGER_PRINT_SHIFT) - 1);
	slot->bytes = head >> GANGER_PRINT_SHIFT;
	slot->at = slots->at + sizeof(head);
	padded = (slot->bytes + 3) / 4 * 4;
	if (padded > slots->bytes - sizeof(head)) {
		slots->bytes = 0;
		return false;
	}
	slots->at += sizeof(head) + padded;
	slots->bytes -= sizeof(head) + padded;
	return true;
}

/** Value number `index` of a slot, 0 past its end. */
static uint64_t value_of(const struct slot *slot, size_t index)
{
	uint64_t value = 0;

	if ((index + 1) * sizeof(value) <= slot->bytes)
		memcpy(&value, slot->at + index * sizeof(value), sizeof(value));
	return value;
}

/** Reads a number of the format string; `*` stands for the value of the next slot. */
static const char *read_number(const char *at, struct slots *slots, int *number)
{
	long long value = -1;
	struct slot slot;

	if (*at == '*') {
		value = next_slot(slots, &slot) ? (int)value_of(&slot, 0) : 0;
		at++;
	} else if (*at >= '0' && *at <= '9') {
		for (value = 0; *at >= '0' && *at <= '9'; at++)
			value = value < WIDTH_MAX ? value * 10 + (*at - '0') : value;
	}
	*number = value > WIDTH_MAX ? WIDTH_MAX : value < -WIDTH_MAX ? -WIDTH_MAX : (int)value;
	return at;
}

static void add_flag(struct conversion *made, char flag)
{
	size_t count = strlen(made->flags);

	if (!strchr(made->flags, flag) && count + 1 < sizeof(made->flags))
		made->flags[count] = flag;
}

/** Reads a conversion from the character after the `%` on. @return the character after its letter.
 */
static const char *read_conversion(const char *at, struct slots *slots, struct conversion *made)
{
	int values = 1;

	*made = (struct conversion){ .width = -1, .precision = -1 };
	for (; *at && strchr("-+ #0", *at); at++)
		add_flag(made, *at);
	at = read_number(at, slots, &made->width);
	if (made->width < -1 || (made->width == -1 && at[-1] == '*')) {
		made->width = -made->width; /* a negative width: left-justified, as in C */
		add_flag(made, '-');
	}
	if (*at == '.') {
		at = read_number(at + 1, slots, &made->precision);
		made->precision = made->precision < 0 && at[-1] != '*' ? 0 : made->precision;
	}
	if (*at == 'v')
		at = read_number(at + 1, slots, &values);
	made->values = values >= 1 && values <= 16 ? (size_t)values : 1;
	for (; *at && strchr("hljztL", *at); at++)
		made->length = *at != 'h' ? 0 : made->length == 'h' ? 'H' : 'h';
	/* OpenCL's `hl` is a vector of 32-bit elements. */
	made->letter = *at;
	return *at ? at + 1 : at;
}

/** Writes the conversion of one value for the host's printf(). */
static void spec_of(const struct conversion *made, const char *length, char spec[SPEC])
{
	char width[16] = "";
	char precision[16] = "";

	if (made->width >= 0)
		(void)snprintf(width, sizeof(width), "%d", made->width);
	if (made->precision >= 0)
		(void)snprintf(precision, sizeof(precision), ".%d", made->precision);
	(void)snprintf(spec, SPEC, "%%%s%s%s%s%c", made->flags, width, precision, length,
		       made->letter);
}

static long long integer_of(const struct conversion *made, uint64_t value)
{
	const bool is_signed = made->letter == 'd' || made->letter == 'i';

	if (made->length == 'H')
		return is_signed ? (int8_t)value : (long long)(uint8_t)value;
	if (made->length == 'h')
		return is_signed ? (int16_t)value : (long long)(uint16_t)value;
	return (long long)value;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/** Adds one value of a slot. The format comes from spec_of(), so it fits the value. */
static void add_value(struct text *text, const struct conversion *made, const struct slot *slot,
		      size_t index)
{
	const uint64_t value = value_of(slot, index);
	const char letter = made->letter ? made->letter : '?'; /* strchr() finds 0, too */
	char spec[SPEC];
	double number;

	if (slot->kind == GANGER_PRINT_FLOAT && strchr("fFeEgGaA", letter)) {
		memcpy(&number, &value, sizeof(number));
		spec_of(made, "", spec);
		addf(text, spec, number);
	} else if (slot->kind == GANGER_PRINT_INTEGER && letter == 'c') {
		spec_of(made, "", spec);
		addf(text, spec, (int)(unsigned char)value);
	} else if (slot->kind == GANGER_PRINT_INTEGER && strchr("diouxX", letter)) {
		spec_of(made, "ll", spec);
		addf(text, spec, integer_of(made, value));
	} else if (slot->kind == GANGER_PRINT_POINTER && letter == 'p') {
		addf(text, "0x%llx", (unsigned long long)value);
	} else {
		addf(text, "<?>");
	}
}

static void add_string(struct text *text, const struct conversion *made, const struct slot *slot)
{
	char spec[SPEC];
	struct conversion copy = *made;

	if (copy.precision < 0 || (size_t)copy.precision > slot->bytes)
		copy.precision = (int)(slot->bytes < WIDTH_MAX ? slot->bytes : WIDTH_MAX);
	spec_of(&copy, "", spec);
	/* With a precision of 0 nothing is read; the sanitizers take it for the whole string, which has no end. */
	addf(text, spec, copy.precision > 0 ? (const char *)slot->at : "");
}
#pragma GCC diagnostic pop

static void add_slot(struct text *text, const struct conversion *made, struct slots *slots)
{
	struct slot slot;

	if (!next_slot(slots, &slot)) {
		addf(text, "<cut>");
		return;
	}
	if (slot.kind == GANGER_PRINT_STRING && made->letter == 's') {
		add_string(text, made, &slot);
		if (slots->cut && slots->bytes == 0)
			addf(text, "<cut>");
		return;
	}
	for (size_t index = 0; index < made->values; index++) {
		if (index > 0)
			add(text, ",", 1);
		add_value(text, made, &slot, index);
	}
}

static void add_print(struct text *text, const char *format, struct slots slots)
{
	while (*format) {
		size_t plain = strcspn(format, "%");
		struct conversion made;

		add(text, format, plain);
		format += plain;
		if (format[0] == '%' && format[1] == '%') {
			add(text, format, 1);
			format += 2;
		} else if (format[0] == '%') {
			format = read_conversion(format + 1, &slots, &made);
			add_slot(text, &made, &slots);
		}
	}
}

void print_text(struct text *text, const void *records, size_t bytes, print_format *format,
		void *what)
{
	const uint8_t *at = records;
	struct ganger_print_record head;
	const char *found;

	for (; bytes >= GANGER_PRINT_HEADER; at += head.bytes, bytes -= head.bytes) {
		memcpy(&head, at, GANGER_PRINT_HEADER);
		if (head.bytes < GANGER_PRINT_HEADER || head.bytes > bytes)
			break;
		found = format(what, head.format, FORMAT_MAX);
		if (found)
			add_print(text, found,
				  (struct slots){ at + GANGER_PRINT_HEADER,
						  head.bytes - GANGER_PRINT_HEADER,
						  (head.flags & GANGER_PRINT_CUT) != 0 });
		else
			addf(text, "<print with a format at 0x%llx>",
			     (unsigned long long)head.format);
	}
	if (bytes > 0)
		addf(text, "<%zu bytes that are no print>", bytes);
}
