/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's side of its socket: the bytes are what a client sends. Each packet has a request's size, but for the last
 * one, which may be shorter.
 * sources: host/broker/clients.c host/common/console.c host/common/wire.c */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/clients.h"
#include "tests/fuzz/fuzz.h"

#define PACKETS 32u

/** Takes the answers, with their descriptors, so that there is room for more. */
static void drain(int socket)
{
	int descriptors[WIRE_DESCRIPTORS];
	struct wire_reply reply;

	while (wire_receive(socket, &reply, sizeof(reply), descriptors, WIRE_DESCRIPTORS, 0) > 0) {
		for (unsigned i = 0; i < WIRE_DESCRIPTORS; i++) {
			if (descriptors[i] >= 0)
				(void)close(descriptors[i]);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static int memory = -1;
	struct console console = { .descriptor = -1 };
	struct qemu qemu = { .ivshmem = -1, .qmp = -1 };
	struct clients clients;
	int pair[2];

	if (memory < 0)
		memory = memfd_create("ram", MFD_CLOEXEC);
	if (memory < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		abort();
	qemu.ram = qemu.ring = qemu.interrupt = memory;
	console.readers = memory;
	clients_init(&clients, &qemu, &console);
	clients_add(&clients, pair[0]);
	for (unsigned i = 0; i < PACKETS && bytes > 0 && clients_any(&clients); i++) {
		const size_t most = sizeof(struct wire_request);
		const size_t step = bytes < most ? bytes : most;

		(void)!write(pair[1], data, step);
		clients_serve(&clients, &clients.list[0]);
		drain(pair[1]);
		data += step;
		bytes -= step;
	}
	clients_lost(&clients, GG_ERR_DEVICE_LOST, "the end");
	if (clients_any(&clients))
		clients_forget(&clients, &clients.list[0]);
	(void)close(pair[1]);
	return 0;
}
