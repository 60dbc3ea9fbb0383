/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The short way of a grid that has filled the device: a report becomes a packet for the same SM.
 *
 * While a grid that is first in line finds no SM with room, every SM that has said that CTAs of it ended gets as many
 * again: the distribution could decide nothing else, since these SMs are the only ones with room, and tasks behind the
 * grid get none. So neither the choice of an SM nor the accounts of its resources are needed.
 */
#ifndef FIRMWARE_CP_EXPRESS_REFILL_H
#define FIRMWARE_CP_EXPRESS_REFILL_H

#include <stdbool.h>

/** Take the news of all SMs and refill them. A task is ready; none is pending or held back, and SMs are not lent.
 * @return  Whether that was all there is to do; if not, nothing has been done. */
bool refill_turn(void);

#endif /* FIRMWARE_CP_EXPRESS_REFILL_H */
