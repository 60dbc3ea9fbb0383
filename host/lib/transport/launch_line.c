/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/lib/transport/launch_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/lib/core/build_folder.h"
#include "host/lib/core/failure.h"

#define BOARD_DEFAULT   "qemu-virt64"
#define SMS_DEFAULT     8u
#define TIMEOUT_DEFAULT 30000u

/** Finds the folder of a board. A board's name is one part of a path. */
static enum gg_status find_board(const char *build, const char *name, char *path, size_t size)
{
	enum gg_status status;

	if (!name[0] || name[0] == '.' || strchr(name, '/'))
		return failure_set(GG_ERR_BOARD, "board", 0, "\"%s\" is not a board's name", name);
	status = build_path(build, name, path, size);
	if (status != GG_OK)
		return status;
	if (access(path, F_OK) != 0)
		return failure_set(GG_ERR_BOARD, "board", 0,
				   "Unknown board %s, or its firmware is not built (make "
				   "firmware-%s): no folder %s",
				   name, name, path);
	return GG_OK;
}

/** Puts all arguments for QEMU into one list. */
static enum gg_status make_extra(struct launch_line *line, const struct gg_boot *boot)
{
	size_t count = 0;
	size_t length = 0;

	while (boot->extra && boot->extra[count])
		count++;
	line->extra = calloc(count + 5, sizeof(*line->extra));
	if (!line->extra)
		return failure_status(GG_ERR_NO_MEMORY);
	if (boot->icount) {
		line->extra[length++] = "-icount";
		line->extra[length++] = "shift=0,sleep=off";
	}
	if (boot->plugin) {
		line->extra[length++] = "-plugin";
		line->extra[length++] = boot->plugin;
	}
	for (size_t i = 0; i < count; i++)
		line->extra[length++] = boot->extra[i];
	return GG_OK;
}

enum gg_status launch_line_make(struct launch_line *line, const struct gg_boot *boot,
				const char *listen)
{
	const char *name = boot->board ? boot->board : BOARD_DEFAULT;
	char build[sizeof(line->board)];
	enum gg_status status = build_folder(boot->build, build, sizeof(build));

	memset(line, 0, sizeof(*line));
	if (status == GG_OK)
		status = find_board(build, name, line->board, sizeof(line->board));
	if (status == GG_OK)
		status = build_path(build, "host/ganger-broker", line->program,
				    sizeof(line->program));
	if (status == GG_OK)
		status = make_extra(line, boot);
	line->timeout_ms = boot->timeout_ms ? boot->timeout_ms : TIMEOUT_DEFAULT;
	line->options.program = line->program;
	line->options.board = line->board;
	line->options.processors = boot->processors;
	line->options.listen = listen;
	line->options.extra = line->extra;
	line->options.ram_bytes = boot->ram_bytes;
	line->options.sms = boot->sms ? boot->sms : SMS_DEFAULT;
	return status;
}

void launch_line_clear(struct launch_line *line)
{
	free(line->extra);
	line->extra = NULL;
}
