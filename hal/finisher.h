/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The end of the machine, where a board has a way to end it.
 */
#ifndef HAL_FINISHER_H
#define HAL_FINISHER_H

#include <stdint.h>

/** Power the machine off; an emulator exits with the code. Where that is not possible the calling
 * hart sleeps forever.
 * @param code  0 … 65535; an emulator's exit code is its low byte. */
_Noreturn void finish(uint32_t code);

#endif /* HAL_FINISHER_H */
