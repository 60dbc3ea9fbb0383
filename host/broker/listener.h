/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The socket file on which a shared broker listens.
 *
 * Of several brokers that want the same path exactly one gets it: the folder is locked while a
 * broker looks at the path. A socket file that a killed broker left is replaced.
 */
#ifndef HOST_BROKER_LISTENER_H
#define HOST_BROKER_LISTENER_H

#include <stddef.h>
#include <sys/types.h>

/** A socket file of ours. */
struct listener {
	int socket;       /**< The listening socket, non-blocking; -1 when there is none. */
	const char *path; /**< Path of the file. */
	dev_t device;     /**< Identity of the file, so that nobody else's is removed. */
	ino_t inode;
};

/** Listen at a path.
 * @param group  Name of the group whose users may connect, too; NULL: only this user may.
 * @return GG_OK, GG_ERR_BUSY (another broker listens there), GG_ERR_ARGUMENT (too long, or
 *         something else than a socket is there; no such group), GG_ERR_PERMISSION (this user is not in the group),
 *         GG_ERR_TIMEOUT (folder is locked), GG_ERR_IO. */
__attribute__((warn_unused_result)) int listener_open(struct listener *listener, const char *path,
						      const char *group, char *message,
						      size_t size);

/** Accept one client. @return Its socket, closed on exec, or -1 when there is none. */
int listener_accept(const struct listener *listener);

/** Stop listening and remove the socket file, if it is still ours. */
void listener_close(struct listener *listener);

#endif /* HOST_BROKER_LISTENER_H */
