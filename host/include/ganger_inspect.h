/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: registers, configuration, counters, trace, faults, console, and raw commands for
 * tests. The rules of ganger.h hold.
 */
#ifndef HOST_INCLUDE_GANGER_INSPECT_H
#define HOST_INCLUDE_GANGER_INSPECT_H

#include "host/include/ganger_task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Registers, counters, configuration ------------------------------------------------- */

/**
 * Words of the register window, by 32-bit accesses; offset from the capability block, a multiple
 * of 4. @return GG_ERR_ARGUMENT: outside the window.
 */
GG_CHECKED enum gg_status gg_regs_read(struct gg_device *device, uint32_t offset, uint32_t *words,
				       uint32_t count);
/** Writes words of the register window. Nothing checks that the device can bear it. */
GG_CHECKED enum gg_status gg_regs_write(struct gg_device *device, uint32_t offset,
					const uint32_t *words, uint32_t count);

/** Counters of the device: the PERF block. */
GG_CHECKED enum gg_status gg_stat(struct gg_device *device, struct gg_perf *perf);

/** The counts of this host. */
struct gg_traffic {
	uint64_t posted;    /**< Commands written to channels. */
	uint64_t completed; /**< Completions that belonged to one of them. */
	uint64_t unknown; /**< Completions with a tag that was not on its way: see gg_orphans(). */
	uint64_t interrupts; /**< Interrupts of the device that a wait took. */
	uint64_t doorbells;  /**< Doorbells rung. */
};
GG_CHECKED enum gg_status gg_traffic(struct gg_device *device, struct gg_traffic *traffic);

/**
 * Waits until `completed` of gg_traffic() is no longer `*completed`, and sets it to what it is then. So one
 * thread can look after any tasks, also those that come while it waits; gg_task_poll() tells which
 * have ended. @return GG_ERR_TIMEOUT: none has; _DEVICE_LOST, _PANIC.
 */
GG_CHECKED enum gg_status gg_completions_wait(struct gg_device *device, uint32_t timeout_ms,
					      uint64_t *completed);

/** Reads the CONFIG block. */
GG_CHECKED enum gg_status gg_config_get(struct gg_device *device, struct gg_config *config);

/** Writes parts of the block (bits of enum gg_config_part) and applies them. If the device refuses
 * them, they are written back as they were. The library itself chooses `park_page`: the first time that `park_ms` is set, it takes
 * memory from the device's heap, twice what the SMs have, and keeps it. Of a device that hosts share the broker has kept it, unless that is
 * more than a quarter of the heap.
 * @return GG_ERR_CONFIG with the field; GG_ERR_NO_MEMORY; GG_ERR_BUSY: the host does not manage the device, or CTAs are parked elsewhere. */
GG_CHECKED enum gg_status gg_config_set(struct gg_device *device, uint32_t parts,
					const struct gg_config *config, uint32_t timeout_ms);

/** Asks the device a question: enum gg_query_what. */
GG_CHECKED enum gg_status gg_query(struct gg_device *device, uint32_t what, uint32_t timeout_ms,
				   uint64_t *value);

/* ---- Trace, faults, console ------------------------------------------------------------- */

/** A trace record. Times in ns of the device's clock. */
struct gg_event {
	uint32_t type;  /**< enum gg_trace_type. */
	uint32_t place; /**< See trace_record in the ABI. */
	uint32_t sm;    /**< SM, or 0xffff. */
	uint32_t tag;   /**< Tag of the task. */
	uint32_t cta;   /**< Linear CTA number, low word, or as the type says. LAUNCH of a grid of
			     CGAs: the launch position, which counts CTAs CGA by CGA. */
	uint32_t extra; /**< By type. */
	uint64_t start, end;
};

/** Switches the trace on (1) or off (0). */
GG_CHECKED enum gg_status gg_trace_enable(struct gg_device *device, uint32_t on,
					  uint32_t timeout_ms);

/** Reads a trace ring: 0 is that of the control processor, 1 + i that of SM i. `next` counts the
 * records seen (0 at first) and is moved on; `lost` grows by the records that were overwritten
 * before they could be read. When `cap.resets` has changed, the device counts anew: begin at 0. */
GG_CHECKED enum gg_status gg_trace_read(struct gg_device *device, uint32_t ring, uint32_t *next,
					struct gg_event *events, uint32_t capacity, uint32_t *count,
					uint64_t *lost);

/** A fault record: what a CTA did wrong. */
struct gg_fault {
	int32_t status; /**< enum gg_status. */
	uint32_t tag;   /**< Tag of the task. */
	uint32_t sm;
	uint32_t thread; /**< Linear thread number in the CTA. */
	uint32_t cause;  /**< mcause, or 0. */
	uint32_t context;
	uint32_t cga;           /**< The CTA's CGA: GG_PACKET_CGA_ID and _VALID; 0: none. */
	uint32_t cga_rank;      /**< Rank of the CTA in it. */
	uint64_t cta;           /**< Linear CTA number. */
	uint64_t pc;            /**< Program counter: device address. */
	uint64_t address;       /**< Faulting address. */
	uint64_t registers[31]; /**< x1 to x31. */
};

/** Reads the record that a completion names. @return GG_ERR_ARGUMENT: none, or overwritten since.
 */
GG_CHECKED enum gg_status gg_fault_read(struct gg_device *device, uint32_t sm, uint32_t sequence,
					struct gg_fault *fault);

/** Why the control processor stopped, or booted again, the last time. */
struct gg_panic {
	uint32_t panics; /**< How often; 0: never. */
	uint32_t cause;  /**< mcause, or 0xffffffff for a failed assertion. */
	uint32_t line;
	uint32_t reserved; /**< 0. */
	uint64_t pc;
	uint64_t address;
	uint64_t registers[31]; /**< x1 to x31. */
	char file[32];          /**< Of a failed assertion, or empty. */
};
GG_CHECKED enum gg_status gg_panic_read(struct gg_device *device, struct gg_panic *panic);

/** Reads what the device printed since the last call. Never waits; `bytes` 0: there is nothing new.
 */
GG_CHECKED enum gg_status gg_console_read(struct gg_device *device, char *text, size_t size,
					  size_t *bytes);

/** Takes the oldest completions whose commands are not ours, such as those of a host that died. */
GG_CHECKED enum gg_status gg_orphans(struct gg_device *device, struct gg_done *done,
				     uint32_t capacity, uint32_t *count);

/* ---- Raw access, for tests -------------------------------------------------------------- */

/** A command as it goes into the channel, without its tag. */
struct gg_raw {
	uint32_t channel;
	uint32_t opcode;   /**< enum gg_opcode, or any byte. */
	uint32_t flags;    /**< Bits 31:8 of the header, in their places. */
	uint32_t reserved; /**< 0. */
	uint64_t address;
	uint32_t argument[4];
};

/** Posts any command; its completion is waited for like a task's. */
GG_CHECKED enum gg_status gg_command_post(struct gg_device *device, const struct gg_raw *raw,
					  uint32_t timeout_ms, struct gg_task **task);

/**
 * Puts the arguments and the TMD of some work into device memory, as gg_submit() does, but posts
 * nothing. `tmd` is what was written at `address`: change it, gg_write() it there, post it with
 * gg_command_post() (SUBMIT, address, argument[0] = tmd->generation).
 */
GG_CHECKED enum gg_status gg_tmd_create(const struct gg_work *work, struct gg_tmd *tmd,
					uint64_t *address);
/** Gives that memory back. @return GG_ERR_ARGUMENT: not such an address. */
GG_CHECKED enum gg_status gg_tmd_destroy(struct gg_device *device, uint64_t address);

/** Rings the doorbell and does nothing else. */
GG_CHECKED enum gg_status gg_doorbell(struct gg_device *device);

/** Writes any put word to a channel, and rings the doorbell. */
GG_CHECKED enum gg_status gg_channel_put(struct gg_device *device, uint32_t channel, uint32_t put);

/** Words of a channel, with the state of enum gg_channel_state. */
GG_CHECKED enum gg_status gg_channel_read(struct gg_device *device, uint32_t channel,
					  struct gg_channel *words);

/** Sets the priority of a channel, 1 (read first) to 10. */
GG_CHECKED enum gg_status gg_channel_priority(struct gg_device *device, uint32_t channel,
					      uint32_t priority);

/** Resets a channel: one that was refused is open again, its commands that the device had not taken complete with
 * GG_ERR_CHANNEL; one that was suspended is read again; kernels that tasks of it brought into quarantine
 * (GG_ERR_QUARANTINE) may run again.
 * @return GG_ERR_BUSY: it is not refused and has commands that the device has not taken. */
GG_CHECKED enum gg_status gg_channel_reset(struct gg_device *device, uint32_t channel,
					   uint32_t timeout_ms);

/** Resets an SM: what it runs ends with GG_ERR_SM_LOST, and it comes back with nothing in its memory. Returns when it
 * takes CTAs again. The device gives an SM `answer_ms` of CONFIG to stop, and as long to start.
 * @return GG_ERR_ARGUMENT: there is no such SM; _BUSY: another SM, or this one, is being reset; _SM_LOST: it does not
 * answer and cannot be forced, and is used no more; _UNSUPPORTED: the board has left this part out; _TIMEOUT. */
GG_CHECKED enum gg_status gg_sm_reset(struct gg_device *device, uint32_t sm, uint32_t timeout_ms);

/** Lets the control processor boot again, as it does by itself after a panic: all commands and tasks on their way end with
 * GG_ERR_DEVICE_RESET, those of other processes, too. Contexts, modules and memory stay; kept graphs and CONFIG do not.
 * @return GG_ERR_UNSUPPORTED: this device cannot; GG_ERR_PERMISSION; GG_ERR_TIMEOUT: it is not up yet. */
GG_CHECKED enum gg_status gg_device_restart(struct gg_device *device, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_INSPECT_H */
