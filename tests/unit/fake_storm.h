/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Everything at once, at random, on the fake device: all kinds of tasks and commands on all
 * channels, requests of CTAs, failures, time.
 */
#ifndef TESTS_UNIT_FAKE_STORM_H
#define TESTS_UNIT_FAKE_STORM_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define STORM_COMMANDS 20000u /* at most */

extern uint32_t storm_posted;   /* commands so far: the next tag */
extern uint32_t storm_answered; /* of them, those that are complete */

/* A device, with a floor. */
void storm_begin(uint32_t sms, uint32_t floor);

/* Random steps until so many commands have been posted. */
void storm_run(uint32_t commands);

/* Post a command with the next tag, if the ring has room; most often the CP goes on. */
void storm_post(uint32_t channel, struct gg_command command);

/* Take completions: none may come twice. */
void storm_take(void);

/* Channels that were suspended are read again. */
void storm_read_all(void);

/* All tasks of all channels are cancelled, until every command is answered. */
void storm_cancel_all(void);

/* Every command has been answered once; every place, slot and unit is free. */
void storm_expect_nothing_left(void);

#endif /* TESTS_UNIT_FAKE_STORM_H */
