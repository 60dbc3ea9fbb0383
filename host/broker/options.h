/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the broker is asked for on its command line.
 *
 *     ganger-broker --board FOLDER --sms N [--ram BYTES] [--qemu PROGRAM]
 *                   [--listen PATH] [--client-fd N] [-- QEMU ARGUMENT…]
 *
 * --client-fd alone: private, ends with that client. Both: shared, and that client is the first
 * one. --listen alone: shared, in the foreground, for a person. The library asks for the first two.
 */
#ifndef HOST_BROKER_OPTIONS_H
#define HOST_BROKER_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/** All from the command line; strings are those of argv. Constant after options_parse(). */
struct options {
	const char *board;  /**< build/<board>. */
	const char *qemu;   /**< Program, or NULL: BOARD_QEMU of the board. */
	const char *listen; /**< Path of the socket, or NULL: private. */
	uint64_t ram_bytes; /**< 0: as the board says. */
	uint32_t sms;       /**< SMs. */
	int client;         /**< Descriptor of the first client, or -1. */
	char *const *extra; /**< More arguments for QEMU. */
	unsigned extra_count;
};

/** Parse the command line.
 * @param message  What is wrong with it, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_ARGUMENT. `client` is valid in either case. */
__attribute__((warn_unused_result)) int
options_parse(struct options *options, int argc, char *const *argv, char *message, size_t size);

#endif /* HOST_BROKER_OPTIONS_H */
