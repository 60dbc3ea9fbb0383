/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The processors of this machine that a device may use.
 */
#ifndef HOST_BROKER_PROCESSORS_H
#define HOST_BROKER_PROCESSORS_H

#include <stddef.h>

/** Binds this process, and what it starts later, to processors.
 * @param list     Numbers and ranges with commas, "0,2-3"; NULL changes nothing.
 * @param message  What is wrong with it, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_ARGUMENT: not such a list, or none of them is there for us. */
__attribute__((warn_unused_result)) int processors_bind(const char *list, char *message,
							size_t size);

#endif /* HOST_BROKER_PROCESSORS_H */
