/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The broker's command line.
 *
 *     ganger-broker --board FOLDER --sms N [--ram BYTES] [--qemu PROGRAM]
 *                   [--processors LIST] [--listen PATH] [--hosts N] [--group NAME] [--client-fd N]
 *                   [-- QEMU ARGUMENT…]
 *
 * With --client-fd alone the broker is private and ends with that client. With both it is shared,
 * and that client is the first one: until it detaches, the broker ends with it. The library uses
 * these two. With --listen alone it is shared
 * and runs in the foreground, for a person.
 */
#ifndef HOST_BROKER_OPTIONS_H
#define HOST_BROKER_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

/** The options; strings are those of argv. Constant after options_parse(). */
struct options {
	const char *board;      /**< build/<board>. */
	const char *qemu;       /**< Path of QEMU; NULL: BOARD_QEMU of the board. */
	const char *processors; /**< Of this machine, for the device; NULL: all. */
	const char *listen;     /**< Path of the socket to listen on; NULL: private. */
	const char *group;      /**< Group whose users may connect, too; NULL: only our own user. */
	uint64_t ram_bytes;     /**< 0: as the board says. */
	uint32_t sms;           /**< Number of SMs. */
	uint32_t hosts;         /**< Hosts that may use the device at once, 1 to SHARES_MOST. */
	int client;             /**< Descriptor of the first client, or -1. */
	char *const *extra;     /**< More arguments for QEMU. */
	unsigned extra_count;
};

/** Parse the command line.
 * @param message  What is wrong with it, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_ARGUMENT. `client` is valid in either case. */
__attribute__((warn_unused_result)) int
options_parse(struct options *options, int argc, char *const *argv, char *message, size_t size);

#endif /* HOST_BROKER_OPTIONS_H */
