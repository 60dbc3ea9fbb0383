/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The QEMU process, its memory, sockets and doorbells.
 *
 * The kernel kills QEMU when the broker ends, however it ends: the broker has one thread, and that
 * thread is QEMU's parent.
 */
#ifndef HOST_BROKER_QEMU_H
#define HOST_BROKER_QEMU_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "host/broker/board.h"
#include "host/broker/options.h"

/** A QEMU; descriptors are the broker's ends, -1 when there is none. */
struct qemu {
	pid_t pid;          /**< 0: not started, or reaped. */
	uint64_t ram_bytes; /**< Size of RAM. */
	int ram;            /**< memfd that is the device's RAM, sealed in size. */
	int ivshmem;        /**< Stream socket: we are its ivshmem server. Kept open, never read. */
	int ring;           /**< eventfd, host to device. */
	int interrupt;      /**< eventfd, device to host. */
	int console;        /**< Stream socket behind the serial port. */
	int qmp;            /**< Stream socket of the machine protocol. */
	int log;            /**< Pipe from QEMU's stdout and stderr. */
	char program[256];  /**< Path of the program that was started. */
};

/** Start QEMU. After an error, what was made stays in `qemu`, and the broker ends.
 * @return GG_OK, GG_ERR_QEMU_MISSING, GG_ERR_IMAGE_MISSING, GG_ERR_BOARD (board file without
 * BOARD_QEMU, too many SMs), GG_ERR_ARGUMENT (RAM size, too many arguments), GG_ERR_NO_MEMORY,
 * GG_ERR_IO; `message` tells more. */
__attribute__((warn_unused_result)) int qemu_start(struct qemu *qemu, const struct options *options,
						   const struct board *board, char *message,
						   size_t size);

/** Reap QEMU if it has ended.
 * @param[out] exit_code  Exit status, or minus the signal's number.
 * @return Whether it has ended. */
int qemu_reap(struct qemu *qemu, int *exit_code);

#endif /* HOST_BROKER_QEMU_H */
