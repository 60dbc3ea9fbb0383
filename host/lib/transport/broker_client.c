/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* pipe2, struct ucred */
#include "host/lib/transport/broker_client.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"
#include "host/common/unix_address.h"

#define EXTRA_MOST 64u
#define END_MS     10000u /* QEMU ends within milliseconds of its kill */

static void broker_reset(struct broker *broker)
{
	*broker = (struct broker){ .socket = -1 };
	for (unsigned index = 0; index < WIRE_DESCRIPTORS; index++) {
		broker->descriptors[index] = -1;
	}
}

__attribute__((format(printf, 3, 4))) static int fail(struct broker *broker, int status,
						      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(broker->message, sizeof(broker->message), format, arguments);
	va_end(arguments);
	return status;
}

/** The numbers of the broker's command line, as text. */
struct numbers {
	char sms[16];
	char ram[32];
	char client[16];
	char hosts[16];
};

static void command_line(const char **list, const struct broker_options *options,
			 const struct numbers *numbers)
{
	unsigned count = 0;

	list[count++] = options->program;
	list[count++] = "--board";
	list[count++] = options->board;
	list[count++] = "--sms";
	list[count++] = numbers->sms;
	list[count++] = "--client-fd";
	list[count++] = numbers->client;
	if (options->ram_bytes != 0) {
		list[count++] = "--ram";
		list[count++] = numbers->ram;
	}
	if (options->processors) {
		list[count++] = "--processors";
		list[count++] = options->processors;
	}
	if (options->listen) {
		list[count++] = "--listen";
		list[count++] = options->listen;
	}
	if (options->hosts > 1) {
		list[count++] = "--hosts";
		list[count++] = numbers->hosts;
	}
	if (options->group) {
		list[count++] = "--group";
		list[count++] = options->group;
	}
	list[count++] = "--";
	for (unsigned index = 0; options->extra && options->extra[index]; index++) {
		list[count++] = options->extra[index];
	}
	list[count] = NULL;
}

/* The grandchild becomes the broker; the child ends at once, so nobody has to reap the broker.
 * Between fork and exec only calls that are safe in a copy of a threaded process. */
static void become_broker(const char **list, int client, int report)
{
	sigset_t none;

	(void)setsid();
	pid_t grandchild = fork();

	if (grandchild != 0) {
		_exit(grandchild < 0 ? 1 : 0);
	}
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)fcntl(client, F_SETFD, 0);
	(void)execv(list[0], (char *const *)(uintptr_t)list);
	const int error = errno;

	_exit(write(report, &error, sizeof(error)) == sizeof(error) ? 127 : 126);
}

static int broker_exec(struct broker *broker, const char **list, int client)
{
	int report[2];
	int failure = 0;

	if (pipe2(report, O_CLOEXEC) != 0) {
		return fail(broker, GG_ERR_IO, "cannot make a pipe: %s", strerror(errno));
	}
	const pid_t child = fork();

	if (child == 0) {
		become_broker(list, client, report[1]);
	}
	(void)close(report[1]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
	}
	/* The read ends when exec closes the other side, or with the process. */
	const ssize_t got = child < 0 ? 0 : read(report[0], &failure, sizeof(failure));

	(void)close(report[0]);
	if (child < 0) {
		return fail(broker, GG_ERR_IO, "cannot start a process: %s", strerror(errno));
	}
	return got == (ssize_t)sizeof(failure)
		       ? fail(broker, GG_ERR_IMAGE_MISSING, "cannot run %s: %s", list[0],
			      strerror(failure))
		       : GG_OK;
}

int broker_spawn(struct broker *broker, const struct broker_options *options)
{
	const char *list[EXTRA_MOST + 24];
	struct numbers numbers;
	unsigned extra = 0;
	int pair[2];

	broker_reset(broker);
	while (options->extra && options->extra[extra]) {
		if (++extra > EXTRA_MOST) {
			return fail(broker, GG_ERR_ARGUMENT, "more than %u arguments for QEMU",
				    EXTRA_MOST);
		}
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		return fail(broker, GG_ERR_IO, "cannot make a socket: %s", strerror(errno));
	}
	(void)snprintf(numbers.sms, sizeof(numbers.sms), "%" PRIu32, options->sms);
	(void)snprintf(numbers.ram, sizeof(numbers.ram), "%" PRIu64, options->ram_bytes);
	(void)snprintf(numbers.client, sizeof(numbers.client), "%d", pair[1]);
	(void)snprintf(numbers.hosts, sizeof(numbers.hosts), "%" PRIu32, options->hosts);
	command_line(list, options, &numbers);
	broker->socket = pair[0];
	broker->owner = options->listen ? 0 : getpid();
	const int status = broker_exec(broker, list, pair[1]);

	(void)close(pair[1]);
	if (status != GG_OK) {
		(void)close(broker->socket);
		broker->socket = -1;
	}
	return status;
}

int broker_connect(struct broker *broker, const char *path)
{
	struct sockaddr_un address;

	broker_reset(broker);
	if (!unix_address(&address, path)) {
		return fail(broker, GG_ERR_ARGUMENT, "the path %s is too long", path);
	}
	broker->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (broker->socket < 0) {
		return fail(broker, GG_ERR_IO, "cannot make a socket: %s", strerror(errno));
	}
	if (connect(broker->socket, (const struct sockaddr *)&address, sizeof(address)) != 0) {
		const int error = errno;

		broker_close(broker);
		if (error == EACCES || error == EPERM) {
			return fail(
				broker, GG_ERR_PERMISSION,
				"user %u may not use the device at %s: `ganger up --group` lets "
				"others",
				(unsigned)geteuid(), path);
		}
		return fail(broker, GG_ERR_NO_DEVICE, "no device at %s: %s; `ganger up` boots one",
			    path, strerror(error));
	}
	return GG_OK;
}

static void take_reply(struct broker *broker, const struct wire_reply *reply)
{
	broker->device = reply->device;
	(void)memcpy(broker->message, reply->message, sizeof(broker->message));
	broker->message[sizeof(broker->message) - 1] = '\0';
}

/* Receives one packet, or sees the end of the connection. */
static int receive(struct broker *broker, struct wire_reply *reply, int *descriptors,
		   uint64_t deadline)
{
	struct pollfd waits = { .fd = broker->socket, .events = POLLIN };

	for (;;) {
		const int got = wire_receive(broker->socket, reply, sizeof(*reply), descriptors,
					     WIRE_DESCRIPTORS, 0);

		if (got == (int)sizeof(*reply)) {
			break;
		}
		if (got != -EAGAIN && got != -EINTR) {
			return fail(broker, GG_ERR_DEVICE_LOST,
				    "the process that keeps the device has ended");
		}
		const int left = (int)deadline_left(deadline, INT32_MAX);

		if (left == 0) {
			return fail(broker, GG_ERR_TIMEOUT,
				    "the process that keeps the device does not answer");
		}
		(void)poll(&waits, 1, left);
	}
	if (reply->magic != WIRE_MAGIC || reply->version != WIRE_VERSION) {
		return fail(broker, GG_ERR_ABI_VERSION,
			    "the broker speaks version %" PRIu32
			    ", this library %u: end the device "
			    "with the ganger that booted it, and boot it again",
			    reply->magic == WIRE_MAGIC ? reply->version : 0, WIRE_VERSION);
	}
	take_reply(broker, reply);
	return reply->status;
}

static void keep_descriptors(struct broker *broker, const int *descriptors)
{
	for (unsigned index = 0; index < WIRE_DESCRIPTORS; index++) {
		if (descriptors[index] >= 0) {
			if (broker->descriptors[index] >= 0) {
				(void)close(broker->descriptors[index]);
			}
			broker->descriptors[index] = descriptors[index];
		}
	}
}

static int ask_for(struct broker *broker, uint32_t kind, uint32_t argument, uint32_t timeout_ms,
		   struct wire_hosts *hosts)
{
	const struct wire_request request = { WIRE_MAGIC, WIRE_VERSION, kind, argument };
	const uint64_t deadline = deadline_after(timeout_ms);
	struct wire_reply reply;
	int descriptors[WIRE_DESCRIPTORS];

	const int sent = wire_send(broker->socket, &request, sizeof(request), NULL, 0);
	int status = GG_OK;

	/* If the request cannot be sent, the broker has gone; its last reply may still be there. */
	do {
		reply.kind = 0; /* stays 0 when nothing came */
		status = receive(broker, &reply, descriptors, deadline);
		if (reply.kind == 0) {
			return status;
		}
	} while (reply.kind != kind && reply.kind != WIRE_LOST);
	keep_descriptors(broker, descriptors);
	if (status == GG_OK && hosts) {
		*hosts = reply.hosts;
	}
	return status == GG_OK && sent != 0 ? GG_ERR_DEVICE_LOST : status;
}

static int ask(struct broker *broker, uint32_t kind, uint32_t argument, uint32_t timeout_ms)
{
	return ask_for(broker, kind, argument, timeout_ms, NULL);
}

int broker_attach(struct broker *broker, uint32_t role, uint32_t timeout_ms)
{
	const int status = ask(broker, WIRE_ATTACH, role, timeout_ms);

	if (role == WIRE_OWNER && status == GG_ERR_UNSUPPORTED) {
		return ask(broker, WIRE_ATTACH, WIRE_HOST, timeout_ms);
	}
	return status;
}

int broker_hosts(struct broker *broker, struct wire_hosts *hosts, uint32_t timeout_ms)
{
	int status;

	*hosts = (struct wire_hosts){ .count = 0 };
	status = ask_for(broker, WIRE_HOSTS, 0, timeout_ms, hosts);
	if (status == GG_ERR_UNSUPPORTED) {
		*hosts = (struct wire_hosts){ .count = 1 };
		hosts->list[0].pid = broker->device.owner_pid;
		hosts->list[0].state = hosts->list[0].pid ? WIRE_SHARE_HELD : WIRE_SHARE_FREE;
	}
	if (hosts->count > WIRE_HOSTS_MOST) {
		hosts->count = WIRE_HOSTS_MOST;
	}
	return status == GG_ERR_UNSUPPORTED ? GG_OK : status;
}

int broker_quota(struct broker *broker, uint32_t host, uint32_t most, uint32_t timeout_ms)
{
	if (host >= WIRE_HOSTS_MOST || most > WIRE_QUOTA_MOST) {
		return fail(broker, GG_ERR_ARGUMENT,
			    "host %" PRIu32 " with %" PRIu32 " tasks: there is no such host, or it "
			    "cannot have so many",
			    host, most);
	}
	return ask(broker, WIRE_QUOTA, host << WIRE_QUOTA_HOST_SHIFT | most, timeout_ms);
}

int broker_detach(struct broker *broker, uint32_t timeout_ms)
{
	return ask(broker, WIRE_DETACH, 0, timeout_ms);
}

/* The process at the other end: the one that listens. Of a broker that we started it is ourselves,
 * since we made both ends; then its last reply names it. */
static pid_t peer_of(const struct broker *broker)
{
	struct ucred peer = { .pid = 0 };
	socklen_t length = sizeof(peer);

	(void)getsockopt(broker->socket, SOL_SOCKET, SO_PEERCRED, &peer, &length);
	return peer.pid == getpid() ? broker->device.broker_pid : peer.pid;
}

/* Waits until a process has ended. QEMU has ended before its broker. */
static int await_end(struct broker *broker, int process, pid_t number, uint64_t deadline)
{
	struct pollfd wait = { .fd = process, .events = POLLIN };
	int ended = 0;

	while ((ended = poll(&wait, 1, (int)deadline_left(deadline, INT32_MAX))) < 0 &&
	       errno == EINTR) {
	}
	if (ended > 0) {
		return GG_OK;
	}
	return fail(broker, GG_ERR_TIMEOUT,
		    "process %d, which keeps the device, has not ended: end it with `kill -9 %d`",
		    (int)number, (int)number);
}

int broker_shutdown(struct broker *broker, uint32_t timeout_ms)
{
	const uint64_t deadline = deadline_after(timeout_ms);
	const pid_t number = peer_of(broker);
	const int process = number > 0 ? (int)syscall(SYS_pidfd_open, number, 0) : -1;
	const int status = ask(broker, WIRE_SHUTDOWN, 1, timeout_ms);
	int result = status == GG_ERR_DEVICE_LOST ? GG_OK : status;

	if (process >= 0) {
		if (result == GG_OK) {
			result = await_end(broker, process, number, deadline);
		}
		(void)close(process);
	}
	return result;
}

int broker_lost(struct broker *broker)
{
	struct wire_reply reply;
	const int got = wire_receive(broker->socket, &reply, sizeof(reply), NULL, 0, 0);

	if (got == (int)sizeof(reply) && reply.kind == WIRE_LOST) {
		take_reply(broker, &reply);
		return 1;
	}
	if (got == -EAGAIN || got == -EINTR || got == (int)sizeof(reply)) {
		return 0;
	}
	(void)fail(broker, GG_ERR_DEVICE_LOST, "the process that keeps the device has ended");
	return 1;
}

void broker_close(struct broker *broker)
{
	if (broker->socket >= 0 && broker->owner == getpid() && !broker_lost(broker)) {
		(void)!broker_shutdown(broker, END_MS);
	}
	for (unsigned index = 0; index < WIRE_DESCRIPTORS; index++) {
		if (broker->descriptors[index] >= 0) {
			(void)close(broker->descriptors[index]);
		}
		broker->descriptors[index] = -1;
	}
	if (broker->socket >= 0) {
		(void)close(broker->socket);
	}
	broker->socket = -1;
}
