/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * TMDs of CGA tasks, and tasks that are taken from TMDs without being submitted.
 */
#ifndef TESTS_UNIT_FAKE_NEST_H
#define TESTS_UNIT_FAKE_NEST_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/task/task.h"

/* CGAs along x: CTAs of the innermost, CGAs of a second level, of a third; 0 for none. */
struct fake_nest {
	uint32_t parts[CP_CGA_LEVELS];
	enum gg_domain domain[CP_CGA_LEVELS];
};

/* A TMD of type CGA, of one top-level CGA. */
struct gg_tmd fake_nested(struct fake_nest nest);

/* Take a TMD as the host's; task->failure says whether it is refused. The caller gives it back. */
struct task *fake_take(const struct gg_tmd *tmd);

#endif /* TESTS_UNIT_FAKE_NEST_H */
