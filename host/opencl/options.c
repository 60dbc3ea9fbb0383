/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/options.h"

#include <stdlib.h>
#include <string.h>

/** An option that programs may give. */
struct option {
	const char *text;
	bool value;  /* One follows, in the same word or the next one. */
	bool passed; /* ganger-cc gets it. */
};

static const struct option compile_options[] = {
	{ "-D", true, true },
	{ "-I", true, true },
	{ "-w", false, true },
	{ "-Werror", false, true },
	{ "-g", false, false }, /* Always there. */
	{ "-cl-std=CL1.0", false, true },
	{ "-cl-std=CL1.1", false, true },
	{ "-cl-std=CL1.2", false, true },
	{ "-cl-std=CL2.0", false, true },
	{ "-cl-std=CL3.0", false, true },
	{ "-cl-single-precision-constant", false, true },
	{ "-cl-denorms-are-zero", false, true },
	{ "-cl-fp32-correctly-rounded-divide-sqrt", false, true },
	{ "-cl-opt-disable", false, false },
	{ "-cl-strict-aliasing", false, true },
	{ "-cl-mad-enable", false, true },
	{ "-cl-no-signed-zeros", false, true },
	{ "-cl-unsafe-math-optimizations", false, true },
	{ "-cl-finite-math-only", false, true },
	{ "-cl-fast-relaxed-math", false, true },
	{ "-cl-kernel-arg-info", false, false }, /* Always there. */
	{ "-cl-uniform-work-group-size", false, true },
	{ "-cl-no-subgroup-ifp", false, false },
};

static const struct option link_options[] = {
	{ "-create-library", false, false },
	{ "-enable-link-options", false, false },
	{ "-cl-denorms-are-zero", false, false },
	{ "-cl-no-signed-zeros", false, false },
	{ "-cl-unsafe-math-optimizations", false, false },
	{ "-cl-finite-math-only", false, false },
	{ "-cl-fast-relaxed-math", false, false },
	{ "-cl-no-subgroup-ifp", false, false },
};

/** The option that a word is or begins with; NULL: none. */
static const struct option *find(const char *word, bool linking)
{
	const struct option *options = linking ? link_options : compile_options;
	size_t count = linking ? sizeof(link_options) / sizeof(link_options[0])
			       : sizeof(compile_options) / sizeof(compile_options[0]);

	for (size_t i = 0; i < count; i++) {
		const char *text = options[i].text;

		if (options[i].value ? strncmp(word, text, strlen(text)) == 0
				     : strcmp(word, text) == 0)
			return &options[i];
	}
	return NULL;
}

/** Splits the text where it lies. @return the number of words. */
static size_t split(char *text, char **words)
{
	char *to = text;
	size_t count = 0;

	while (*text) {
		char quote = '\0';

		text += strspn(text, " \t\r\n");
		if (!*text)
			break;
		words[count++] = to;
		while (*text && (quote || !strchr(" \t\r\n", *text))) {
			if (*text == '\\' && text[1] && strchr("\"'\\ ", text[1]))
				*to++ = *++text;
			else if (*text == quote)
				quote = '\0';
			else if (!quote && (*text == '"' || *text == '\''))
				quote = *text;
			else
				*to++ = *text;
			text++;
		}
		text += *text != '\0';
		*to++ = '\0';
	}
	return count;
}

/** Checks the words, and keeps those that are passed on. */
static bool check(struct options *options, bool linking)
{
	size_t kept = 0;

	for (size_t i = 0; i < options->count; i++) {
		char *word = options->words[i];
		const struct option *option = find(word, linking);
		bool two = option && option->value && strcmp(word, option->text) == 0;

		if (!option || (two && i + 1 == options->count))
			return false;
		options->library = options->library || strcmp(word, "-create-library") == 0;
		if (option->passed)
			options->words[kept++] = word;
		if (two)
			options->words[kept++] = options->words[++i];
	}
	options->count = kept;
	return true;
}

cl_int options_read(const char *text, bool linking, struct options *options)
{
	size_t length = text ? strlen(text) : 0;

	memset(options, 0, sizeof(*options));
	/* A word with its 0 is never longer than with the space behind it. */
	options->text = malloc(length + 2);
	options->words = malloc((length / 2 + 2) * sizeof(char *));
	if (!options->text || !options->words) {
		options_free(options);
		return CL_OUT_OF_HOST_MEMORY;
	}
	memcpy(options->text, text ? text : "", length + 1);
	options->text[length + 1] = '\0';
	options->count = split(options->text, options->words);
	if (check(options, linking))
		return CL_SUCCESS;
	options_free(options);
	return linking ? CL_INVALID_LINKER_OPTIONS : CL_INVALID_BUILD_OPTIONS;
}

void options_free(struct options *options)
{
	free(options->text);
	free(options->words);
	memset(options, 0, sizeof(*options));
}
