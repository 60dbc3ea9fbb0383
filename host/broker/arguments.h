/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * QEMU's command line.
 */
#ifndef HOST_BROKER_ARGUMENTS_H
#define HOST_BROKER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/broker/board.h"
#include "host/broker/options.h"

#define ARGUMENTS_MOST  192u   /**< Most arguments, the program and the NULL at the end included. */
#define ARGUMENTS_BYTES 16384u /**< Most text in those that are made here. */

/** What the launch depends on, beside board and options. Descriptors are QEMU's ends. */
struct launch {
	const char *program; /**< QEMU. */
	uint64_t ram_bytes;  /**< Size of RAM. */
	int ram;             /**< memfd that is RAM. */
	int ivshmem;         /**< Stream socket to the ivshmem server. */
	int console;         /**< Stream socket behind the serial port. */
	int qmp;             /**< Stream socket of the machine protocol. */
};

/** The command line, for execvp(). */
struct arguments {
	char *list[ARGUMENTS_MOST];
	unsigned count;
	char text[ARGUMENTS_BYTES];
	size_t used;
	bool overflow; /**< Did not fit. */
};

/** Make the command line. @return false when there are too many arguments. */
bool arguments_build(struct arguments *arguments, const struct options *options,
		     const struct board *board, const struct launch *launch);

#endif /* HOST_BROKER_ARGUMENTS_H */
