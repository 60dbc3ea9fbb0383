/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A line of bytes to the host, for boards whose memory the host cannot map. Bytes come and go by
 * interrupt, the rest is firmware/link. Only hart 0 calls these.
 */
#ifndef HAL_LINK_H
#define HAL_LINK_H

#include <stdbool.h>
#include <stdint.h>

/** Prepare the line and let its interrupts through as IRQ_CAUSE_EXTERNAL. Called once. */
void link_init(void);

/** Receive what has come, and send more of the frame. Called for IRQ_CAUSE_EXTERNAL, with interrupts disabled. */
void link_interrupt(void);

/** Take the oldest byte that has come. At most 512 bytes are kept; those that come then are lost.
 * @return  false: there is none. */
bool link_take(uint8_t *byte);

/** Begin to send.
 * @param data  Stays as it is until link_sending() is false; nothing else is being sent. */
void link_send(const uint8_t *data, uint32_t bytes);

/** Whether something is being sent. When it ends there is an interrupt. */
bool link_sending(void);

#endif /* HAL_LINK_H */
