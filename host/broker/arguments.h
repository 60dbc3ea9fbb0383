/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes QEMU's command line.
 */
#ifndef HOST_BROKER_ARGUMENTS_H
#define HOST_BROKER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/broker/board.h"
#include "host/broker/options.h"

#define ARGUMENTS_MOST  192u   /**< Most arguments, the program and the NULL at the end included. */
#define ARGUMENTS_BYTES 16384u /**< Most bytes of text that is made here. */

/** What the command line depends on besides board and options. Descriptors are QEMU's ends. */
struct launch {
	const char *program; /**< Path of QEMU. */
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
	bool overflow; /**< Something did not fit. */
};

/** Make the command line. @return false when there are too many arguments. */
bool arguments_build(struct arguments *arguments, const struct options *options,
		     const struct board *board, const struct launch *launch);

#endif /* HOST_BROKER_ARGUMENTS_H */
