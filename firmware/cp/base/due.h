/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Which stages of the loop have something to do: one word, a bit for each stage, in the order in which a turn of the
 * loop runs them. Whoever puts work into a stage's inbox sets its bit. A stage whose bit is not set costs nothing.
 */
#ifndef FIRMWARE_CP_BASE_DUE_H
#define FIRMWARE_CP_BASE_DUE_H

#include <stdbool.h>
#include <stdint.h>

/** The stages, from first to last. */
enum due {
	DUE_HOST = 1u << 0,    /**< Host commands may be there: set when a turn is woken. */
	DUE_INBOX = 1u << 1,   /**< SMs may have rung: set when a turn is woken. */
	DUE_FEED = 1u << 2,    /**< Time-outs of queue tasks run: set by task/queue. */
	DUE_CONTROL = 1u << 3, /**< A channel is being cancelled: set by host/control. */
	DUE_RETIRE = 1u << 4,  /**< Tasks are over: set by life. */
	DUE_GRAPH = 1u << 5,   /**< Graphs are in the device: set by graph. */
	DUE_SCHEDULE =
		1u << 6, /**< Tasks, SMs or settings have changed: set by the stages above. */
	DUE_POST =
		1u
		<< 7, /**< Completions wait, or the host is to be interrupted: set by finish/completion. */
	DUE_RESET = 1u << 9, /**< SMs are being reset: set by recover/reset. */
	DUE_WAVE = 1u << 8,  /**< Waves were opened: set by wave; the inbox looks at them. */
	DUE_WATCH =
		1u
		<< 12, /**< The timer has interrupted: set by recover/watch, in the interrupt handler. */
	DUE_TIMER =
		1u
		<< 11, /**< The watchdog has no timer: set by recover/watch, until CTAs are out. */
	DUE_FILL =
		1u
		<< 13, /**< The host has posted tasks, and nothing else has changed: set by host. */
	DUE_PARK = 1u << 10 /**< Somebody waits for CTAs that may be parked: set by park. */
};

/** What keeps tasks from the short way (express.h), although no stage has to do anything: bits of the same word, so that
 * one look at it tells. */
enum due_state {
	DUE_LENT = 1u << 16,     /**< SMs are lent to waves: set by wave. */
	DUE_CGAS = 1u << 17,     /**< CGAs are in flight: set by cga. */
	DUE_PENDING = 1u << 18,  /**< Tasks are pending: set by schedule/task_management. */
	DUE_PULLS = 1u << 19,    /**< PULL grids have entries in the queue: set by pull. */
	DUE_THROTTLE = 1u << 20, /**< Throttle mode is on or wanted: set by schedule/throttle. */
	DUE_SHARE =
		1u
		<< 21, /**< Lower priorities have a minimum share: set by schedule/minimum_share. */
	DUE_RANKED =
		1u << 22, /**< The rank of an SM is not its number (S0-R31): set by sms/sm_state. */
	DUE_TRACED =
		1u << 23, /**< The device is traced: set by task/trace. Refill does not mind. */
	DUE_STOPS =
		1u
		<< 26, /**< Stop requests wait behind others of their SM: set by launch/launch_stop. */
	DUE_PARKED = 1u << 25, /**< CTAs are parked: set by launch/launch_park. */
	DUE_DETOUR = 1u << 24, /**< Tests want the stages, and all checks: set by express. */
};

#define DUE_STAGES 0xffffu /**< The bits of the stages. */

/** The stages that are due, and the states. */
extern uint32_t due_stages;

/** Stages have something to do. */
static inline void due_set(uint32_t stages)
{
	due_stages |= stages;
}

/** Stages have nothing more to do. */
static inline void due_clear(uint32_t stages)
{
	due_stages &= ~stages;
}

/** Note whether a state holds. */
static inline void due_note(enum due_state state, bool holds)
{
	due_stages = holds ? due_stages | (uint32_t)state : due_stages & ~(uint32_t)state;
}

/** Whether one of these stages has something to do. */
static inline bool due_is(uint32_t stages)
{
	return (due_stages & stages) != 0;
}

#endif /* FIRMWARE_CP_BASE_DUE_H */
