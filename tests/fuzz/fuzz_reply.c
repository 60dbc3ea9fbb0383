/* SPDX-License-Identifier: Apache-2.0 */
/* The client's side of the broker's socket. The bytes say what comes from it, packet by packet: a head byte, and what that
 * asks for.
 * sources: host/lib/transport/broker_client.c host/common/unix_address.c */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/common/deadline.h"
#include "host/common/wire.h"
#include "host/lib/transport/broker_client.h"
#include "tests/fuzz/fuzz.h"

/* More than any process has: the system refuses it, and the numbers after it. */
#define NO_DESCRIPTOR (1 << 30)
#define LOOKS_MOST    8u /* of an empty socket, before the wait is over */

/** Head bytes: the packet, whether its text has no end, and which descriptors come with it. */
enum head {
	HEAD_PACKET = 3,
	HEAD_GOOD = 0, /**< A reply; its kind and status follow, a byte each. */
	HEAD_RAW =
		1, /**< A reply; the number of its bytes that are not 0 follows, and these bytes. */
	HEAD_ERROR = 2,  /**< No packet, or an error. */
	HEAD_LENGTH = 3, /**< A packet of another length, which follows. */
	HEAD_ENDLESS = 4,
	HEAD_DESCRIPTORS = 4, /* bits to shift by */
};

static struct fuzz_input input;
static uint32_t looks;

/* What comes and goes through the socket. */

int wire_send(int socket, const void *data, size_t bytes, const int *descriptors, unsigned count)
{
	const struct wire_request *request = data;

	(void)socket;
	(void)descriptors;
	if (bytes != sizeof(*request) || request->magic != WIRE_MAGIC || count != 0)
		abort();
	return input.left % 16 == 15 ? -EPIPE : 0;
}

static void fill_reply(struct wire_reply *reply, uint8_t head)
{
	memset(reply, 0, sizeof(*reply));
	reply->magic = WIRE_MAGIC;
	reply->version = WIRE_VERSION;
	if (head & HEAD_ENDLESS)
		memset(reply->message, 'x', sizeof(reply->message));
	if ((head & HEAD_PACKET) == HEAD_RAW) {
		const size_t asked = fuzz_byte(&input);

		(void)fuzz_take(&input, reply, asked);
	} else {
		reply->kind = fuzz_byte(&input);
		reply->status = (int8_t)fuzz_byte(&input);
	}
}

int wire_receive(int socket, void *data, size_t bytes, int *descriptors, unsigned room, int flags)
{
	static const int errors[8] = {
		-EAGAIN, -EINTR, -EMSGSIZE, -ECONNRESET, -EAGAIN, -EIO, 0, 0
	};
	uint8_t head;

	(void)socket;
	(void)flags;
	if (bytes != sizeof(struct wire_reply) || room > WIRE_DESCRIPTORS)
		abort();
	for (unsigned i = 0; i < room; i++)
		descriptors[i] = -1;
	if (input.left == 0)
		return 0;
	head = fuzz_byte(&input);
	if ((head & HEAD_PACKET) == HEAD_ERROR)
		return errors[head >> 5];
	for (unsigned i = 0; i < room; i++) {
		if (head >> (HEAD_DESCRIPTORS + i) & 1)
			descriptors[i] = NO_DESCRIPTOR + 1 + (int)i;
	}
	if ((head & HEAD_PACKET) == HEAD_LENGTH)
		return fuzz_byte(&input);
	fill_reply(data, head);
	return (int)bytes;
}

/* The clock: each look at an empty socket takes its time. */

uint64_t deadline_after(uint32_t timeout_ms)
{
	looks = 0;
	return timeout_ms;
}

uint32_t deadline_left(uint64_t deadline, uint32_t most)
{
	(void)most;
	return ++looks < LOOKS_MOST ? (uint32_t)deadline : 0;
}

static void check(const struct broker *broker)
{
	if (!memchr(broker->message, 0, sizeof(broker->message)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct broker broker;

	input = (struct fuzz_input){ data, bytes };
	broker.socket = NO_DESCRIPTOR;
	for (unsigned i = 0; i < WIRE_DESCRIPTORS; i++)
		broker.descriptors[i] = -1;
	(void)!broker_attach(&broker, WIRE_OWNER, 1);
	check(&broker);
	(void)broker_lost(&broker);
	check(&broker);
	(void)!broker_detach(&broker, 1);
	if (input.left > 0)
		(void)!broker_shutdown(&broker, 1);
	check(&broker);
	broker_close(&broker);
	return 0;
}
