/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Commands of passes (S2-R29): carries out those that the CP does itself, and prepares the grids of the others.
 */
#ifndef FIRMWARE_CP_GRAPH_GRAPH_COMMAND_H
#define FIRMWARE_CP_GRAPH_GRAPH_COMMAND_H

#include "firmware/cp/graph/graph_job.h"

/** The grid that a command becomes. */
struct graph_dispatch {
	const struct gg_tmd
		*tmd; /**< TMD of its state; the grid and arguments below replace its own. */
	const struct task_rules *rules;      /**< What was found for that TMD. */
	uint32_t grid_x;                     /**< CTAs along x. */
	uint32_t grid_yz;                    /**< CTAs along y and z, as in a TMD. */
	uint32_t args_bytes;                 /**< Bytes of its arguments. */
	uint64_t args;                       /**< Address of its arguments, or 0. */
	const struct graph_command *command; /**< The command. */
	uint64_t ctas;                       /**< CTAs; 0: no grid is needed. */
	bool splits;                         /**< It may be run in several parts. */
};

/** A part of a grid. */
struct graph_part {
	uint64_t first; /**< First CTA. */
	uint64_t ctas;  /**< CTAs; 0: all of the grid. */
	uint8_t block;  /**< Argument block, less than GRAPH_FLIGHTS. */
};

/** Carry out a command, or describe the grid that is to do it.
 * @param[in,out] dispatch  All zero before; filled in when a grid is to do it.
 * @return  GG_OK, or ERR_GRAPH_RESOURCE, ERR_GRAPH_DATA. */
struct refusal graph_command_do(struct task *task, const struct graph_command *command,
				struct graph_dispatch *dispatch);

/** Write the arguments of a grid into an argument block, and set their address and size in `dispatch`. */
void graph_command_arguments(struct task *task, struct graph_dispatch *dispatch, uint32_t block);

/** Check that the resources that are used lie in the context's heap in this launch.
 * @param cursor  Progress, as in firmware/graph/order.h.
 * @param budget  Resources to check in this call, at most.
 * @return        GG_OK; or ERR_GRAPH_RESOURCE, with the number of the resource as value. */
struct refusal graph_command_check_resources(struct task *task, uint32_t *cursor, uint32_t budget);

/** Address of a resource in the current run. */
uint64_t graph_command_address(const struct graph_image *image,
			       const struct graph_resource *resource);

#endif /* FIRMWARE_CP_GRAPH_GRAPH_COMMAND_H */
