/* SPDX-License-Identifier: Apache-2.0 */
/* A window of a file as a device: its size, its doorbell words, and invalid places.
 * sources: host/lib/transport/transport.c host/lib/transport/transport_file.c host/lib/transport/transport_link.c
 * host/lib/transport/transport_uri.c host/lib/transport/serial.c host/lib/transport/link.c host/common/deadline.c
 * host/common/unix_address.c firmware/link/frame.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "firmware/abi/ganger_abi.h"
#include "host/lib/transport/transport_uri.h"

#define PAGE  4096u
#define PAGES 8u /* of RAM; one more is the doorbell's */

static char path[] = "/tmp/ganger-window-XXXXXX";

static void write_word(uint64_t offset, uint32_t word)
{
	FILE *file = fopen(path, "r+b");

	assert_non_null(file);
	assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
	assert_int_equal(fwrite(&word, sizeof(word), 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

static uint32_t read_word(uint64_t offset)
{
	FILE *file = fopen(path, "rb");
	uint32_t word = 0;

	assert_non_null(file);
	assert_int_equal(fseek(file, (long)offset, SEEK_SET), 0);
	assert_int_equal(fread(&word, sizeof(word), 1, file), 1);
	assert_int_equal(fclose(file), 0);
	return word;
}

static int make_file(void **state)
{
	const int file = mkstemp(path);

	(void)state;
	return file < 0 || ftruncate(file, (PAGES + 1) * PAGE) != 0 || close(file) != 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/** Opens a window with `numbers` behind the path. */
static int open_window(const char *numbers, struct transport **transport)
{
	char uri[128], message[128] = "";
	int status;

	(void)snprintf(uri, sizeof(uri), "mmap:%s%s", path, numbers);
	status = transport_of_uri(transport, uri, message, sizeof(message));
	assert_int_equal(message[0] == '\0', status == GG_OK);
	return status;
}

static void expect_bells(struct transport *transport, uint64_t at)
{
	const uint32_t before = read_word(at);
	uint64_t bytes;

	assert_non_null(transport_ram(transport, &bytes));
	assert_int_equal(bytes, PAGES * PAGE);
	assert_int_equal(transport_ring(transport), GG_OK);
	assert_int_equal(transport_ring(transport), GG_OK);
	assert_int_equal(read_word(at), before + 2);
	assert_int_equal(transport_wait(transport, 5), GG_ERR_TIMEOUT);
	write_word(at + 4, read_word(at + 4) + 1);
	assert_int_equal(transport_wait(transport, 60000), GG_OK);
	assert_int_equal(transport_wait(transport, 5), GG_ERR_TIMEOUT);
	transport_close(transport);
}

/* S8: doorbell words where the place says that they are. */
static void named_doorbell(void **state)
{
	struct transport *transport;

	(void)state;
	assert_int_equal(open_window("@0,0x8000,0x8000", &transport), GG_OK);
	expect_bells(transport, PAGES * PAGE);
	assert_int_equal(open_window("@0,32768,32776", &transport), GG_OK);
	expect_bells(transport, PAGES * PAGE + 8);
}

/* S8: a doorbell page behind memory says what it is. */
static void doorbell_page(void **state)
{
	struct transport *transport;

	(void)state;
	write_word(PAGES * PAGE + 8, 0x42444747);
	write_word(PAGES * PAGE + 12, PAGES);
	assert_int_equal(open_window("@0", &transport), GG_OK);
	expect_bells(transport, PAGES * PAGE);
	write_word(PAGES * PAGE + 12, PAGES + 1);
	assert_int_equal(open_window("", &transport), GG_OK);
	assert_int_equal(transport_ring(transport), GG_OK);
	assert_int_equal(transport_wait(transport, 1), GG_OK); /* the caller looks */
	transport_close(transport);
}

/* A part of the file, and invalid places. */
static void places(void **state)
{
	static const char *const bad[] = {
		"@",       "@1",        "@-4096",        "@0,",       "@0,0",
		"@0,x",    "@0,4096,",  "@0,4096,2",     "@0,4096,0", "@0,4096,4,",
		"@0x9000", "@0,0xa000", "@0,4096,0xa000"
	};
	struct transport *transport = NULL;
	uint64_t bytes;

	(void)state;
	assert_int_equal(open_window("@0x1000,8192", &transport), GG_OK);
	assert_non_null(transport_ram(transport, &bytes));
	assert_int_equal(bytes, 8192);
	transport_close(transport);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_not_equal(open_window(bad[i], &transport), GG_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named_doorbell),
		cmocka_unit_test(doorbell_page),
		cmocka_unit_test(places),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
