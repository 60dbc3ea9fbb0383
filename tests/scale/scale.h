/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A storm for devices of any size: grids of CGAs and plain grids at random, with failures, barriers, cancels,
 * suspensions and SMs that are switched off and on, on a fake device whose SMs form a tree of unequal parts.
 */
#ifndef TESTS_SCALE_SCALE_H
#define TESTS_SCALE_SCALE_H

#include <stdint.h>

#define SCALE_GPCS 32u /* most GPCs */

/* A device, and what is done to it. */
struct scale {
	uint32_t gpcs;                /* GPCs, 1 to SCALE_GPCS */
	uint32_t gpc_sms[SCALE_GPCS]; /* SMs of each */
	uint32_t cpc_sms;             /* SMs of a CPC; the last one of a GPC may have fewer */
	uint32_t tpc_sms;             /* SMs of a TPC */
	uint32_t tasks;               /* accepted tasks of a round */
	uint32_t rounds;              /* each with a device of its own */
	uint32_t check;               /* what must hold is looked at once in so many steps */
};

/* A device of idle SMs in its tree. */
void scale_device(const struct scale *scale);

/* The storm. */
void scale_storm(const struct scale *scale);

#endif /* TESTS_SCALE_SCALE_H */
