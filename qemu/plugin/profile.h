/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that the profiling plugin shares with the host: a header, and then `places` counts of 64 bits for
 * each hart, hart 0 first. Count i of a hart is how often it began the instruction at base + 2 * i. One
 * layout for every machine; little endian. Each word has one writer: "host", or the plugin.
 *
 * The plugin looks at base and bytes while QEMU translates the code, so write them before the code
 * runs for the first time. An instruction counts when it begins, so one that traps counts too.
 */
#ifndef QEMU_PLUGIN_PROFILE_H
#define QEMU_PLUGIN_PROFILE_H

#include <assert.h>
#include <stdint.h>

#define PROFILE_MAGIC 0x50474747u /* "GGGP" */

struct profile_header {
	uint32_t magic;  /* plugin: PROFILE_MAGIC, when it has started */
	uint32_t harts;  /* plugin: harts of this machine */
	uint32_t places; /* host, before QEMU starts: counts of each hart */
	uint32_t reserved;
	uint64_t base;  /* host: address of the code */
	uint64_t bytes; /* host: its bytes, at most 2 * places; 0: nothing is counted */
	uint64_t unused[4];
};

static_assert(sizeof(struct profile_header) == 64, "the host reads this layout");

#endif
