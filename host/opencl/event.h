/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The data of an event, which is the same as its command (command.h), or a user event.
 */
#ifndef HOST_OPENCL_EVENT_H
#define HOST_OPENCL_EVENT_H

#include "host/opencl/queue.h"

#define COMMAND_ON_DEVICE 1 /* What `run` returns when the command goes on there. */

enum command_stage {
	STAGE_WAITING,   /* For events. */
	STAGE_READY,     /* For a thread that runs it. */
	STAGE_RUNNING,   /* In a thread. */
	STAGE_ON_DEVICE, /* Its task is on its way. */
	STAGE_ENDED,
};

/** What commands of a kind are and do. */
struct command_kind {
	cl_command_type type;
	/** Ends a command whose task has completed on the device, or is lost with it. The event may be gone at
	 * the return. NULL: the command runs on the host; otherwise the device can keep its order. */
	void (*completed)(cl_event event);
	/** Does it. @return CL_SUCCESS, an error, or COMMAND_ON_DEVICE. */
	cl_int (*run)(cl_event event);
	/** Frees what `work` has, but not `work` itself; or NULL. */
	void (*end)(void *work);
};

/** A wait of one command for another. */
struct wait {
	cl_event waiter;
	struct wait *next; /* In the list of the other. */
};

struct _cl_event {
	struct object object;
	cl_context context;
	cl_command_queue queue;          /* NULL: a user event. */
	const struct command_kind *kind; /* NULL: a user event. */
	void *work;                      /* What the kind needs, in the same piece of memory. */
	struct gg_task *task;            /* Once it is on the device. */

	/* Guarded by the lock of command.c. */
	cl_int status;     /* CL_QUEUED to CL_COMPLETE, or an error. */
	cl_ulong times[4]; /* CL_PROFILING_COMMAND_QUEUED and so on: ns of the device. */
	enum command_stage stage;
	bool chains;             /* The device may keep the order. */
	uint32_t holds;          /* Waits that still hold it up. */
	uint32_t after_count;    /* Events that it waits for, */
	uint32_t listed_count;   /* and how many of them its wait list had: the first ones. */
	cl_event *after;         /* References to them. */
	struct wait *waits;      /* One for each. */
	struct wait *waiters;    /* Waits for this event. */
	cl_event next, previous; /* In its queue. */
	cl_event next_ready;     /* In the list of those that are ready. */
	struct callback_list callbacks[3]; /* By status: complete, running, submitted. */

	/* Guarded by the lock of reaper.c. */
	struct gg_done done;  /* What became of its task, once that has completed. */
	bool flies;           /* It is in the list of its queue, since its task is on its way. */
	cl_event next_flying; /* In that list. */
};

#endif /* HOST_OPENCL_EVENT_H */
