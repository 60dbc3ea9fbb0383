/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The broker as a process of its own: apart from whoever started it.
 */
#ifndef HOST_BROKER_PROCESS_H
#define HOST_BROKER_PROCESS_H

/** Signals that the broker's loop takes, in a descriptor: SIGCHLD, SIGTERM, SIGHUP. ^C and broken
 * pipes are ignored. @return a signalfd, or -1. */
int process_signals(void);

/** Let go of the terminal, pipes and files of the process that started the broker: a pipe that it
 * writes must end with it.
 * @param[in,out] client  Descriptor of the first client, above 2; it becomes 3. */
void process_leave_parent(int *client);

#endif /* HOST_BROKER_PROCESS_H */
