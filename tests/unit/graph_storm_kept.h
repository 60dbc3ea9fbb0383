/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Graphs that graph_storm.h has kept.
 */
#ifndef TESTS_UNIT_GRAPH_STORM_KEPT_H
#define TESTS_UNIT_GRAPH_STORM_KEPT_H

#include <stdint.h>

#include "tests/unit/graph_storm_make.h"

/* None is kept. */
void kept_begin(void);

/* A graph was kept. */
void kept_add(uint32_t handle, const struct made *made);

/* The handle of any, and what is known of it; 0: there is none. */
uint32_t kept_any(struct made *made);

/* The handle of any, which is forgotten here; most often it is one. */
uint32_t kept_forget(void);

/* Free all on the control processor. */
void kept_free_all(void);

#endif /* TESTS_UNIT_GRAPH_STORM_KEPT_H */
