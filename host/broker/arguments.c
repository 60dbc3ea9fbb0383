/* SPDX-License-Identifier: Apache-2.0 */
#include "host/broker/arguments.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds an argument whose text is kept elsewhere. execvp() wants char *, but does not change the
 * text. */
static void add_text(struct arguments *arguments, const char *text)
{
	if (arguments->count + 1 >= ARGUMENTS_MOST) {
		arguments->overflow = true;
		return;
	}
	arguments->list[arguments->count++] = (char *)(uintptr_t)text;
}

/* Adds an option and its value, which is formatted here. */
__attribute__((format(printf, 3, 4))) static void add(struct arguments *arguments,
						      const char *option, const char *format, ...)
{
	va_list values;
	size_t room = ARGUMENTS_BYTES - arguments->used;
	char *place = arguments->text + arguments->used;

	va_start(values, format);
	int length = vsnprintf(place, room, format, values);

	va_end(values);
	if (length < 0 || (size_t)length >= room) {
		arguments->overflow = true;
		return;
	}
	arguments->used += (size_t)length + 1;
	add_text(arguments, option);
	add_text(arguments, place);
}

/* In a QEMU option list a comma inside a value is written twice. */
static void double_commas(char *to, size_t size, const char *from)
{
	size_t used = 0;

	for (; *from && used + 2 < size; from++) {
		to[used++] = *from;
		if (*from == ',') {
			to[used++] = ',';
		}
	}
	to[used] = '\0';
}

/* Adds the words of a list from the board file. */
static void add_words(struct arguments *arguments, const char *words)
{
	while (words && *(words += strspn(words, " \t"))) {
		int length = (int)strcspn(words, " \t");
		size_t room = ARGUMENTS_BYTES - arguments->used;
		char *place = arguments->text + arguments->used;

		if ((size_t)length >= room) {
			arguments->overflow = true;
			return;
		}
		arguments->used += (size_t)snprintf(place, room, "%.*s", length, words) + 1;
		add_text(arguments, place);
		words += length;
	}
}

static void add_images(struct arguments *arguments, const struct board *board)
{
	char folder[2 * BOARD_PATH];

	double_commas(folder, sizeof(folder), board->folder);
	add(arguments, "-kernel", "%s/cp.elf", board->folder);
	add(arguments, "-device", "loader,file=%s/sm.elf", folder);
}

static void add_channels(struct arguments *arguments, const struct launch *launch)
{
	add(arguments, "-chardev", "socket,id=bell,fd=%d", launch->ivshmem);
	add(arguments, "-device", "ivshmem-doorbell,vectors=1,chardev=bell");
	add(arguments, "-chardev", "socket,id=console,fd=%d", launch->console);
	add(arguments, "-serial", "chardev:console");
	add(arguments, "-chardev", "socket,id=qmp,fd=%d", launch->qmp);
	add(arguments, "-mon", "chardev=qmp,mode=control");
}

bool arguments_build(struct arguments *arguments, const struct options *options,
		     const struct board *board, const struct launch *launch)
{
	*arguments = (struct arguments){ .count = 0 };
	add_text(arguments, launch->program);
	add(arguments, "-name", "ganger,debug-threads=on");
	add_text(arguments, "-nodefaults");
	add_text(arguments, "-no-user-config");
	add_text(arguments, "-no-reboot");
	add(arguments, "-display", "none");
	add(arguments, "-M", "virt,memory-backend=ram");
	add(arguments, "-bios", "none");
	add(arguments, "-smp", "%" PRIu32, options->sms + 1);
	add(arguments, "-m", "%" PRIu64 "B", launch->ram_bytes);
	add(arguments, "-object",
	    "memory-backend-file,id=ram,share=on,size=%" PRIu64 "B,mem-path=/proc/self/fd/%d",
	    launch->ram_bytes, launch->ram);
	add_images(arguments, board);
	add_channels(arguments, launch);
	add_words(arguments, board_text(board, "BOARD_QEMU_ARGS"));
	for (unsigned index = 0; index < options->extra_count; index++) {
		add_text(arguments, options->extra[index]);
	}
	return !arguments->overflow;
}
