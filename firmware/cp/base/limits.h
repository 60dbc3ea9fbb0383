/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Sizes of the control processor's tables. A board may set lower ones on the compiler's command line; the host reads
 * them from the capability block.
 */
#ifndef FIRMWARE_CP_BASE_LIMITS_H
#define FIRMWARE_CP_BASE_LIMITS_H

#ifndef CP_PARTS
#define CP_PARTS 0xefe00u /**< Optional parts that are linked; bits as in enum gg_feature. */
#endif
#ifndef CP_SMS
#define CP_SMS 512u /**< Most SMs; a multiple of 32. */
#endif
#ifndef CP_SLOTS
#define CP_SLOTS 32u /**< Slots of the task table, at most 32 (one word of slot bits). */
#endif
#ifndef CP_SWEEP
/** Places of the task pool that cancelling a channel visits in a turn of the loop. */
#define CP_SWEEP 64u
#endif
#ifndef CP_CGAS
#define CP_CGAS 1024u /**< CGAs of all levels that can be in flight at once, at most 65,534. */
#endif
#ifndef CP_CGA_CTAS
#define CP_CGA_CTAS 4096u /**< Most CTAs of a top-level CGA, at most 65,535. */
#endif
#ifndef CP_GPCS
#define CP_GPCS 32u /**< Most GPCs; at most 32, since a TMD's mask of GPCs is one word. */
#endif
#ifndef CP_RANGES
#define CP_RANGES 2048u /**< Ranges of CTAs that are to be issued again (range.h). */
#endif
#ifndef CP_TRACE_ENTRIES
#define CP_TRACE_ENTRIES 1024u /**< Records of a trace ring. */
#endif
#ifndef CP_CHANNELS
#define CP_CHANNELS 8u /**< Channels, at most 8. */
#endif
#ifndef CP_CHANNEL_ENTRIES
#define CP_CHANNEL_ENTRIES 64u /**< Commands of a channel's ring; a power of two. */
#endif
#ifndef CP_COMPLETION_ENTRIES
#define CP_COMPLETION_ENTRIES 256u /**< Completions of the ring to the host; a power of two. */
#endif
#ifndef CP_UNITS
#define CP_UNITS 32u /**< Most memory units of an SM; a power of two, at most 32. */
#endif
#ifndef CP_FENCES
#define CP_FENCES 16u /**< Most fences in flight on a channel. */
#endif
#ifndef CP_PMP_ENTRIES
/** Entries of memory protection that an SM may use, 8 to 16: windows take two each, behind the first 8. */
#define CP_PMP_ENTRIES 16u
#endif
#ifndef CP_DEPENDENCES
#define CP_DEPENDENCES 64u /**< Most entries in each of a TMD's lists of dependences. */
#endif
#ifndef CP_RESERVE
#define CP_RESERVE 64u /**< Places of the task pool that are kept for child tasks. */
#endif
#ifndef CP_KEPT
#define CP_KEPT \
	8u /**< TMDs of plain tasks that are kept, so that the next launch of the same is checked by words. */
#endif
#ifndef CP_WAVE_SMS
#define CP_WAVE_SMS \
	4u /**< Fewest SMs of a wave that gives some of them several CTAs, unless they are all of the device. 0: waves are left out, also of the SMs. */
#endif
#ifndef CP_POLICY
/** The policy of the mode round robin: that one, or another of policy/ (docs/POLICIES.md). */
#define CP_POLICY policy_round_robin
#endif
#ifdef CP_ORDER
#define CP_CHOICE 1u
#else
/** The order of the tasks: by priority and age, or another of policy/. */
#define CP_ORDER  policy_by_age
#define CP_CHOICE 0u /**< 1: CP_ORDER chooses tasks; 0: there is no code for that. */
#endif
#define CP_LAUNCH_ENTRIES CP_UNITS       /**< Entries of each of an SM's rings. */
#define CP_CGA_IDS        256u           /**< Ids of CGAs in a pool; an id has 8 bits (S1-R184). */
#define CP_CGA_LEVELS     3u             /**< Most levels of nested CGAs (S1-R13). */
#define CP_SM_WORDS       (CP_SMS / 32u) /**< Words of a bitmap of SMs. */
#define CP_PRIORITIES     10u            /**< Priorities 1 to 10 (S0-R03). */
#define CP_FAULT_ENTRIES  4u             /**< Fault records of an SM. */
#define CP_BLOCK_THREADS  1024u          /**< Most threads of a CTA (S1-R180). */
#define CP_WARP_THREADS   32u            /**< Threads of a warp (S1-R181). */

_Static_assert(CP_SMS % 32u == 0, "bitmaps of SMs are whole words");
_Static_assert((CP_UNITS & (CP_UNITS - 1u)) == 0 && CP_UNITS <= 32u,
	       "a set of units is one word, and rings have as many entries");
_Static_assert((CP_TRACE_ENTRIES & (CP_TRACE_ENTRIES - 1u)) == 0 && CP_TRACE_ENTRIES != 0,
	       "sizes of rings divide 2^32, where their counts wrap");
_Static_assert((CP_COMPLETION_ENTRIES & (CP_COMPLETION_ENTRIES - 1u)) == 0,
	       "sizes of rings divide 2^32, where their counts wrap");
_Static_assert(CP_SLOTS <= 32u, "a set of slots is one word");

#endif /* FIRMWARE_CP_BASE_LIMITS_H */
