/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The transport to a broker's device: memory is shared, doorbell and interrupt are event
 * descriptors.
 */
#ifndef HOST_LIB_TRANSPORT_TRANSPORT_BROKER_H
#define HOST_LIB_TRANSPORT_TRANSPORT_BROKER_H

#include "host/common/console.h"
#include "host/common/share.h"
#include "host/lib/transport/broker_client.h"
#include "host/lib/transport/transport.h"

/** Makes a transport of a client that is attached; takes the client over, also after an error.
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_IO, GG_ERR_NO_MEMORY. */
__attribute__((warn_unused_result)) int transport_of_broker(struct transport **transport,
							    const struct broker *broker,
							    char *message, uint64_t size);

/** Lets the device stay when this process goes; for one that this process has just booted.
 * @return GG_OK, GG_ERR_TIMEOUT, GG_ERR_DEVICE_LOST. */
__attribute__((warn_unused_result)) int transport_keep(struct transport *transport,
						       uint32_t timeout_ms);

/** Memory of this host's share of a broker's device, or NULL if it has all of it. Lives as long as the transport. */
struct share_memory *transport_share_memory(const struct transport *transport);

/** Console memory of the device, or NULL if there is none or the transport is of another kind.
 * Lives as long as the transport. */
const struct console_memory *transport_console(const struct transport *transport);

#endif /* HOST_LIB_TRANSPORT_TRANSPORT_BROKER_H */
