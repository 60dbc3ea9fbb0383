/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/place.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOARD_DEFAULT "qemu-virt64"
/* Programs of OpenCL expect more memory than boards have by default. Pages that nobody touches cost
 * nothing. */
#define RAM_BYTES     (UINT64_C(1536) << 20)
#define SMALL_SMS     128u /* More than these need a part of that memory for themselves. */
#define SPACES        " \t\n"

static bool begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/** What gg_device_connect() takes, where commas mean something. */
static bool is_connection(const char *text)
{
	return begins(text, "serial:") || begins(text, "mmap:");
}

static bool begins_entry(const char *text)
{
	text += strspn(text, SPACES);
	return begins(text, "qemu-") || is_connection(text) || strcmp(text, "up") == 0 ||
	       begins(text, "up:") || begins(text, "up,");
}

/** Length of the entry at the beginning of a list. */
static size_t entry_length(const char *list)
{
	size_t length = strcspn(list, ",");

	if (!is_connection(list + strspn(list, SPACES)))
		return length;
	while (list[length] == ',' && !begins_entry(list + length + 1))
		length += 1 + strcspn(list + length + 1, ",");
	return length;
}

/** Where `ganger up` listens when it is not told. */
static void default_path(char *path, size_t size)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");

	if (folder && access(folder, W_OK) == 0)
		(void)snprintf(path, size, "%s/ganger.sock", folder);
	else
		(void)snprintf(path, size, "/tmp/ganger-%u/ganger.sock", (unsigned)getuid());
}

static bool read_sms(const char *text, uint32_t *sms)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	*sms = (uint32_t)number;
	return isdigit((unsigned char)*text) && *end == '\0' && number >= 1 && number <= SMS_MAX;
}

/** Reads one entry, whose text is already in place->text. */
static bool read_entry(struct place *place)
{
	char *colon = strchr(place->text, ':');

	if (is_connection(place->text)) {
		place->kind = PLACE_CONNECT;
		return true;
	}
	if (strcmp(place->text, "up") == 0 || begins(place->text, "up:")) {
		place->kind = PLACE_UP;
		if (colon)
			memmove(place->text, colon + 1, strlen(colon));
		else
			default_path(place->text, sizeof(place->text));
		return place->text[0] != '\0';
	}
	place->kind = PLACE_BOOT;
	place->sms = SMS_DEFAULT;
	if (colon)
		*colon++ = '\0';
	return begins(place->text, "qemu-") && (!colon || read_sms(colon, &place->sms));
}

uint32_t place_list(const char *list, struct place *places, uint32_t room)
{
	uint32_t count = 0;

	if (!list || list[strspn(list, SPACES)] == '\0')
		list = BOARD_DEFAULT;
	while (*list && count < room) {
		struct place *place = &places[count];
		size_t length = entry_length(list);
		size_t skipped = strspn(list, SPACES);
		size_t used = length > skipped ? length - skipped : 0;

		while (used > 0 && strchr(SPACES, list[skipped + used - 1]))
			used--;
		memset(place, 0, sizeof(*place));
		if (used < sizeof(place->text))
			memcpy(place->text, list + skipped, used);
		if (used > 0 && read_entry(place))
			count++;
		else if (used > 0)
			(void)fprintf(stderr,
				      "Ganger: GANGER_DEVICES: `%.*s` is no device: BOARD:SMS, up, "
				      "up:PATH, serial:PORT and mmap:FILE@OFFSET are\n",
				      (int)used, list + skipped);
		list += length + (list[length] == ',');
	}
	return count;
}

enum gg_status place_open(const struct place *place, struct gg_device **device)
{
	struct gg_boot boot = { .board = place->text, .sms = place->sms, .ram_bytes = RAM_BYTES };

	if (place->kind == PLACE_UP)
		return gg_device_attach(place->text, device);
	if (place->kind == PLACE_CONNECT)
		return gg_device_connect(place->text, device);
	if (place->sms > SMALL_SMS)
		boot.ram_bytes = 0;
	return gg_device_boot(&boot, device);
}
