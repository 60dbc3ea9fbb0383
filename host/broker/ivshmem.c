/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* memfd_create */
#include "host/broker/ivshmem.h"

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/wire.h"

/* QEMU wants shared memory of its own in BAR 2. It is not used, so it has one page only. */
static const off_t unused_bytes = 4096;

enum {
	protocol_version = 0,
	shared_memory = -1,
	device_peer = 0,
	host_peer = 1
};

static int say(int socket, int64_t number, int descriptor)
{
	int64_t message = (int64_t)htole64((uint64_t)number);

	return wire_send(socket, &message, sizeof(message), &descriptor, descriptor < 0 ? 0 : 1);
}

int ivshmem_serve(int socket, int ring, int interrupt)
{
	int memory = memfd_create("ganger-ivshmem", MFD_CLOEXEC);

	if (memory < 0 || ftruncate(memory, unused_bytes) != 0) {
		return GG_ERR_IO;
	}
	const struct {
		int64_t number;
		int descriptor;
	} messages[] = {
		{ protocol_version, -1 }, { device_peer, -1 },   { shared_memory, memory },
		{ host_peer, interrupt }, { device_peer, ring },
	};
	int failed = 0;

	for (size_t index = 0; index < sizeof(messages) / sizeof(messages[0]); index++) {
		failed |= say(socket, messages[index].number, messages[index].descriptor);
	}
	close(memory);
	return failed ? GG_ERR_IO : GG_OK;
}
