/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Task graphs for the fake device: programs written step by step, put into the heap.
 */
#ifndef TESTS_UNIT_FAKE_GRAPH_H
#define TESTS_UNIT_FAKE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define FAKE_STEPS     8192u
#define FAKE_STATES    8u
#define FAKE_RESOURCES 64u

/* A program that is being written, and how it is run. */
struct fake_graph {
	struct gg_graph_step steps[FAKE_STEPS];
	struct gg_tmd states[FAKE_STATES];
	struct gg_graph_resource resources[FAKE_RESOURCES];
	struct gg_graph_definition definitions[4];
	uint64_t arguments[8];
	uint32_t step_count;
	uint32_t state_count;
	uint32_t resource_count;
	uint32_t definition_count;
	uint32_t argument_count;
	uint32_t variables;    /* integers; */
	uint32_t resources_at; /* those from here on are resources */
	bool unordered;
	bool moves;             /* the first state copies and fills, too */
	uint32_t space_bytes;   /* work space */
	uint32_t report_passes; /* entries of the report */
	struct gg_graph
		settings; /* mode, budgets, limits: set by the test; addresses by fake_graph_put */
	uint64_t report;  /* set by fake_graph_put */
	uint64_t space;   /* set by fake_graph_put */
};

/* An empty program: 32 integer variables, then 32 of resources; N = 1. */
void fake_graph_begin(struct fake_graph *graph);

/* A fresh device of so many SMs, and an empty program with one state, a grid of `ctas`; its number. */
uint32_t fake_graph_fresh(struct fake_graph *graph, uint32_t sms, uint32_t ctas);

/* Put a graph, submit it, and go on. */
void fake_graph_run(struct fake_graph *graph, uint32_t tag);

/* The command with tag 1 was refused so, without a record of a fault, nothing of it ran (S2-Q22), and nothing is left of it. */
void fake_graph_refused(enum gg_status status, uint32_t field, uint64_t value);

/* Append a step. */
void fake_graph_step(struct fake_graph *graph, enum gg_graph_op op, uint32_t a, uint32_t b,
		     uint32_t c, uint32_t imm);

/* A state of a TMD; its number. */
uint32_t fake_graph_state(struct fake_graph *graph, struct gg_tmd tmd);

/* A fixed buffer in the heap; its number. */
uint32_t fake_graph_buffer(struct fake_graph *graph, uint32_t bytes);

/* A transient; its number. */
uint32_t fake_graph_transient(struct fake_graph *graph, uint32_t bytes);

/* READ, WRITE or SHARE of a resource by number. */
void fake_graph_use(struct fake_graph *graph, enum gg_graph_op op, uint32_t resource);

/* One block: reads `from`, writes `to` (UINT32_MAX: none), dispatches a state. */
void fake_graph_pass(struct fake_graph *graph, uint32_t state, uint32_t from, uint32_t to);

/* END, then put all into the heap; the TMD to submit. */
struct gg_tmd fake_graph_put(struct fake_graph *graph);

/* The same again, in memory of its own; its address. */
uint64_t fake_graph_put_again(struct fake_graph *graph);

/* Post SUBMIT of the TMD at an address on channel 0; the CP does not go on. */
void fake_graph_post(uint32_t tag, uint64_t address);

/* The report of the last run; and the entry of a pass. */
const struct gg_graph_report *fake_graph_report(const struct fake_graph *graph);
const struct gg_graph_pass *fake_graph_pass_report(const struct fake_graph *graph, uint32_t pass);

#endif /* TESTS_UNIT_FAKE_GRAPH_H */
