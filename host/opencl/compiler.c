/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/opencl/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware/abi/field.h"
#include "host/opencl/folder.h"
#include "host/opencl/process.h"

#define SOURCE "program.cl"
#define IMAGE  "program.elf"
#define INSIDE "firmware/kernel/ganger-cc"
#define WORDS  16u /* Of the command line, besides the options of the program. */

/** Takes the last part of a path away. */
static void up(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
}

/** Looks for ganger-cc: where $GANGER_CC says, beside this library as it is installed or built, else
 * in PATH. */
static void find_compiler(char path[PATH_MAX])
{
	static const char here;
	static const char *const places[] = { "/ganger/" INSIDE, "/../../" INSIDE };
	const char *named = getenv("GANGER_CC");
	char folder[PATH_MAX];
	Dl_info about;

	if (named && named[0]) {
		(void)snprintf(path, PATH_MAX, "%s", named);
		return;
	}
	if (dladdr(&here, &about) && about.dli_fname && realpath(about.dli_fname, folder)) {
		up(folder);
		for (size_t i = 0; i < 2; i++) {
			if (snprintf(path, PATH_MAX, "%s%s", folder, places[i]) < PATH_MAX &&
			    access(path, X_OK) == 0)
				return;
		}
	}
	(void)snprintf(path, PATH_MAX, "ganger-cc");
}

/** The option -march= for what the cores of a device have. */
static void name_march(cl_device_id device, char *text, size_t size)
{
	const uint32_t has = device->info.features;
	const bool floats = (has >> GG_FEATURE_FLOAT & has >> GG_FEATURE_DOUBLE & 1) != 0;
	const bool compressed = (has >> GG_FEATURE_COMPRESSED & 1) != 0;

	(void)snprintf(text, size, "-march=rv%u%s%s", device_xlen(device), floats ? "g" : "ima",
		       compressed ? "c" : "");
}

static bool write_files(const struct folder *folder, const struct compilation *what)
{
	bool written = folder_write(folder, SOURCE, what->source, strlen(what->source));

	for (size_t i = 0; written && i < what->header_count; i++)
		written = folder_write(folder, what->headers[i].name, what->headers[i].text,
				       strlen(what->headers[i].text));
	return written;
}

/** Replaces the folder's name in the compiler's messages, which would be another one each time. */
static void clean_log(char *log, const char *path)
{
	size_t length = strlen(path) + 1;
	char *found = strstr(log, path);

	while (found) {
		memmove(found, found + length, strlen(found + length) + 1);
		found = strstr(found, path);
	}
}

static void call(const struct folder *folder, const struct compilation *what,
		 struct compiled *compiled)
{
	char compiler[PATH_MAX], source[PATH_MAX], image[PATH_MAX], march[64];
	char **words = calloc(what->options->count + WORDS, sizeof(char *));
	size_t count = 0;

	if (!words || !folder_path(folder, SOURCE, source) || !folder_path(folder, IMAGE, image)) {
		free(words);
		return;
	}
	find_compiler(compiler);
	name_march(what->device, march, sizeof(march));
	words[count++] = compiler;
	words[count++] = (char *)(uintptr_t) "-g";
	words[count++] = march;
	memcpy(words + count, what->options->words, what->options->count * sizeof(char *));
	count += what->options->count;
	words[count++] = (char *)(uintptr_t) "-I";
	words[count++] = (char *)(uintptr_t)folder->path;
	words[count++] = (char *)(uintptr_t) "-o";
	words[count++] = image;
	words[count++] = source;
	if (process_run(words, &compiled->log) == 0)
		compiled->image = folder_read(image, &compiled->bytes);
	if (compiled->log)
		clean_log(compiled->log, folder->path);
	free(words);
}

void compiler_run(const struct compilation *what, struct compiled *compiled)
{
	struct folder folder = { .path = "" };

	memset(compiled, 0, sizeof(*compiled));
	if (!folder_make(&folder)) {
		compiled->log = strdup("no folder for temporary files can be made: see TMPDIR\n");
		return;
	}
	if (write_files(&folder, what))
		call(&folder, what, compiled);
	if (!compiled->log)
		compiled->log = strdup("the files of the program cannot be written: see TMPDIR\n");
	folder_remove(&folder);
}
