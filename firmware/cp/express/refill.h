/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The short way of a grid that has filled the device: a report becomes a packet for the same SM.
 *
 * While one grid alone wants SMs and none has room, every SM that has said that CTAs of it ended gets as many again:
 * the distribution could decide nothing else, since these SMs are the only ones with room. So neither the choice of an
 * SM nor the accounts of its resources are needed.
 */
#ifndef FIRMWARE_CP_EXPRESS_REFILL_H
#define FIRMWARE_CP_EXPRESS_REFILL_H

#include <stdbool.h>

/** Take the news of all SMs and refill them. Tasks are neither pending nor held back, and SMs are not lent.
 * @return  Whether that was all there is to do; if not, nothing has been done. */
bool refill_turn(void);

#endif /* FIRMWARE_CP_EXPRESS_REFILL_H */
