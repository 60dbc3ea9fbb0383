/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* accept4 */
#include "host/broker/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"
#include "host/common/unix_address.h"

#define BACKLOG 16

static const uint32_t lock_ms = 5000; /* other brokers hold the lock for microseconds */

static int lock_folder(const char *path)
{
	char folder[UNIX_ADDRESS_BYTES + 1];
	uint64_t deadline = deadline_after(lock_ms);

	snprintf(folder, sizeof(folder), "%s", path);
	char *slash = strrchr(folder, '/');

	if (slash) {
		slash[slash == folder ? 1 : 0] = '\0';
	}
	int lock = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (lock < 0) {
		return -1;
	}
	while (flock(lock, LOCK_EX | LOCK_NB) != 0) {
		if (deadline_left(deadline, 1) == 0) {
			close(lock);
			errno = ETIMEDOUT;
			return -1;
		}
		poll(NULL, 0, 5);
	}
	return lock;
}

/* Whether nobody listens at a socket file any more. EAGAIN means a full queue, so somebody listens.
 */
static bool is_stale(const struct sockaddr_un *address)
{
	int probe = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (probe < 0) {
		return false;
	}
	bool refused = connect(probe, (const struct sockaddr *)address, sizeof(*address)) != 0 &&
		       errno == ECONNREFUSED;

	close(probe);
	return refused;
}

static int make_room(const struct sockaddr_un *address, char *message, size_t size)
{
	struct stat found;
	const char *path = address->sun_path;

	if (lstat(path, &found) != 0) {
		return GG_OK; /* it is absent, or bind() will say what is wrong */
	}
	if (!S_ISSOCK(found.st_mode)) {
		snprintf(message, size, "%s is there and is not a socket", path);
		return GG_ERR_ARGUMENT;
	}
	if (!is_stale(address)) {
		snprintf(message, size, "a device already listens at %s: `ganger down` ends it",
			 path);
		return GG_ERR_BUSY;
	}
	unlink(path);
	return GG_OK;
}

static int bind_there(struct listener *listener, const struct sockaddr_un *address)
{
	struct stat made;
	int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (descriptor < 0) {
		return GG_ERR_IO;
	}
	mode_t old = umask(077);
	int bound = bind(descriptor, (const struct sockaddr *)address, sizeof(*address));

	umask(old);
	if (bound != 0 || listen(descriptor, BACKLOG) != 0 ||
	    lstat(address->sun_path, &made) != 0) {
		int error = errno;

		close(descriptor);
		errno = error;
		return GG_ERR_IO;
	}
	listener->socket = descriptor;
	listener->device = made.st_dev;
	listener->inode = made.st_ino;
	return GG_OK;
}

/* Lets the users of a group connect, too. The file was ours alone until now. */
static int open_to(const char *path, const char *name, char *message, size_t size)
{
	const struct group *group = name ? getgrnam(name) : NULL;

	if (!name) {
		return GG_OK;
	}
	if (!group) {
		snprintf(message, size, "there is no group %s", name);
		return GG_ERR_ARGUMENT;
	}
	if (chown(path, (uid_t)-1, group->gr_gid) != 0 || chmod(path, 0660) != 0) {
		snprintf(message, size, "cannot give %s to group %s: %s", path, name,
			 strerror(errno));
		return GG_ERR_PERMISSION;
	}
	return GG_OK;
}

int listener_open(struct listener *listener, const char *path, const char *group, char *message,
		  size_t size)
{
	struct sockaddr_un address;

	*listener = (struct listener){ .socket = -1, .path = path };
	if (!unix_address(&address, path) || path[0] == '\0') {
		snprintf(message, size, "the path of the socket must have 1 to %zu bytes",
			 UNIX_ADDRESS_BYTES);
		return GG_ERR_ARGUMENT;
	}
	int lock = lock_folder(path);

	if (lock < 0) {
		int status = errno == ETIMEDOUT ? GG_ERR_TIMEOUT : GG_ERR_IO;

		snprintf(message, size, "cannot use the folder of %s: %s", path, strerror(errno));
		return status;
	}
	int status = make_room(&address, message, size);

	if (status == GG_OK) {
		status = bind_there(listener, &address);
		if (status != GG_OK) {
			snprintf(message, size, "cannot listen at %s: %s", path, strerror(errno));
		}
	}
	if (status == GG_OK) {
		status = open_to(path, group, message, size);
	}
	close(lock);
	return status;
}

int listener_accept(const struct listener *listener)
{
	return accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

void listener_close(struct listener *listener)
{
	struct stat found;

	if (listener->socket < 0) {
		return;
	}
	if (lstat(listener->path, &found) == 0 && found.st_dev == listener->device &&
	    found.st_ino == listener->inode) {
		unlink(listener->path);
	}
	close(listener->socket);
	listener->socket = -1;
}
