/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Steps of graph programs that make passes, and the loop that executes them. It runs all steps between two control
 * steps and checks nothing before each of them but whether the end has come.
 */
#ifndef FIRMWARE_GRAPH_CONSTRUCT_H
#define FIRMWARE_GRAPH_CONSTRUCT_H

#include "firmware/graph/code.h"

/** End the pass under construction, which has a command, and begin the next one. It belongs to the definition that
 * runs. The caller has set draft.step. The value of a refusal is not set.
 * @return  ERR_GRAPH_STEP: there are arguments or a grid that no DISPATCH took. */
struct refusal graph_end_pass(struct graph_machine *machine);

/** Execute steps up to a control step, a refusal, or `stop`.
 * @param refusal  GG_OK at first; set when a step is refused, except its value.
 * @return  The step at which it stopped; `pc` is not changed. */
const struct gg_graph_step *graph_go_straight(struct graph_machine *machine,
					      const struct gg_graph_step *step,
					      const struct gg_graph_step *stop,
					      struct refusal *refusal);

#endif /* FIRMWARE_GRAPH_CONSTRUCT_H */
