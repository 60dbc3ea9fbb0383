/* SPDX-License-Identifier: Apache-2.0 */
/* Board files.
 * sources: host/broker/board.c host/broker/number.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/broker/board.h"
#include "tests/fuzz/fuzz.h"

#define SMS 511u

/* The only way to the reader is a file. It lies in memory where the system has such a folder. */
static char folder[] = "/dev/shm/ganger-fuzz-XXXXXX";
static char path[sizeof(folder) + sizeof("/board.mk")];

static void remove_folder(void)
{
	(void)unlink(path);
	(void)rmdir(folder);
}

static void make_folder(void)
{
	if (access("/dev/shm", W_OK) != 0)
		(void)snprintf(folder, sizeof(folder), "/tmp/ganger-fuzz-XXXXXX");
	if (!mkdtemp(folder))
		abort();
	(void)snprintf(path, sizeof(path), "%s/board.mk", folder);
	(void)atexit(remove_folder);
}

static void write_file(const uint8_t *data, size_t bytes)
{
	FILE *file = fopen(path, "w");

	if (!file || (bytes > 0 && fwrite(data, bytes, 1, file) != 1) || fclose(file) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct board board;
	char message[64];
	uint64_t number;

	if (!path[0])
		make_folder();
	write_file(data, bytes);
	if (board_read(&board, folder, message, sizeof(message)) != 0) {
		if (!memchr(message, 0, sizeof(message)) || !message[0])
			abort();
		return 0;
	}
	for (uint32_t i = 0; i < board.values; i++) {
		if (!board_text(&board, board.names[i]))
			abort();
		(void)!board_number(&board, board.names[i], &number);
	}
	if (board_ram_bytes(&board, SMS) % (1024 * 1024) != 0)
		abort();
	return 0;
}
