/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/il.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL         "llvm-spirv-14"
#define MAGIC        0x07230203u
#define VERSION_LAST 0x10400u
#define HEADER       5u /* Words. */
#define MODEL_OPENCL 2u
#define SPEC_ID      1u /* A decoration. */

/** Instructions. */
enum op {
	OP_MEMORY_MODEL = 14,
	OP_TYPE_BOOL = 20,
	OP_TYPE_INT = 21,
	OP_TYPE_FLOAT = 22,
	OP_SPEC_TRUE = 48,
	OP_SPEC_FALSE = 49,
	OP_SPEC = 50,
	OP_DECORATE = 71,
};

/** A module word by word. */
struct module {
	const uint8_t *at;
	size_t words;
};

static uint32_t word(const struct module *module, size_t index)
{
	uint32_t value = 0;

	if (index < module->words)
		memcpy(&value, module->at + index * sizeof(value), sizeof(value));
	return value;
}

static uint32_t op_at(const struct module *module, size_t place)
{
	return word(module, place) & 0xffff;
}

static size_t length_at(const struct module *module, size_t place)
{
	return word(module, place) >> 16;
}

/** The next instruction of some kind whose words `index` is `value`. @return its place, or the number of words. */
static size_t find(const struct module *module, enum op op, size_t index, uint32_t value)
{
	size_t place = HEADER;

	while (place < module->words &&
	       (op_at(module, place) != (uint32_t)op || word(module, place + index) != value))
		place += length_at(module, place);
	return place < module->words ? place : module->words;
}

bool il_available(void)
{
	const char *folder = getenv("PATH");
	char path[PATH_MAX];

	while (folder) {
		int length = (int)strcspn(folder, ":");

		if (snprintf(path, sizeof(path), "%.*s/" TOOL, length, folder) < PATH_MAX &&
		    access(path, X_OK) == 0)
			return true;
		folder = folder[length] ? folder + length + 1 : NULL;
	}
	return false;
}

bool il_check(const void *data, size_t bytes)
{
	const struct module module = { data, bytes / sizeof(uint32_t) };
	size_t place = HEADER;
	const uint32_t version = word(&module, 1);

	if (bytes % sizeof(uint32_t) != 0 || module.words <= HEADER || word(&module, 0) != MAGIC ||
	    version < 0x10000u || version > VERSION_LAST)
		return false;
	while (place < module.words && length_at(&module, place) > 0)
		place += length_at(&module, place);
	if (place != module.words)
		return false;
	place = find(&module, OP_MEMORY_MODEL, 2, MODEL_OPENCL);
	return place < module.words;
}

/** Bits of a constant, 1 of a truth value, and whether it is a real number. @return 0: it is none that can be set. */
static uint32_t bits_of(const struct module *module, uint32_t constant, bool *real)
{
	size_t place = find(module, OP_SPEC, 2, constant), type;
	uint32_t id = word(module, place + 1);

	*real = false;
	if (find(module, OP_SPEC_TRUE, 2, constant) < module->words ||
	    find(module, OP_SPEC_FALSE, 2, constant) < module->words)
		return 1;
	if (place == module->words)
		return 0;
	type = find(module, OP_TYPE_FLOAT, 1, id);
	*real = type < module->words;
	if (!*real)
		type = find(module, OP_TYPE_INT, 1, id);
	return word(module, type + 2);
}

/** The constant with a number for specialization. @return 0: there is none. */
static uint32_t constant_of(const struct module *module, uint32_t number)
{
	for (size_t place = HEADER; place < module->words; place += length_at(module, place)) {
		if (op_at(module, place) == OP_DECORATE && word(module, place + 2) == SPEC_ID &&
		    word(module, place + 3) == number)
			return word(module, place + 1);
	}
	return 0;
}

static double real_of(const void *value, uint32_t bits)
{
	double wide;
	float narrow;

	if (bits == 64) {
		memcpy(&wide, value, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, value, sizeof(narrow));
	return (double)narrow;
}

cl_int il_constant(const void *data, size_t bytes, uint32_t number, size_t size, const void *value,
		   char text[IL_TEXT])
{
	const struct module module = { data, bytes / sizeof(uint32_t) };
	const uint32_t constant = constant_of(&module, number);
	bool real;
	const uint32_t bits = constant ? bits_of(&module, constant, &real) : 0;
	uint64_t whole = 0;

	if (bits == 0)
		return CL_INVALID_SPEC_ID;
	if (size != (bits + 7) / 8 || size > sizeof(whole))
		return CL_INVALID_VALUE;
	memcpy(&whole, value, size);
	if (real && bits >= 32)
		(void)snprintf(text, IL_TEXT, "%" PRIu32 ":f%" PRIu32 ":%.17g", number, bits,
			       real_of(value, bits));
	else if (real)
		return CL_INVALID_VALUE; /* half: kernels do not compute with it. */
	else
		(void)snprintf(text, IL_TEXT, "%" PRIu32 ":i%" PRIu32 ":%" PRIu64, number, bits,
			       bits == 1 ? (uint64_t)(whole != 0) : whole);
	return CL_SUCCESS;
}
