/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How the library reaches a device: its memory, a doorbell there, an interrupt back.
 *
 * Three kinds: a broker's device (shared memory and event descriptors), a window of a file
 * (`mmap:FILE@OFFSET`: /dev/mem, a UIO or PCIe resource, the RAM file of an emulator), where
 * doorbell and interrupt are words that both sides look at, and a line of bytes (`serial:PORT`),
 * over which all is copied. Statuses are enum gg_status.
 * read(), write(), ring(), lost() and wait() may be called by several threads at once; the others
 * by one.
 */
#ifndef HOST_LIB_TRANSPORT_H
#define HOST_LIB_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

struct gg_broker;
struct gg_transport;
struct place;

/** Make a transport of a client that is attached; takes the client over, also after an error.
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_IO, GG_ERR_NO_MEMORY. */
__attribute__((warn_unused_result)) int gg_transport_of_broker(struct gg_transport **transport,
							       const struct gg_broker *broker,
							       char *message, uint64_t size);

/** Make a transport of a place.
 * @param uri  "mmap:FILE@OFFSET[,BYTES[,DOORBELL]]": numbers are decimal or 0x…, OFFSET on a page,
 *             DOORBELL from OFFSET on; without BYTES all that follows is mapped.
 *             "serial:PORT[,BAUD]", "serial:unix:SOCKET".
 * @return GG_OK, GG_ERR_ARGUMENT, GG_ERR_UNSUPPORTED (another kind), GG_ERR_NO_DEVICE, GG_ERR_BUSY,
 *         GG_ERR_ABI_VERSION, GG_ERR_IO, GG_ERR_NO_MEMORY. */
__attribute__((warn_unused_result)) int
gg_transport_of_uri(struct gg_transport **transport, const char *uri, char *message, uint64_t size);

/** The device's memory in this process, or NULL: it is not mapped; and its size. */
uint8_t *gg_transport_ram(const struct gg_transport *transport, uint64_t *bytes);

/** Where memory and capability block are, when the other end tells.
 * @return false: it does not; they are to be looked for. */
bool gg_transport_place(const struct gg_transport *transport, struct place *place);

/** Copy device memory, mapped or not. The caller has checked the range.
 * @param offset  From the first byte of device memory.
 * @return GG_OK, GG_ERR_DEVICE_LOST, GG_ERR_BUSY (read-only), or what the device refuses it with;
 *         after an error `data` is all zeros. */
int gg_transport_read(struct gg_transport *transport, uint64_t offset, void *data, uint64_t bytes);
int gg_transport_write(struct gg_transport *transport, uint64_t offset, const void *data,
		       uint64_t bytes);

/** Whether the device is known to be gone. */
bool gg_transport_lost(struct gg_transport *transport);

/** Whether memory may only be read. */
bool gg_transport_read_only(const struct gg_transport *transport);

/** Interrupt the device. @return GG_OK, GG_ERR_DEVICE_LOST, GG_ERR_UNSUPPORTED (read-only). */
__attribute__((warn_unused_result)) int gg_transport_ring(struct gg_transport *transport);

/** Wait for the device's interrupt.
 * @return GG_OK, GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST, GG_ERR_IO. A device without one: GG_OK now and
 *         then, so that the caller looks. */
__attribute__((warn_unused_result)) int gg_transport_wait(struct gg_transport *transport,
							  uint32_t timeout_ms);

/** Console memory (host/broker/console.h), or NULL. Lives as long as the transport. */
const void *gg_transport_console(const struct gg_transport *transport);

/** How the device ended, in words; empty when it has not. */
const char *gg_transport_message(const struct gg_transport *transport);

/** Close everything; a private device ends with it. NULL is nothing. */
void gg_transport_close(struct gg_transport *transport);

#endif /* HOST_LIB_TRANSPORT_H */
