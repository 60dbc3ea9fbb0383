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
		<< 10, /**< The timer has interrupted: set by recover/watch, in the interrupt handler. */
	DUE_TIMER =
		1u
		<< 11 /**< The watchdog has no timer: set by recover/watch, until CTAs are out. */
};

/** The stages that are due. */
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

/** Whether one of these stages has something to do. */
static inline bool due_is(uint32_t stages)
{
	return (due_stages & stages) != 0;
}

#endif /* FIRMWARE_CP_BASE_DUE_H */
