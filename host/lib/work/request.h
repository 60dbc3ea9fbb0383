/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Some work with what its handles stand for. As long as a request is open, all of that stays.
 */
#ifndef HOST_LIB_WORK_REQUEST_H
#define HOST_LIB_WORK_REQUEST_H

#include "host/lib/mailbox/device.h"

struct request {
	const struct gg_work *work;
	struct device *device;
	struct context *context;
	struct module *module; /**< NULL: the work has none. */
	const struct kernel
		*folded; /**< The kernel, for a grid that is folded (fold.h); else NULL. */
	struct task *after[GG_DEPENDENCES_MAX];
	struct task *dependents[GG_DEPENDENCES_MAX]; /**< NULL: named by its address. */
	uint32_t uses;                               /**< Number of `use`. */
	struct handle_use use[1 + 2 * GG_DEPENDENCES_MAX];
};

/**
 * Enters all handles of some work, and checks that the tasks that it names are tasks of its device.
 * Sets the failure; then nothing is open.
 * @return GG_ERR_ARGUMENT: it has neither module nor context, a list is too long, or names a
 * command that is not a task; GG_ERR_HANDLE, GG_ERR_FORKED.
 */
enum gg_status request_open(struct request *request, const struct gg_work *work);

/** The kernel of a request for a graph of a device. Sets the failure. @return GG_ERR_KERNEL_NAME: the
 * work has none; GG_ERR_HANDLE: it is of another device. */
enum gg_status request_kernel(const struct request *request, const struct device *device,
			      const struct kernel **kernel);

/** Leaves them. The lock is not held. */
void request_close(struct request *request);

#endif /* HOST_LIB_WORK_REQUEST_H */
