/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Callbacks: lists of those that a program has registered, and the thread that calls what must not be
 * called by the thread of a device.
 */
#ifndef HOST_OPENCL_CALLBACK_H
#define HOST_OPENCL_CALLBACK_H

#include "host/opencl/base.h"

/** A registered function. Its real type is that of the list. */
struct callback_entry {
	void (*function)(void);
	void *user_data;
	cl_int number; /* Of the caller's. */
	struct callback_entry *next;
};

/** Registered functions, the last one first. All zero is an empty list. */
struct callback_list {
	struct callback_entry *first; /* Atomic, so that an empty list needs no lock. */
};

/** Adds a function. @return CL_OUT_OF_HOST_MEMORY. */
cl_int callback_add(struct callback_list *list, void (*function)(void), cl_int number,
		    void *user_data);

/** Takes all entries out of the list; each is freed by callback_next(). */
struct callback_entry *callback_take(struct callback_list *list);

/** Frees an entry and returns the next one. */
struct callback_entry *callback_next(struct callback_entry *entry);

/** Has a function called by the thread for callbacks, in the order of these calls; by this thread
 * if there is no memory for that. */
void callback_post(void (*function)(void *what), void *what);

#endif /* HOST_OPENCL_CALLBACK_H */
