/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SMs of the fake device that are lost and come back, and what becomes of tasks then: for tests of `retry_limit`.
 */
#ifndef TESTS_UNIT_FAKE_LOSS_H
#define TESTS_UNIT_FAKE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define FAKE_RESET 0xfffffu /* tag of RESET_SM commands */

/* An SM stops on a bug of its own. */
void fake_lose(uint32_t sm);

/* The host asks for the reset of an SM. */
void fake_ask_for_reset(uint32_t sm);

/* An SM is reset, with all that it has, and is back. */
void fake_revive(uint32_t sm);

/* In a storm: the reset of an SM is asked for, and done at once if the SM was told to stop. True if so. */
bool fake_reset(uint32_t sm);

/* A task is over and well, and so many of its CTAs ran again. */
void fake_expect_retried(uint32_t tag, uint32_t ctas, uint32_t retried);

/* SMs stop what they are told to; then a task is over with an error, its field and value. */
void fake_expect_error(uint32_t tag, enum gg_status status, uint32_t field, uint64_t value);

/* No task, CTA, range or wave is left, and no completion. */
void fake_loss_at_rest(void);

#endif /* TESTS_UNIT_FAKE_LOSS_H */
