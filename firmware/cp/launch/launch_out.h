/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What each SM has been sent and has not reported. Owns launch_out[] and launch_written[].
 */
#ifndef FIRMWARE_CP_LAUNCH_LAUNCH_OUT_H
#define FIRMWARE_CP_LAUNCH_LAUNCH_OUT_H

#include <stdint.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"

/** By SM and slot: lowest unit of each CTA, or stream, of the slot's task on that SM, a bit each. Written by launch.c
 * and launch_out_end(). */
extern uint32_t launch_out[CP_SMS][CP_SLOTS];

/** Packets that were written for each SM, since it started, modulo 2^32. Written by launch.c and
 * launch_out_forget(). */
extern uint32_t launch_written[CP_SMS];

/** The place of a packet in an SM's ring.
 * @param number  Of the packet, counted since boot. */
static inline struct gg_packet *launch_place(uint32_t sm, uint32_t number)
{
	return &device.launch[sm].packets[number % CP_LAUNCH_ENTRIES];
}

/** Reset: no SM has been sent anything. */
void launch_out_init(void);

/** An SM begins anew, and its ring of packets with it. Nothing that it was sent is left there. */
void launch_out_forget(uint32_t sm);

/** CTAs, or streams, of a slot's task that an SM has: the lowest unit of each, a bit each. */
static inline uint32_t launch_starts(uint32_t sm, uint32_t slot)
{
	return launch_out[sm][slot];
}

/** Remove CTAs, or streams, of a slot's task that have ended on an SM.
 * @param starts  Lowest unit of each, a bit each. */
static inline void launch_out_end(uint32_t sm, uint32_t slot, uint32_t starts)
{
	launch_out[sm][slot] &= ~starts;
}

#endif /* FIRMWARE_CP_LAUNCH_LAUNCH_OUT_H */
