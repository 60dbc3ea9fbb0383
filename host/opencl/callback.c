/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/callback.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "host/opencl/thread.h"

/** A call that is to be made. */
struct call {
	void (*function)(void *what);
	void *what;
	struct call *next;
};

/** Guards all lists of registered functions, and the calls. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static struct call *first, **last = &first;
static bool running;

cl_int callback_add(struct callback_list *list, void (*function)(void), cl_int number,
		    void *user_data)
{
	struct callback_entry *entry = malloc(sizeof(*entry));

	if (!entry)
		return CL_OUT_OF_HOST_MEMORY;
	entry->function = function;
	entry->number = number;
	entry->user_data = user_data;
	(void)pthread_mutex_lock(&lock);
	entry->next = list->first;
	__atomic_store_n(&list->first, entry, __ATOMIC_RELEASE);
	(void)pthread_mutex_unlock(&lock);
	return CL_SUCCESS;
}

struct callback_entry *callback_take(struct callback_list *list)
{
	struct callback_entry *taken;

	if (!__atomic_load_n(&list->first, __ATOMIC_ACQUIRE))
		return NULL;
	(void)pthread_mutex_lock(&lock);
	taken = list->first;
	__atomic_store_n(&list->first, NULL, __ATOMIC_RELEASE);
	(void)pthread_mutex_unlock(&lock);
	return taken;
}

struct callback_entry *callback_next(struct callback_entry *entry)
{
	struct callback_entry *next = entry->next;

	free(entry);
	return next;
}

/** The thread for callbacks. It never ends. */
static void *serve(void *unused)
{
	(void)unused;
	for (;;) {
		struct call *call;

		(void)pthread_mutex_lock(&lock);
		while (!first)
			(void)pthread_cond_wait(&posted, &lock);
		call = first;
		first = call->next;
		if (!first)
			last = &first;
		(void)pthread_mutex_unlock(&lock);
		call->function(call->what);
		free(call);
	}
	return NULL;
}

/** Gives a call to the thread. @return false: there is no thread. */
static bool give(struct call *call)
{
	bool given;

	(void)pthread_mutex_lock(&lock);
	if (!running)
		running = thread_start(serve, NULL);
	given = running;
	if (given) {
		*last = call;
		last = &call->next;
		(void)pthread_cond_signal(&posted);
	}
	(void)pthread_mutex_unlock(&lock);
	return given;
}

void callback_post(void (*function)(void *what), void *what)
{
	struct call *call = calloc(1, sizeof(*call));

	if (call) {
		call->function = function;
		call->what = what;
		if (give(call))
			return;
		free(call);
	}
	function(what);
}
