/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Steps of graph programs that make passes, and the loop that executes them: all between two
 * control steps, with nothing to look at before each but the end.
 */
#ifndef FIRMWARE_GRAPH_CONSTRUCT_H
#define FIRMWARE_GRAPH_CONSTRUCT_H

#include "firmware/graph/code.h"

/** End the pass under construction, which has a command, and begin the next one; it is of the
 * definition that runs. The caller has set draft.step. The value of a refusal is not set.
 * ERR_GRAPH_STEP: there are arguments or a grid that no DISPATCH took. */
struct refusal graph_end_pass(struct graph_machine *machine);

/** Execute steps up to a control step, a refusal, or `stop`.
 * @param refusal  GG_OK at first; set when there is one, but for its value.
 * @return  The step at which it came to its end; `pc` is not changed. */
const struct gg_graph_step *graph_go_straight(struct graph_machine *machine,
					      const struct gg_graph_step *step,
					      const struct gg_graph_step *stop,
					      struct refusal *refusal);

#endif /* FIRMWARE_GRAPH_CONSTRUCT_H */
