/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Command buffers (cl_khr_command_buffer): commands that are recorded once and replayed many times.
 *
 * Recording makes a list of steps. Finalizing makes a task graph of them, which the device keeps, so that a replay is one
 * task however many steps there are. The device runs replays of the same graph one after the other.
 */
#ifndef HOST_OPENCL_RECORDING_H
#define HOST_OPENCL_RECORDING_H

#include "host/opencl/call.h"
#include "host/opencl/command.h"
#include "host/opencl/fill.h"
#include "host/opencl/transfer.h"

#define RECORDING_PROPERTIES_MAX 3u /* Words of a list of properties. */

enum step_kind {
	STEP_BARRIER,
	STEP_KERNEL,
	STEP_COPY,
	STEP_FILL,
};

#define CHANGES_ALL                                                                    \
	(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR | \
	 CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |      \
	 CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

/** What of a kernel can be changed between replays. */
struct changes {
	bool listed; /* Whether it said what can be changed, or else all can. */
	bool local;  /* Whether it chose the size of groups, and not the platform. */
	cl_mutable_dispatch_fields_khr fields;
	cl_kernel
		kernel; /* A reference to the program's: that of the call is a copy with its arguments. */
	cl_command_buffer_khr
		recording; /* Not a reference: the serial tells whether it is there. */
	uint64_t serial;
};

/** A command that was recorded. Its sync point is its number, from 1. */
struct step {
	struct object object; /* Of a kernel that can be changed: it is in the table of objects. */
	struct changes changes;
	enum step_kind kind;
	struct call call;         /* KERNEL. */
	struct transfer transfer; /* COPY; without a buffer, a pointer to shared virtual memory. */
	struct fill fill;         /* FILL; the same. */
	cl_uint wait_count;       /* Sync points that it waits for, */
	cl_sync_point_khr *waits; /* and which. */
	struct step *next;
};

/** A replay that may still be on its way. The event is not kept: its handle may be gone. */
struct replay {
	cl_event event;
	uint64_t serial;
};

struct _cl_command_buffer_khr {
	struct object object;
	cl_command_queue queue; /* The recording has a reference to it. */
	cl_command_buffer_flags_khr flags;
	cl_command_buffer_properties_khr list[RECORDING_PROPERTIES_MAX]; /* As they were given. */
	size_t list_bytes;                                               /* 0: none was given. */

	pthread_mutex_t
		lock; /* Guards what follows, which does not change once it is final, but the replays. */
	bool final;
	struct step *first, **end;
	cl_uint count;   /* Steps. */
	uint32_t graph;  /* Handle of the kept graph; 0: there is none. */
	uint32_t passes; /* Of the graph; 0: there is nothing to run. */
	struct step **step_of_pass;
	bool prints; /* A kernel may print. */
	struct replay *replays;
	uint32_t replay_count, replay_room;
};

/** Makes an empty step. @return NULL: there is no memory. */
struct step *step_make(enum step_kind kind);

/** Frees a step and what it has; with a handle, when nobody uses that any more. */
void step_end(struct step *step);

/** Has the device forget a kept graph; 0: there is none. */
void recording_forget(cl_command_buffer_khr recording, uint32_t graph);

/** Puts a step with a handle into the table of objects. */
void step_show(struct step *step);

/** Forgets the replays that have ended. The caller holds the lock. @return whether one is on its way. */
bool recording_is_pending(cl_command_buffer_khr recording);

#endif /* HOST_OPENCL_RECORDING_H */
