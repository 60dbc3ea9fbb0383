/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Threads of the platform. They run until the process ends, and take no signals from the program.
 */
#ifndef HOST_OPENCL_THREAD_H
#define HOST_OPENCL_THREAD_H

#include <stdbool.h>

/** Starts a thread that nobody waits for. @return false: it could not be started. */
bool thread_start(void *(*run)(void *what), void *what);

#endif /* HOST_OPENCL_THREAD_H */
