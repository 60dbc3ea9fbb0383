/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * State of an SM: all that its runtime knows. It lies at the start of that runtime, so that one
 * image serves all SMs and holds no writable data. The SM itself writes all of it, but for `boot`.
 *
 * In machine mode `tp` points here and mscratch is 0; while a kernel runs, mscratch points here. A
 * trap that finds mscratch 0 is therefore our own bug. (Without mscratch: see SM_BELOW_SM.) Interrupts are never enabled in machine
 * mode: they interrupt kernels, or end the sleep.
 *
 * Life of a CTA: its packet (launch_ring.c) makes a record, which waits in the order of arrival (schedule.c).
 * The loop of the hart (sm_run.c) gives it the hart, and it starts (cta.c). It leaves the hart at traps (trap.c),
 * asks the CP for something and waits for the answer (request.c), waits for the others of its CGA (cga.c)
 * and reaches into their shared memory (remote.c). It ends (cta.c) and is reported (report.c). In a PULL grid
 * the record is a stream: it stays, and runs CTA after CTA (pull.c).
 */
#ifndef FIRMWARE_SM_SM_H
#define FIRMWARE_SM_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/sm/sm_area.h"
#include "firmware/sm/sm_boot.h"
#include "hal/protection.h"

#define SM_SLOTS   32u /**< Slots of the task table that an SM knows. */
#define SM_LEVELS  3u  /**< Levels of nested CGAs (S1-R36); level 0 is the innermost. */
#define SM_WINDOWS 4u  /**< Members of its CGA whose memory a CTA can reach at once, at most. */

/** Registers of a CTA that does not have the hart; trap.S knows the layout. */
struct sm_context {
	uintptr_t pc;    /**< Where it goes on. */
	uintptr_t x[31]; /**< x1 … x31. */
};

#define SM_SP   1u /**< Index of sp in sm_context.x. */
#define SM_A0   9u /**< Index of a0 in sm_context.x. */
#define SM_CALL 7u /**< Index of a7, the number of an environment call, counted from a0. */

#define SM_CALL_BYTES 4u /**< Bytes of the ecall instruction. */

/** Floating-point registers of a CTA; float_registers.S knows the layout. */
struct sm_floats {
	uint64_t f[32]; /**< f0 … f31; the low half when the core has no D. */
	uint64_t fcsr;  /**< Rounding mode and flags. */
};

/** Items of a CTA of a queue task (S0-R05, S0-R06); all 0 in a grid. */
struct sm_items {
	uint32_t position; /**< Number of the first, low word. */
	uint32_t place;    /**< Where the first lies in the queue, below its capacity. */
	uint32_t count;    /**< Items. */
};

/** Where a task's launch has come to (S1-R76, S1-G1): CTAs are counted CGA by CGA, and of each level
 * x fastest, then y, then z. A number has a digit for each level and axis; the digits above the
 * CGAs count top-level CGAs in the grid. A plain grid has only these. */
struct sm_raster {
	uint32_t of;                       /**< sm_task.primed of the task; 0: of none. */
	uint32_t lowest;                   /**< 0; SM_LEVELS in a plain grid. */
	uint32_t size[SM_LEVELS + 1][3];   /**< Values of each digit. */
	uint32_t weight[SM_LEVELS + 1][3]; /**< What a step of the digit adds to the position. */
	uint32_t digit[SM_LEVELS + 1][3];  /**< Below its size. */
	uint32_t position[3];              /**< Place in the grid: x, y, z; digits times weights. */
	uint64_t next;                     /**< Launch position of these digits. */
};

/** What a CTA record is used for. */
enum sm_cta_state {
	SM_CTA_FREE = 0, /**< Nothing. */
	SM_CTA_WAITING,  /**< Arrived; has not started. */
	SM_CTA_STARTED,  /**< Has started; `context` holds its registers when it is off the hart. */
	SM_CTA_BLOCKED,  /**< Has started; waits for the CP's answer, outside the queue. */
	SM_CTA_AT_BARRIER, /**< Has started; waits at a barrier of its CGA, outside the queue. */
	SM_CTA_STREAM,     /**< PULL: a stream between two CTAs; it is in the queue. */
};

/** Bits of sm_cta.stream. */
enum sm_stream {
	SM_STREAM = 1,      /**< It is one. */
	SM_STREAM_MORE = 2, /**< It may take more than what came with its packet. */
	SM_STREAM_OWN = 4,  /**< Its next item is in `launch`, not in hand. */
};

/** A resident CTA. Its number is its lowest unit. */
struct sm_cta {
	struct sm_context context; /**< First, for trap.S. */
	struct sm_task *task;      /**< Its task. */
	uintptr_t base;            /**< Lowest address of its window; its number says which. */
	uintptr_t block;           /**< Address of its struct gg_cta; valid when `block_of` is
	                                  its task's `primed`, as are the next two. */
	uintptr_t stack;           /**< Top of its first stack. */
	uint32_t block_of; /**< sm_task.primed for which the constant part of the block was written;
	                                  0: none, or another CTA had some of its units since. */
	uint32_t protection_of; /**< sm_task.guard when its protection was last loaded; 0: its
	                                  windows have changed since. */
	uint8_t unit;           /**< Its number. */
	uint8_t units;          /**< Units that it takes. */
	uint8_t state;          /**< enum sm_cta_state. */
	bool floats_kept;       /**< Its floating-point registers are in `floats`. */
	uint8_t level;          /**< Of the barrier that it waits at. */
	uint8_t round;          /**< cluster.barriers.round when it came there last; 16: never. */
	uint8_t windows;        /**< Places in `window` that are in use, oldest first. */
	uint8_t stream;         /**< PULL: bits of enum sm_stream; 0: no stream. */
	uint8_t run;            /**< PULL: CTAs that it has started as a run (run.h). */
	uint8_t more; /**< Of these, CTAs after this one that have not started, as far as the
	                                  SM knows; 0 outside runs. */
	uint32_t position[3];        /**< x, y, z in the grid; only x is valid in a flat grid. */
	struct sm_items items;       /**< Of a queue task. */
	uint32_t request;            /**< Number of its request; valid when it is blocked. */
	uint32_t sequence;           /**< member.sequence of its innermost CGA; 0: it is in none. */
	uint32_t cga;                /**< packet.cga. */
	uint32_t rank;               /**< In its innermost CGA (S1-R114). */
	uint32_t *barrier;           /**< The word cluster.barriers of that. */
	uint32_t window[SM_WINDOWS]; /**< Members that it can reach now, as in member.next. */
	uint64_t launch;             /**< Launch position. */
	uint64_t linear;             /**< Linear number in its grid: x + grid_x (y + grid_y z). */
	uint64_t start;              /**< When it started, in ticks. */
	uint64_t used;    /**< Ticks that it was on the hart before `sm.run_since`, or blocked. */
	uint64_t blocked; /**< When it was blocked, in ticks. */
	struct sm_floats floats; /**< Valid when `floats_kept`. */
};

/** CTAs of one task that ended and are not yet reported. Of a PULL grid these are streams: `ctas` counts those of
 * their CTAs that ended well, and `first` is valid as soon as there is one. */
struct sm_gathered {
	uint32_t starts; /**< Their bits; 0 for none. */
	uint32_t ctas;   /**< Their number. */
	uint32_t status; /**< As in a report. */
	uint32_t fault;  /**< As in a report. */
	uint64_t first;  /**< Start of the earliest. */
	uint64_t last;   /**< End of the latest. */
	uint64_t cta;    /**< Launch position of the one that ended first. */
};

/** Why the streams of a task end. */
enum sm_over {
	SM_OVER_NOT = 0, /**< They go on. */
	SM_OVER_THROUGH, /**< Nothing was left to take; until more streams come. */
	SM_OVER_FAILED,  /**< A CTA failed, or the task was stopped. */
};

/** What the table of a task is made from, but for windows. */
struct sm_guarded {
	uintptr_t code;       /**< Of the TMD. */
	uintptr_t args;       /**< The same. */
	uintptr_t heap;       /**< The same. */
	uintptr_t heap_bytes; /**< The same. */
	uint32_t code_bytes;  /**< The same; 0: there are windows, too. */
	uint32_t args_bytes;  /**< The same. */
	uint32_t units;       /**< Units that each CTA has for itself. */
};

/** A task's state on this SM (S0-R27): taken when the task is assigned. */
struct sm_task {
	const struct gg_tmd *tmd; /**< The CP's checked copy; constant while the slot is held. */
	uintptr_t entry;          /**< Where its kernel starts. */
	uint32_t name;            /**< Slot | generation << 16, as in packets and reports. */
	uint32_t primed;          /**< Number of the assignment that this came with; not 0. */
	uint32_t tag;             /**< Tag of its command. */
	uint32_t batch;           /**< CTAs of a report, at most. */
	uint32_t limit;           /**< Time limit of a CTA in ticks; 0 for none. */
	uint32_t items;           /**< Queue task: items of a CTA, N; 0 in a grid. */
	uint32_t resident;        /**< CTAs here: they wait, have started, or are blocked. */
	bool pull;                /**< A PULL grid: its CTAs here are streams. */
	bool ranged;              /**< With an `nd_range`: its items are one sequence. */
	bool flat; /**< Its CTAs lie along x, and x is the low word of the launch position. */
	bool bare; /**< It is flat, and its CTAs differ in nothing else: no items, no edge, no runs. */
	bool protectable; /**< `protection` was made, and is that of this task. */
	bool given;       /**< PULL: the items in hand came with a packet, or there are none. */
	uint8_t over;     /**< PULL: enum sm_over. */
	uint8_t run; /**< PULL: CTAs of the next run; 0: its CTAs are run one by one (run.h). */
	struct sm_gathered gathered; /**< Not yet reported. */
	struct protection_table
		protection;        /**< What its CTAs may reach; made when the first one runs. */
	struct sm_guarded guarded; /**< What `protection` is made from. */
	uint32_t guard;            /**< Its number: another one when it is another table. */
};

/** The runtime of one SM. */
struct sm {
	struct sm_boot boot;    /**< Written by the CP; first, for start.S. */
	struct sm_cta *current; /**< CTA whose registers trap.S saves. */
	uintptr_t scratch;      /**< For trap.S. */
	uintptr_t kernel_tp;    /**< For trap.S, on cores without mscratch. */
	struct sm_context bug;  /**< Registers at a trap of the runtime itself. */
	bool bugged;            /**< There was such a trap. */

	/* Found at boot, constant from then on. */
	const struct gg_cap *cap;        /**< Capability block. */
	struct gg_sm_state *state;       /**< This SM's words. */
	const struct gg_slot *slots;     /**< Task table. */
	struct gg_launch *rings;         /**< The CP's ends of the rings. */
	const struct gg_packet *packets; /**< Launch ring. */
	struct gg_report *reports;       /**< Report ring. */
	struct gg_request *requests;     /**< Request ring. */
	const struct gg_answer *answers; /**< Answers to them, at the same places. */
	struct gg_trace_record *traces;  /**< Trace ring. */
	struct gg_fault_record *faults;  /**< Fault records. */
	struct gg_cluster *members;      /**< Its CLUSTER block: CGA members here. */
	struct gg_pull *pull;            /**< What streams here run (pull.c). */
	const uint32_t *approved; /**< PULL: the word of WORK entry 0 that has this SM's bit. */
	uint8_t *bell;            /**< This SM's bell byte. */
	uint32_t features;        /**< Bit n: feature n of the core. */
	struct protection_limits protection; /**< Of the core. */

	/* Its share of the memory of the SMs (S0-R22), as the CP last said. */
	uintptr_t units;         /**< Address of unit 0. */
	uint32_t unit_bytes;     /**< From one unit to the next. */
	uint32_t private_share;  /**< Private memory of a unit. */
	uint32_t share_sequence; /**< sm_state.share_sequence of it. */

	/* Shadows of words in sm_state, of which this SM is the only writer. */
	uint32_t health;      /**< sm_state.health. */
	uint32_t launch_get;  /**< sm_state.launch_get. */
	uint32_t report_put;  /**< sm_state.report_put. */
	uint32_t request_put; /**< sm_state.request_put. */
	uint32_t request_get; /**< Answers taken. */
	uint32_t trace_put;   /**< sm_state.trace_put. */
	uint32_t ended;       /**< sm_state.ctas. */
	uint32_t failed;      /**< sm_state.faults. */
	uint32_t assigned;    /**< sm_state.sync_ack. */
	uint32_t stopped;     /**< sm_state.stop_ack. */
	uint32_t bells;       /**< Events: the bell byte is the low byte. */
	bool bell_due;        /**< Something was published and the CP has not been told yet. */

	/* Who has the hart. */
	uint64_t now;       /**< Ticks when this machine mode began, or later. */
	uint64_t run_since; /**< When `current` got the hart. */
	uint64_t tick;      /**< Deadline of the timer; 0: it is off. */
	bool soon;          /**< `tick` is at most a time slice away: no turn wants it earlier. */
	uint32_t arrived;   /**< Resident CTAs that are not blocked. */
	uint32_t blocked;   /**< Resident CTAs that are. */
	uint32_t head;      /**< Place of the first in `queue`. */
	struct sm_cta *queue[SM_UNITS_MAX]; /**< CTAs that arrived, in turn; a ring. */
	uint8_t asked[SM_UNITS_MAX];        /**< By request: number of the CTA that asked. */
	uint32_t idle_yields;               /**< Yields since a CTA did something else. */
	bool nap_due;                       /**< All CTAs here only yield: the hart is to nap. */
	const struct sm_cta *protected;     /**< CTA whose protection is loaded; NULL: no CTA's. */
	uint32_t
		loaded; /**< sm_task.guard of the table that is loaded; 0: it is `opened`, or none. */
	struct protection_table opened; /**< Of the CTA on the hart, while it has windows. */
	uint32_t at_barrier;            /**< Bit u: the CTA of unit u waits at a barrier. */
	uint64_t barrier_limit;   /**< When the time limit of one of them is up, or earlier. */
	struct sm_cta *floats_of; /**< Whose floating-point registers the hart has, or NULL. */
	bool floats_zero;         /**< No value is left in the hart's registers. */

	struct sm_task *wave; /**< Task of whose wave the SM is a part (wave.h), or NULL. */
	uint32_t wave_starts; /**< Its CTAs of that wave: packet.starts. */

	/* Its way to the global queue, as CONFIG says; looked up when streams arrive. */
	uint32_t gpc; /**< Its GPC. */
	uint32_t way; /**< Ticks to wait before each access. */
	bool far;     /**< Its GPC has local queues. */

	uint32_t primes;                     /**< Assignments so far. */
	uint32_t unsent;                     /**< Bit s: tasks[s] has gathered something. */
	uint32_t units_known;                /**< Bit u: unit u holds data of one context. */
	uint32_t unit_context[SM_UNITS_MAX]; /**< Which context; valid when its bit is set. */
	uint8_t unit_last[SM_UNITS_MAX];     /**< Number of the CTA that was prepared there last. */
	struct sm_raster raster;             /**< Of the task that came last. */
	struct sm_task tasks[SM_SLOTS];      /**< By slot. */
	struct sm_cta ctas[SM_UNITS_MAX];    /**< By lowest unit. */
};

#define SM_STACK_BYTES 4096u /**< Least room for the M-mode stack. */
_Static_assert((SM_UNITS_MAX & (SM_UNITS_MAX - 1u)) == 0 && SM_UNITS_MAX <= 32u, "a set is a word");
_Static_assert(sizeof(struct sm) + SM_STACK_BYTES <= SM_RUNTIME_BYTES, "the runtime fits its area");

/** Clear memory, a register at a time: the C library's function may go byte by byte.
 * @param address  A multiple of 8.
 * @param bytes    Rounded up to a multiple of 32. */
__attribute__((always_inline)) static inline void sm_clear(uintptr_t address, uintptr_t bytes)
{
	const uintptr_t end = address + bytes;

	while (address < end) {
		uintptr_t *words = (uintptr_t *)address;

		words[0] = 0;
		words[1] = 0;
		words[2] = 0;
		words[3] = 0;
		address += 4 * sizeof(*words);
		__asm__ volatile("" ::: "memory"); /* keep it a loop, not a call of memset */
	}
}

/** Copy memory, a register at a time; see sm_clear().
 * @param to, from  Aligned to registers; they do not overlap.
 * @param bytes     A multiple of the size of a register. */
static inline void sm_copy(uintptr_t to, uintptr_t from, uintptr_t bytes)
{
	const uintptr_t end = from + bytes;

	while (from != end) {
		*(uintptr_t *)to = *(const uintptr_t *)from;
		__asm__ volatile("" ::: "memory");
		to += sizeof(uintptr_t);
		from += sizeof(uintptr_t);
	}
}

/** A function that a CTA which starts, ends and reports does not go through: it stays out of those that are fast, and it
 * is made small. */
#define SM_COLD __attribute__((cold, noinline))

/** A function that not every CTA goes through: it stays out of its callers, which then save fewer registers. */
#define SM_APART __attribute__((noinline))

/** A false condition is a bug of the runtime itself: it ends in sm_bug(). */
__attribute__((always_inline)) static inline void sm_assert(bool condition)
{
	if (!condition) {
		__builtin_trap();
	}
}

#endif /* FIRMWARE_SM_SM_H */
