/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * States of a graph: kernels with their settings (S2-R22, R27), and what their passes are expected to
 * take (S2-R37).
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_STATE_H
#define FIRMWARE_CP_GRAPH_GRAPH_STATE_H

#include "firmware/cp/graph/graph_job.h"

/** Check a TMD as a state: a grid of the GRAPH task's context and heap that could run as it is, without arguments,
 * lists, semaphores.
 * @return  ERR_GRAPH_FORMAT with the TMD's field, or what any task with this TMD would be refused for. */
struct refusal graph_state_take(struct task *task, const struct gg_tmd *tmd,
				struct graph_state *state);

/** Time and units that passes are expected to take, from their history; needs against budgets. In pieces, with
 * `cursor` as in firmware/graph/order.h. ERR_GRAPH_MEMORY: a pass needs more than a budget. */
struct refusal graph_state_estimate(struct task *task, uint32_t *cursor, uint32_t budget);

/** A pass has ended well: remember how long it took. */
void graph_state_learn(const struct graph_image *image, uint32_t pass);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_STATE_H */
