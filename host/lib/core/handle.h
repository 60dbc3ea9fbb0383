/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The handles that the library gives to its callers in place of pointers.
 *
 * A handle is a number in the shape of a pointer: bits 23:0 are the index of an entry of the
 * process's one table, bits 59:24 the entry's generation, bits 63:60 the kind. Nothing is ever
 * read through it. A handle that was released, that is of another kind, or that was never given
 * out is found out by a look into the table, from any thread and at any time: a generation is used
 * once, and an entry that has used up its 2^36 - 1 generations is not used again.
 *
 * A call that uses what is behind a handle enters it and leaves it again; meanwhile it stays,
 * whoever releases it. What a released handle names ends when the last call has left it and all
 * that belongs to it. One lock guards the table. It may be taken by a thread that holds the lock of
 * a device, never the other way round.
 *
 * A handle of the parent is refused in a child of fork().
 */
#ifndef HOST_LIB_CORE_HANDLE_H
#define HOST_LIB_CORE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Kinds of handles. What belongs to something else has the larger kind. */
enum handle_kind {
	HANDLE_DEVICE = 1,
	HANDLE_CONTEXT, /**< Belongs to a device. */
	HANDLE_MODULE,  /**< Belongs to a context. */
	HANDLE_GRAPH,   /**< Belongs to a context. One call at a time may use it. */
	HANDLE_TASK,    /**< Belongs to a device. */
	HANDLE_KINDS,
};

/** What is to be done with the objects of a kind. */
struct handle_type {
	enum handle_kind kind;
	/** Frees the object of a released handle. No call uses it any more; no lock is held. */
	void (*end)(void *object);
	/** Called in a child of fork(), in which only functions that are safe in signal handlers may
	 * be called; or NULL. */
	void (*forked)(void *object);
};

/** The use of a handle by a call. */
struct handle_use {
	void *object;          /**< What is behind the handle; NULL: it was refused. */
	enum gg_status status; /**< Why it was refused. */
	uint32_t index;        /**< Its entry; 0: it was refused. */
	bool claims;           /**< It waits for the others to leave: see handle_release_alone(). */
};

/** Makes a handle. @param parent  Handle that it belongs to, which the caller uses; or NULL.
 * @return NULL: no memory, or 2^24 - 1 handles are in use. */
void *handle_make(const struct handle_type *type, void *object, const void *parent);

/** Takes back a handle that nobody else knows of; its object is left to the caller. */
void handle_drop(const void *handle);

/** Begins the use of a handle. If it is refused, the failure is set. @return GG_ERR_HANDLE,
 * GG_ERR_FORKED, GG_ERR_BUSY (another call uses it, and its kind is used by one at a time). */
struct handle_use handle_enter(enum handle_kind kind, const void *handle);

/** Ends it. If the handle was released and this was the last use, its object ends. */
void handle_leave(struct handle_use *use);

/** Releases a handle that the caller uses, with all that belongs to it: nobody can enter them any
 * more. Sets the failure. @return GG_ERR_HANDLE: another call was faster. */
enum gg_status handle_release(const struct handle_use *use);

/** The same, but only if no other call uses the handle, or anything that belongs to it. Sets no
 * failure. @return GG_ERR_TIMEOUT: another call uses it, so try again; GG_ERR_BUSY: another call
 * tries to release it. */
enum gg_status handle_release_alone(struct handle_use *use);

/** Waits until the object of a released handle has ended. @return false: the deadline passed. */
bool handle_await_end(const void *handle, uint32_t timeout_ms);

/** Declares `name`, what is behind a handle, for the rest of the block; returns from the function
 * with the status if the handle is refused. Every function of the API begins with it. */
#define HANDLE_USE(type, name, kind, handle)                                  \
	__attribute__((cleanup(handle_leave))) struct handle_use name##_use = \
		handle_enter(kind, handle);                                   \
	struct type *const name = name##_use.object;                          \
	if (!name)                                                            \
	return name##_use.status

#define USE_DEVICE(name, handle)  HANDLE_USE(device, name, HANDLE_DEVICE, handle)
#define USE_CONTEXT(name, handle) HANDLE_USE(context, name, HANDLE_CONTEXT, handle)
#define USE_MODULE(name, handle)  HANDLE_USE(module, name, HANDLE_MODULE, handle)
#define USE_GRAPH(name, handle)   HANDLE_USE(graph, name, HANDLE_GRAPH, handle)
#define USE_TASK(name, handle)    HANDLE_USE(task, name, HANDLE_TASK, handle)

#endif /* HOST_LIB_CORE_HANDLE_H */
