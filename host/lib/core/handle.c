/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/core/handle.h"

#include <pthread.h>
#include <stdlib.h>

#include "host/common/deadline.h"
#include "host/lib/core/failure.h"

#define INDEX_BITS      24u
#define INDEX_MAX       ((1u << INDEX_BITS) - 1)
#define GENERATION_BITS 36u
#define GENERATION_MAX  (((uint64_t)1 << GENERATION_BITS) - 1)
#define ENTRIES_FIRST   64u

_Static_assert(sizeof(void *) == 8, "a handle has index, generation and kind in 64 bits");

/** An entry of the table. One that is free has no object. */
struct entry {
	const struct handle_type *type;
	void *object;
	uint64_t generation; /**< Of the handle, or of the last one. */
	uint32_t parent;     /**< Entry that it belongs to, or 0. */
	uint32_t users;      /**< Calls that use it, or what belongs to it. */
	uint32_t process;    /**< Number of the process that made it. */
	uint32_t next_free;  /**< Next entry that is free, or 0. */
	bool released;       /**< No call can enter it any more. */
	bool claimed;        /**< A call waits until it can release it. */
	bool ending;         /**< Its object is being freed. */
};

/** The table of this process. Entry 0 is not used. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t ended; /**< The object of a released handle has ended. */
	struct entry *at;
	uint32_t count; /**< Entries, with entry 0. */
	uint32_t room;  /**< Entries that there is memory for. */
	uint32_t free;  /**< First entry that is free, or 0. */
	uint32_t
		process; /**< Forks between the first process that had this library and this one. */
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const char *const names[HANDLE_KINDS] = {
	[HANDLE_DEVICE] = "device", [HANDLE_CONTEXT] = "context", [HANDLE_MODULE] = "module",
	[HANDLE_GRAPH] = "graph",   [HANDLE_TASK] = "task",
};

/* ---- fork() ----------------------------------------------------------------------------- */

static void before_fork(void)
{
	(void)pthread_mutex_lock(&table.lock);
}

static void after_fork(void)
{
	(void)pthread_mutex_unlock(&table.lock);
}

/** The locks of the parent's objects may be held by threads that this process does not have, so its
 * objects are left alone for ever. */
static void in_child(void)
{
	for (uint32_t i = 1; i < table.count; i++) {
		const struct entry *entry = &table.at[i];

		if (entry->object && !entry->ending && entry->process == table.process &&
		    entry->type->forked)
			entry->type->forked(entry->object);
	}
	table.process++;
	(void)deadline_cond_init(&table.ended);
	(void)pthread_mutex_unlock(&table.lock);
}

__attribute__((constructor)) static void table_begin(void)
{
	(void)deadline_cond_init(&table.ended);
	(void)pthread_atfork(before_fork, after_fork, in_child);
}

/* ---- Entries. The lock is held. --------------------------------------------------------- */

static void *handle_of(uint32_t index)
{
	const struct entry *entry = &table.at[index];
	const uint64_t kind = (uint64_t)entry->type->kind;

	return (void *)(uintptr_t)(kind << (INDEX_BITS + GENERATION_BITS) |
				   entry->generation << INDEX_BITS | index);
}

static uint32_t index_of(const void *handle)
{
	return (uint32_t)((uintptr_t)handle & INDEX_MAX);
}

/** Entry of a handle, or NULL: there is none, or it has another handle by now. */
static struct entry *find(const void *handle)
{
	const uint32_t index = index_of(handle);
	struct entry *entry = index > 0 && index < table.count ? &table.at[index] : NULL;

	return entry && entry->object && handle_of(index) == handle ? entry : NULL;
}

/** A free entry, or 0: no memory. */
static uint32_t take_entry(void)
{
	uint32_t index = table.free;

	if (index) {
		table.free = table.at[index].next_free;
		return index;
	}
	if (table.count > INDEX_MAX)
		return 0;
	if (table.count == table.room) {
		const uint32_t room = table.room ? 2 * table.room : ENTRIES_FIRST;
		struct entry *at = realloc(table.at, room * sizeof(*at));

		if (!at)
			return 0;
		table.at = at;
		table.room = room;
		table.count = table.count ? table.count : 1; /* without entry 0 */
	}
	index = table.count++;
	table.at[index] = (struct entry){ 0 };
	return index;
}

/** Makes an entry free. The handle that it had is refused from now on. */
static void free_entry(uint32_t index)
{
	struct entry *entry = &table.at[index];

	entry->object = NULL;
	if (entry->generation == GENERATION_MAX)
		return; /* never again */
	entry->next_free = table.free;
	table.free = index;
}

/** Whether an entry is another one, or belongs to it. */
static bool belongs(uint32_t index, uint32_t to)
{
	while (index && index != to)
		index = table.at[index].parent;
	return index == to;
}

/** Whether other entries may belong to one. */
static bool has_parts(uint32_t index)
{
	return table.at[index].type->kind <= HANDLE_CONTEXT;
}

static void release(uint32_t index)
{
	table.at[index].released = true;
	for (uint32_t i = 1; has_parts(index) && i < table.count; i++) {
		if (table.at[i].object && belongs(i, index))
			table.at[i].released = true;
	}
}

/* ---- Handles ---------------------------------------------------------------------------- */

void *handle_make(const struct handle_type *type, void *object, const void *parent)
{
	void *handle = NULL;
	uint32_t index;

	(void)pthread_mutex_lock(&table.lock);
	index = take_entry();
	if (index) {
		const uint32_t above = index_of(parent);
		/* What is made in a call that uses a released handle ends with it. */
		const bool released = parent && table.at[above].released;

		table.at[index] = (struct entry){
			.type = type,
			.object = object,
			.generation = table.at[index].generation + 1,
			.parent = above,
			.process = table.process,
			.released = released,
		};
		handle = handle_of(index);
	}
	(void)pthread_mutex_unlock(&table.lock);
	return handle;
}

void handle_drop(const void *handle)
{
	(void)pthread_mutex_lock(&table.lock);
	if (find(handle))
		free_entry(index_of(handle));
	(void)pthread_mutex_unlock(&table.lock);
}

/** Sets the failure of a handle that is refused. */
static enum gg_status refuse(enum gg_status status, enum handle_kind kind, const void *handle)
{
	const uint64_t bits = (uintptr_t)handle;
	const uint64_t found = bits >> (INDEX_BITS + GENERATION_BITS);
	const char *name = names[kind];

	if (status == GG_ERR_FORKED)
		return failure_set(status, name, bits,
				   "The %s is one of the process that this one was forked from: "
				   "open a device of this process's own",
				   name);
	if (status == GG_ERR_BUSY)
		return failure_set(status, name, bits, "Another call uses the %s just now", name);
	if (!handle)
		return failure_set(status, name, 0, "NULL is no %s", name);
	if (found != kind)
		return failure_set(status, name, bits, "0x%llx is the handle of a %s, not of a %s",
				   (unsigned long long)bits,
				   found > 0 && found < HANDLE_KINDS ? names[found] : "stranger",
				   name);
	return failure_set(status, name, bits,
			   "The %s of handle 0x%llx was released, or there never was one", name,
			   (unsigned long long)bits);
}

/** Whether a call may use an entry, which is NULL if the handle has none. */
static enum gg_status check(const struct entry *entry, enum handle_kind kind)
{
	if (entry && entry->process != table.process)
		return GG_ERR_FORKED;
	if (!entry || entry->released || entry->type->kind != kind)
		return GG_ERR_HANDLE;
	return kind == HANDLE_GRAPH && entry->users > 0 ? GG_ERR_BUSY : GG_OK;
}

struct handle_use handle_enter(enum handle_kind kind, const void *handle)
{
	struct handle_use use = { 0 };
	const struct entry *entry;

	(void)pthread_mutex_lock(&table.lock);
	entry = find(handle);
	use.status = check(entry, kind);
	if (use.status == GG_OK) {
		use.object = entry->object;
		use.index = index_of(handle);
		for (uint32_t i = use.index; i; i = table.at[i].parent)
			table.at[i].users++;
	}
	(void)pthread_mutex_unlock(&table.lock);
	if (use.status != GG_OK)
		(void)refuse(use.status, kind, handle);
	return use;
}

/** Ends the object of an entry that was released and that nobody uses. */
static void end_one(uint32_t index)
{
	const struct handle_type *type;
	void *object;

	(void)pthread_mutex_lock(&table.lock);
	type = table.at[index].type;
	object = table.at[index].object;
	table.at[index].ending = true;
	(void)pthread_mutex_unlock(&table.lock);
	type->end(object);
	(void)pthread_mutex_lock(&table.lock);
	free_entry(index);
	(void)pthread_cond_broadcast(&table.ended);
	(void)pthread_mutex_unlock(&table.lock);
}

/** The first entry of a kind from `from` on that belongs to another one, or 0. */
static uint32_t next_part(uint32_t of, enum handle_kind kind, uint32_t from)
{
	uint32_t found = 0;

	(void)pthread_mutex_lock(&table.lock);
	for (uint32_t i = from; i < table.count && !found; i++) {
		if (table.at[i].object && table.at[i].type->kind == kind && belongs(i, of))
			found = i;
	}
	(void)pthread_mutex_unlock(&table.lock);
	return found;
}

/** Ends what belongs to an entry; parts come before the wholes. */
static void end_parts(uint32_t index)
{
	for (enum handle_kind kind = HANDLE_TASK; kind > HANDLE_DEVICE; kind--) {
		uint32_t part = next_part(index, kind, 1);

		for (; part; part = next_part(index, kind, part + 1)) {
			if (part != index)
				end_one(part);
		}
	}
}

/** Takes back one use of an entry. @return the entry that it belongs to, or 0. */
static uint32_t leave_one(uint32_t index)
{
	bool last;
	bool parts;
	uint32_t parent;

	(void)pthread_mutex_lock(&table.lock);
	last = --table.at[index].users == 0 && table.at[index].released;
	parent = table.at[index].parent;
	parts = has_parts(index);
	(void)pthread_mutex_unlock(&table.lock);
	if (last && parts)
		end_parts(index);
	if (last)
		end_one(index);
	return parent;
}

void handle_leave(struct handle_use *use)
{
	if (use->claims) {
		(void)pthread_mutex_lock(&table.lock);
		table.at[use->index].claimed = false;
		(void)pthread_mutex_unlock(&table.lock);
	}
	/* What an entry belongs to is left last, and so it is still there when the entry ends. */
	while (use->index)
		use->index = leave_one(use->index);
}

enum gg_status handle_release(const struct handle_use *use)
{
	bool first;

	(void)pthread_mutex_lock(&table.lock);
	first = !table.at[use->index].released;
	if (first)
		release(use->index);
	(void)pthread_mutex_unlock(&table.lock);
	if (first)
		return GG_OK;
	return failure_set(GG_ERR_HANDLE, "handle", use->index,
			   "Another call released the handle at the same time");
}

enum gg_status handle_release_alone(struct handle_use *use)
{
	enum gg_status status = GG_ERR_TIMEOUT;
	struct entry *entry;

	(void)pthread_mutex_lock(&table.lock);
	entry = &table.at[use->index];
	if (entry->released || (entry->claimed && !use->claims)) {
		status = GG_ERR_BUSY;
	} else if (entry->users == 1) {
		release(use->index);
		status = GG_OK;
	} else {
		entry->claimed = true;
		use->claims = true;
	}
	(void)pthread_mutex_unlock(&table.lock);
	return status;
}

bool handle_await_end(const void *handle, uint32_t timeout_ms)
{
	const uint64_t deadline = deadline_after(timeout_ms);
	uint32_t left = timeout_ms;
	bool ended;

	(void)pthread_mutex_lock(&table.lock);
	for (;;) {
		ended = find(handle) == NULL;
		left = deadline_left(deadline, timeout_ms);
		if (ended || left == 0)
			break;
		deadline_cond_wait(&table.ended, &table.lock, left);
	}
	(void)pthread_mutex_unlock(&table.lock);
	return ended;
}
