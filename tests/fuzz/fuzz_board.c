/* SPDX-License-Identifier: Apache-2.0 */
/* The text of board files.
 * sources: host/broker/board.c host/broker/number.c */
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/board.h"
#include "host/broker/number.h"
#include "tests/fuzz/fuzz.h"

#define SMS 511u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct board board;
	const size_t kept = bytes < sizeof(board.text) ? bytes : sizeof(board.text);
	char message[64] = "";
	uint64_t number;

	board.values = 0;
	if (kept > 0)
		memcpy(board.text, data, kept);
	if (board_parse(&board, kept, "board.mk", message, sizeof(message)) != GG_OK) {
		if (!memchr(message, 0, sizeof(message)) || !message[0])
			abort();
		return 0;
	}
	for (uint32_t i = 0; i < board.values; i++)
		(void)!number_parse(board.contents[i], UINT64_MAX, &number);
	if (board.values > 0 &&
	    board_text(&board, board.names[board.values - 1]) != board.contents[board.values - 1])
		abort();
	if (board_ram_bytes(&board, SMS) % (1024 * 1024) != 0)
		abort();
	return 0;
}
