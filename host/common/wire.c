/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* MSG_CMSG_CLOEXEC */
#include "host/common/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Room for descriptors, aligned as the control message wants it. */
union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int) * WIRE_DESCRIPTORS)];
};

int wire_send(int socket, const void *data, size_t bytes, const int *descriptors, unsigned count)
{
	struct iovec part = { .iov_base = (void *)(uintptr_t)data, .iov_len = bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control = { .bytes = { 0 } };

	if (count > WIRE_DESCRIPTORS) {
		return -EINVAL;
	}
	if (count > 0) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);

		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int) * count);
		memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
	}
	ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (sent < 0) {
		return -errno;
	}
	return (size_t)sent == bytes ? 0 : -EIO;
}

static void take_descriptors(struct msghdr *message, int *descriptors, unsigned room)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);

	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
		size_t bytes = header->cmsg_len - CMSG_LEN(0);

		/* The kernel fills no more than msg_controllen asked for. */
		memcpy(descriptors, CMSG_DATA(header),
		       bytes < sizeof(int) * room ? bytes : sizeof(int) * room);
	}
}

int wire_receive(int socket, void *data, size_t bytes, int *descriptors, unsigned room, int flags)
{
	struct iovec part = { .iov_base = data, .iov_len = bytes };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control = { .bytes = { 0 } };

	if (room > WIRE_DESCRIPTORS) {
		return -EINVAL;
	}
	for (unsigned index = 0; index < room; index++) {
		descriptors[index] = -1;
	}
	if (room > 0) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_LEN(sizeof(int) * room);
	}
	ssize_t got = recvmsg(socket, &message, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	/* The kernel reports this once, when the other side ended without reading a request of
	 * ours. What it sent before can still be received. */
	if (got < 0 && errno == ECONNRESET) {
		got = recvmsg(socket, &message, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	}
	if (got < 0) {
		return -errno;
	}
	if (room > 0) {
		take_descriptors(&message, descriptors, room);
	}
	return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : (int)got;
}
