/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What must be true of each graph of graph_storm.h, while it runs and afterwards.
 */
#ifndef TESTS_UNIT_GRAPH_STORM_CHECK_H
#define TESTS_UNIT_GRAPH_STORM_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/* No graph is known. */
void check_begin(void);

/* Make a graph, or launch a kept one, under a tag. False: there is no place for it. */
bool check_take(uint32_t tag, struct gg_tmd *tmd);

/* It was not submitted. */
void check_drop(uint32_t tag);

/* A CTA is going to end with an error. */
void check_fails(uint32_t cta);

/* A CTA has launched a graph, which may be refused when its turn comes. */
void check_nested(uint32_t cta);

/* CTAs in the hands of the SMs: of tasks that are not answered; with arguments of their own; none of passes that wait
 * for each other. */
void check_running(const uint8_t *answers);

/* A command is complete. */
void check_completion(const struct gg_completion *done);

#endif /* TESTS_UNIT_GRAPH_STORM_CHECK_H */
