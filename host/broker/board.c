/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* realpath */
#include "host/broker/board.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/number.h"

static const uint64_t mebibyte = 1024 * 1024;
static const uint64_t ram_usual = 512 * 1024 * 1024; /* bytes, without the areas of the SMs */

static char *trim(char *text)
{
	while (isspace((unsigned char)*text)) {
		text++;
	}
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1])) {
		end--;
	}
	*end = '\0';
	return text;
}

/* Whether a text is a name: letters, digits and underscores. */
static bool is_name(const char *text)
{
	size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789_");

	return length > 0 && text[length] == '\0';
}

static bool parse_line(struct board *board, char *line)
{
	char *comment = strchr(line, '#');

	if (comment) {
		*comment = '\0';
	}
	line = trim(line);
	if (*line == '\0') {
		return true;
	}
	char *equals = strchr(line, '=');

	if (!equals || board->values == BOARD_VALUES) {
		return false;
	}
	*equals = '\0';
	char *name = trim(line);
	char *content = trim(equals + 1);
	size_t length = strlen(content);

	if (!is_name(name) || strchr(content, '$') || (length && content[length - 1] == '\\')) {
		return false;
	}
	board->names[board->values] = name;
	board->contents[board->values++] = content;
	return true;
}

int board_parse(struct board *board, size_t bytes, const char *path, char *message, size_t size)
{
	char *rest = board->text;

	if (bytes >= sizeof(board->text) || memchr(board->text, '\0', bytes)) {
		snprintf(message, size, "%s is not a board file", path);
		return GG_ERR_BOARD;
	}
	board->text[bytes] = '\0';
	for (unsigned number = 1; rest; number++) {
		char *line = strsep(&rest, "\n");

		if (!parse_line(board, line)) {
			snprintf(message, size, "%s:%u: not a plain NAME = value line", path,
				 number);
			return GG_ERR_BOARD;
		}
	}
	return GG_OK;
}

static int load(struct board *board, const char *path, char *message, size_t size)
{
	FILE *file = fopen(path, "re");

	if (!file) {
		snprintf(message, size, "cannot read the board file %s: %s", path, strerror(errno));
		return errno == ENOENT || errno == ENOTDIR ? GG_ERR_IMAGE_MISSING : GG_ERR_IO;
	}
	size_t bytes = fread(board->text, 1, sizeof(board->text), file);
	bool failed = ferror(file) != 0;

	fclose(file);
	if (failed) {
		snprintf(message, size, "cannot read the board file %s", path);
		return GG_ERR_IO;
	}
	return board_parse(board, bytes, path, message, size);
}

static int find_folder(struct board *board, const char *folder, char *message, size_t size)
{
	char *found = realpath(folder, NULL);

	if (!found) {
		int status = errno == ENOENT || errno == ENOTDIR ? GG_ERR_IMAGE_MISSING : GG_ERR_IO;

		snprintf(message, size, "no board folder %s: %s", folder, strerror(errno));
		return status;
	}
	const char *slash = strrchr(found, '/');
	size_t length = strlen(found);
	bool fits = length < sizeof(board->folder) && strlen(slash + 1) < sizeof(board->name);

	if (fits) {
		memcpy(board->folder, found, length + 1);
		memcpy(board->name, slash + 1, strlen(slash));
	} else {
		snprintf(message, size, "the path of the board folder %s is too long", folder);
	}
	free(found);
	return fits ? GG_OK : GG_ERR_ARGUMENT;
}

int board_read(struct board *board, const char *folder, char *message, size_t size)
{
	char path[BOARD_PATH + sizeof("/board.mk")];

	memset(board, 0, sizeof(*board));
	int status = find_folder(board, folder, message, size);

	if (status != GG_OK) {
		return status;
	}
	snprintf(path, sizeof(path), "%s/board.mk", board->folder);
	return load(board, path, message, size);
}

const char *board_text(const struct board *board, const char *name)
{
	const char *found = NULL;

	for (uint32_t index = 0; index < board->values; index++) {
		if (strcmp(board->names[index], name) == 0) {
			found = board->contents[index]; /* the last value counts, as in make */
		}
	}
	return found;
}

int board_number(const struct board *board, const char *name, uint64_t *number)
{
	const char *text = board_text(board, name);

	return text && number_parse(text, UINT64_MAX, number) ? GG_OK : GG_ERR_BOARD;
}

uint64_t board_number_or(const struct board *board, const char *name, uint64_t fallback)
{
	uint64_t number = 0;

	return board_number(board, name, &number) == GG_OK ? number : fallback;
}

uint64_t board_ram_bytes(const struct board *board, uint32_t sms)
{
	uint64_t area = board_number_or(board, "BOARD_SM_SHARED_BYTES", 0) +
			board_number_or(board, "BOARD_SM_PRIVATE_BYTES", 0) + mebibyte / 16;
	uint64_t bytes = board_number_or(board, "BOARD_RAM_MIN", 0);

	/* A quarter holds a hundred thousand waiting tasks. */
	if (bytes < ram_usual)
		bytes = ram_usual;
	bytes += sms * area;
	return (bytes + mebibyte - 1) / mebibyte * mebibyte;
}
