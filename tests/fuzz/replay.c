/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a fuzz target every file of its corpus: tests/fuzz/corpus/NAME for the program fuzz_NAME. */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fuzz/fuzz.h"

#define FILE_BYTES_MAX (1u << 20)

static const char *folder_of_program(void)
{
	static char folder[256];
	const char *name = strrchr(program_invocation_name, '/');

	name = name ? name + 1 : program_invocation_name;
	assert_int_equal(strncmp(name, "fuzz_", 5), 0);
	(void)snprintf(folder, sizeof(folder), "tests/fuzz/corpus/%s", name + 5);
	return folder;
}

static void replay_file(const char *folder, const char *name)
{
	char path[600];
	uint8_t *data = malloc(FILE_BYTES_MAX);
	uint8_t *exact;
	size_t bytes;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rb");
	assert_non_null(file);
	bytes = fread(data, 1, FILE_BYTES_MAX, file);
	(void)fclose(file);
	/* Of exactly the size: the sanitizer sees a byte too many. */
	exact = malloc(bytes ? bytes : 1);
	memcpy(exact, data, bytes);
	assert_int_equal(LLVMFuzzerTestOneInput(exact, bytes), 0);
	free(exact);
	free(data);
}

/* Every file is read without an error of the sanitizers. */
static void corpus(void **state)
{
	const char *folder = folder_of_program();
	DIR *files = opendir(folder);
	uint32_t count = 0;
	struct dirent *file;

	(void)state;
	assert_non_null(files);
	while ((file = readdir(files)) != NULL) {
		if (file->d_name[0] == '.')
			continue;
		replay_file(folder, file->d_name);
		count++;
	}
	(void)closedir(files);
	assert_true(count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(corpus) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
