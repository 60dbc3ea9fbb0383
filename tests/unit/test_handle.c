/* SPDX-License-Identifier: Apache-2.0 */
/* The table of handles: kinds, generations, uses, releases in any order.
 * sources: host/lib/core/handle.c host/lib/core/failure.c host/lib/core/names.c host/common/deadline.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/lib/core/failure.h"
#include "host/lib/core/handle.h"

static char ended[64]; /* Names of the objects that have ended, in order. */

static void end(void *object)
{
	for (size_t i = 0; i < sizeof(ended) - 1; i++) {
		if (!ended[i]) {
			ended[i] = *(const char *)object;
			return;
		}
	}
}

static const struct handle_type types[HANDLE_KINDS] = {
	[HANDLE_DEVICE] = { .kind = HANDLE_DEVICE, .end = end },
	[HANDLE_CONTEXT] = { .kind = HANDLE_CONTEXT, .end = end },
	[HANDLE_MODULE] = { .kind = HANDLE_MODULE, .end = end },
	[HANDLE_GRAPH] = { .kind = HANDLE_GRAPH, .end = end },
	[HANDLE_TASK] = { .kind = HANDLE_TASK, .end = end },
};

/** Handles of a device with a part of each kind. */
static struct {
	void *device, *context, *module, *graph, *task;
} all;

static int make_all(void **state)
{
	(void)state;
	memset(ended, 0, sizeof(ended));
	all.device = handle_make(&types[HANDLE_DEVICE], "d", NULL);
	all.task = handle_make(&types[HANDLE_TASK], "t", all.device);
	all.context = handle_make(&types[HANDLE_CONTEXT], "c", all.device);
	all.module = handle_make(&types[HANDLE_MODULE], "m", all.context);
	all.graph = handle_make(&types[HANDLE_GRAPH], "g", all.context);
	return all.graph ? 0 : -1;
}

static enum gg_status status_of(enum handle_kind kind, const void *handle)
{
	struct handle_use use = handle_enter(kind, handle);

	handle_leave(&use);
	return use.status;
}

static enum gg_status release(enum handle_kind kind, const void *handle)
{
	struct handle_use use = handle_enter(kind, handle);
	enum gg_status status = use.object ? handle_release(&use) : use.status;

	handle_leave(&use);
	return status;
}

/* All that a device has ends before it does, modules and graphs before their context. */
static void a_device_ends_with_its_parts(void **state)
{
	(void)state;
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
	assert_string_equal(ended, "tgmcd");
	assert_int_equal(status_of(HANDLE_MODULE, all.module), GG_ERR_HANDLE);
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_ERR_HANDLE);
	assert_true(handle_await_end(all.device, 0));
}

/* An object ends with its last use, and cannot be entered meanwhile; what it belongs to comes later. */
static void the_last_use_ends_it(void **state)
{
	struct handle_use first = handle_enter(HANDLE_MODULE, all.module);
	struct handle_use second = handle_enter(HANDLE_MODULE, all.module);

	(void)state;
	assert_string_equal(first.object, "m");
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
	assert_int_equal(status_of(HANDLE_MODULE, all.module), GG_ERR_HANDLE);
	assert_int_equal(handle_release(&first), GG_ERR_HANDLE);
	handle_leave(&first);
	assert_string_equal(ended, "");
	assert_false(handle_await_end(all.device, 1));
	handle_leave(&second);
	assert_string_equal(ended, "mgctd");
}

/* What is made in a call that uses a released handle is released, too, and ends with it. */
static void a_late_part_is_released(void **state)
{
	struct handle_use use = handle_enter(HANDLE_CONTEXT, all.context);
	void *late;

	(void)state;
	assert_int_equal(handle_release(&use), GG_OK);
	late = handle_make(&types[HANDLE_MODULE], "n", all.context);
	assert_int_equal(status_of(HANDLE_MODULE, late), GG_ERR_HANDLE);
	handle_leave(&use);
	assert_int_equal(strlen(ended), 4);
	assert_int_equal(ended[3], 'c');
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
}

/* Whoever wants to be alone is told of others, also of those that use a part, and one call only waits. */
static void alone(void **state)
{
	struct handle_use part = handle_enter(HANDLE_MODULE, all.module);
	struct handle_use first = handle_enter(HANDLE_CONTEXT, all.context);
	struct handle_use second = handle_enter(HANDLE_CONTEXT, all.context);

	(void)state;
	assert_int_equal(handle_release_alone(&first), GG_ERR_TIMEOUT);
	assert_int_equal(handle_release_alone(&second), GG_ERR_BUSY);
	handle_leave(&second);
	assert_int_equal(handle_release_alone(&first), GG_ERR_TIMEOUT);
	assert_int_equal(status_of(HANDLE_MODULE, all.module), GG_OK);
	handle_leave(&part);
	assert_int_equal(handle_release_alone(&first), GG_OK);
	handle_leave(&first);
	assert_int_equal(ended[2], 'c');
	/* A claim is given up with the use. */
	first = handle_enter(HANDLE_DEVICE, all.device);
	second = handle_enter(HANDLE_DEVICE, all.device);
	assert_int_equal(handle_release_alone(&first), GG_ERR_TIMEOUT);
	handle_leave(&first);
	assert_int_equal(handle_release_alone(&second), GG_OK);
	handle_leave(&second);
	assert_int_equal(ended[4], 'd');
}

/* One call at a time uses a graph, and many a task. */
static void one_call_at_a_time(void **state)
{
	struct handle_use graph = handle_enter(HANDLE_GRAPH, all.graph);
	struct handle_use task = handle_enter(HANDLE_TASK, all.task);

	(void)state;
	assert_int_equal(status_of(HANDLE_GRAPH, all.graph), GG_ERR_BUSY);
	assert_int_equal(status_of(HANDLE_TASK, all.task), GG_OK);
	handle_leave(&graph);
	assert_int_equal(status_of(HANDLE_GRAPH, all.graph), GG_OK);
	handle_leave(&task);
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
}

/* An entry is used again, a handle never; a dropped one does not end its object. */
static void no_handle_comes_back(void **state)
{
	void *seen[1000];

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		seen[i] = handle_make(&types[HANDLE_TASK], "x", all.device);
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(seen[i], seen[k]);
		assert_int_equal((uintptr_t)seen[i] & 0xffffff, (uintptr_t)seen[0] & 0xffffff);
		handle_drop(seen[i]);
		assert_int_equal(status_of(HANDLE_TASK, seen[i]), GG_ERR_HANDLE);
	}
	assert_string_equal(ended, "");
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
}

/* What is no handle, or one of another kind, is refused with kind and number. */
static void strangers(void **state)
{
	const uintptr_t device = (uintptr_t)all.device;
	const uintptr_t bad[] = { 0,
				  1,
				  7,
				  device + 1,
				  device ^ (uintptr_t)1 << 24,
				  UINTPTR_MAX,
				  (uintptr_t)all.task,
				  (uintptr_t)1 << 60 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(status_of(HANDLE_DEVICE, (void *)bad[i]), GG_ERR_HANDLE);
		assert_int_equal(failure_last().value, bad[i]);
		assert_string_equal(failure_last().name, "device");
	}
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
}

/* A child of fork() is refused what is its parent's, also where an entry is used again, and has handles of its own. */
static void a_child_has_its_own(void **state)
{
	int code = 0;
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		void *own = handle_make(&types[HANDLE_DEVICE], "o", NULL);

		_exit(status_of(HANDLE_TASK, all.task) == GG_ERR_FORKED &&
				      release(HANDLE_DEVICE, all.device) == GG_ERR_FORKED &&
				      !ended[0] && release(HANDLE_DEVICE, own) == GG_OK &&
				      ended[0] == 'o'
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(child, &code, 0), child);
	assert_int_equal(code, 0);
	assert_int_equal(release(HANDLE_DEVICE, all.device), GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_device_ends_with_its_parts, make_all),
		cmocka_unit_test_setup(the_last_use_ends_it, make_all),
		cmocka_unit_test_setup(a_late_part_is_released, make_all),
		cmocka_unit_test_setup(alone, make_all),
		cmocka_unit_test_setup(one_call_at_a_time, make_all),
		cmocka_unit_test_setup(no_handle_comes_back, make_all),
		cmocka_unit_test_setup(strangers, make_all),
		cmocka_unit_test_setup(a_child_has_its_own, make_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
