/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Several hosts at once: the device in equal shares, who has which, and what each may have on its way.
 *
 * A device for one host has no shares: its owner uses all of it, and this unit does nothing.
 */
#ifndef HOST_BROKER_HOSTS_H
#define HOST_BROKER_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#include "host/broker/mailbox.h"
#include "host/broker/qemu.h"
#include "host/broker/share.h"
#include "host/common/wire.h"

/** The shares. */
struct hosts {
	uint32_t count;                   /**< Shares, 1 to SHARES_MOST; 1: one owner has all. */
	bool used;                        /**< The mailbox is the broker's: its owner has gone. */
	uint32_t turns;                   /**< Hosts until now. */
	struct share shares[SHARES_MOST]; /**< By number; `count` of them. */
	struct mailbox mailbox;
	uint32_t resets; /**< Restarts of the control processor that the shares know of. */
};

/** Begin. @param count  Hosts at once. */
void hosts_init(struct hosts *hosts, uint32_t count);

/** Whether a user may do what concerns all that use the device: only the one who booted it, and root. */
static inline bool hosts_may_manage(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

/** Give a process a free share.
 * @param[out] share  Its number, when the result is GG_OK.
 * @param message     Why not, in words, when the result is another one.
 * @return GG_OK, GG_ERR_TIMEOUT (none now, but one is being cleaned, or the firmware starts: ask again), GG_ERR_BUSY (hosts
 *         have all of them), GG_ERR_NO_MEMORY, and as mailbox_open(). */
__attribute__((warn_unused_result)) int hosts_attach(struct hosts *hosts, const struct qemu *qemu,
						     const struct wire_device *device, pid_t pid,
						     uid_t uid, uint32_t *share, char *message,
						     size_t size);

/** Take a share from its host, which has gone. */
void hosts_leave(struct hosts *hosts, uint32_t share);

/** Hand out the completions of the device, and go on with what is cleaned.
 * @return Bit s: the host of share s does not take its completions, and must go. */
uint32_t hosts_turn(struct hosts *hosts);

/** Milliseconds after which hosts_turn() is to be called though nothing has happened; -1: none. */
int hosts_timeout(const struct hosts *hosts);

/** Descriptor to wait for, or -1: that of the device's interrupt once a host has a share. */
int hosts_interrupt(const struct hosts *hosts, const struct qemu *qemu);

/** Fill in who has which share. */
void hosts_list(const struct hosts *hosts, struct wire_hosts *list);

/** Change how many tasks a host may have on their way; it stays with the share.
 * @return GG_OK, GG_ERR_ARGUMENT: no such host, or a number that is not 1 to SHARE_ENTRIES / 2. */
int hosts_quota(struct hosts *hosts, uint32_t host, uint32_t most);

#endif /* HOST_BROKER_HOSTS_H */
