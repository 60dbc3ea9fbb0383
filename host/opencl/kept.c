/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1
#include "host/opencl/kept.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/opencl/folder.h"

#define MAGIC "ganger program 1"
#define NS    UINT64_C(1000000000)

/* ---- Its name --------------------------------------------------------------------------- */

/** Adds a part with its length, so that two parts are never taken for others. */
static void add_part(struct sha256 *sum, const void *data, size_t bytes)
{
	uint64_t length = bytes;

	sha256_add(sum, &length, sizeof(length));
	sha256_add(sum, data, bytes);
}

static void add_text(struct sha256 *sum, const char *text)
{
	add_part(sum, text ? text : "", text ? strlen(text) : 0);
}

void kept_name(char *const *words, const struct compilation *what, char name[SHA256_TEXT])
{
	/* ENVIRONMENT of programs.py: what changes what is compiled. */
	static const char *const variables[] = { "PATH", "GANGER_BUILD", "CPATH",
						 "C_INCLUDE_PATH" };
	char *folder = getcwd(NULL, 0);
	uint8_t digest[SHA256_BYTES];
	struct sha256 sum;

	sha256_begin(&sum);
	add_text(&sum, MAGIC);
	add_text(&sum, folder); /* Paths of headers may be relative. */
	free(folder);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		add_text(&sum, getenv(variables[i]));
	for (size_t i = 0; words[i]; i++)
		add_text(&sum, words[i]);
	add_text(&sum, NULL);
	add_part(&sum, what->source ? what->source : "", what->source_bytes);
	for (size_t i = 0; i < what->header_count; i++) {
		add_text(&sum, what->headers[i].name);
		add_text(&sum, what->headers[i].text);
	}
	for (size_t i = 0; i < what->piece_count; i++)
		add_part(&sum, what->pieces[i].data, what->pieces[i].bytes);
	sha256_end(&sum, digest);
	sha256_text(digest, name);
}

/* ---- Its file --------------------------------------------------------------------------- */

/** Path of the file, by the rules of cache.py. @return false: there is no place for files. */
static bool find_file(const char *name, char path[PATH_MAX])
{
	static const struct {
		const char *variable, *below;
	} places[] = { { "GANGER_CACHE", "" },
		       { "XDG_CACHE_HOME", "/ganger" },
		       { "HOME", "/.cache/ganger" } };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *value = getenv(places[i].variable);

		if (value && value[0] == '/')
			return snprintf(path, PATH_MAX, "%s%s/programs/%s", value, places[i].below,
					name) < PATH_MAX;
	}
	return false;
}

static void sum_text(const void *data, size_t bytes, char text[SHA256_TEXT])
{
	uint8_t digest[SHA256_BYTES];
	struct sha256 sum;

	sha256_begin(&sum);
	sha256_add(&sum, data, bytes);
	sha256_end(&sum, digest);
	sha256_text(digest, text);
}

/** "SIZE MTIME PATH" */
static bool same_facts(const char *text)
{
	struct stat facts;
	uint64_t size, time;
	int length = 0;

	return sscanf(text, "%" SCNu64 " %" SCNu64 " %n", &size, &time, &length) == 2 &&
	       length > 0 && stat(text + length, &facts) == 0 && (uint64_t)facts.st_size == size &&
	       (uint64_t)facts.st_mtim.tv_sec * NS + (uint64_t)facts.st_mtim.tv_nsec == time;
}

/** "SHA256 PATH" */
static bool same_content(const char *text)
{
	char found[SHA256_TEXT];
	uint8_t *data;
	size_t bytes;

	if (strlen(text) < SHA256_TEXT)
		return false;
	data = folder_read(text + SHA256_TEXT, &bytes);
	if (!data)
		return false;
	sum_text(data, bytes, found);
	free(data);
	return strncmp(found, text, SHA256_TEXT - 1) == 0;
}

/** Whether what a line names has not changed. The last two lines are sizes. */
static bool is_same(const char *line, size_t sizes[2])
{
	if (strncmp(line, "stat ", 5) == 0)
		return same_facts(line + 5);
	if (strncmp(line, "hash ", 5) == 0)
		return same_content(line + 5);
	return sscanf(line, "log %zu", &sizes[0]) == 1 || sscanf(line, "image %zu", &sizes[1]) == 1;
}

/** Reads the lines before the empty one, and changes them. @return whether all is the same. */
static bool check_head(char *head, size_t sizes[2])
{
	char *rest = NULL;
	char *line = strtok_r(head, "\n", &rest);
	bool same = line && strcmp(line, MAGIC) == 0;

	while (same && (line = strtok_r(NULL, "\n", &rest)) != NULL)
		same = is_same(line, sizes);
	return same;
}

/** Copies log and image out of the file's content. */
static bool take(uint8_t *data, size_t bytes, struct compiled *compiled)
{
	uint8_t *end = memmem(data, bytes, "\n\n", 2);
	size_t sizes[2] = { 0, 0 };
	size_t left;

	if (!end)
		return false;
	*end = '\0';
	left = bytes - (size_t)(end + 2 - data);
	if (!check_head((char *)data, sizes) || sizes[0] > left || sizes[1] != left - sizes[0] ||
	    sizes[1] == 0)
		return false;
	compiled->log = strndup((const char *)end + 2, sizes[0]);
	compiled->image = malloc(sizes[1]);
	if (!compiled->log || !compiled->image) {
		free(compiled->log);
		free(compiled->image);
		memset(compiled, 0, sizeof(*compiled));
		return false;
	}
	memcpy(compiled->image, end + 2 + sizes[0], sizes[1]);
	compiled->bytes = sizes[1];
	return true;
}

bool kept_find(const char *name, struct compiled *compiled)
{
	char path[PATH_MAX], found[SHA256_TEXT], noted[SHA256_TEXT];
	size_t bytes = 0;
	uint8_t *data = find_file(name, path) ? folder_read(path, &bytes) : NULL;
	bool whole = data && bytes > SHA256_BYTES;

	if (whole) {
		sum_text(data + SHA256_BYTES, bytes - SHA256_BYTES, found);
		sha256_text(data, noted);
		whole = strcmp(found, noted) == 0 &&
			take(data + SHA256_BYTES, bytes - SHA256_BYTES, compiled);
	}
	if (whole)
		(void)utimensat(AT_FDCWD, path, NULL, 0); /* It counts as used. */
	free(data);
	return whole;
}
