/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Short cuts for tests that run tasks on the fake device.
 */
#ifndef TESTS_UNIT_FAKE_RUN_H
#define TESTS_UNIT_FAKE_RUN_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/* The TMD with another priority. */
struct gg_tmd fake_with_priority(struct gg_tmd tmd, uint32_t priority);

/* The TMD with another mode. */
struct gg_tmd fake_with_mode(struct gg_tmd tmd, enum gg_task_mode mode);

/* All SMs acknowledge and take their packets; the number of CTAs in their hands. */
uint32_t fake_take_all(void);

/* All CTAs in the SMs' hands end well. */
void fake_end_all(void);

/* CTAs in the hands of an SM. */
uint32_t fake_on_sm(uint32_t sm);

/* The next completion is this one. */
void fake_expect(uint32_t tag, enum gg_status status);

#endif /* TESTS_UNIT_FAKE_RUN_H */
