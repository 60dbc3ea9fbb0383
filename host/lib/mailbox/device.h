/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What is behind the opaque types of the API. One lock for each device guards all of it, also its
 * contexts, modules and tasks. What is written only once, at the start, is read without the lock.
 *
 */
#ifndef HOST_LIB_MAILBOX_DEVICE_H
#define HOST_LIB_MAILBOX_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/include/ganger_inspect.h"
#include "host/lib/core/heap.h"
#include "host/lib/core/kernel_list.h"
#include "host/lib/core/pool.h"
#include "host/lib/core/print_text.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/transport/layout.h"
#include "host/lib/transport/reach.h"
#include "host/lib/transport/transport.h"

#define ORPHANS_MAX 4096u
#define SETTLE_MS   10000u /**< Milliseconds to wait for the tasks of a host that died. */

/** The words of a channel that this host writes. */
struct channel {
	uint32_t put;   /**< Commands written, as in shared memory. */
	uint32_t reset; /**< Resets asked for, as in shared memory. */
};

/** A queue of completions whose commands are not ours. */
struct orphans {
	struct gg_done *at; /**< Room for ORPHANS_MAX, allocated with the first. */
	uint32_t first;
	uint32_t count;
};

struct gg_device {
	/* Written once, at the start. */
	struct transport *transport;
	struct place place;
	struct reach registers;     /**< The capability block, and all register blocks behind it. */
	const struct reach *window; /**< Points to `registers`. */
	struct gg_cap cap;          /**< A copy, in which state and heartbeat are out of date. */
	bool observer;              /**< This process only reads: another one holds the mailbox. */
	int32_t qemu_pid;           /**< Process of the emulator, or 0. */
	char board[32];             /**< Name of the board, or empty. */
	/* Guarded by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /**< Something completed, or the leader has stopped waiting. */
	bool leading;           /**< A thread, the leader, waits for the device's interrupt. */
	bool settled;           /**< No task of an earlier host runs any more. */
	/** It was closed: memory and transport are gone, only handles of tasks are left. */
	bool closed;
	uint32_t references;   /**< One for the device itself, and one for every task. */
	enum gg_status broken; /**< GG_OK, or why no wait can succeed any more. */
	uint32_t next_tag;
	uint32_t next_generation;
	uint32_t get;  /**< Completions taken. */
	uint32_t rung; /**< Doorbells rung, as in shared memory. */
	bool unrung;   /**< A put word changed, and the doorbell was not rung since. */
	struct channel *channels;
	struct flight flight; /**< Tasks on their way, by tag. */
	struct orphans orphans;
	struct gg_traffic traffic;
	uint64_t console_next; /**< Bytes of the console that were read. */
	struct heap heap;      /**< All device memory that contexts are cut from. */
	/** TMDs, arguments and items to push; its chunks come from `heap`. */
	struct pool jobs;
	struct gg_context *contexts;
	struct gg_context *standard; /**< The default context, or NULL. */
	uint32_t next_context;
};

struct gg_context {
	struct gg_device *device;
	struct gg_context *next;
	uint32_t number;
	uint32_t running; /**< Tasks on their way. */
	uint64_t start;
	uint64_t bytes;
	struct heap heap;
	struct gg_module *modules;
	/** One of the modules: it copies and fills for graphs; or NULL. */
	struct gg_module *graph_moves;
};

struct gg_module {
	struct gg_context *context;
	struct gg_module *next;
	struct kernel_list list; /**< Constant. */
	uint64_t base;           /**< Where it was loaded. */
	uint32_t running;        /**< Tasks on their way. */
};

struct gg_task {
	struct gg_device *device;
	struct gg_context *context; /**< Its context; NULL: no TMD of ours. */
	struct gg_module *module;   /**< Its module, or NULL. */
	struct gg_task *next;       /**< Next one in its chain of the flight. */
	uint64_t job;               /**< Address of its job in the pool of jobs, or 0. */
	uint64_t piece;             /**< Address of its job in the context's heap, or 0. */
	uint64_t report;            /**< Address of its graph's report, or 0. */
	uint32_t report_bytes;      /**< Bytes of the report. */
	uint8_t *report_copy;       /**< Copy of the report, once the task has ended; or NULL. */
	bool report_missing;        /**< This process had no memory for that copy. */
	uint64_t print;             /**< Address of its print buffer, or 0. */
	uint32_t print_bytes;       /**< Bytes that may be printed. */
	struct text output;         /**< What was printed, once the task has ended. */
	/** First part of its name: address of the TMD; 0: not a SUBMIT. */
	uint64_t address;
	uint32_t generation;     /**< Second part of its name: generation of the TMD. */
	uint32_t queue_capacity; /**< Items that its queue holds; 0: no queue that we know of. */
	uint32_t item_bytes;     /**< Bytes of an item. */
	uint32_t channel;
	uint32_t sequence; /**< `put` of the channel when the command was written. */
	bool taken;        /**< The device is known to have taken it out of its channel. */
	bool quiet;        /**< No interrupt comes for its completion. */
	bool ended;        /**< It is not on its way any more. */
	bool released;     /**< The caller has released it: it is freed when it ends. */
	struct gg_done done;
};

/** Offset of the words of a channel, or of an SM, in the window. */
static inline uint32_t channel_at(const struct gg_device *device, uint32_t channel)
{
	return device->cap.mailbox_offset + channel * (uint32_t)sizeof(struct gg_channel);
}

static inline uint32_t sm_state_at(const struct gg_device *device, uint32_t sm)
{
	return device->cap.sm_state_offset + sm * (uint32_t)sizeof(struct gg_sm_state);
}

/** Sets the failure of a wait or an access, if it failed; `what` says what was tried. @return
 * status. */
enum gg_status device_failure(const struct gg_device *device, enum gg_status status,
			      const char *what);

/** Checks after reads of registers that the device was still there. Sets the failure. @return
 * GG_ERR_DEVICE_LOST. */
enum gg_status device_reached(const struct gg_device *device);

/** Drops a reference and releases the lock, which the caller holds. The last one frees the device.
 */
void device_unlock_and_drop(struct gg_device *device);

#endif /* HOST_LIB_MAILBOX_DEVICE_H */
