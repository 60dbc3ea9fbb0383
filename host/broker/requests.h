/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the broker's clients ask for, and who may: the user who booted the device may do everything; the users of its
 * group may use it and look, but not end it, stop it, or change what others may have.
 */
#ifndef HOST_BROKER_REQUESTS_H
#define HOST_BROKER_REQUESTS_H

#include "host/broker/clients.h"

/** Serve a client whose socket is readable, or forget it if it has gone. */
void requests_serve(struct clients *clients, struct client *client);

/** Go on with what the device has done: hosts get their completions, those that do not take them go, and those that
 * wait for a share get one. */
void requests_turn(struct clients *clients);

#endif /* HOST_BROKER_REQUESTS_H */
