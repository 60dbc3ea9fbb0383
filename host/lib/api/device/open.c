/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to a device: boot one, attach to or observe one that is up, connect to a place; and its end. */
#include "host/common/deadline.h"
#include "host/common/wire.h"
#include "host/lib/core/failure.h"
#include "host/lib/core/names.h"
#include "host/lib/mailbox/device.h"
#include "host/lib/mailbox/device_open.h"
#include "host/lib/transport/broker_client.h"
#include "host/lib/transport/launch_line.h"
#include "host/lib/transport/layout.h"
#include "host/lib/transport/transport.h"
#include "host/lib/transport/transport_broker.h"
#include "host/lib/transport/transport_uri.h"

#define ANSWER_MS 30000u /* for the answer of a broker, and for a device that should be running */
#define CLOSE_MS  15000u /* for other calls to notice that the device is closed */

/** Sets the failure to a message, or where that is empty to what the status says. */
static enum gg_status told(int status, const char *name, const char *message)
{
	return failure_set((enum gg_status)status, name, 0, "%s",
			   message[0] ? message : status_text(status));
}

static enum gg_status broker_failure(int status, const struct broker *broker)
{
	return told(status, NULL, broker->message);
}

/** Makes a device of a client that is attached; takes the client over. */
static enum gg_status open_client(const struct broker *broker, bool fresh, uint32_t timeout_ms,
				  struct gg_device **device)
{
	const struct wire_device about = broker->device;
	struct device_facts facts = { .fresh = fresh, .qemu_pid = about.qemu_pid };
	struct transport *transport = NULL;
	char message[WIRE_MESSAGE_BYTES] = "";
	int status = transport_of_broker(&transport, broker, message, sizeof(message));

	if (status != GG_OK)
		return told(status, NULL, message);
	facts.ram = transport_ram(transport, &facts.place.ram_bytes);
	facts.place.ram = about.ram_base;
	facts.place.window = about.ram_base + about.abi_offset;
	facts.observer = transport_read_only(transport);
	facts.board = about.board;
	facts.share = transport_share_memory(transport);
	return device_open(transport, &facts, timeout_ms, device);
}

/** Boots a device that this process owns. `listen` NULL: no other process can reach it; else `sharing` says which other
 * processes can, or is NULL: those of this user. */
static enum gg_status boot(const struct gg_boot *wanted, const char *listen,
			   const struct gg_sharing *sharing, struct gg_device **device)
{
	static const struct gg_boot standard;
	struct launch_line line;
	struct broker broker;
	uint64_t deadline;
	enum gg_status status = launch_line_make(&line, wanted ? wanted : &standard, listen);
	int answer;

	if (status != GG_OK)
		return status;
	deadline = deadline_after(line.timeout_ms);
	if (sharing) {
		line.options.hosts = sharing->hosts;
		line.options.group = sharing->group;
	}
	answer = broker_spawn(&broker, &line.options);
	launch_line_clear(&line);
	if (answer == GG_OK)
		answer = broker_attach(&broker, WIRE_OWNER, line.timeout_ms);
	if (answer == GG_OK)
		return open_client(&broker, true, deadline_left(deadline, UINT32_MAX), device);
	status = broker_failure(answer, &broker);
	broker_close(&broker);
	return status;
}

enum gg_status gg_device_boot(const struct gg_boot *wanted, struct gg_device **device)
{
	NEEDS(device);

	return boot(wanted, wanted ? wanted->listen : NULL, NULL, device);
}

static enum gg_status close_handle(struct gg_device *handle)
{
	USE_DEVICE(device, handle);

	return device_close(&device_use);
}

enum gg_status gg_device_close(struct gg_device *handle)
{
	enum gg_status status;

	if (!handle)
		return GG_OK;
	status = close_handle(handle);
	if (status == GG_OK && !handle_await_end(handle, CLOSE_MS))
		return failure_set(GG_ERR_TIMEOUT, "calls", 0,
				   "Other calls still use the device; the last one will end it");
	return status;
}

/** Lets a device outlive this process, which must have a channel for each of its hosts. */
static enum gg_status keep(struct gg_device *handle, uint32_t hosts)
{
	USE_DEVICE(device, handle);

	if (hosts > device->cap.channels)
		return failure_set(GG_ERR_ARGUMENT, "hosts", hosts,
				   "The device has %u channels: it is for at most so many hosts",
				   device->cap.channels);
	if (transport_keep(device->transport, ANSWER_MS) != GG_OK)
		return failure_set(GG_ERR_DEVICE_LOST, NULL, 0,
				   "The device ended while it was started: try again");
	return GG_OK;
}

enum gg_status gg_device_up_shared(const char *path, const struct gg_boot *wanted,
				   const struct gg_sharing *sharing)
{
	NEEDS(path, sharing);

	struct gg_device *device = NULL;
	enum gg_status status;

	if (sharing->hosts > SHARES_MOST || sharing->reserved != 0)
		return failure_set(GG_ERR_ARGUMENT, "hosts", sharing->hosts,
				   "A device is for 1 to %u hosts", SHARES_MOST);
	status = boot(wanted, path, sharing, &device);
	if (status != GG_OK || !device)
		return status;
	status = keep(device, sharing->hosts);
	(void)gg_device_close(device);
	return status;
}

enum gg_status gg_device_up(const char *path, const struct gg_boot *wanted)
{
	static const struct gg_sharing alone;

	return gg_device_up_shared(path, wanted, &alone);
}

static enum gg_status attach(const char *path, enum wire_role role, struct gg_device **device)
{
	struct broker broker;
	enum gg_status status;
	int answer = broker_connect(&broker, path);

	if (answer == GG_OK)
		answer = broker_attach(&broker, role, ANSWER_MS);
	if (answer == GG_OK)
		return open_client(&broker, false, ANSWER_MS, device);
	status = broker_failure(answer, &broker);
	broker_close(&broker);
	return status;
}

enum gg_status gg_device_attach(const char *path, struct gg_device **device)
{
	NEEDS(path, device);

	return attach(path, WIRE_OWNER, device);
}

enum gg_status gg_device_observe(const char *path, struct gg_device **device)
{
	NEEDS(path, device);

	return attach(path, WIRE_OBSERVER, device);
}

enum gg_status gg_device_down(const char *path, uint32_t timeout_ms)
{
	NEEDS(path);

	struct broker broker;
	enum gg_status status = GG_OK;
	int answer = broker_connect(&broker, path);

	if (answer == GG_OK)
		answer = broker_shutdown(&broker, timeout_ms);
	if (answer != GG_OK)
		status = broker_failure(answer, &broker);
	broker_close(&broker);
	return status;
}

enum gg_status gg_device_connect(const char *uri, struct gg_device **device)
{
	NEEDS(uri, device);

	struct device_facts facts = { .board = "" };
	struct transport *transport = NULL;
	char message[WIRE_MESSAGE_BYTES] = "";
	enum gg_status status;
	int answer = transport_of_uri(&transport, uri, message, sizeof(message));

	if (answer != GG_OK)
		return told(answer, "uri", message);
	facts.ram = transport_ram(transport, &facts.place.ram_bytes);
	status = transport_place(transport, &facts.place) ? GG_OK
							  : layout_find(facts.ram, &facts.place);
	if (status == GG_OK)
		return device_open(transport, &facts, ANSWER_MS, device);
	transport_close(transport);
	return status;
}
