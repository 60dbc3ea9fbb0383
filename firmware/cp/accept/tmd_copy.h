/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Copies a TMD by words of the processor, each of which is read once, and says in the same pass what every task asks of it.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_COPY_H
#define FIRMWARE_CP_ACCEPT_TMD_COPY_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Copy a TMD, and gather its rare words: those that are zero in the TMD of a plain grid. Of a short one the copy has zeros in
 * place of all words that it does not have.
 * @return  0 if they are all zero. */
uintptr_t tmd_copy(struct gg_tmd *to, const struct gg_tmd *from);

/** The same into a copy of a short TMD: the words that say what kernel is run and how are only compared, and others are not read.
 * @return  0 if they are as they were. */
uintptr_t tmd_copy_again(struct gg_tmd *to, const struct gg_tmd *from);

/** Look at the words that a short TMD has not.
 * @return  0 if they are all zero: it is short, even if it does not say so. */
uintptr_t tmd_others(const struct gg_tmd *from);

#endif /* FIRMWARE_CP_ACCEPT_TMD_COPY_H */
