/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the drivers of hal/link.h share: the bytes that came, and the frame that goes. line.c has link_take() and
 * link_sending(); the driver of a serial line has the rest of hal/link.h, and calls these functions.
 *
 * A driver's interrupt handler writes `put` of the ring, and the loop writes `get`. The frame that is sent belongs to
 * the loop until line_begin(), then to the handler until all of it has gone.
 */
#ifndef HAL_DRIVERS_LINE_H
#define HAL_DRIVERS_LINE_H

#include <stdbool.h>
#include <stdint.h>

/** Bytes that are kept, a power of two: a frame, and what a host repeats meanwhile. A handler receives no more at once:
 * a line that never stops would keep the firmware from its work. */
#define LINE_BYTES 512u

/** Keep a byte that came; it is lost when LINE_BYTES are kept already. Called by the handler. */
void line_keep(uint8_t byte);

/** Take the next byte that is to go. Called by the handler.
 * @return  false: there is none. */
bool line_next(uint8_t *byte);

/** Hand over the frame that is to go. The driver lets the transmitter's interrupt through afterwards. */
void line_begin(const uint8_t *data, uint32_t bytes);

#endif /* HAL_DRIVERS_LINE_H */
