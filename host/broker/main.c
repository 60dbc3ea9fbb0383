/* SPDX-License-Identifier: Apache-2.0 */
/* ganger-broker: owns one device, that is, QEMU, its memory and its doorbells, and lends it to
 * clients.
 *
 * One thread, one poll loop. It ends when QEMU ends, when a client asks for it, at SIGTERM, and when
 * the client that started it goes: always without a path to listen on, and else before that client
 * has said with WIRE_DETACH that the device is to stay. QEMU never outlives it (see qemu.h). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
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
#include "host/broker/hosts.h"
#include "host/broker/listener.h"
#include "host/broker/options.h"
#include "host/broker/process.h"
#include "host/broker/processors.h"
#include "host/broker/qemu.h"
#include "host/broker/requests.h"
#include "host/common/console.h"

#define WAIT_MS   2     /* between looks for a share that is free */
#define START_MS  10000 /* a client that started the broker asks for the device at once */
#define LOG_BYTES 640u  /* last words of QEMU that clients are told */

/* What a stream of QEMU is. */
enum stream {
	STREAM_CONSOLE,
	STREAM_LOG,
	STREAM_QMP,
};

#define WATCHED 6u /* descriptors that the loop watches, besides those of the clients */

/* What the loop waits for. Only descriptors that there are: poll() refuses more entries than the
 * process may have descriptors (ulimit -n). */
struct waits {
	struct pollfd list[WATCHED + 2 * CLIENTS_PLACES];
	nfds_t count;
};

/* A text, and how many bytes of it have come in a row. */
struct heard {
	const char *text;
	size_t bytes;
};

struct broker {
	struct options options;
	struct board board;
	struct qemu qemu;
	struct console console;
	struct listener listener;
	struct hosts hosts;
	struct clients clients;
	int signals;
	int spare; /* given up for a moment to refuse a client when there is no other descriptor */
	struct heard stop, resume; /* what QMP says that matters */
	char log[LOG_BYTES + 1];   /* the end of QEMU's output */
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

/* Takes a byte. @return whether it ends the text. */
static bool hear(struct heard *heard, char byte)
{
	heard->bytes =
		byte == heard->text[heard->bytes] ? heard->bytes + 1 : byte == heard->text[0];
	if (heard->text[heard->bytes] != '\0') {
		return false;
	}
	heard->bytes = 0;
	return true;
}

/* Events tell when all harts stand still, which a debugger has stopped, or a command of QEMU's monitor. */
static void qmp_look(struct broker *broker, const char *text, size_t bytes)
{
	for (size_t index = 0; index < bytes; index++) {
		if (hear(&broker->stop, text[index])) {
			broker->clients.device.state = WIRE_PAUSED;
			console_stand(&broker->console, true);
		}
		if (hear(&broker->resume, text[index])) {
			broker->clients.device.state = WIRE_RUNNING;
			console_stand(&broker->console, false);
		}
	}
}

/* Reads a stream of QEMU. At its end it is not watched any more; the signal of the process tells
 * the rest. */
static void drain(struct broker *broker, int *descriptor, enum stream what)
{
	char text[CONSOLE_PART];
	const ssize_t got = read(*descriptor, text, sizeof(text));

	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
		(void)close(*descriptor);
		*descriptor = -1;
	} else if (got > 0 && what == STREAM_CONSOLE) {
		console_append(&broker->console, text, (size_t)got);
	} else if (got > 0 && what == STREAM_LOG) {
		log_append(broker, text, (size_t)got);
	} else if (got > 0 && what == STREAM_QMP) {
		qmp_look(broker, text, (size_t)got);
	}
}

/* QEMU has ended by itself. */
static void tell_end(struct broker *broker, int exit_code)
{
	if (broker->qemu.log >= 0) {
		drain(broker, &broker->qemu.log, STREAM_LOG);
	}
	broker->clients.device.exit_code = exit_code;
	(void)snprintf(broker->message, sizeof(broker->message), "%s ended %s %d%s%s",
		       broker->qemu.program, exit_code < 0 ? "by signal" : "with status",
		       exit_code < 0 ? -exit_code : exit_code, broker->log_bytes ? ": " : "",
		       broker->log);
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

static void wait_for(struct waits *waits, int descriptor, short events)
{
	if (descriptor >= 0) {
		waits->list[waits->count++] = (struct pollfd){ .fd = descriptor, .events = events };
	}
}

/* Whether something happened at a descriptor. */
static bool seen(const struct waits *waits, int descriptor)
{
	for (nfds_t index = 0; index < waits->count; index++) {
		if (waits->list[index].fd == descriptor) {
			return waits->list[index].revents != 0;
		}
	}
	return false;
}

static void wait_for_all(struct broker *broker, struct waits *waits)
{
	waits->count = 0;
	wait_for(waits, broker->signals, POLLIN);
	wait_for(waits, broker->listener.socket, POLLIN);
	wait_for(waits, broker->qemu.console, POLLIN);
	wait_for(waits, broker->qemu.log, POLLIN);
	wait_for(waits, broker->qemu.qmp, POLLIN);
	wait_for(waits, hosts_interrupt(&broker->hosts, &broker->qemu), POLLIN);
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		const struct client *client = &broker->clients.list[index];

		wait_for(waits, client->socket, client->waits ? 0 : POLLIN);
		wait_for(waits, client->process, POLLIN);
	}
}

/* Takes the next client. Without a descriptor for it an idle client goes; if there is none, the new
 * one is told so. */
static void accept_client(struct broker *broker)
{
	int socket = listener_accept(&broker->listener);

	if (socket >= 0) {
		clients_add(&broker->clients, socket);
		return;
	}
	if ((errno != EMFILE && errno != ENFILE) || clients_drop_idle(&broker->clients)) {
		return; /* the next turn finds it */
	}
	(void)close(broker->spare);
	socket = listener_accept(&broker->listener);
	if (socket >= 0) {
		clients_refuse(&broker->clients, socket);
	}
	broker->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void serve_streams(struct broker *broker, const struct waits *waits)
{
	if (seen(waits, broker->qemu.console)) {
		drain(broker, &broker->qemu.console, STREAM_CONSOLE);
	}
	if (seen(waits, broker->qemu.log)) {
		drain(broker, &broker->qemu.log, STREAM_LOG);
	}
	if (seen(waits, broker->qemu.qmp)) {
		drain(broker, &broker->qemu.qmp, STREAM_QMP);
	}
}

static void serve_clients(struct broker *broker, const struct waits *waits)
{
	for (unsigned index = 0; index < CLIENTS_PLACES; index++) {
		struct client *client = &broker->clients.list[index];

		if (seen(waits, client->process)) {
			clients_forget(&broker->clients, client);
		} else if (seen(waits, client->socket)) {
			requests_serve(&broker->clients, client);
		}
	}
}

/* The device has interrupted, or it is time to look: hosts get what is theirs. */
static void serve_hosts(struct broker *broker, const struct waits *waits)
{
	uint64_t count;

	if (seen(waits, hosts_interrupt(&broker->hosts, &broker->qemu))) {
		(void)!read(broker->qemu.interrupt, &count, sizeof(count));
	}
	requests_turn(&broker->clients);
}

/* Milliseconds that a turn may wait. A host that waits for a share, waits for the firmware or for what is cleaned. */
static int patience(const struct broker *broker)
{
	return clients_wait(&broker->clients) ? WAIT_MS : hosts_timeout(&broker->hosts);
}

/* Waits for one event and serves it. New clients come last: their descriptors may have the numbers
 * of descriptors that were closed in this turn. @return whether to go on. */
static bool turn(struct broker *broker)
{
	struct waits waits;

	wait_for_all(broker, &waits);
	if (poll(waits.list, waits.count, patience(broker)) < 0) {
		if (errno == EINTR) {
			return true;
		}
		(void)snprintf(broker->message, sizeof(broker->message),
			       "the broker cannot wait for %u descriptors: %s",
			       (unsigned)waits.count, strerror(errno));
		return false;
	}
	serve_streams(broker, &waits);
	if (seen(&waits, broker->signals) && !take_signal(broker)) {
		return false;
	}
	serve_clients(broker, &waits);
	serve_hosts(broker, &waits);
	if (seen(&waits, broker->listener.socket)) {
		accept_client(broker);
	}
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

	if (status == GG_OK) {
		status = processors_bind(broker->options.processors, broker->message,
					 sizeof(broker->message));
	}
	if (status == GG_OK && broker->options.listen) {
		status = listener_open(&broker->listener, broker->options.listen,
				       broker->options.group, broker->message,
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

/* QEMU has ended, perhaps before the client that started the broker was served. Its memory tells why, so the client still
 * gets it. */
static void serve_starter(struct broker *broker)
{
	struct client *client = &broker->clients.list[0];
	struct pollfd request = { .fd = client->socket, .events = POLLIN };

	if (client->starter && client->role == WIRE_NONE && poll(&request, 1, START_MS) > 0) {
		requests_serve(&broker->clients, client);
	}
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

	broker.stop.text = "\"event\": \"STOP\"";
	broker.resume.text = "\"event\": \"RESUME\"";
	broker.listener.socket = -1;
	broker.reason = GG_ERR_DEVICE_LOST;
	int status =
		options_parse(&broker.options, argc, argv, broker.message, sizeof(broker.message));

	if (broker.options.client >= 0) {
		process_leave_parent(&broker.options.client);
	}
	broker.signals = process_signals();
	broker.spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	hosts_init(&broker.hosts, broker.options.hosts);
	clients_init(&broker.clients, &broker.qemu, &broker.console, &broker.hosts);
	if (broker.options.client >= 0) {
		clients_add_first(&broker.clients, broker.options.client);
	}
	if (status == GG_OK) {
		status = start(&broker);
	}
	if (status == GG_OK) {
		while (turn(&broker)) {
		}
		serve_starter(&broker);
	} else {
		if (!clients_any(&broker.clients)) { /* otherwise the client reports it */
			(void)fprintf(stderr, "ganger-broker: %s\n", broker.message);
		}
		broker.reason = status;
	}
	finish(&broker);
	return status == GG_OK ? 0 : 1;
}
