/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/object.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define CHAINS 4096u /* A power of two. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *chains[CHAINS];
static uint32_t counts[OBJECT_KINDS];
static uint64_t last_serial;

/** Objects lie at multiples of 16. */
static struct object **chain_of(const void *handle)
{
	uintptr_t number = (uintptr_t)handle >> 4;

	return &chains[(number ^ number >> 12) & (CHAINS - 1)];
}

static struct object *find(enum object_kind kind, const void *handle)
{
	struct object *object = handle ? *chain_of(handle) : NULL;

	while (object && (const void *)object != handle)
		object = object->next;
	return object && object->kind == kind ? object : NULL;
}

void object_begin(void *object, enum object_kind kind, void (*end)(void *object))
{
	struct object *begun = object;
	struct object **chain = chain_of(object);

	begun->dispatch = &dispatch_table;
	begun->kind = kind;
	begun->handles = 1;
	begun->references = 1;
	begun->end = end;
	(void)pthread_mutex_lock(&lock);
	begun->serial = ++last_serial;
	begun->next = *chain;
	*chain = begun;
	counts[kind]++;
	(void)pthread_mutex_unlock(&lock);
}

void *object_enter(enum object_kind kind, const void *handle)
{
	struct object *object;

	(void)pthread_mutex_lock(&lock);
	object = find(kind, handle);
	if (object)
		(void)object_hold(object);
	(void)pthread_mutex_unlock(&lock);
	return object;
}

void *object_enter_again(enum object_kind kind, const void *handle, uint64_t serial)
{
	struct object *object = object_enter(kind, handle);

	if (object && object->serial != serial) {
		object_drop(object);
		return NULL;
	}
	return object;
}

void *object_hold(void *object)
{
	(void)__atomic_add_fetch(&((struct object *)object)->references, 1, __ATOMIC_RELAXED);
	return object;
}

/** Takes an object without references out of the table. The lock is held. */
static void take_out(struct object *object)
{
	struct object **link = chain_of(object);

	while (*link != object)
		link = &(*link)->next;
	*link = object->next;
	counts[object->kind]--;
}

/** Gives a reference back that is not the last one. @return false: it may be the last one. */
static bool drop_one_of_many(struct object *object)
{
	uint32_t count = __atomic_load_n(&object->references, __ATOMIC_RELAXED);

	while (count > 1) {
		if (__atomic_compare_exchange_n(&object->references, &count, count - 1, true,
						__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

void object_drop(void *object)
{
	struct object *dropped = object;
	bool ends;

	if (!dropped || drop_one_of_many(dropped))
		return;
	(void)pthread_mutex_lock(&lock);
	ends = __atomic_sub_fetch(&dropped->references, 1, __ATOMIC_ACQ_REL) == 0;
	if (ends)
		take_out(dropped);
	(void)pthread_mutex_unlock(&lock);
	if (ends)
		dropped->end(dropped);
}

cl_int object_retain(enum object_kind kind, void *handle, cl_int refused)
{
	struct object *object;

	(void)pthread_mutex_lock(&lock);
	object = find(kind, handle);
	if (object) {
		object->handles++;
		(void)object_hold(object);
	}
	(void)pthread_mutex_unlock(&lock);
	return object ? CL_SUCCESS : refused;
}

cl_int object_release(enum object_kind kind, void *handle, cl_int refused)
{
	struct object *object;
	bool released;

	(void)pthread_mutex_lock(&lock);
	object = find(kind, handle);
	released = object && object->handles > 0;
	if (released)
		object->handles--;
	(void)pthread_mutex_unlock(&lock);
	if (!released)
		return refused;
	object_drop(object);
	return CL_SUCCESS;
}

cl_uint object_handles(void *object)
{
	cl_uint handles;

	(void)pthread_mutex_lock(&lock);
	handles = ((struct object *)object)->handles;
	(void)pthread_mutex_unlock(&lock);
	return handles;
}

uint32_t object_count(enum object_kind kind)
{
	uint32_t count;

	(void)pthread_mutex_lock(&lock);
	count = counts[kind];
	(void)pthread_mutex_unlock(&lock);
	return count;
}

void object_leave(void *variable)
{
	object_drop(*(void **)variable);
}
