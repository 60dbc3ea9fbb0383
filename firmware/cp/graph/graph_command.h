/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands of passes (S2-R29): what the CP does itself, and what a grid does.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_COMMAND_H
#define FIRMWARE_CP_GRAPH_GRAPH_COMMAND_H

#include "firmware/cp/graph/graph_job.h"

/** A grid that a command becomes. */
struct graph_dispatch {
	const struct gg_tmd *tmd; /**< Of its state: to be submitted with what follows. */
	uint32_t grid_x;          /**< CTAs along x. */
	uint32_t grid_yz;         /**< CTAs along y and z, as in a TMD. */
	uint32_t args_bytes;      /**< Bytes of its arguments. */
	uint64_t args;            /**< Address of its arguments, or 0. */
	const struct graph_command *command; /**< The command. */
	uint64_t ctas;                       /**< CTAs; 0: no grid is needed. */
	bool splits;                         /**< It may be run in parts. */
};

/** A part of a grid. */
struct graph_part {
	uint64_t first; /**< First CTA. */
	uint64_t ctas;  /**< CTAs; 0: all of the grid. */
	uint8_t block;  /**< Argument block. */
};

/** Do a command.
 * @param[out] dispatch  All zero before; filled when a grid is to do it.
 * @return  ERR_GRAPH_RESOURCE, ERR_GRAPH_DATA, ERR_GRID_OVERFLOW. */
struct refusal graph_command_do(struct task *task, const struct graph_command *command,
				struct graph_dispatch *dispatch);

/** Write the arguments of a grid into an argument block, and name it in the TMD. */
struct refusal graph_command_arguments(struct task *task, struct graph_dispatch *dispatch,
				       uint32_t block);

/** Whether the resources that are used lie in the context's heap in this launch; in pieces, `cursor` as in
 * firmware/graph/order.h. ERR_GRAPH_RESOURCE: value is the resource. */
struct refusal graph_command_check_resources(struct task *task, uint32_t *cursor, uint32_t budget);

/** Address of a resource in this run. */
uint64_t graph_command_address(const struct graph_image *image,
			       const struct graph_resource *resource);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_COMMAND_H */
