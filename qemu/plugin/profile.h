/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that the profiling plugin shares with the host: a header, which says where the rest is:
 *
 *   harts   struct profile_hart of each hart
 *   marks   a byte for each place of the code, PROFILE_…: what the instruction there does to the calls
 *   counts  `places` counts of 64 bits for each hart, hart 0 first: how often it began the instruction there
 *   paths   `entries` of struct profile_path for each hart: the same, by the calls that led there
 *   turns   struct profile_turn: what a work-item executed before another one had its turn
 *
 * A place is half the offset of an instruction in the code. One layout for every machine; little endian. Each word
 * has one writer: "host", or the plugin. The host writes its words before the code runs for the first time, since
 * the plugin looks at them while QEMU translates the code. An instruction counts when it begins, so one that traps
 * counts too.
 */
#ifndef QEMU_PLUGIN_PROFILE_H
#define QEMU_PLUGIN_PROFILE_H

#include <assert.h>
#include <stdint.h>

#define PROFILE_MAGIC 0x50474747u /* "GGGP" */

/* Bits of a mark, written by the host. */
#define PROFILE_CALL    1u  /* what follows is a function that returns behind this instruction */
#define PROFILE_RETURN  2u  /* the function returns */
#define PROFILE_BARRIER 4u  /* first instruction of the runtime's barrier */
#define PROFILE_ENTRY   8u  /* first instruction of a CTA */
#define PROFILE_RUNTIME 16u /* of no work-item: what a CTA does before, between and after them */

struct profile_header {
	uint32_t magic; /* plugin: PROFILE_MAGIC, when it has started */
	uint32_t harts; /* plugin: harts of this machine */
	/* host, before QEMU starts: */
	uint32_t places;  /* of the code, at most: counts of each hart */
	uint32_t entries; /* paths of each hart: a power of two */
	uint64_t turns;   /* turns that there is room for */
	uint64_t harts_at, marks_at, counts_at, paths_at, turns_at; /* bytes from the header */
	/* host, before the code runs: */
	uint64_t base;         /* address of the code */
	uint64_t bytes;        /* its bytes, at most 2 * places; 0: nothing is counted */
	uint64_t ram;          /* address of the device's RAM */
	uint32_t word;         /* bytes of a pointer */
	uint32_t record_bytes; /* of a CTA record of an SM; 0: CTAs are not told apart */
	uint32_t record_block; /* offset in it: address of the CTA block; then, in the block: */
	uint32_t block_linear; /* 64 bits: number of the CTA */
	uint32_t block_tag;    /* tag of the task */
	uint32_t block_thread; /* number of the work-item that runs */
	uint64_t taken;        /* plugin: turns that ended; only the first `turns` are there */
	uint64_t unused;
};

/* A hart, and the turn that has not ended yet. */
struct profile_hart {
	uint64_t current;      /* host: address of the SM's word `current`; 0: no SM */
	uint64_t records;      /* host: address of its first CTA record */
	uint64_t cta;          /* plugin, and what follows: as in struct profile_turn */
	uint64_t instructions; /* */
	uint32_t runtime;      /* */
	uint32_t tag;          /* */
	uint32_t thread;       /* */
	uint32_t barrier;      /* */
	uint64_t lost;         /* instructions that found no room among the paths */
	uint64_t ctas;         /* CTAs that began */
};

/* How often an instruction began after certain calls. The place of a path in its table names it: the call of a
 * function is itself such an instruction. Empty where `key` is 0. */
struct profile_path {
	uint64_t key;   /* 1 + (caller << 24 | place); caller: 0, or 1 + the call's path */
	uint64_t count; /* */
};

struct profile_turn {
	uint64_t cta;          /* linear number */
	uint64_t instructions; /* of the work-item */
	uint32_t runtime;      /* instructions of PROFILE_RUNTIME meanwhile */
	uint32_t tag;          /* of the task */
	uint32_t barrier;      /* 1 + place of the call of the barrier that ended it; 0: other */
	uint16_t thread;       /* linear number of the work-item in its CTA */
	uint16_t hart;         /* */
};

static_assert(sizeof(struct profile_header) == 128, "the host reads this layout");
static_assert(sizeof(struct profile_hart) == 64, "the host reads this layout");
static_assert(sizeof(struct profile_path) == 16, "the host reads this layout");
static_assert(sizeof(struct profile_turn) == 32, "the host reads this layout");

#endif
