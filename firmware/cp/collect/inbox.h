/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What the SMs say: the inbox of the control processor. Owns the CP's ends of the report rings, and the bell
 * bytes as they were last seen.
 *
 * An SM that has news writes it, changes its bell byte, and interrupts the CP. Its news are, in the order in
 * which they are looked at: arrivals at barriers of CGAs, reports, requests, the acknowledgement of its
 * assignment, the answer to a stop request, and the end of its hart.
 */
#ifndef FIRMWARE_CP_COLLECT_INBOX_H
#define FIRMWARE_CP_COLLECT_INBOX_H

/** Nothing was heard of any SM. */
void inbox_init(void);

/** Take in what the SMs say. */
void inbox_run(void);

#endif /* FIRMWARE_CP_COLLECT_INBOX_H */
