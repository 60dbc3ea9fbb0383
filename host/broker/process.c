/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* close_range */
#include "host/broker/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

int process_signals(void)
{
	sigset_t set;

	(void)signal(SIGINT, SIG_IGN); /* ^C at a terminal is meant for the client */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void process_leave_parent(int *client)
{
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int standard = 0; standard <= 2 && nothing >= 0 && *client > 2; standard++) {
		(void)dup2(nothing, standard);
	}
	if (*client > 3 && dup2(*client, 3) == 3) {
		*client = 3;
	}
	if (*client == 3) {
		(void)close_range(4, ~0u, 0);
	}
}
