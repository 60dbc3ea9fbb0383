/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/fdt.h"

#include <string.h>

#define FDT_MAGIC        0xd00dfeedu
#define FDT_HEADER_BYTES 40u
#define FDT_LAST_COMPAT  17u  /**< Newest incompatible change of the format that this code knows. */
#define FDT_NODE_BYTES   256u /**< Longest name of a node or property, with its zero. */

enum fdt_token {
	FDT_BEGIN_NODE = 1,
	FDT_END_NODE = 2,
	FDT_PROPERTY = 3,
	FDT_NOP = 4,
	FDT_END = 9,
};

/** Part of the tree. */
struct block {
	const uint8_t *bytes;
	uint32_t size;
};

/** What kind of node the walk is in, as far as that matters here. */
enum place {
	PLACE_OTHER,
	PLACE_ROOT,   /**< / */
	PLACE_CPUS,   /**< /cpus */
	PLACE_CPU,    /**< /cpus/cpu@… */
	PLACE_MEMORY, /**< /memory@… */
};

struct walk {
	struct block structure;
	struct block strings;
	uint32_t at;       /**< Offset in the structure block. */
	uint32_t depth;    /**< Open nodes; the root's depth is 1. */
	enum place parent; /**< Place at depth 2: /cpus or a memory node. */
	enum place place;
	uint32_t address_cells; /**< Words of an address below the root. */
	uint32_t size_cells;
	uint64_t address; /**< The address that is asked for. */
	struct fdt_summary *summary;
};

struct property {
	const char *name; /**< Ends with a zero inside the strings block. */
	struct block value;
};

/* Words of a tree are big endian and may lie at any address. */
static uint32_t word_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static uint64_t cells_at(const uint8_t *bytes, uint32_t cells)
{
	uint64_t value = 0;

	for (uint32_t cell = 0; cell < cells; cell++) {
		value = value << 32 | word_at(bytes + cell * 4);
	}
	return value;
}

static bool open_block(const uint8_t *blob, uint32_t total, uint32_t offset, uint32_t size,
		       struct block *block)
{
	if (offset > total || size > total - offset) {
		return false;
	}
	block->bytes = blob + offset;
	block->size = size;
	return true;
}

static bool open_tree(const uint8_t *blob, size_t limit, struct walk *walk)
{
	if (limit < FDT_HEADER_BYTES || word_at(blob) != FDT_MAGIC) {
		return false;
	}
	uint32_t total = word_at(blob + 4);

	if (total > limit || word_at(blob + 24) > FDT_LAST_COMPAT) {
		return false;
	}
	return open_block(blob, total, word_at(blob + 8), word_at(blob + 36), &walk->structure) &&
	       open_block(blob, total, word_at(blob + 12), word_at(blob + 32), &walk->strings);
}

/* A name that ends inside its block, or NULL. */
static const char *name_at(const struct block *block, uint32_t offset)
{
	if (offset >= block->size) {
		return NULL;
	}
	uint32_t left = block->size - offset;
	uint32_t most = left < FDT_NODE_BYTES ? left : FDT_NODE_BYTES;

	return memchr(block->bytes + offset, 0, most) == NULL ? NULL
							      : (const char *)block->bytes + offset;
}

static bool take_word(struct walk *walk, uint32_t *word)
{
	if (walk->structure.size - walk->at < 4) {
		return false;
	}
	*word = word_at(walk->structure.bytes + walk->at);
	walk->at += 4;
	return true;
}

/* Step over bytes and the padding to the next word. */
static bool skip(struct walk *walk, uint32_t bytes)
{
	uint32_t left = walk->structure.size - walk->at;

	if (bytes > left || (4 - bytes % 4) % 4 > left - bytes) {
		return false;
	}
	walk->at += (bytes + 3) & ~3u;
	return true;
}

/* "cpu" is the node "cpu" or "cpu@3", but not "cpu-map". */
static bool is_named(const char *name, const char *wanted)
{
	size_t length = strlen(wanted);

	return strncmp(name, wanted, length) == 0 && (name[length] == 0 || name[length] == '@');
}

static enum place place_of(const struct walk *walk, const char *name)
{
	if (walk->depth == 1) {
		return PLACE_ROOT;
	}
	if (walk->depth == 2) {
		return is_named(name, "cpus")     ? PLACE_CPUS
		       : is_named(name, "memory") ? PLACE_MEMORY
						  : PLACE_OTHER;
	}
	if (walk->depth == 3 && walk->parent == PLACE_CPUS && is_named(name, "cpu")) {
		return PLACE_CPU;
	}
	return PLACE_OTHER;
}

static bool begin_node(struct walk *walk)
{
	const char *name = name_at(&walk->structure, walk->at);

	if (name == NULL || !skip(walk, (uint32_t)strlen(name) + 1)) {
		return false;
	}
	walk->depth++;
	walk->place = place_of(walk, name);
	if (walk->depth == 2) {
		walk->parent = walk->place;
	}
	if (walk->place == PLACE_CPU) {
		walk->summary->harts++;
	}
	return true;
}

/* Properties come before children, so those after an END_NODE would be out of order. */
static bool end_node(struct walk *walk)
{
	walk->place = PLACE_OTHER;
	if (walk->depth == 0) {
		return false;
	}
	walk->depth--;
	return true;
}

static bool take_property(struct walk *walk, struct property *property)
{
	uint32_t size = 0;
	uint32_t name = 0;

	if (!take_word(walk, &size) || !take_word(walk, &name)) {
		return false;
	}
	property->name = name_at(&walk->strings, name);
	property->value.bytes = walk->structure.bytes + walk->at;
	property->value.size = size;
	return property->name != NULL && skip(walk, size);
}

static bool is_text(const struct block *value, const char *text)
{
	size_t bytes = strlen(text) + 1;

	return value->size == bytes && memcmp(value->bytes, text, bytes) == 0;
}

static void take_banks(struct walk *walk, const struct block *value)
{
	uint32_t bank_bytes = (walk->address_cells + walk->size_cells) * 4;

	for (uint32_t at = 0; bank_bytes <= value->size - at; at += bank_bytes) {
		const uint8_t *bank = value->bytes + at;
		uint64_t base = cells_at(bank, walk->address_cells);
		uint64_t bytes = cells_at(bank + walk->address_cells * 4, walk->size_cells);

		if (walk->address >= base && walk->address - base < bytes) {
			walk->summary->ram_base = base;
			walk->summary->ram_bytes = bytes;
		}
	}
}

/* Addresses have one or two words; larger ones could not be held here. */
static bool take_cells(const struct property *property, uint32_t *cells)
{
	*cells = word_at(property->value.bytes);
	return *cells == 1 || *cells == 2;
}

static bool use_property(struct walk *walk, const struct property *property)
{
	bool is_word = property->value.size == 4;

	if (walk->place == PLACE_ROOT && is_word && strcmp(property->name, "#address-cells") == 0) {
		return take_cells(property, &walk->address_cells);
	}
	if (walk->place == PLACE_ROOT && is_word && strcmp(property->name, "#size-cells") == 0) {
		return take_cells(property, &walk->size_cells);
	}
	if (walk->place == PLACE_MEMORY && strcmp(property->name, "reg") == 0) {
		take_banks(walk, &property->value);
	}
	if (walk->place == PLACE_CPUS && is_word &&
	    strcmp(property->name, "timebase-frequency") == 0) {
		walk->summary->timebase_hz = word_at(property->value.bytes);
	}
	if (walk->place == PLACE_CPU && strcmp(property->name, "status") == 0 &&
	    !is_text(&property->value, "okay") && !is_text(&property->value, "ok")) {
		walk->summary->harts--;
		walk->place = PLACE_OTHER; /* a second status property does not count */
	}
	return true;
}

static bool step(struct walk *walk, uint32_t token)
{
	struct property property;

	switch (token) {
	case FDT_BEGIN_NODE:
		return begin_node(walk);
	case FDT_END_NODE:
		return end_node(walk);
	case FDT_PROPERTY:
		return take_property(walk, &property) && use_property(walk, &property);
	default:
		return token == FDT_NOP;
	}
}

bool fdt_summarize(const uint8_t *blob, size_t limit, uint64_t address, struct fdt_summary *summary)
{
	struct walk walk = {
		.address_cells = 2, .size_cells = 1, .address = address, .summary = summary
	};
	uint32_t token = 0;

	*summary = (struct fdt_summary){ 0 };
	if (!open_tree(blob, limit, &walk)) {
		return false;
	}
	/* The loop ends, because each turn takes a word of a block of bounded size. */
	while (take_word(&walk, &token) && token != FDT_END) {
		if (!step(&walk, token)) {
			return false;
		}
	}
	return token == FDT_END && walk.depth == 0 && summary->ram_bytes != 0 &&
	       summary->harts != 0;
}
