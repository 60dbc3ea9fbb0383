/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/common/deadline.h"

#define RUN_MS    300000u
#define TEXT_MOST (1u << 20)

extern char **environ;

/** Starts it with both outputs in a pipe. @return 0, or an error number. */
static int start(const char *input, char *const *words, int output, pid_t *process)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	(void)posix_spawnattr_init(&attributes);
	(void)sigemptyset(&none);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	(void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input ? input : "/dev/null",
					       O_RDONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	error = posix_spawnp(process, words[0], &actions, &attributes, words, environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&actions);
	return error;
}

/** Reads up to the end of the pipe. What is more than `TEXT_MOST` is thrown away.
 * @return false: the deadline passed. */
static bool gather(int input, char *text, uint64_t deadline)
{
	size_t length = 0;
	ssize_t got = 1;

	while (got > 0) {
		struct pollfd ready = { .fd = input, .events = POLLIN };
		char rest[4096];
		bool full = length == TEXT_MOST;
		uint32_t left = deadline_left(deadline, RUN_MS);

		if (left == 0 || (poll(&ready, 1, (int)left) <= 0 && errno != EINTR))
			break;
		got = read(input, full ? rest : text + length,
			   full ? sizeof(rest) : TEXT_MOST - length);
		if (got > 0 && !full)
			length += (size_t)got;
	}
	text[length] = '\0';
	return got == 0;
}

int process_run(const char *input, char *const *words, char **text)
{
	uint64_t deadline = deadline_after(RUN_MS);
	char *found = calloc(1, TEXT_MOST + 1);
	int ends[2] = { -1, -1 };
	int status = -1;
	pid_t process;
	int error;

	*text = found;
	if (!found || pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	error = start(input, words, ends[1], &process);
	(void)close(ends[1]);
	if (error != 0) {
		(void)snprintf(found, TEXT_MOST, "%s: %s\n", words[0], strerror(error));
	} else {
		if (!gather(ends[0], found, deadline))
			(void)kill(process, SIGKILL);
		while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
		}
		status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	}
	(void)close(ends[0]);
	return status;
}
