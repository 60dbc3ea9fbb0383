/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The tasks that some work names: those that come before it (`after`), and its dependents.
 */
#ifndef HOST_LIB_WORK_LISTS_H
#define HOST_LIB_WORK_LISTS_H

#include "host/lib/work/request.h"

/** Waits until the device has taken every named task that is in another channel than the work;
 * otherwise the device might not know the task yet. The lock is held, and released meanwhile. Sets
 * the failure. @return GG_ERR_TIMEOUT (value: tag of the task), or as pump_until(). */
enum gg_status lists_await(const struct request *request, uint64_t deadline);

/** Writes the list `after` without the tasks that have completed with GG_OK. The lock is held. Sets
 * the failure. @return GG_ERR_DEPENDENCY: one of them failed (value: its tag). */
enum gg_status lists_after(const struct request *request, struct gg_dependent *list,
			   uint32_t *count);

/** Writes the list of dependents. Sets the failure. @return GG_ERR_ARGUMENT: an entry is wrong. */
enum gg_status lists_dependents(const struct request *request, struct gg_dependent *list);

#endif /* HOST_LIB_WORK_LISTS_H */
