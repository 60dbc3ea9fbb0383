/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The inbox of the control processor: what the SMs say. Owns the CP's ends of the report rings, and the bell bytes
 * as they were last seen.
 *
 * An SM that has news writes it, changes its bell byte, and interrupts the CP. The news of an SM is handled in this
 * order: the acknowledgement of its assignment, arrivals at barriers of CGAs, reports, SM requests, the answer to a
 * stop request, and the end of its hart.
 */
#ifndef FIRMWARE_CP_COLLECT_INBOX_H
#define FIRMWARE_CP_COLLECT_INBOX_H

/** Initialize: no SM has said anything. */
void inbox_init(void);

/** Handle the news of all SMs whose bell bytes have changed. */
void inbox_run(void);

#endif /* FIRMWARE_CP_COLLECT_INBOX_H */
