/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* memfd_create, pipe2 */
#include "host/broker/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/arguments.h"
#include "host/broker/ivshmem.h"

static const uint64_t page_bytes = 4096;

/* ---- What must hold before anything is made ----------------------------------------------- */

static int check_image(const struct board *board, const char *name, char *message, size_t size)
{
	char path[BOARD_PATH + 16];

	snprintf(path, sizeof(path), "%s/%s", board->folder, name);
	if (access(path, R_OK) != 0) {
		snprintf(message, size, "cannot read the image %s: %s", path, strerror(errno));
		return GG_ERR_IMAGE_MISSING;
	}
	return GG_OK;
}

static int check_sizes(struct qemu *qemu, const struct options *options, const struct board *board,
		       char *message, size_t size)
{
	uint64_t sms_most = board_number_or(board, "BOARD_SMS_MAX", UINT32_MAX - 1);
	uint64_t ram_least = board_number_or(board, "BOARD_RAM_MIN", page_bytes);

	if (options->sms > sms_most) {
		snprintf(message, size, "board %s has at most %" PRIu64 " SMs, not %" PRIu32,
			 board->name, sms_most, options->sms);
		return GG_ERR_BOARD;
	}
	qemu->ram_bytes = options->ram_bytes;
	if (qemu->ram_bytes == 0) {
		qemu->ram_bytes = board_ram_bytes(board, options->sms);
	}
	if (qemu->ram_bytes < ram_least || qemu->ram_bytes % page_bytes != 0 ||
	    qemu->ram_bytes > INT64_MAX) {
		snprintf(message, size,
			 "ram = %" PRIu64 " bytes: board %s has at least %" PRIu64
			 ", a multiple of %" PRIu64 "; leave it out for what %" PRIu32 " SMs need",
			 qemu->ram_bytes, board->name, ram_least, page_bytes, options->sms);
		return GG_ERR_ARGUMENT;
	}
	return GG_OK;
}

static int check(struct qemu *qemu, const struct options *options, const struct board *board,
		 char *message, size_t size)
{
	const char *program = options->qemu ? options->qemu : board_text(board, "BOARD_QEMU");
	const char *drivers = board_text(board, "BOARD_HAL");

	if (!program || strlen(program) >= sizeof(qemu->program)) {
		snprintf(message, size, "board %s names no QEMU to run it", board->name);
		return GG_ERR_BOARD;
	}
	if (drivers && !strstr(drivers, "ivshmem")) {
		snprintf(
			message, size,
			"board %s has no doorbell for a broker: start its QEMU, and connect to its "
			"serial line",
			board->name);
		return GG_ERR_BOARD;
	}
	memcpy(qemu->program, program, strlen(program) + 1);
	int status = check_sizes(qemu, options, board, message, size);

	if (status == GG_OK) {
		status = check_image(board, "cp.elf", message, size);
	}
	if (status == GG_OK) {
		status = check_image(board, "sm.elf", message, size);
	}
	return status;
}

/* ---- Descriptors -------------------------------------------------------------------------- */

static int make_ram(struct qemu *qemu)
{
	qemu->ram = memfd_create("ganger-ram", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (qemu->ram < 0 || ftruncate(qemu->ram, (off_t)qemu->ram_bytes) != 0 ||
	    fcntl(qemu->ram, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
		return GG_ERR_NO_MEMORY;
	}
	return GG_OK;
}

/* Makes a stream socket: our end and QEMU's. */
static int make_channel(int *ours, int *other)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		return GG_ERR_IO;
	}
	*ours = pair[0];
	*other = pair[1];
	return GG_OK;
}

static int make_channels(struct qemu *qemu, struct launch *launch)
{
	int status = make_channel(&qemu->ivshmem, &launch->ivshmem);

	if (status == GG_OK) {
		status = make_channel(&qemu->console, &launch->console);
	}
	if (status == GG_OK) {
		status = make_channel(&qemu->qmp, &launch->qmp);
	}
	if (status == GG_OK) {
		qemu->ring = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		qemu->interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		status = qemu->ring < 0 || qemu->interrupt < 0
				 ? GG_ERR_IO
				 : ivshmem_serve(qemu->ivshmem, qemu->ring, qemu->interrupt);
	}
	return status;
}

/* ---- The process -------------------------------------------------------------------------- */

static void keep_over_exec(int descriptor)
{
	fcntl(descriptor, F_SETFD, 0);
}

/* Runs in the child; returns only when exec failed. */
static void become_qemu(const struct arguments *arguments, const struct launch *launch,
			pid_t broker, int log)
{
	sigset_t none;
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != broker) {
		_exit(1); /* the broker ended before QEMU could ask to end with it */
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_IGN); /* ^C at a terminal is meant for the broker */
	signal(SIGHUP, SIG_IGN);
	dup2(nothing, STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	keep_over_exec(launch->ram);
	keep_over_exec(launch->ivshmem);
	keep_over_exec(launch->console);
	keep_over_exec(launch->qmp);
	execvp(arguments->list[0], arguments->list);
}

/* Fork and exec; `failure` is the errno of exec, or 0. */
static int spawn(struct qemu *qemu, const struct arguments *arguments, const struct launch *launch,
		 int log, int *failure)
{
	int report[2];
	pid_t broker = getpid();

	*failure = 0;
	if (pipe2(report, O_CLOEXEC) != 0) {
		return GG_ERR_IO;
	}
	pid_t child = fork();

	if (child == 0) {
		become_qemu(arguments, launch, broker, log);
		int error = errno;

		_exit(write(report[1], &error, sizeof(error)) == sizeof(error) ? 127 : 126);
	}
	close(report[1]);
	/* The read ends when exec closes the other side, or with the child. */
	ssize_t got = child < 0 ? 0 : read(report[0], failure, sizeof(*failure));

	close(report[0]);
	if (child < 0) {
		return GG_ERR_IO;
	}
	qemu->pid = child;
	return got == sizeof(*failure) ? GG_ERR_QEMU_MISSING : GG_OK;
}

static int launch_qemu(struct qemu *qemu, const struct options *options, const struct board *board,
		       struct launch *launch, char *message, size_t size)
{
	static struct arguments arguments; /* 18 KB: too much for a stack */
	int log[2], failure = 0, exit_code;

	if (!arguments_build(&arguments, options, board, launch)) {
		snprintf(message, size, "too many arguments for QEMU");
		return GG_ERR_ARGUMENT;
	}
	if (pipe2(log, O_CLOEXEC) != 0) {
		snprintf(message, size, "cannot make a pipe: %s", strerror(errno));
		return GG_ERR_IO;
	}
	qemu->log = log[0];
	int status = spawn(qemu, &arguments, launch, log[1], &failure);

	close(log[1]);
	close(launch->ivshmem);
	close(launch->console);
	close(launch->qmp);
	if (status == GG_ERR_QEMU_MISSING) {
		snprintf(message, size, "cannot run %s: %s; `make deps` installs it", qemu->program,
			 strerror(failure));
		waitpid(qemu->pid, &exit_code, 0); /* the child is ending already */
		qemu->pid = 0;
	} else if (status != GG_OK) {
		snprintf(message, size, "cannot start a process: %s", strerror(errno));
	}
	return status;
}

int qemu_start(struct qemu *qemu, const struct options *options, const struct board *board,
	       char *message, size_t size)
{
	*qemu = (struct qemu){ .ram = -1,
			       .ivshmem = -1,
			       .ring = -1,
			       .interrupt = -1,
			       .console = -1,
			       .qmp = -1,
			       .log = -1 };
	int status = check(qemu, options, board, message, size);

	if (status != GG_OK) {
		return status;
	}
	struct launch launch = { .program = qemu->program, .ram_bytes = qemu->ram_bytes };

	status = make_ram(qemu);
	if (status == GG_OK) {
		launch.ram = qemu->ram;
		status = make_channels(qemu, &launch);
	}
	if (status != GG_OK) {
		snprintf(message, size, "cannot make %" PRIu64 " bytes of RAM and its channels: %s",
			 qemu->ram_bytes, strerror(errno));
		return status;
	}
	return launch_qemu(qemu, options, board, &launch, message, size);
}

int qemu_reap(struct qemu *qemu, int *exit_code)
{
	int how = 0;

	if (qemu->pid == 0 || waitpid(qemu->pid, &how, WNOHANG) != qemu->pid) {
		return 0;
	}
	qemu->pid = 0;
	*exit_code = WIFSIGNALED(how) ? -WTERMSIG(how) : WEXITSTATUS(how);
	return 1;
}
