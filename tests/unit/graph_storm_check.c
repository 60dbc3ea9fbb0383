/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/graph_storm_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"
#include "tests/unit/graph_storm.h"
#include "tests/unit/graph_storm_kept.h"
#include "tests/unit/graph_storm_make.h"

#define PLACES 11u
#define FREE   UINT32_MAX

/* A graph that was submitted. Bit p: pass p. */
struct known {
	struct made_place place;
	struct made made;
	uint32_t tag;    /* or FREE */
	uint32_t failed; /* passes of which a CTA, or a descendant's, ended with an error */
	uint32_t nested; /* passes that launched graphs */
	uint32_t running;
	bool keeps;
	bool seen; /* a CTA of it has run */
};

static struct known graphs[PLACES];
void check_begin(void)
{
	const uint64_t buffer = fake_alloc(MADE_BUFFER);

	for (uint32_t place = 0; place < PLACES; place++) {
		graphs[place] =
			(struct known){ .place = { fake_alloc(MADE_BYTES), buffer }, .tag = FREE };
	}
	kept_begin();
}

static struct known *find(uint32_t tag)
{
	for (uint32_t place = 0; place < PLACES; place++) {
		if (graphs[place].tag == tag) {
			return &graphs[place];
		}
	}
	return NULL;
}

bool check_take(uint32_t tag, struct gg_tmd *tmd)
{
	struct known *graph = find(FREE);
	uint32_t handle = 0;

	if (graph == NULL) {
		return false;
	}
	if (rand() % 2 == 0) {
		handle = kept_any(&graph->made);
	}
	*tmd = made_put(&graph->place, &graph->made, tag, handle);
	graph->tag = tag;
	graph->failed = 0;
	graph->nested = 0;
	graph->keeps = made_keeps(&graph->place);
	graph->seen = false;
	return true;
}

void check_drop(uint32_t tag)
{
	find(tag)->tag = FREE;
}

/* The graph of the host's, and the pass of it, that a task descends from, or is. */
static struct known *ancestor(const struct task *task, uint32_t *pass)
{
	while (task->source.parent != NULL && task->source.parent->source.parent != NULL) {
		task = task->source.parent;
	}
	*pass = task->pass.number - 1;
	return task->source.parent != NULL && task->pass.number != 0 ? find(task->source.tag)
								     : NULL;
}

static const struct task *task_of(uint32_t cta)
{
	return task_table_holder(fake_ctas[cta].slot);
}

void check_fails(uint32_t cta)
{
	uint32_t pass;
	struct known *graph = ancestor(task_of(cta), &pass);

	if (graph != NULL) {
		graph->failed |= 1u << pass;
	}
}

void check_nested(uint32_t cta)
{
	uint32_t pass;
	struct known *graph = ancestor(task_of(cta), &pass);

	if (graph != NULL) {
		graph->nested |= 1u << pass;
	}
}

/* What its kernel gets: its own pass and its graph's argument. */
static void check_arguments(const struct task *task, const struct known *graph)
{
	const uint32_t *words = fake_at(task->tmd.args_lo);

	assert_int_equal(task->tmd.args_bytes, 16);
	assert_in_range(task->tmd.args_lo, graph->place.base, graph->place.base + MADE_BYTES);
	assert_int_equal(words[0], task->pass.number - 1);
	assert_int_equal(words[2], graph->tag);
	assert_int_equal(words[3], ~graph->tag);
}

void check_running(const uint8_t *answers)
{
	for (uint32_t place = 0; place < PLACES; place++) {
		graphs[place].running = 0;
	}
	for (uint32_t cta = 0; cta < fake_cta_count; cta++) {
		const struct task *task = task_of(cta);
		uint32_t pass;
		struct known *graph = ancestor(task, &pass);

		assert_non_null(task);
		assert_int_equal(answers[task->source.tag], 0);
		if (graph != NULL) {
			assert_in_range(pass, 0, graph->made.passes - 1);
			graph->running |= 1u << pass;
			graph->seen = true;
		}
		if (graph != NULL && task->pass.number != 0 &&
		    task->source.parent->source.parent == NULL) {
			check_arguments(task, graph);
		}
	}
	for (uint32_t place = 0; place < PLACES; place++) {
		for (uint32_t pass = 0; pass < MADE_PASSES; pass++) {
			if ((graphs[place].running >> pass & 1u) != 0) {
				assert_int_equal(
					graphs[place].running & graphs[place].made.waits[pass], 0);
			}
		}
	}
}

static uint32_t state_of(const struct known *graph, uint32_t pass)
{
	return gg_get(made_pass(&graph->place, pass)->state, GG_GRAPH_PASS_STATE);
}

static bool is(const struct known *graph, uint32_t pass, enum gg_graph_pass_state state)
{
	return state_of(graph, pass) == state;
}

/* A pass that ran began when all that it waits for had ended, and what it needs was made. */
static void check_ran(const struct known *graph, uint32_t pass)
{
	const struct gg_graph_pass *words = made_pass(&graph->place, pass);
	const uint64_t started = gg_join(words->started_lo, words->started_hi);

	assert_true(started <= gg_join(words->ended_lo, words->ended_hi));
	for (uint32_t other = 0; other < pass; other++) {
		const struct gg_graph_pass *before = made_pass(&graph->place, other);

		if ((graph->made.waits[pass] >> other & 1u) != 0) {
			assert_true(gg_join(before->ended_lo, before->ended_hi) <= started);
		}
		if ((graph->made.data[pass] >> other & 1u) != 0) {
			assert_true(is(graph, other, GG_GRAPH_PASS_STATE_DONE));
		}
	}
}

/* One that was skipped needs what was not made, and names who failed. */
static void check_skipped(const struct known *graph, uint32_t pass, bool stopped)
{
	const struct gg_graph_pass *words = made_pass(&graph->place, pass);
	bool needs = stopped;

	for (uint32_t other = 0; other < pass; other++) {
		needs = needs || ((graph->made.data[pass] >> other & 1u) != 0 &&
				  !is(graph, other, GG_GRAPH_PASS_STATE_DONE));
	}
	assert_true(needs);
	assert_int_equal((int32_t)words->status, GG_ERR_DEPENDENCY);
	assert_int_equal(words->started_lo | words->ctas_lo, 0);
	if (!stopped) {
		assert_in_range(words->cause, 1, graph->made.passes);
		assert_true(is(graph, words->cause - 1, GG_GRAPH_PASS_STATE_FAILED));
	}
}

/* Exactly those failed that were made to. */
static void check_pass(const struct known *graph, uint32_t pass, bool stopped)
{
	const bool fails = (graph->failed >> pass & 1u) != 0;

	switch (state_of(graph, pass)) {
	case GG_GRAPH_PASS_STATE_DONE:
		assert_false(fails);
		check_ran(graph, pass);
		break;
	case GG_GRAPH_PASS_STATE_FAILED:
		assert_true(fails || stopped || (graph->nested >> pass & 1u) != 0);
		check_ran(graph, pass);
		break;
	default:
		assert_true(is(graph, pass, GG_GRAPH_PASS_STATE_SKIPPED));
		check_skipped(graph, pass, stopped);
	}
}

static void check_run(const struct known *graph, const struct gg_completion *done)
{
	const int32_t status = (int32_t)done->status;
	const bool stopped = status == GG_ERR_CANCELLED || status == GG_ERR_TIME_LIMIT;
	const struct gg_graph_report *report = made_report(&graph->place);
	uint32_t counts[GG_GRAPH_PASS_STATE_SKIPPED + 1] = { 0 };

	assert_int_equal(report->passes, graph->made.passes);
	for (uint32_t pass = 0; pass < graph->made.passes; pass++) {
		check_pass(graph, pass, stopped);
		counts[state_of(graph, pass)]++;
	}
	assert_int_equal(counts[GG_GRAPH_PASS_STATE_FAILED], report->failed);
	assert_int_equal(counts[GG_GRAPH_PASS_STATE_SKIPPED], report->skipped);
	if (!stopped && report->failed != 0) {
		assert_int_equal(done->field, GG_FIELD_GRAPH_PASS_STATE);
		assert_true(is(graph, done->value_lo, GG_GRAPH_PASS_STATE_FAILED));
		assert_int_equal(done->status, made_pass(&graph->place, done->value_lo)->status);
	} else if (!stopped) {
		assert_int_equal(status, GG_OK);
		assert_int_equal(counts[GG_GRAPH_PASS_STATE_DONE], report->passes);
	}
	storm_counts.graphs++;
	storm_counts.stopped += stopped;
	storm_counts.failed += !stopped && report->failed != 0;
	storm_counts.passes += report->passes;
	storm_counts.skipped += report->skipped;
}

/* What did not run says why. */
static void check_refused(const struct known *graph, const struct gg_completion *done)
{
	const enum gg_status all[] = { GG_ERR_CANCELLED,    GG_ERR_TIME_LIMIT,
				       GG_ERR_DEPENDENCY,   GG_ERR_GRAPH_TOO_LARGE,
				       GG_ERR_GRAPH_MEMORY, GG_ERR_GRAPH_HANDLE };
	bool known = false;

	for (uint32_t index = 0; index < sizeof(all) / sizeof(all[0]); index++) {
		known = known || (int32_t)done->status == all[index];
	}
	assert_true(known || graph->keeps);
	assert_false(graph->seen);
	storm_counts.refused++;
}

void check_completion(const struct gg_completion *done)
{
	struct known *graph = find(done->tag);

	if (graph == NULL) {
		return;
	}
	if (graph->keeps && done->status == GG_OK) {
		kept_add(done->value_lo, &graph->made);
		storm_counts.kept++;
	} else if (graph->keeps || made_report(&graph->place)->passes == 0) {
		check_refused(graph, done);
	} else {
		check_run(graph, done);
	}
	graph->tag = FREE;
}
