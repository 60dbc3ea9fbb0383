/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Runs a program and gathers what it says.
 */
#ifndef HOST_OPENCL_PROCESS_H
#define HOST_OPENCL_PROCESS_H

#include <stddef.h>

/** Runs a program to its end, but kills it after five minutes.
 * @param input  File that it reads as standard input; NULL: none.
 * @param words  The program, which is looked for in PATH, and its arguments; ended by NULL.
 * @param text   All that it wrote to standard output and standard error, up to 1 MiB, ended by 0: for
 *               the caller to free. Never NULL, unless there is no memory.
 * @return its exit status, or -1: it could not be run, was killed, or there is no memory. */
int process_run(const char *input, char *const *words, char **text);

#endif /* HOST_OPENCL_PROCESS_H */
