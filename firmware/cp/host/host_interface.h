/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Host interface: pushbuffer channels, their priorities (S0-R14), and the commands in them.
 *
 * The channels with commands are read in order of their priority, a bounded number of commands at
 * a time, so that scheduling goes on while the host writes. A command is decoded and checked
 * whole before it has an effect; every command has exactly one completion. A command that has to
 * wait (a fence) waits apart: it never holds back what comes after it.
 */
#ifndef FIRMWARE_CP_HOST_HOST_INTERFACE_H
#define FIRMWARE_CP_HOST_HOST_INTERFACE_H

#include <stdbool.h>

/** Open all channels. */
void host_interface_init(void);

/** Take commands, at most a batch.
 * @return  true when more may be waiting. */
bool host_interface_run(void);

/** Post the completions that wait, as far as the ring has room, and interrupt the host if it wants to know.
 * @return  Whether anything was posted: there may be room for commands again. */
bool host_interface_post(void);

/** Whether commands are there that could not be taken for want of room. */
bool host_interface_waits(void);

#endif /* FIRMWARE_CP_HOST_HOST_INTERFACE_H */
