/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Takes completions out of the ring and gives them to the tasks they belong to.
 *
 * The library has no thread of its own. Of the threads that wait, one, the leader, waits for the
 * device's interrupt, and the others wait for the leader. Whoever holds the lock may drain the
 * ring.
 */
#ifndef HOST_LIB_MAILBOX_PUMP_H
#define HOST_LIB_MAILBOX_PUMP_H

#include "host/lib/mailbox/device.h"

/** Takes all completions that are there. The lock is held, here and below. */
void pump_drain(struct device *device);

/** The end of a wait. @return true: what is waited for has happened. */
typedef bool pump_ready(struct device *device, void *what);

/** Waits until `ready` returns true. The lock is released meanwhile. Sets no failure. A limit of more than a second stands still
 * while the device does, and a signal that this process handles ends the wait after as much time as was asked for.
 * @return GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST, GG_ERR_PANIC. */
enum gg_status pump_until(struct device *device, uint64_t deadline, pump_ready *ready, void *what);

/** The same for what the device does without an interrupt: calls `ready` every millisecond. */
enum gg_status pump_until_polled(struct device *device, uint64_t deadline, pump_ready *ready,
				 void *what);

#endif /* HOST_LIB_MAILBOX_PUMP_H */
