/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * States of a graph: checks these kernels with their settings (S2-R22, S2-R27), and estimates what the passes that use
 * them take (S2-R37).
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_STATE_H
#define FIRMWARE_CP_GRAPH_GRAPH_STATE_H

#include "firmware/cp/graph/graph_job.h"

/** Check a TMD as a state: it must be a grid that could run as a child of the GRAPH task, without arguments, lists and
 * semaphores.
 * @param[out] state  Filled in when the TMD is accepted.
 * @return  GG_OK; ERR_GRAPH_FORMAT with the TMD's field; or the refusal that any task with this TMD would get. */
struct refusal graph_state_take(struct task *task, const struct gg_tmd *tmd,
				struct graph_state *state);

/** Estimate the time and the units that passes take, from their history, and check their needs against the budgets.
 * @param cursor  Progress, as in firmware/graph/order.h.
 * @param budget  Passes to handle in this call, at most.
 * @return        GG_OK; or ERR_GRAPH_MEMORY: a pass needs more than a budget. */
struct refusal graph_state_estimate(struct task *task, uint32_t *cursor, uint32_t budget);

/** Whether the estimates of a kept graph that is launched again still hold: its passes are expected to take about the time from which
 * they were ranked, and no budget is to be checked.
 * @param cursor  Progress, as above.
 * @param budget  Passes to look at in this call, at most. */
bool graph_state_holds(const struct graph_job *job, uint32_t *cursor, uint32_t budget);

/** A pass has ended without error: remember how long it took. */
void graph_state_learn(struct graph_image *image, uint32_t pass);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_STATE_H */
