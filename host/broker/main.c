/* SPDX-License-Identifier: Apache-2.0 */
/* ganger-broker: owns one device, that is, QEMU, its memory and its doorbells, and lends it to
 * clients.
 *
 * One thread, one poll loop. It ends when QEMU ends, when a client asks for it, at SIGTERM, and,
 * without a path to listen on, when its client goes. QEMU never outlives it (see qemu.h). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/board.h"
#include "host/broker/clients.h"
#include "host/broker/listener.h"
#include "host/broker/options.h"
#include "host/broker/process.h"
#include "host/broker/qemu.h"
#include "host/common/console.h"

#define LOG_BYTES 640u /* last words of QEMU that clients are told */

/* Descriptors that the loop watches, besides those of the clients. */
enum watched {
	WATCH_SIGNALS,
	WATCH_LISTENER,
	WATCH_CONSOLE,
	WATCH_LOG,
	WATCH_QMP,
	WATCHED
};

struct broker {
	struct options options;
	struct board board;
	struct qemu qemu;
	struct console console;
	struct listener listener;
	struct clients clients;
	int signals;
	size_t matched; /* bytes of `answer` that QEMU has sent in a row */
	/* QEMU has answered, so its machine is complete. Requests wait until then. */
	bool started;
	char log[LOG_BYTES + 1]; /* the end of QEMU's output */
	size_t log_bytes;
	int reason; /* enum gg_status that clients get at the end, with `message` */
	char message[WIRE_MESSAGE_BYTES];
};

/* Keeps the last LOG_BYTES. */
static void log_append(struct broker *broker, const char *text, size_t bytes)
{
	if (bytes > LOG_BYTES) {
		text += bytes - LOG_BYTES;
		bytes = LOG_BYTES;
	}
	if (broker->log_bytes + bytes > LOG_BYTES) {
		const size_t drop = broker->log_bytes + bytes - LOG_BYTES;

		(void)memmove(broker->log, broker->log + drop, broker->log_bytes - drop);
		broker->log_bytes -= drop;
	}
	(void)memcpy(broker->log + broker->log_bytes, text, bytes);
	broker->log_bytes += bytes;
	broker->log[broker->log_bytes] = '\0';
}

/* QEMU's first result is the answer to our greeting, and comes when the machine is complete. */
static void qmp_look(struct broker *broker, const char *text, size_t bytes)
{
	static const char answer[] = "{\"return\"";

	for (size_t index = 0; index < bytes && !broker->started; index++) {
		if (text[index] == answer[broker->matched]) {
			broker->matched++;
		} else {
			broker->matched = text[index] == answer[0];
		}
		broker->started = broker->matched == sizeof(answer) - 1;
	}
}

/* Reads a stream of QEMU. At its end it is not watched any more; the signal of the process tells
 * the rest. */
static void drain(struct broker *broker, int *descriptor, enum watched what)
{
	char text[CONSOLE_PART];
	const ssize_t got = read(*descriptor, text, sizeof(text));

	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
		(void)close(*descriptor);
		*descriptor = -1;
	} else if (got > 0 && what == WATCH_CONSOLE) {
		console_append(&broker->console, text, (size_t)got);
	} else if (got > 0 && what == WATCH_LOG) {
		log_append(broker, text, (size_t)got);
	} else if (got > 0 && what == WATCH_QMP) {
		qmp_look(broker, text, (size_t)got);
	}
}

/* QEMU has ended by itself. */
static void tell_end(struct broker *broker, int exit_code)
{
	if (broker->qemu.log >= 0) {
		drain(broker, &broker->qemu.log, WATCH_LOG);
	}
	broker->clients.device.exit_code = exit_code;
	(void)snprintf(broker->message, sizeof(broker->message), "%s ended %s %d%s%s",
		       broker->qemu.program, exit_code < 0 ? "by signal" : "with status",
		       exit_code < 0 ? -exit_code : exit_code, broker->log_bytes ? ": " : "",
		       broker->log);
	broker->reason = broker->started ? GG_ERR_DEVICE_LOST : GG_ERR_QEMU_FAILED;
}

/* @return whether the broker is to go on. */
static bool take_signal(struct broker *broker)
{
	struct signalfd_siginfo info;
	int exit_code = 0;

	if (read(broker->signals, &info, sizeof(info)) != (ssize_t)sizeof(info)) {
		return true;
	}
	if (info.ssi_signo != SIGCHLD) {
		return false;
	}
	if (qemu_reap(&broker->qemu, &exit_code) == 0) {
		return true;
	}
	tell_end(broker, exit_code);
	return false;
}

static bool serve_watched(struct broker *broker, const struct pollfd *waits)
{
	if (waits[WATCH_CONSOLE].revents != 0) {
		drain(broker, &broker->qemu.console, WATCH_CONSOLE);
	}
	if (waits[WATCH_LOG].revents != 0) {
		drain(broker, &broker->qemu.log, WATCH_LOG);
	}
	if (waits[WATCH_QMP].revents != 0) {
		drain(broker, &broker->qemu.qmp, WATCH_QMP);
	}
	if (waits[WATCH_LISTENER].revents != 0) {
		const int socket = listener_accept(&broker->listener);

		if (socket >= 0) {
			clients_add(&broker->clients, socket);
		}
	}
	return waits[WATCH_SIGNALS].revents == 0 || take_signal(broker);
}

static void serve_clients(struct broker *broker, const struct pollfd *waits)
{
	for (unsigned index = 0; index < CLIENTS_MOST; index++) {
		struct client *client = &broker->clients.list[index];

		if (client->socket < 0 || client->socket != waits[2 * index].fd) {
			continue;
		}
		if (waits[2 * index + 1].revents != 0) {
			clients_forget(client);
		} else if (waits[2 * index].revents != 0) {
			clients_serve(&broker->clients, client);
		}
	}
}

/* Waits for one event and serves it. @return whether to go on. */
static bool turn(struct broker *broker)
{
	struct pollfd waits[WATCHED + 2 * CLIENTS_MOST];
	const int watched[WATCHED] = {
		[WATCH_SIGNALS] = broker->signals,      [WATCH_LISTENER] = broker->listener.socket,
		[WATCH_CONSOLE] = broker->qemu.console, [WATCH_LOG] = broker->qemu.log,
		[WATCH_QMP] = broker->qemu.qmp,
	};

	for (unsigned index = 0; index < WATCHED; index++) {
		waits[index] = (struct pollfd){ .fd = watched[index], .events = POLLIN };
	}
	for (unsigned index = 0; index < CLIENTS_MOST; index++) {
		const struct client *client = &broker->clients.list[index];

		waits[WATCHED + 2 * index] =
			(struct pollfd){ .fd = client->socket,
					 .events = broker->started ? POLLIN : 0 };
		waits[WATCHED + 2 * index + 1] =
			(struct pollfd){ .fd = client->process, .events = POLLIN };
	}
	if (poll(waits, WATCHED + 2 * CLIENTS_MOST, -1) < 0) {
		return errno == EINTR;
	}
	if (!serve_watched(broker, waits)) {
		return false;
	}
	serve_clients(broker, waits + WATCHED);
	return !broker->clients.shutdown &&
	       (broker->options.listen != NULL || clients_any(&broker->clients));
}

static void describe(struct broker *broker)
{
	struct wire_device *device = &broker->clients.device;

	device->ram_base = board_number_or(&broker->board, "BOARD_RAM_BASE", 0);
	device->ram_bytes = broker->qemu.ram_bytes;
	device->abi_offset = board_number_or(&broker->board, "BOARD_ABI_OFFSET", 0);
	device->xlen = (uint32_t)board_number_or(&broker->board, "BOARD_XLEN", 0);
	device->sms = broker->options.sms;
	device->state = WIRE_RUNNING;
	device->broker_pid = getpid();
	(void)snprintf(device->board, sizeof(device->board), "%s", broker->board.name);
	(void)snprintf(device->folder, sizeof(device->folder), "%s", broker->board.folder);
}

/* Does everything up to a running QEMU. */
static int start(struct broker *broker)
{
	static const char hello[] = "{\"execute\":\"qmp_capabilities\"}\n";
	int status = board_read(&broker->board, broker->options.board, broker->message,
				sizeof(broker->message));

	if (status == GG_OK && broker->options.listen) {
		status = listener_open(&broker->listener, broker->options.listen, broker->message,
				       sizeof(broker->message));
	}
	if (status == GG_OK) {
		status = console_create(&broker->console);
	}
	if (status == GG_OK) {
		status = qemu_start(&broker->qemu, &broker->options, &broker->board,
				    broker->message, sizeof(broker->message));
	}
	if (status == GG_OK) {
		describe(broker);
		(void)!write(broker->qemu.qmp, hello, sizeof(hello) - 1);
	}
	return status;
}

static void finish(struct broker *broker)
{
	if (broker->qemu.pid > 0) {
		(void)kill(broker->qemu.pid, SIGKILL);
		(void)waitpid(broker->qemu.pid, NULL, 0);
		broker->qemu.pid = 0;
	}
	if (broker->listener.socket >= 0) {
		listener_close(&broker->listener);
	}
	broker->clients.device.state = WIRE_ENDED;
	/* This comes last: a client that hears of the end may start another device at once. */
	clients_lost(&broker->clients, broker->reason,
		     broker->message[0] ? broker->message : "the device was shut down");
}

int main(int argc, char **argv)
{
	static struct broker broker; /* too large for the stack */

	broker.listener.socket = -1;
	broker.reason = GG_ERR_DEVICE_LOST;
	int status =
		options_parse(&broker.options, argc, argv, broker.message, sizeof(broker.message));

	if (broker.options.client >= 0) {
		process_leave_parent(&broker.options.client);
	}
	broker.signals = process_signals();
	clients_init(&broker.clients, &broker.qemu, &broker.console);
	if (broker.options.client >= 0) {
		clients_add(&broker.clients, broker.options.client);
	}
	if (status == GG_OK) {
		status = start(&broker);
	}
	if (status == GG_OK) {
		while (turn(&broker)) {
		}
	} else {
		if (!clients_any(&broker.clients)) { /* otherwise the client reports it */
			(void)fprintf(stderr, "ganger-broker: %s\n", broker.message);
		}
		broker.reason = status;
	}
	finish(&broker);
	return status == GG_OK ? 0 : 1;
}
