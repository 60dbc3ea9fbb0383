/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What is behind the opaque types. One lock per device guards all of it, also its contexts,
 * modules and tasks; what is written once at the start is read without.
 */
#ifndef HOST_LIB_MAILBOX_DEVICE_H
#define HOST_LIB_MAILBOX_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/include/ganger_inspect.h"
#include "host/lib/core/heap.h"
#include "host/lib/core/kernel_list.h"
#include "host/lib/transport/layout.h"
#include "host/lib/core/pool.h"
#include "host/lib/core/print_text.h"
#include "host/lib/mailbox/flight.h"
#include "host/lib/transport/reach.h"
#include "host/lib/transport/transport.h"

#define ORPHANS_MAX 4096u
#define SETTLE_MS   10000u /**< For the tasks of a host that died. */

/** A channel, as its only writer knows it. */
struct channel {
	uint32_t put;   /**< As in shared memory. */
	uint32_t reset; /**< The same. */
};

/** Completions whose commands are not ours: a queue. */
struct orphans {
	struct gg_done *at; /**< ORPHANS_MAX of them, made with the first. */
	uint32_t first;
	uint32_t count;
};

struct gg_device {
	/* Written once. */
	struct transport *transport;
	struct place place;
	struct reach registers;     /**< The capability block, and all register blocks behind it. */
	const struct reach *window; /**< The same. */
	struct gg_cap cap;          /**< A copy: it changes no more but for state and heartbeat. */
	bool observer;              /**< Only looks: another process holds the mailbox. */
	int32_t qemu_pid;           /**< Or 0. */
	char board[32];             /**< Or empty. */
	/* Behind the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /**< Something completed, or nobody waits for the device. */
	bool leading;           /**< A thread waits for the device's interrupt. */
	bool settled;           /**< No task of an earlier host runs. */
	bool closed;            /**< Only tasks keep it: RAM and transport are gone. */
	uint32_t references;    /**< Its own, and one for every task. */
	enum gg_status broken;  /**< GG_OK, or why no wait can succeed. */
	uint32_t next_tag;
	uint32_t next_generation;
	uint32_t get;  /**< Completions taken. */
	uint32_t rung; /**< As in shared memory. */
	bool unrung;   /**< A put word changed and no doorbell told. */
	struct channel *channels;
	struct flight flight; /**< Tasks on their way, by tag. */
	struct orphans orphans;
	struct gg_traffic traffic;
	uint64_t console_next; /**< Bytes of the console that were read. */
	struct heap heap;      /**< All device memory that contexts are cut from. */
	struct pool jobs;      /**< TMDs, arguments, items to push: cut from the heap. */
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
	struct gg_module *graph_moves; /**< Of modules: copies and fills for graphs; or NULL. */
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
	struct gg_context *context; /**< Or NULL: no TMD of ours. */
	struct gg_module *module;   /**< Or NULL. */
	struct gg_task *next;       /**< In its chain of the flight. */
	uint64_t job;               /**< Its piece of the jobs, or 0. */
	uint64_t piece;             /**< Its job in the context's heap, or 0. */
	uint64_t report;            /**< Its report of a graph in device memory, or 0. */
	uint32_t report_bytes;      /**< Bytes of it. */
	uint8_t *report_copy;       /**< A copy, once it has ended; or NULL. */
	uint64_t print;             /**< Its print buffer in its job, or 0. */
	uint32_t print_bytes;       /**< Bytes that may be printed. */
	struct text output;         /**< What was printed, once it has ended. */
	uint64_t address;           /**< Its name: address of the TMD, 0: not a SUBMIT … */
	uint32_t generation;        /**< … and generation. */
	uint32_t queue_capacity;    /**< Items of its queue; 0: no queue that we know of. */
	uint32_t item_bytes;        /**< Bytes of an item. */
	uint32_t channel;
	uint32_t sequence; /**< `put` of the channel when it was written. */
	bool taken;        /**< The device is known to have taken it out of its channel. */
	bool quiet;        /**< No interrupt for it. */
	bool ended;        /**< Not on its way any more. */
	bool released;     /**< Its owner has gone. */
	struct gg_done done;
};

/** Offset of an entry of a block. */
static inline uint32_t channel_at(const struct gg_device *device, uint32_t channel)
{
	return device->cap.mailbox_offset + channel * (uint32_t)sizeof(struct gg_channel);
}

static inline uint32_t sm_state_at(const struct gg_device *device, uint32_t sm)
{
	return device->cap.sm_state_offset + sm * (uint32_t)sizeof(struct gg_sm_state);
}

/** Reports why a wait or an access failed; `what` says what was tried. @return status. */
enum gg_status device_failure(const struct gg_device *device, enum gg_status status,
			      const char *what);

/** After reads of registers: whether they were read. Sets the failure. @return GG_ERR_DEVICE_LOST. */
enum gg_status device_reached(const struct gg_device *device);

/** Drops a reference and releases the lock, which the caller holds; frees with the last one. */
void device_unlock_and_drop(struct gg_device *device);

#endif /* HOST_LIB_MAILBOX_DEVICE_H */
