/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Short cuts for tests that run tasks on the fake device.
 */
#ifndef TESTS_UNIT_FAKE_RUN_H
#define TESTS_UNIT_FAKE_RUN_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#define FAKE_US 10u /* ticks of a microsecond */

/* The TMD with another priority. */
struct gg_tmd fake_with_priority(struct gg_tmd tmd, uint32_t priority);

/* The TMD with another mode. */
struct gg_tmd fake_with_mode(struct gg_tmd tmd, enum gg_task_mode mode);

/* The TMD with a mask of SMs; only the first two words have ones. */
struct gg_tmd fake_with_affinity(struct gg_tmd tmd, uint64_t sms);

/* The TMD with another type; of GRID_NULL: without CTAs. */
struct gg_tmd fake_with_type(struct gg_tmd tmd, enum gg_task_type type);

/* A TMD of context 7 with the whole heap as its own. */
struct gg_tmd fake_own(struct gg_tmd tmd);

/* The same with a heap that has TMDs and all that fake_alloc() gave out so far, but not the code's page. */
struct gg_tmd fake_confined(struct gg_tmd tmd);

/* Put a TMD that is made fake_own(); its address. */
uint64_t fake_put_own(struct gg_tmd tmd);

/* An open queue of `capacity` items of 4 bytes, N items a CTA, no time-out; fake_own(). */
struct gg_tmd fake_queue(uint32_t capacity, uint32_t items);

/* An entry of a list of dependents. */
struct gg_dependent fake_edge(uint64_t tmd, enum gg_dependence_action action, uint32_t amount);

/* Put a list of dependents into the heap, for a TMD. */
void fake_set_dependents(struct gg_tmd *tmd, const struct gg_dependent *entries, uint32_t count);

/* Put a list `after` into the heap: the TMDs at these addresses, of generation 0. */
void fake_set_after(struct gg_tmd *tmd, const uint64_t *tmds, uint32_t count);

/* Post SUBMIT of the TMD at an address, with the generation that stands there, and go on. */
void fake_submit_at(uint32_t channel, uint32_t tag, uint64_t address);

/* Put a TMD and fake_submit_at(); its address. */
uint64_t fake_run(uint32_t tag, const struct gg_tmd *tmd);

/* Post a command that names a task of generation 0, on channel 1, and go on. */
void fake_name(uint32_t tag, enum gg_opcode opcode, uint64_t address);

/* Post CANCEL, SUSPEND or RESUME of a channel, on channel 1, and go on. */
void fake_channel(uint32_t tag, enum gg_opcode opcode, uint32_t channel);

/* Post PUSH of items that are in place, on channel 1, and go on; no completion must be waiting. Its
 * status. */
enum gg_status fake_push(uint64_t queue, uint32_t items);

/* Post CONFIG of one part, on channel 1, and go on; no completion must be waiting. Its status. */
enum gg_status fake_config(enum gg_config_part part);

/* Lower priorities get such a share of the CTAs, in thousandths. */
void fake_floor(uint32_t per_mille);

/* All SMs acknowledge and take their packets; the number of CTAs in their hands. */
uint32_t fake_take_all(void);

/* The same, of the packets that are there: the control processor does not go on before. */
uint32_t fake_take_now(void);

/* All CTAs in the SMs' hands end well. */
void fake_end_all(void);

/* All CTAs of an SM end, and the CP goes on. */
void fake_end_sm(uint32_t sm, enum gg_status status);

/* All that can run runs, and ends well. */
void fake_finish(void);

/* A CTA asks for something: `request` but for its task. Where the answer will be. */
const struct gg_answer *fake_ask(uint32_t index, struct gg_request request);

/* The same, and the CP goes on. The answer, which is there in the next
 * turn. */
struct gg_answer fake_request(uint32_t index, struct gg_request request);

/* A CTA launches the TMD at an address. The answer's status. */
enum gg_status fake_launch(uint32_t index, uint64_t address);

/* All SMs act on what they were told to stop: CTAs of tasks that have failed, or of CGAs that run again, end as cancelled. */
void fake_stop_all(void);

/* CTAs in the hands of an SM. */
uint32_t fake_on_sm(uint32_t sm);

/* Tag of the task of a CTA in the SMs' hands. */
uint32_t fake_tag(uint32_t index);

/* CTAs of a task in the SMs' hands. */
uint32_t fake_count(uint32_t tag);

/* The first CTA of a task in the SMs' hands: its index; there is one. */
uint32_t fake_find(uint32_t tag);

/* A CTA of a task ends, and the CP goes on. */
void fake_end_tag(uint32_t tag, enum gg_status status);

/* The next completion is this one. Returns it. */
struct gg_completion fake_expect(uint32_t tag, enum gg_status status);

/* There is no completion. */
void fake_expect_none(void);

#endif /* TESTS_UNIT_FAKE_RUN_H */
