/* SPDX-License-Identifier: Apache-2.0 */
/* The client's side of the broker's socket: the bytes are what the broker sends, in packets of a reply's size.
 * sources: host/lib/transport/broker_client.c host/common/wire.c host/common/deadline.c host/common/unix_address.c */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host/common/wire.h"
#include "host/lib/transport/broker_client.h"
#include "tests/fuzz/fuzz.h"

#define PACKETS 8u
#define WAIT_MS 60000u /* never passes: the connection has ended before */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct broker broker = { .socket = -1 };
	int pair[2];

	for (unsigned i = 0; i < WIRE_DESCRIPTORS; i++)
		broker.descriptors[i] = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		abort();
	broker.socket = pair[0];
	for (unsigned i = 0; i < PACKETS && bytes > 0; i++) {
		const size_t step =
			bytes < sizeof(struct wire_reply) ? bytes : sizeof(struct wire_reply);

		(void)!write(pair[1], data, step);
		data += step;
		bytes -= step;
	}
	(void)shutdown(pair[1], SHUT_WR);
	(void)!broker_attach(&broker, WIRE_OWNER, WAIT_MS);
	(void)!broker_lost(&broker);
	if (!memchr(broker.message, 0, sizeof(broker.message)))
		abort();
	broker_close(&broker);
	(void)close(pair[1]);
	return 0;
}
