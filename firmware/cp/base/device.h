/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The map of the device: where each register block is, and what resources an SM has.
 *
 * boot.c lays the blocks out and fills in the map once, before anything else runs; unit tests point it at arrays.
 * The map is constant from then on. All pointers lead to memory that the host or the SMs share with the CP; the CP
 * reads words that they write through hal/mmio.h.
 */
#ifndef FIRMWARE_CP_BASE_DEVICE_H
#define FIRMWARE_CP_BASE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/base/part.h"
#include "hal/atomic.h"

/** Units of an SM whose CTAs are known by number. */
#define DEVICE_RETRY_UNITS (PART_IS_HERE(GG_FEATURE_RETRIES) ? CP_UNITS : 1u)

/** The rings of one SM: launch packets to the SM, its reports and requests to the CP, and the CP's answers to the
 * requests. */
struct launch_rings {
	struct gg_launch header;                       /**< Written by the CP. */
	struct gg_packet packets[CP_LAUNCH_ENTRIES];   /**< Written by the CP. */
	struct gg_report reports[CP_LAUNCH_ENTRIES];   /**< Written by the SM. */
	struct gg_request requests[CP_LAUNCH_ENTRIES]; /**< Written by the SM. */
	struct gg_answer answers[CP_LAUNCH_ENTRIES];   /**< Written by the CP. */
	/** By lowest unit: the position of a CTA that may run again (retry.h). Written by the CP, for itself. */
	uint64_t issued[DEVICE_RETRY_UNITS];
	uint8_t losses
		[DEVICE_RETRY_UNITS]; /**< Its task_range.losses. Written by the CP, for itself. */
};

/** A wave: its entry, and the packet that its SMs share. Written by the CP; SMs count themselves in the entry. */
struct wave_block {
	struct gg_wave entry;
	struct gg_packet packet;
};

/** The command ring of a channel. Written by the host. */
struct command_ring {
	struct gg_command entries[CP_CHANNEL_ENTRIES]; /**< Entry of command n: n % entries. */
};

/** A trace ring. Written by the CP (ring 0) or by its SM. */
struct trace_ring {
	struct gg_trace header; /**< Counts of the ring; used in the CP's ring only. */
	struct gg_trace_record records[CP_TRACE_ENTRIES]; /**< The newest records. */
};

/** Resources of an SM; all SMs of a device have the same. */
struct sm_resources {
	uint32_t ctas;          /**< CTA slots, 1 to 31. */
	uint32_t warps;         /**< Warp slots, 1 to 255. */
	uint32_t units;         /**< Memory units, 1 to 32. */
	uint32_t shared_bytes;  /**< Bytes of shared memory; each unit has a power of two. */
	uint32_t private_bytes; /**< Bytes of private memory; each unit has a power of two. */
	uint32_t registers;     /**< Registers; 0 when the board sets no limit. */
};

/** The map of a device. Written by boot.c. */
struct device {
	struct gg_cap *cap;                /**< Capability block. */
	struct gg_config *config;          /**< CONFIG block; the host writes it. */
	struct gg_channel *channels;       /**< Channels, CP_CHANNELS entries. */
	struct command_ring *commands;     /**< Command rings, one for each channel. */
	struct gg_post *post;              /**< Header of the completion ring. */
	struct gg_completion *completions; /**< Completion ring, CP_COMPLETION_ENTRIES entries. */
	struct gg_slot *slots;             /**< Task table, CP_SLOTS entries. */
	struct gg_sm_state *sms;           /**< SM state, one entry for each SM. */
	uint32_t *bells;             /**< Bell bytes, four SMs in a word; each SM writes its own. */
	struct launch_rings *launch; /**< Launch rings, one set for each SM. */
	struct gg_perf *perf;        /**< Counters. */
	struct trace_ring *trace;    /**< Trace rings: the CP's, then one for each SM. */
	struct gg_error *error;      /**< Panic record. */
	struct gg_cluster *clusters; /**< CGA members, one block for each SM. */
	struct gg_work_entry *work; /**< Global queue, one entry for each slot of the task table. */
	struct gg_local_queue *locals; /**< Local queues, CP_SLOTS for each GPC. */
	struct gg_pull *pulls;    /**< What the streams of PULL grids run, one block for each SM. */
	struct wave_block *waves; /**< Waves, one for each slot of the task table. */
	unsigned char *memory;    /**< CP pointer to device address `memory_base`. */
	uint64_t memory_base;     /**< First device address that the host may name. */
	uint64_t memory_bytes;    /**< Bytes of the heap, which is all that the host may name. */
	uint64_t units_base;      /**< Device address of the memory units of SM 0. */
	uint64_t units_stride;    /**< Bytes from one SM's memory units to the next SM's. */
	unsigned char *units;     /**< CP pointer to device address `units_base`. */
	uint32_t sms_count;       /**< Number of SMs, 1 to CP_SMS. */
	uint32_t sm_words;        /**< Words of a bitmap with one bit for each SM. */
	struct sm_resources resources; /**< Resources of each SM. */
	uint32_t unit_shared_shift;    /**< log2 of the shared bytes of a unit. */
	uint32_t unit_private_shift;   /**< log2 of the private bytes of a unit. */
	uint64_t size_max;             /**< Largest value of a kernel's size_t. */
};

/** The device of this control processor. */
extern struct device device;

/** Ticks of the timer in some microseconds, rounded down; UINT32_MAX - 1 at most. */
uint32_t device_ticks(uint32_t us);

/** A word of the bitmap of all SMs: all bits are set, except that the last word may have fewer. */
static inline uint32_t device_sms_of_word(uint32_t word)
{
	const uint32_t sms = device.sms_count - word * 32;

	return bits_ones(sms < 32 ? sms : 32);
}

/** Whether SMs may change words that others change, too (hal/atomic.h). */
static inline bool device_has_atomics(void)
{
	return ATOMIC_SHARED((device.cap->features >> GG_FEATURE_ATOMICS & 1u) != 0);
}

/** Whether device memory [base, base + bytes) lies in the heap, which is all that the host may name.
 * @param bytes  Any 64-bit value: the sum does not wrap. The answer for 0 is false. */
static inline bool device_holds(uint64_t base, uint64_t bytes)
{
	return bytes != 0 && base >= device.memory_base && bytes <= device.memory_bytes &&
	       base - device.memory_base <= device.memory_bytes - bytes;
}

/** CP pointer to a device address for which device_holds() is true. */
static inline const void *device_pointer(uint64_t address)
{
	return device.memory + (uintptr_t)(address - device.memory_base);
}

/** CP pointer to [address, address + bytes) if that lies in the heap or in the memory units of the SMs; else NULL. */
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

/** CP pointer for writing to heap memory, which otherwise only the host and kernels write. The caller has checked the
 * range with device_holds().
 * @param address  A multiple of 4. */
static inline uint32_t *device_words(uint64_t address)
{
	return (uint32_t *)(void *)(device.memory + (uintptr_t)(address - device.memory_base));
}

#endif /* FIRMWARE_CP_BASE_DEVICE_H */
