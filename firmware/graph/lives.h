/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Lives of transient buffers (S2-R39): from the start of the first pass that writes one to the end of the last that
 * uses its last version, which is one of its possible last passes (S2-R78).
 */
#ifndef FIRMWARE_GRAPH_LIVES_H
#define FIRMWARE_GRAPH_LIVES_H

#include "firmware/graph/run.h"

/** By how much a ready pass will lower the live bytes (S2-R77, S2-R80): the bytes of the buffers whose lives it ends,
 * alone or together with others, less the bytes of those whose lives it begins. The remaining readers of a last
 * version share its bytes, so that they run close together (S2-A12). */
int64_t graph_lives_gain(const struct graph *graph, uint32_t pass);

#endif /* FIRMWARE_GRAPH_LIVES_H */
