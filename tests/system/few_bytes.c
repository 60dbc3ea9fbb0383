/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A host that runs out of memory: few_bytes DEVICE KERNELS. It uses a device, from attaching to closing, again and
 * again, and in round n the n-th allocation of the library fails. The call that meets it says GG_ERR_NO_MEMORY, has changed
 * nothing, and succeeds when it is made again; so every round ends with the same results. Rounds end with the first
 * in which nothing failed. Linked with --wrap for malloc, calloc and realloc. It prints how many failed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/ganger.h"

#define COUNT     1024u
#define BLOCK     128u
#define WAIT_MS   120000u
#define MUCH      8192u /* bytes: more than the control processor moves itself */
#define RESOURCES 40u   /* more than a table has room for at first */
#define ROUNDS    5000u

static uint64_t calls; /* allocations in this round */
static uint64_t fails; /* the one that fails; 0: none */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
	return ++calls == fails ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return ++calls == fails ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
	return ++calls == fails ? NULL : __real_realloc(old, bytes);
}

static _Noreturn void stop(const char *what, int status)
{
	struct gg_failure failure;

	(void)gg_error_last(&failure);
	fprintf(stderr, "round %" PRIu64 ": %s: %s (last: %s: %s)\n", fails, what,
		gg_status_name(status), gg_status_name(failure.status), failure.message);
	exit(1);
}

/** Checks a call that was refused for want of memory. @return true: it may be made again. */
static int again(const char *what, int status)
{
	struct gg_failure failure;

	if (status == GG_OK)
		return 0;
	(void)gg_error_last(&failure);
	if (status != GG_ERR_NO_MEMORY || calls < fails || fails == 0 || failure.status != status ||
	    !failure.message[0])
		stop(what, status);
	return 1;
}

/* Makes a call; if it has no memory, once more. */
#define DO(call)                                               \
	do {                                                   \
		int status_ = (call);                          \
		if (again(#call, status_)) {                   \
			status_ = (call);                      \
			if (status_ != GG_OK)                  \
				stop(#call " again", status_); \
		}                                              \
	} while (0)

/** What a round works with. */
struct round {
	struct gg_device *device;
	struct gg_context *context;
	struct gg_module *vecadd;
	struct gg_module *print;
	uint64_t a, b, c; /**< Buffers. */
};

static void expect_sums(const struct round *round, uint32_t factor)
{
	static uint32_t c[COUNT];

	DO(gg_read(round->device, round->c, c, sizeof(c)));
	for (uint32_t i = 0; i < COUNT; i++) {
		if (c[i] != factor * i)
			stop("a wrong sum", GG_OK);
	}
}

static struct gg_work vecadd_of(const struct round *round, struct gg_argument arguments[4])
{
	static uint32_t count = COUNT;
	const uint64_t *const buffers[] = { &round->a, &round->b, &round->c };
	struct gg_work work = { .module = round->vecadd,
				.grid = { COUNT / BLOCK, 1, 1 },
				.block = { BLOCK, 1, 1 },
				.mode = GG_TASK_MODE_DEVICE,
				.argument_count = 4,
				.arguments = arguments };

	for (uint32_t i = 0; i < 3; i++)
		arguments[i] = (struct gg_argument){ GG_ARGUMENT_BUFFER, 8, buffers[i] };
	arguments[3] = (struct gg_argument){ GG_ARGUMENT_VALUE, 4, &count };
	return work;
}

static void run_task(const struct round *round)
{
	struct gg_argument arguments[4];
	struct gg_work work = vecadd_of(round, arguments);
	struct gg_task *task;

	DO(gg_kernel_find(round->vecadd, "vecadd", &work.kernel));
	DO(gg_submit(&work, WAIT_MS, &task));
	DO(gg_task_wait(task, WAIT_MS, NULL));
	DO(gg_task_release(task));
	expect_sums(round, 3);
}

static void run_print(const struct round *round)
{
	static const uint32_t once = 1;
	struct gg_argument argument = { GG_ARGUMENT_VALUE, 4, &once };
	struct gg_work work = { .module = round->print,
				.grid = { 1, 1, 1 },
				.block = { 1, 1, 1 },
				.mode = GG_TASK_MODE_DEVICE,
				.argument_count = 1,
				.arguments = &argument,
				.print_bytes = 4096 };
	struct gg_task *task;
	char text[256];
	size_t bytes;

	DO(gg_kernel_find(round->print, "hello", &work.kernel));
	DO(gg_submit(&work, WAIT_MS, &task));
	DO(gg_task_wait(task, WAIT_MS, NULL));
	/* What the wait had no memory for is lost, and that is said. */
	if (!again("gg_task_output", gg_task_output(task, text, sizeof(text), &bytes)) &&
	    (bytes != 6 || memcmp(text, "hello\n", 6) != 0))
		stop("a wrong text", GG_OK);
	DO(gg_task_release(task));
}

static void add_passes(const struct round *round, struct gg_task_graph *graph)
{
	struct gg_argument arguments[4];
	struct gg_work work = vecadd_of(round, arguments);
	struct gg_graph_value values[4] = { 0 };
	uint32_t resources[3];
	uint32_t other;
	uint32_t pass;

	DO(gg_graph_buffer(graph, round->a, 4 * COUNT, &resources[0]));
	DO(gg_graph_argument(graph, 0, 4 * COUNT, &resources[1]));
	DO(gg_graph_buffer(graph, round->c, 4 * COUNT, &resources[2]));
	for (uint32_t i = 0; i < RESOURCES; i++)
		DO(gg_graph_transient(graph, MUCH, &other));
	for (uint32_t i = 0; i < 3; i++) {
		values[i] = (struct gg_graph_value){ .kind = GG_GRAPH_RESOURCE,
						     .number = resources[i] };
		DO(gg_graph_use(graph, i < 2 ? GG_GRAPH_OP_READ : GG_GRAPH_OP_WRITE, resources[i]));
	}
	values[3].argument = arguments[3];
	DO(gg_kernel_find(round->vecadd, "vecadd", &work.kernel));
	DO(gg_graph_dispatch(graph, &work, values, 4));
	DO(gg_graph_end(graph, &pass));
	/* A pass of two commands; one of them is moved by a kernel. */
	DO(gg_graph_use(graph, GG_GRAPH_OP_WRITE, other));
	DO(gg_graph_fill(graph, other, 7, MUCH));
	DO(gg_graph_fill(graph, other, 8, 16));
	DO(gg_graph_end(graph, &pass));
	if (pass != 1)
		stop("a wrong pass", GG_OK);
}

/** The program is the same in each round, but for the addresses in it: they differ with the context. */
static void check_program(const void *program, uint64_t bytes)
{
	static uint8_t first[1 << 16];
	static uint64_t first_bytes;

	if (first_bytes == 0) {
		first_bytes = bytes;
		memcpy(first, program, bytes < sizeof(first) ? bytes : 0);
	}
	if (bytes != first_bytes || memcmp(first, program, 72) != 0)
		stop("another program", GG_OK);
}

static void run_graph(const struct round *round)
{
	struct gg_graph_run run = { .space_bytes = RESOURCES * MUCH,
				    .report_passes = 4,
				    .argument_count = 1 };
	struct gg_work work = { .type = GG_TASK_TYPE_GRAPH,
				.context = round->context,
				.graph = &run };
	struct gg_graph_pass passes[4];
	struct gg_graph_report report;
	struct gg_task_graph *graph;
	struct gg_task *task;
	uint32_t count;

	DO(gg_graph_create(round->context, &graph));
	add_passes(round, graph);
	DO(gg_graph_program(graph, &run.program, &run.program_bytes));
	check_program(run.program, run.program_bytes);
	run.arguments = &round->b;
	DO(gg_submit(&work, WAIT_MS, &task));
	DO(gg_task_wait(task, WAIT_MS, NULL));
	if (!again("gg_graph_report", gg_graph_report(task, &report, passes, 4, &count)) &&
	    count != 2)
		stop("a wrong report", GG_OK);
	DO(gg_task_release(task));
	gg_graph_destroy(graph);
	expect_sums(round, 3);
}

static void make_buffers(struct round *round)
{
	static uint32_t a[COUNT];
	static uint32_t b[COUNT];

	for (uint32_t i = 0; i < COUNT; i++) {
		a[i] = i;
		b[i] = 2 * i;
	}
	DO(gg_alloc(round->context, sizeof(a), 0, &round->a));
	DO(gg_alloc(round->context, sizeof(b), 0, &round->b));
	DO(gg_alloc(round->context, sizeof(b), 0, &round->c));
	DO(gg_write(round->device, round->a, a, sizeof(a)));
	DO(gg_write(round->device, round->b, b, sizeof(b)));
}

static void run_round(const char *path, const char *vecadd, const char *print)
{
	struct round round = { 0 };
	uint64_t heap;
	uint64_t bytes;
	uint64_t unused;
	uint64_t before;
	uint32_t number;

	DO(gg_device_attach(path, &round.device));
	DO(gg_context_create(round.device, 4u << 20, &round.context));
	DO(gg_context_info(round.context, &number, &heap, &bytes, &before));
	DO(gg_module_load(round.context, vecadd, &round.vecadd));
	DO(gg_module_load(round.context, print, &round.print));
	make_buffers(&round);
	run_task(&round);
	run_print(&round);
	run_graph(&round);
	DO(gg_free(round.context, round.a));
	DO(gg_free(round.context, round.b));
	DO(gg_free(round.context, round.c));
	DO(gg_module_unload(round.vecadd));
	DO(gg_module_unload(round.print));
	DO(gg_context_info(round.context, &number, &heap, &bytes, &unused));
	if (before - unused > 65536) /* the module that moves stays */
		stop("device memory is lost", GG_OK);
	DO(gg_context_destroy(round.context));
	(void)gg_device_close(round.device);
}

int main(int count, char **words)
{
	if (count != 4)
		return 2;
	run_round(words[1], words[2], words[3]);
	for (fails = 1; fails < ROUNDS; fails++) {
		calls = 0;
		run_round(words[1], words[2], words[3]);
		if (calls < fails) {
			printf("%" PRIu64 " allocations failed, one in each round\n", fails - 1);
			return 0;
		}
	}
	return 1;
}
