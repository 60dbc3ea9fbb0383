/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The map of the device: where each register block is, and what the SMs are.
 *
 * boot.c lays the blocks out and fills this in, once, before anything else runs; unit tests point
 * it at arrays. From then on it is constant. All pointers are into memory that the host or the SMs
 * share with the CP: words that they write are read through hal/mmio.h.
 */
#ifndef FIRMWARE_CP_BASE_DEVICE_H
#define FIRMWARE_CP_BASE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/limits.h"

/** An SM's rings: the CP's header, its packets to the SM, the SM's reports and requests to it, and its
 * answers to these. */
struct launch_rings {
	struct gg_launch header;                       /**< Written by the CP. */
	struct gg_packet packets[CP_LAUNCH_ENTRIES];   /**< Written by the CP. */
	struct gg_report reports[CP_LAUNCH_ENTRIES];   /**< Written by the SM. */
	struct gg_request requests[CP_LAUNCH_ENTRIES]; /**< Written by the SM. */
	struct gg_answer answers[CP_LAUNCH_ENTRIES];   /**< Written by the CP. */
};

/** A channel's ring of commands; written by the host. */
struct command_ring {
	struct gg_command entries[CP_CHANNEL_ENTRIES]; /**< Entry i holds commands i, i + 64, … */
};

/** A trace ring: header and records. */
struct trace_ring {
	struct gg_trace header;                           /**< Used by the CP's ring. */
	struct gg_trace_record records[CP_TRACE_ENTRIES]; /**< Newest records. */
};

/** What an SM has: the same for all SMs of a device. */
struct sm_resources {
	uint32_t ctas;          /**< CTA slots, 1 to 31. */
	uint32_t warps;         /**< Warp slots, 1 to 255. */
	uint32_t units;         /**< Memory units, 1 to 32. */
	uint32_t shared_bytes;  /**< Shared memory; a power of two a unit. */
	uint32_t private_bytes; /**< Private memory; a power of two a unit. */
	uint32_t registers;     /**< Register budget; 0 when the board sets none. */
};

/** The map. */
struct device {
	struct gg_cap *cap;                /**< Capability block. */
	struct gg_config *config;          /**< CONFIG block; the host writes it. */
	struct gg_channel *channels;       /**< CP_CHANNELS of them. */
	struct command_ring *commands;     /**< One ring a channel. */
	struct gg_post *post;              /**< Header of the completion ring. */
	struct gg_completion *completions; /**< CP_COMPLETION_ENTRIES of them. */
	struct gg_slot *slots;             /**< Task table, CP_SLOTS entries. */
	struct gg_sm_state *sms;           /**< SM state, one entry an SM. */
	uint32_t *bells;             /**< Bell bytes, four SMs a word; each SM writes its own. */
	struct launch_rings *launch; /**< One an SM. */
	struct gg_perf *perf;        /**< Counters. */
	struct trace_ring *trace;    /**< The CP's ring, then one an SM. */
	struct gg_error *error;      /**< Panic record. */
	struct gg_cluster *clusters; /**< CGA members, one block an SM. */
	struct gg_work_entry *work;  /**< Global queue, one entry a slot. */
	struct gg_local_queue *
		locals; /**< Local queues: of GPC g and slot s the one of number g * CP_SLOTS + s. */
	struct gg_pull *pulls;         /**< What SMs run of PULL grids, one block an SM. */
	unsigned char *memory;         /**< Where the CP sees device address `memory_base`. */
	uint64_t memory_base;          /**< First device address that the host may name. */
	uint64_t memory_bytes;         /**< Bytes that the host may name: the heap. */
	uint64_t units_base;           /**< Device address of the units of SM 0; set by boot. */
	uint64_t units_stride;         /**< Bytes of the units of an SM. */
	unsigned char *units;          /**< Where the CP sees device address `units_base`. */
	uint32_t sms_count;            /**< SMs, 1 to CP_SMS. */
	uint32_t sm_words;             /**< Words of a bitmap of these SMs. */
	struct sm_resources resources; /**< Of each SM. */
	uint32_t unit_shared_shift;    /**< log2 of the shared bytes of a unit. */
	uint32_t unit_private_shift;   /**< log2 of the private bytes of a unit. */
	uint64_t size_max;             /**< Largest value of a kernel's size_t. */
};

/** The device of this control processor. */
extern struct device device;

/** The SMs of a word of a bitmap: all 32, but for the last word.
 * @param word  Below `sm_words`. */
static inline uint32_t device_sms_of_word(uint32_t word)
{
	const uint32_t sms = device.sms_count - word * 32;

	return bits_ones(sms < 32 ? sms : 32);
}

/** Whether device memory [base, base + bytes) may be named by the host.
 * @param bytes  Not 0; any 64-bit value: the sum does not wrap. */
static inline bool device_holds(uint64_t base, uint64_t bytes)
{
	return bytes != 0 && base >= device.memory_base && bytes <= device.memory_bytes &&
	       base - device.memory_base <= device.memory_bytes - bytes;
}

/** Where the CP sees a device address for which device_holds() is true. */
static inline const void *device_pointer(uint64_t address)
{
	return device.memory + (uintptr_t)(address - device.memory_base);
}

/** Where the CP sees [address, address + bytes) of the heap or of SMs' units; NULL when it is in
 * neither. */
static inline const void *device_readable(uint64_t address, uint64_t bytes)
{
	const uint64_t units_bytes = device.units_stride * device.sms_count;

	if (device_holds(address, bytes)) {
		return device_pointer(address);
	}
	if (bytes == 0 || address < device.units_base || bytes > units_bytes ||
	    address - device.units_base > units_bytes - bytes) {
		return NULL;
	}
	return device.units + (uintptr_t)(address - device.units_base);
}

/** The same, for the rare case that the CP writes what is the host's: 4-byte aligned words. */
static inline uint32_t *device_words(uint64_t address)
{
	return (uint32_t *)(void *)(device.memory + (uintptr_t)(address - device.memory_base));
}

#endif /* FIRMWARE_CP_BASE_DEVICE_H */
