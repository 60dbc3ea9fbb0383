/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Reads the board file, build/<board>/board.mk.
 *
 * make includes the same file, so it is kept plain: lines `NAME = value` and comments from `#` to
 * the end of the line; no make functions, no continuation lines. A list has spaces between its
 * items. Values stay text until somebody asks for a number.
 */
#ifndef HOST_BROKER_BOARD_H
#define HOST_BROKER_BOARD_H

#include <stddef.h>
#include <stdint.h>

#define BOARD_BYTES  8192u /**< Longest board file. */
#define BOARD_VALUES 64u   /**< Most values in one. */
#define BOARD_PATH   512u  /**< Longest path of a board's folder, its end included. */

/** A board file in memory. Owned by the caller; constant after board_read(). */
struct board {
	char folder[BOARD_PATH]; /**< build/<board>, absolute, without a slash at its end. */
	char name[32];           /**< Last part of the folder: the board's name. */
	char text[BOARD_BYTES];  /**< The file, cut into the strings below. */
	uint32_t values;         /**< How many entries of the two tables are used. */
	const char *names[BOARD_VALUES];
	const char *contents[BOARD_VALUES];
};

/** Read a board.
 * @param folder   build/<board>; there must be a board.mk in it.
 * @param message  What went wrong, in words, when the result is not GG_OK.
 * @return GG_OK, GG_ERR_IMAGE_MISSING (no such file), GG_ERR_BOARD (not a board file; the message
 *         names the line), GG_ERR_ARGUMENT (path or name too long), GG_ERR_IO. */
__attribute__((warn_unused_result)) int board_read(struct board *board, const char *folder,
						   char *message, size_t size);

/** Read a board file whose first `bytes` bytes are in `text` of a board that is zero otherwise. board_read()
 * uses it.
 * @param path     What the message calls the file.
 * @param message  As in board_read().
 * @return GG_OK, GG_ERR_BOARD (too long, or not a board file). */
__attribute__((warn_unused_result)) int board_parse(struct board *board, size_t bytes,
						    const char *path, char *message, size_t size);

/** Value of a name, or NULL when the board does not give it. Lives as long as the board. */
const char *board_text(const struct board *board, const char *name);

/** Value as a number: decimal, 0x… or 0….
 * @param[out] number  Written only when the result is GG_OK.
 * @return GG_OK, GG_ERR_BOARD (not given, or not a number). */
__attribute__((warn_unused_result)) int board_number(const struct board *board, const char *name,
						     uint64_t *number);

/** Value as a number, or `fallback` when the board does not give it or it is not a number. */
uint64_t board_number_or(const struct board *board, const char *name, uint64_t fallback);

/** RAM to give a device by default: 512 MiB, or BOARD_RAM_MIN if that is more, and the areas of its
 * SMs, in whole MiB. Memory that the device does not touch costs nothing. */
uint64_t board_ram_bytes(const struct board *board, uint32_t sms);

#endif /* HOST_BROKER_BOARD_H */
