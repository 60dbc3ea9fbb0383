/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Drives the control processor's files of graph programs (firmware/graph) on this machine.
 */
#ifndef TESTS_MODEL_GRAPH_DRIVER_H
#define TESTS_MODEL_GRAPH_DRIVER_H

#include <stdint.h>

/** Open, verify, execute and order one program, in small pieces. LOAD reads zeros.
 * @param bytes   Aligned to 8; `count` of them.
 * @param budget  Most steps that are executed.
 * @param out  Status, value of the refusal; passes, reads, writes, resources, steps.
 * @return     The status. */
int graph_drive(const void *bytes, uint32_t count, const uint64_t *arguments, uint32_t many,
		uint32_t budget, uint64_t out[7]);

#endif /* TESTS_MODEL_GRAPH_DRIVER_H */
