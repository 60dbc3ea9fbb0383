/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "host/opencl/beside.h"
#include "host/opencl/folder.h"
#include "host/opencl/kept.h"
#include "host/opencl/process.h"

#define SOURCE "program.cl"
#define IMAGE  "program.elf"
#define OBJECT "program.o"
#define PIECE  "piece%zu.o"
#define WORDS  16u /* Of the command line, besides the options of the program. */

/** Looks for ganger-cc: where $GANGER_CC says, beside this library, else in PATH. */
static void find_compiler(char path[PATH_MAX])
{
	const char *named = getenv("GANGER_CC");

	if (named && named[0])
		(void)snprintf(path, PATH_MAX, "%s", named);
	else if (!beside_find(BESIDE_TREE, "firmware/kernel/ganger-cc", path))
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
	bool written =
		!what->source || folder_write(folder, SOURCE, what->source, what->source_bytes);
	char name[32];

	for (size_t i = 0; written && i < what->header_count; i++)
		written = folder_write(folder, what->headers[i].name, what->headers[i].text,
				       strlen(what->headers[i].text));
	for (size_t i = 0; written && i < what->piece_count; i++) {
		(void)snprintf(name, sizeof(name), PIECE, i);
		written = folder_write(folder, name, what->pieces[i].data, what->pieces[i].bytes);
	}
	return written;
}

/** Takes the folders away from the names of the source in the compiler's messages. */
static void clean_log(char *log)
{
	char *found = strstr(log, SOURCE);

	while (found) {
		char *from = found;

		while (from > log && !strchr(" \n\t'\"`(", from[-1]))
			from--;
		memmove(from, found, strlen(found) + 1);
		found = strstr(from + strlen(SOURCE), SOURCE);
	}
}

/** A command line under construction. Words that are made are freed with it. */
struct line {
	char **words;
	char **made;
	size_t count, made_count;
};

static void add(struct line *line, const char *word)
{
	line->words[line->count++] = (char *)(uintptr_t)word;
}

/** Adds the path of a file in the folder. */
static void add_path(struct line *line, const struct folder *folder, const char *name)
{
	char path[PATH_MAX];
	char *word = folder_path(folder, name, path) ? strdup(path) : NULL;

	if (!word)
		return;
	line->made[line->made_count++] = word;
	add(line, word);
}

/** The words that say what is to be done. A source comes by standard input, so that its folder does not
 * matter. */
static void make_line(struct line *line, const struct compilation *what)
{
	if (what->source) {
		add(line, "-g");
		add(line, "--no-kernels");
		for (size_t i = 0; what->options && i < what->options->count; i++)
			add(line, what->options->words[i]);
		for (size_t i = 0; i < what->constant_count; i++) {
			add(line, "--spec-const");
			add(line, what->constants[i]);
		}
	}
	if (what->step == COMPILER_LINK)
		add(line, "--no-kernels");
	if (what->step == COMPILER_OBJECT)
		add(line, "-c");
	if (what->step == COMPILER_LIBRARY)
		add(line, "-r");
	if (what->source) {
		add(line, "-x");
		add(line, what->il ? "spv" : "cl");
		add(line, "-");
	}
}

/** The words that say where its files are. */
static void add_files(struct line *line, const struct folder *folder,
		      const struct compilation *what, const char *name)
{
	char piece[32];

	add(line, "--key");
	add(line, name);
	if (what->header_count > 0) {
		add(line, "-I");
		add(line, folder->path);
	}
	add(line, "-o");
	add_path(line, folder,
		 what->step == COMPILER_OBJECT || what->step == COMPILER_LIBRARY ? OBJECT : IMAGE);
	for (size_t i = 0; i < what->piece_count; i++) {
		(void)snprintf(piece, sizeof(piece), PIECE, i);
		add_path(line, folder, piece);
	}
}

/** Runs the compiler. @return whether it made what it should. */
static bool run(const struct line *line, const struct folder *folder,
		const struct compilation *what, struct compiled *compiled)
{
	const bool object = what->step == COMPILER_OBJECT || what->step == COMPILER_LIBRARY;
	char source[PATH_MAX], product[PATH_MAX];

	if (!folder_path(folder, SOURCE, source) ||
	    !folder_path(folder, object ? OBJECT : IMAGE, product))
		return false;
	if (process_run(what->source ? source : NULL, line->words, &compiled->log) == 0)
		compiled->image = folder_read(product, &compiled->bytes);
	if (compiled->log)
		clean_log(compiled->log);
	return compiled->image != NULL;
}

/** Has ganger-cc do it, in a folder of its own. */
static void call(struct line *line, const struct compilation *what, const char *name,
		 struct compiled *compiled)
{
	struct folder folder = { .path = "" };

	if (!folder_make(&folder)) {
		compiled->log = strdup("no folder for temporary files can be made: see TMPDIR\n");
		return;
	}
	if (write_files(&folder, what)) {
		add_files(line, &folder, what, name);
		(void)run(line, &folder, what, compiled);
	}
	if (!compiled->log)
		compiled->log = strdup("the files of the program cannot be written: see TMPDIR\n");
	folder_remove(&folder);
}

void compiler_run(const struct compilation *what, struct compiled *compiled)
{
	size_t room = WORDS + what->piece_count + 2 * what->constant_count +
		      (what->options ? what->options->count : 0);
	struct line line = { .words = (char **)calloc(room, sizeof(char *)),
			     .made = (char **)calloc(room, sizeof(char *)) };
	char compiler[PATH_MAX], march[64], name[SHA256_TEXT];

	memset(compiled, 0, sizeof(*compiled));
	if (line.words && line.made) {
		find_compiler(compiler);
		name_march(what->device, march, sizeof(march));
		add(&line, compiler);
		add(&line, march);
		make_line(&line, what);
		kept_name(line.words, what, name);
		if (kept_find(name, compiled))
			clean_log(compiled->log);
		else
			call(&line, what, name, compiled);
	}
	for (size_t i = 0; line.made && i < line.made_count; i++)
		free(line.made[i]);
	free((void *)line.words);
	free((void *)line.made);
}
