/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that the counting plugin shares with the host: instructions per hart, and what happened
 * at addresses that the host asked about. One layout for every machine; little endian; a mapping
 * of COUNT_FILE_BYTES bytes. Each word has one writer: "host", or the plugin.
 *
 * Counts are exact, also where several host threads run the harts: each hart adds to its own word.
 * An instruction counts when it begins, so one that traps counts too. A hart that sleeps in wfi
 * counts nothing.
 *
 * Addresses are of the harts' address space. The plugin looks at them while QEMU translates the
 * code, so write an address before the instruction there runs for the first time. One that is
 * cleared or rewritten stops at once.
 */
#ifndef QEMU_PLUGIN_COUNT_H
#define QEMU_PLUGIN_COUNT_H

#include <assert.h>
#include <stdint.h>

#define COUNT_MAGIC      0x54434747u /* "GGCT" */
#define COUNT_VERSION    1u
#define COUNT_HARTS_MAX  512u
#define COUNT_MARKS      64u
#define COUNT_SPANS      32u
#define COUNT_FILE_BYTES (64u + 64u * (COUNT_MARKS + COUNT_SPANS + COUNT_HARTS_MAX))

/* Written by the plugin when QEMU starts; `magic` last, when all the rest is in place. */
struct count_header {
	uint32_t magic;
	uint32_t version;
	uint32_t harts;       /* harts of this machine, 1 … COUNT_HARTS_MAX */
	uint32_t file_bytes;  /* COUNT_FILE_BYTES */
	uint32_t mark_offset; /* of the tables below, in bytes from the beginning of the file */
	uint32_t span_offset;
	uint32_t hart_offset;
	uint32_t mark_count; /* entries of the tables: COUNT_MARKS, COUNT_SPANS */
	uint32_t span_count;
	uint32_t entry_bytes; /* of each entry of every table: 64 */
	uint32_t reserved[6];
};

/*
 * "When did a hart come to this instruction?" The counts leave out the instruction itself. The
 * first hit is kept for the host's `arm`; set it only while no hart is near. Where several threads
 * run harts, the two words of the last hit may be of different hits.
 */
struct count_mark {
	uint64_t address;     /* host: of the first byte of an instruction; 0 = unused */
	uint32_t arm;         /* host: another value, not 0, asks for the next hit's record */
	uint32_t claimed;     /* plugin: the `arm` for which a hart is writing the record */
	uint32_t fired;       /* plugin: the `arm` for which the next three words are valid */
	uint32_t hart;        /* plugin: hart of the first hit after arming */
	uint64_t hart0_count; /* plugin: count of hart 0 at that hit */
	uint64_t hart_count;  /* plugin: count of the hart that came there */
	uint64_t hits;        /* plugin: hits of all harts since the start, armed or not */
	uint64_t last_hart0;  /* plugin: count of hart 0 at the last hit; valid when hits > 0 */
	uint32_t last_hart;   /* plugin: hart of the last hit */
	uint32_t reserved;
};

/*
 * "How long does it take from here to there?" Instructions of one hart from the one at `begin` up
 * to the one at `end`, both counted. A new begin before the end starts again.
 */
struct count_span {
	uint64_t begin; /* host: address; 0 = unused */
	uint64_t end;   /* host: address; 0 = the next mret, whatever its address */
	uint32_t hart;  /* host: the hart to watch */
	uint32_t arm;   /* host: another value clears the four results at the next begin */
	uint64_t hits;  /* plugin: spans that came to their end */
	uint64_t min;   /* plugin: the shortest; valid when hits > 0 */
	uint64_t max;   /* plugin: the longest */
	uint64_t sum;   /* plugin: all together */
	uint32_t seen;  /* plugin: the `arm` that the results belong to */
	uint32_t open;  /* plugin: 1 between begin and end */
};

/* A cache line for each hart, so that harts on different host threads do not slow each other. */
struct count_hart {
	uint64_t count; /* plugin: instructions of this hart since the start */
	uint64_t reserved[7];
};

struct count_file {
	struct count_header header;
	struct count_mark mark[COUNT_MARKS];
	struct count_span span[COUNT_SPANS];
	struct count_hart hart[COUNT_HARTS_MAX];
};

static_assert(sizeof(struct count_header) == 64, "the host reads this layout");
static_assert(sizeof(struct count_mark) == 64, "the host reads this layout");
static_assert(sizeof(struct count_span) == 64, "the host reads this layout");
static_assert(sizeof(struct count_hart) == 64, "the host reads this layout");
static_assert(sizeof(struct count_file) == COUNT_FILE_BYTES, "the host reads this layout");

#endif
