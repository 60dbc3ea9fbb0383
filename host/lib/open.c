/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to a device: boot one, attach to or observe one that is up, connect to a window. */
#include <stdio.h>
#include <string.h>

#include "host/lib/broker_client.h"
#include "host/lib/build_folder.h"
#include "host/lib/deadline.h"
#include "host/lib/device.h"
#include "host/lib/failure.h"

#define BOOT_MS     30000u
#define SMS         8u
#define BOARD       "qemu-virt64"
#define EXTRA_MOST  48u
#define PATH_BYTES  512u
#define WINDOW_FAIL "connect"

/** What is started, with the texts that it points at. */
struct recipe {
	char folder[PATH_BYTES];
	char program[PATH_BYTES];
	char board[PATH_BYTES];
	const char *extra[EXTRA_MOST + 8];
	struct gg_broker_options options;
};

static enum gg_status broker_failure(const struct gg_broker *broker, int status)
{
	return failure_set((enum gg_status)status, NULL, 0, "%s",
			   broker->message[0] ? broker->message : gg_status_text(status));
}

static enum gg_status recipe_extra(struct recipe *recipe, const struct gg_boot *boot)
{
	unsigned count = 0;

	if (boot->icount != 0) {
		recipe->extra[count++] = "-icount";
		recipe->extra[count++] = "shift=0,sleep=off";
	}
	if (boot->plugin) {
		recipe->extra[count++] = "-plugin";
		recipe->extra[count++] = boot->plugin;
	}
	for (unsigned index = 0; boot->extra && boot->extra[index]; index++) {
		if (index == EXTRA_MOST) {
			return failure_set(GG_ERR_ARGUMENT, "extra", index,
					   "More than %u extra arguments for QEMU", EXTRA_MOST);
		}
		recipe->extra[count++] = boot->extra[index];
	}
	recipe->extra[count] = NULL;
	return GG_OK;
}

static enum gg_status recipe_make(struct recipe *recipe, const struct gg_boot *boot,
				  const char *listen)
{
	const char *board = boot->board ? boot->board : BOARD;
	enum gg_status status = build_folder(boot->build, recipe->folder, sizeof(recipe->folder));

	if (status == GG_OK && (strchr(board, '/') || board[0] == '.' || board[0] == '\0')) {
		return failure_set(GG_ERR_BOARD, "board", 0, "%s is not a board's name", board);
	}
	if (status == GG_OK) {
		status = build_path(recipe->folder, board, recipe->board, sizeof(recipe->board));
	}
	if (status == GG_OK) {
		status = build_path(recipe->folder, "host/ganger-broker", recipe->program,
				    sizeof(recipe->program));
	}
	if (status == GG_OK) {
		status = recipe_extra(recipe, boot);
	}
	recipe->options = (struct gg_broker_options){
		.program = recipe->program,
		.board = recipe->board,
		.listen = listen,
		.extra = recipe->extra,
		.ram_bytes = boot->ram_bytes,
		.sms = boot->sms ? boot->sms : SMS,
	};
	return status;
}

/** Makes a device of a client that is attached; takes the client. */
static enum gg_status adopt(const struct gg_broker *broker, bool fresh, uint64_t deadline,
			    struct gg_device **device)
{
	struct gg_transport *transport;
	char message[256] = "";
	const int status = gg_transport_of_broker(&transport, broker, message, sizeof(message));

	if (status != GG_OK) {
		return failure_set((enum gg_status)status, NULL, 0, "%s", message);
	}
	const struct wire_device *about = &gg_transport_broker(transport)->device;
	struct device_facts facts = {
		.place = { .ram = about->ram_base,
			   .ram_bytes = about->ram_bytes,
			   .window = about->ram_base + about->abi_offset },
		.observer = gg_transport_read_only(transport),
		.fresh = fresh,
		.qemu_pid = about->qemu_pid,
		.board = about->board,
	};
	uint64_t bytes;

	facts.ram = gg_transport_ram(transport, &bytes);
	return device_create(transport, &facts, deadline_left(deadline, UINT32_MAX), device);
}

static enum gg_status spawn(struct gg_broker *broker, const struct gg_boot *boot,
			    const char *listen, uint64_t deadline)
{
	struct recipe recipe;
	enum gg_status status = recipe_make(&recipe, boot, listen);

	if (status != GG_OK) {
		return status;
	}
	int made = gg_broker_spawn(broker, &recipe.options);

	if (made == GG_OK) {
		made = gg_broker_attach(broker, WIRE_OWNER, deadline_left(deadline, UINT32_MAX));
	}
	if (made == GG_OK) {
		return GG_OK;
	}
	status = broker_failure(broker, made);
	gg_broker_close(broker);
	return status;
}

enum gg_status gg_device_boot(const struct gg_boot *boot, struct gg_device **device)
{
	static const struct gg_boot usual;
	const struct gg_boot *wanted = boot ? boot : &usual;
	const uint64_t deadline =
		deadline_after(wanted->timeout_ms ? wanted->timeout_ms : BOOT_MS);
	struct gg_broker broker;
	const enum gg_status status = spawn(&broker, wanted, NULL, deadline);

	return status == GG_OK ? adopt(&broker, true, deadline, device) : status;
}

static enum gg_status join(const char *path, uint32_t role, struct gg_device **device)
{
	const uint64_t deadline = deadline_after(BOOT_MS);
	struct gg_broker broker;
	int status = gg_broker_connect(&broker, path);

	if (status == GG_OK) {
		status = gg_broker_attach(&broker, role, BOOT_MS);
	}
	if (status != GG_OK) {
		const enum gg_status failed = broker_failure(&broker, status);

		gg_broker_close(&broker);
		return failed;
	}
	return adopt(&broker, false, deadline, device);
}

enum gg_status gg_device_attach(const char *path, struct gg_device **device)
{
	return join(path, WIRE_OWNER, device);
}

enum gg_status gg_device_observe(const char *path, struct gg_device **device)
{
	return join(path, WIRE_OBSERVER, device);
}

enum gg_status gg_device_up(const char *path, const struct gg_boot *boot)
{
	static const struct gg_boot usual;
	const struct gg_boot *wanted = boot ? boot : &usual;
	const uint64_t deadline =
		deadline_after(wanted->timeout_ms ? wanted->timeout_ms : BOOT_MS);
	struct gg_device *device;
	struct gg_broker broker;
	enum gg_status status = spawn(&broker, wanted, path, deadline);

	if (status != GG_OK) {
		return status;
	}
	status = adopt(&broker, true, deadline, &device);
	return status == GG_OK ? gg_device_close(device) : status;
}

enum gg_status gg_device_down(const char *path, uint32_t timeout_ms)
{
	struct gg_broker broker;
	int status = gg_broker_connect(&broker, path);

	if (status == GG_OK) {
		status = gg_broker_shutdown(&broker, timeout_ms);
	}
	const enum gg_status told = status == GG_OK ? GG_OK : broker_failure(&broker, status);

	gg_broker_close(&broker);
	return told;
}

enum gg_status gg_device_connect(const char *uri, struct gg_device **device)
{
	struct device_facts facts = { .board = "" };
	struct gg_transport *transport;
	char message[256] = "";
	const int made = gg_transport_of_file(&transport, uri, message, sizeof(message));

	if (made != GG_OK) {
		return failure_set((enum gg_status)made, WINDOW_FAIL, 0, "%s", message);
	}
	facts.ram = gg_transport_ram(transport, &facts.place.ram_bytes);

	const enum gg_status status = layout_find(facts.ram, &facts.place);

	if (status != GG_OK) {
		gg_transport_close(transport);
		return status;
	}
	return device_create(transport, &facts, BOOT_MS, device);
}
