/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What is behind the handles of the API. One lock for each device guards all of it, also its
 * contexts, modules and tasks. What is written only once, at the start, is read without the lock.
 *
 * The API's own types (struct gg_device, struct gg_task, …) are defined nowhere: a handle that was
 * not entered does not compile.
 */
#ifndef HOST_LIB_MAILBOX_DEVICE_H
#define HOST_LIB_MAILBOX_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/common/share.h"
#include "host/include/ganger_inspect.h"
#include "host/lib/core/handle.h"
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
	uint8_t bell;   /**< Its bell byte, as in shared memory. */
};

/** A queue of completions whose commands are not ours. */
struct orphans {
	struct gg_done *at; /**< Room for ORPHANS_MAX, allocated with the first. */
	uint32_t first;
	uint32_t count;
};

struct device {
	/* Written once, at the start. */
	struct gg_device *handle;
	struct transport *transport;
	struct place place;
	struct reach registers;     /**< The capability block, and all register blocks behind it. */
	const struct reach *window; /**< Points to `registers`. */
	/** A copy, in which state and heartbeat are out of date, and channels and heap are those of the share. */
	struct gg_cap cap;
	struct share_memory
		*share;    /**< What the broker tells this host; NULL: it has all of the device. */
	struct reach ring; /**< The share's memory, with the completions. */
	uint32_t first_channel; /**< Number that the device has for channel 0 of this host. */
	bool fresh;             /**< It was booted for this process alone. */
	bool observer;          /**< This process only reads: another one holds the mailbox. */
	int32_t qemu_pid;       /**< Process of the emulator, or 0. */
	char board[32];         /**< Name of the board, or empty. */
	/* Guarded by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed; /**< Something completed, or the leader has stopped waiting. */
	bool leading;           /**< A thread, the leader, waits for the device's interrupt. */
	bool settled;           /**< No task of an earlier host runs any more. */
	bool closed; /**< Its handle was released: no wait goes on, and the last call frees it. */
	enum gg_status broken; /**< GG_OK, or why no wait can succeed any more. */
	uint32_t next_tag;
	uint32_t next_generation;
	uint32_t get;        /**< Completions taken. */
	uint32_t resets;     /**< Restarts of the control processor that this process knows of. */
	uint32_t unanswered; /**< Commands that ended with these, without a completion. */
	uint32_t rung;       /**< Doorbells rung for no channel, as in shared memory. */
	uint32_t unrung;     /**< Bit c: channel c changed, and the doorbell was not rung since. */
	uint64_t stood; /**< Milliseconds for which it has stood still, as far as limits know. */
	struct channel *channels;
	struct flight flight; /**< Tasks on their way, by tag. */
	struct orphans orphans;
	struct gg_traffic traffic;
	uint64_t console_next; /**< Bytes of the console that were read. */
	struct heap heap;      /**< All device memory that contexts are cut from. */
	uint64_t parked; /**< Memory for CTAs that are parked, which is not in `heap`, or 0. */
	/** TMDs, arguments and items to push; its chunks come from `heap`. */
	struct pool jobs;
	struct context *contexts;
	struct context *standard; /**< The default context, or NULL. */
	uint32_t next_context;
};

struct context {
	struct gg_context *handle;
	struct device *device;
	struct context *next;
	uint32_t number;
	uint32_t running; /**< Tasks on their way. */
	uint64_t start;
	uint64_t bytes;
	struct heap heap;
	struct module *modules;
	/** One of the modules: it copies and fills for graphs; or NULL. */
	struct gg_module *graph_moves;
};

struct module {
	struct gg_module *handle;
	struct context *context;
	struct module *next;
	struct kernel_list list; /**< Constant. */
	uint64_t base;           /**< Where it was loaded. */
	uint32_t running;        /**< Tasks on their way. */
};

struct task {
	struct gg_task *handle; /**< NULL: it was released. */
	struct device *device;
	struct context *context; /**< Its context; NULL: no TMD of ours. */
	struct module *module;   /**< Its module, or NULL. */
	struct task *next;       /**< Next one in its chain of the flight. */
	uint64_t job;            /**< Address of its job in the pool of jobs, or 0. */
	uint64_t piece;          /**< Address of its job in the context's heap, or 0. */
	uint64_t report;         /**< Address of its graph's report, or 0. */
	uint32_t report_bytes;   /**< Bytes of the report. */
	uint8_t *report_copy;    /**< Copy of the report, once the task has ended; or NULL. */
	bool report_missing;     /**< This process had no memory for that copy. */
	uint64_t print;          /**< Address of its print buffer, or 0. */
	uint32_t print_bytes;    /**< Bytes that may be printed. */
	struct text output;      /**< What was printed, once the task has ended. */
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
	struct gg_done done;
};

/** Offset of the words of a channel, or of an SM, in the window. */
static inline uint32_t channel_at(const struct device *device, uint32_t channel)
{
	return device->cap.mailbox_offset + channel * (uint32_t)sizeof(struct gg_channel);
}

static inline uint32_t sm_state_at(const struct device *device, uint32_t sm)
{
	return device->cap.sm_state_offset + sm * (uint32_t)sizeof(struct gg_sm_state);
}

/** Where the words of the completion ring are: in the register window, or in the host's share. */
static inline const struct reach *ring_of(const struct device *device)
{
	return device->share ? &device->ring : device->window;
}

/** Offsets of its header and entries there; its number of entries. */
static inline uint32_t ring_post_at(const struct device *device)
{
	return device->share ? (uint32_t)offsetof(struct share_memory, post)
			     : device->cap.post_offset;
}

static inline uint32_t ring_entries_at(const struct device *device)
{
	return device->share ? (uint32_t)offsetof(struct share_memory, ring)
			     : device->cap.completions_offset;
}

static inline uint32_t ring_entries(const struct device *device)
{
	return device->share ? SHARE_ENTRIES : device->cap.completion_entries;
}

/** Sets the failure of a wait or an access, if it failed; `what` says what was tried. @return
 * status. */
enum gg_status device_failure(const struct device *device, enum gg_status status, const char *what);

/** Checks after reads of registers that the device was still there. Sets the failure. @return
 * GG_ERR_DEVICE_LOST. */
enum gg_status device_reached(const struct device *device);

/** Tells the broker, where several hosts use the device, how many commands this one has posted that it will get completions
 * for. */
void device_tell_posted(const struct device *device);

#endif /* HOST_LIB_MAILBOX_DEVICE_H */
