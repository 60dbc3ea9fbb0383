/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Makes the broker a process that does not depend on the one that started it.
 */
#ifndef HOST_BROKER_PROCESS_H
#define HOST_BROKER_PROCESS_H

/** A descriptor for the signals that the broker's loop takes: SIGCHLD, SIGTERM, SIGHUP. ^C and
 * broken pipes are ignored. @return a signalfd, or -1. */
int process_signals(void);

/** Close the terminal, pipes and files of the process that started the broker, so that its pipes
 * end when it ends.
 * @param[in,out] client Descriptor of the first client, above 2; it becomes 3. */
void process_leave_parent(int *client);

#endif /* HOST_BROKER_PROCESS_H */
