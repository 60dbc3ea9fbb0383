/* SPDX-License-Identifier: Apache-2.0 */
/* Who uses a device that is up. */
#include "host/common/wire.h"
#include "host/include/ganger_device.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"
#include "host/lib/transport/broker_client.h"

#define ANSWER_MS 30000u /* for the answer of a broker */

_Static_assert((int)GG_SHARE_CLEANING == (int)WIRE_SHARE_CLEANING, "the same numbers");

/** Closes a connection that was for one question. Sets the failure. @return status. */
static enum gg_status done(struct broker *broker, int status)
{
	if (status != GG_OK)
		(void)failure_set((enum gg_status)status, NULL, 0, "%s",
				  broker->message[0] ? broker->message : status_text(status));
	broker_close(broker);
	return (enum gg_status)status;
}

static struct gg_host host_of(const struct wire_host *from, uint32_t number)
{
	return (struct gg_host){
		.host = number,
		.state = from->state,
		.pid = from->pid,
		.uid = from->uid,
		.first_channel = from->first_channel,
		.channels = from->channels,
		.most = from->most,
		.on_way = from->on_way,
		.heap = from->heap,
		.heap_bytes = from->heap_bytes,
		.completed = from->completed,
	};
}

enum gg_status gg_hosts(const char *path, struct gg_host *hosts, uint32_t capacity, uint32_t *count)
{
	NEEDS(path, count);
	NEEDS_FOR(capacity > 0, hosts);

	struct broker broker;
	struct wire_hosts found = { 0 };
	int status = broker_connect(&broker, path);

	if (status == GG_OK)
		status = broker_hosts(&broker, &found, ANSWER_MS);
	if (status == GG_OK) {
		*count = found.count;
		for (uint32_t i = 0; i < found.count && i < capacity; i++)
			hosts[i] = host_of(&found.list[i], i);
	}
	return done(&broker, status);
}

enum gg_status gg_host_quota(const char *path, uint32_t host, uint32_t most)
{
	NEEDS(path);

	struct broker broker;
	int status = broker_connect(&broker, path);

	if (status == GG_OK)
		status = broker_quota(&broker, host, most, ANSWER_MS);
	return done(&broker, status);
}
