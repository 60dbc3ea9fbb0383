/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: errors, devices, contexts and their memory. The rules of ganger.h hold.
 */
#ifndef HOST_INCLUDE_GANGER_DEVICE_H
#define HOST_INCLUDE_GANGER_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GG_API     __attribute__((visibility("default")))
#define GG_CHECKED __attribute__((visibility("default"), warn_unused_result))

/* Handles: see ganger.h. */
struct gg_device;  /* A device that this process owns or observes. */
struct gg_context; /* A part of a device's memory, with modules and tasks. */
struct gg_module;  /* A kernel ELF in a context. */
struct gg_task;    /* A command on its way, or one that has completed. */

/** What the last failed call of this thread tells; after a task's failure, also about its fault. */
struct gg_failure {
	int32_t status;          /**< enum gg_status. */
	uint32_t field;          /**< enum gg_field of the offending field, or 0. */
	uint64_t value;          /**< Value of the field. */
	char name[64];           /**< "tmd.grid_x", "argument count", … or empty. */
	char message[256];       /**< What went wrong, in one sentence. */
	uint32_t fault_sm;       /**< SM of the fault record: see gg_fault_read(). */
	uint32_t fault_sequence; /**< Its sequence; 0: there is none. */
};

/** The last failed call of this thread; all zero if none failed yet. Never fails. */
GG_API enum gg_status gg_error_last(struct gg_failure *failure);

/** Name of a status ("ERR_GRID_ZERO", "OK") and its sentence; "?" if unknown. Static strings. */
GG_API const char *gg_status_name(int32_t status);
GG_API const char *gg_status_text(int32_t status);

/** Name of a field id, "tmd.grid_x", into a buffer; empty if the id is unknown or 0. */
GG_API enum gg_status gg_field_name(uint32_t field, char *name, size_t size);

/* ---- Devices ---------------------------------------------------------------------------- */

/** How to boot. All zero means: qemu-virt64, 8 SMs, the build that this library is a part of. */
struct gg_boot {
	const char *board;        /**< "qemu-virt64"; NULL: that one. */
	uint32_t sms;             /**< SMs, 1 to 511; 0: 8. */
	uint32_t icount;          /**< 1: deterministic instruction counting. */
	uint64_t ram_bytes;       /**< Bytes of device memory; 0: what board and SMs need. */
	const char *build;        /**< Build folder; NULL: $GANGER_BUILD, or beside the library. */
	const char *plugin;       /**< QEMU plugin with its arguments, or NULL. */
	const char *const *extra; /**< More QEMU arguments, ended by NULL; or NULL. */
	uint32_t timeout_ms;      /**< For the whole boot, in milliseconds; 0: 30,000. */
	uint32_t reserved;        /**< 0. */
	/** Processors of this machine that the device may use, "0,2-3"; NULL: all. Its memory comes to be
	 * where the first of them that touches it has its own. */
	const char *processors;
	/** Path at which other processes can observe the device of gg_device_boot(), as gg_device_observe(); NULL: none can. */
	const char *listen;
};

/** Facts of a device, from its capability block unless a comment says otherwise. */
struct gg_info {
	uint32_t abi_major, abi_minor, state; /**< state: enum gg_device_state, now. */
	uint32_t xlen, features;              /**< features: bits of enum gg_feature. */
	uint32_t timebase_hz;
	uint32_t sms, slots, priorities, channels, tasks_max;
	uint32_t channel_entries, completion_entries, launch_entries, trace_entries, fault_entries;
	uint32_t block_threads_max, warp_threads, sm_ctas, sm_warps, sm_units;
	uint32_t sm_shared_bytes, sm_private_bytes, sm_registers, sm_area_bytes;
	uint32_t window_bytes;     /**< Bytes of all register blocks. */
	uint32_t cgas_max;         /**< CGAs of all levels that can be in flight at once. */
	uint32_t cga_ctas_max;     /**< CTAs of a top-level CGA, at most. */
	uint32_t build[4];         /**< Build id of the firmware. */
	int32_t qemu_pid;          /**< Process of the emulator, or 0. */
	uint64_t base;             /**< Address of the capability block. */
	uint64_t heap, heap_bytes; /**< Memory that contexts are cut from. */
	uint64_t ram, ram_bytes;   /**< All memory that the host can reach. */
	char board[32];            /**< Name of the board, or empty. */
};

/** Boots a device for this process alone. It ends with gg_device_close() or with this process,
 * however that ends. @return GG_ERR_BOARD, _IMAGE_MISSING, _QEMU_MISSING, _QEMU_FAILED, _ABI_MAGIC
 * (the firmware did not start), _TIMEOUT (it did not become ready), _ABI_VERSION, _IO, _NO_MEMORY.
 */
GG_CHECKED enum gg_status gg_device_boot(const struct gg_boot *boot, struct gg_device **device);

/** Attaches to a device that listens at a path: see gg_device_up(). @return GG_ERR_NO_DEVICE,
 * _BUSY, _PERMISSION. */
GG_CHECKED enum gg_status gg_device_attach(const char *path, struct gg_device **device);

/** Observes a device at a path while another process owns it. Registers, memory, trace and console
 * can be read; calls that write fail with GG_ERR_BUSY. */
GG_CHECKED enum gg_status gg_device_observe(const char *path, struct gg_device **device);

/** Connects to a device at a place: "mmap:FILE@OFFSET[,BYTES[,DOORBELL]]" (its RAM begins there),
 * "serial:PORT[,BAUD]" or "serial:unix:SOCKET" (a line of bytes: docs/ABI.md); with
 * ",mmap:FILE[@OFFSET]" behind a line memory is mapped, and it has the doorbells only. @return
 * GG_ERR_NO_DEVICE: nothing answers; GG_ERR_BUSY: in use; GG_ERR_UNSUPPORTED: another kind. */
GG_CHECKED enum gg_status gg_device_connect(const char *uri, struct gg_device **device);

/** Boots a device that outlives this process and listens at a path (a Unix socket). Until the call
 * returns GG_OK the device ends with this process, so that an interrupted call leaves nothing.
 * @return as gg_device_boot(), and GG_ERR_BUSY: a device listens there. */
GG_CHECKED enum gg_status gg_device_up(const char *path, const struct gg_boot *boot);

/** Which processes may use a device that is up. All zero: one at a time, of the user who boots it. */
struct gg_sharing {
	uint32_t
		hosts; /**< Processes that may use it at once, up to 8 and to its channels; 0: 1. */
	uint32_t reserved; /**< 0. */
	const char *group; /**< The users of this group may use it, too; NULL: only our own user. */
};

/** Boots such a device for several processes, or for several users. Each that attaches gets an equal share: channels, which
 * it calls 0, 1, …, a part of the heap, contexts, and completions; what it leaves is ended and cleared before another
 * gets it. @return as gg_device_up(), and GG_ERR_ARGUMENT: more processes than channels, or no such group;
 * GG_ERR_PERMISSION: our own user is not in the group. */
GG_CHECKED enum gg_status gg_device_up_shared(const char *path, const struct gg_boot *boot,
					      const struct gg_sharing *sharing);

/** What a share of a device is doing. */
enum gg_share_state {
	GG_SHARE_FREE = 0,     /**< Nobody has it. */
	GG_SHARE_HELD = 1,     /**< A process has it. */
	GG_SHARE_CLEANING = 2, /**< Its process has gone: what it left is ended and cleared. */
};

/** A share of a device that is up. A device for one process is one share. */
struct gg_host {
	uint32_t host;          /**< Number of the share. */
	uint32_t state;         /**< enum gg_share_state. */
	int32_t pid;            /**< Process, or 0. */
	uint32_t uid;           /**< User of the process. */
	uint32_t first_channel; /**< Its first channel, as the device counts them. */
	uint32_t
		channels; /**< Number of channels; 0: all, or not known before a host has attached. */
	uint32_t most; /**< Tasks that it may have on their way; 0: as many as the device takes. */
	uint32_t on_way;     /**< Commands on their way, as its process counts them. */
	uint64_t heap;       /**< Address of its part of the heap. */
	uint64_t heap_bytes; /**< Bytes of that part. */
	uint64_t completed;  /**< Completions of all processes that had this share. */
};

/** Lists the shares of the device at a path: the first `capacity` of them, and `count`, how many there are.
 * @return GG_ERR_NO_DEVICE, _PERMISSION, _BUSY (too many processes are connected to it), _TIMEOUT. */
GG_CHECKED enum gg_status gg_hosts(const char *path, struct gg_host *hosts, uint32_t capacity,
				   uint32_t *count);

/** Changes how many tasks a share's process may have on their way, 1 to 2,048. It stays with the share. Tasks that are on
 * their way stay there.
 * @return GG_ERR_ARGUMENT: no such share, or number; GG_ERR_PERMISSION: another user booted the device; as gg_hosts(). */
GG_CHECKED enum gg_status gg_host_quota(const char *path, uint32_t host, uint32_t most);

/** Ends the device at a path; after GG_OK its processes have ended. @return GG_ERR_NO_DEVICE, _PERMISSION,
 * _TIMEOUT (they have not), _BUSY (too many processes are connected to it). */
GG_CHECKED enum gg_status gg_device_down(const char *path, uint32_t timeout_ms);

/** Releases a device with all that it has; tasks on their way are forgotten, and waits end. If this
 * process booted it, its processes have ended at the return. NULL does nothing.
 * @return GG_ERR_TIMEOUT: other calls still use it; the last one ends the device. */
GG_API enum gg_status gg_device_close(struct gg_device *device);

/** Facts of a device. */
GG_CHECKED enum gg_status gg_device_info(struct gg_device *device, struct gg_info *info);

/** Rings the doorbell and sees the heartbeat move. @return GG_ERR_DEVICE_LOST, _PANIC, _TIMEOUT. */
GG_CHECKED enum gg_status gg_device_alive(struct gg_device *device, uint32_t timeout_ms);

/** Milliseconds for which the device has stood still since it was booted, because a debugger (`ganger gdb`) or QEMU's monitor
 * had stopped all of its harts; 0 for one that is not in QEMU. Limits of this library of more than a second do not count
 * them. Programs with limits of their own can leave them out by this. */
GG_CHECKED enum gg_status gg_device_stood_still(struct gg_device *device, uint64_t *ms);

/** The device's clock now, in ns: the clock of gg_done.times and of traces. It is the time at which the
 * device answered a command, so one that completed before the call has times that are not later, and one
 * that is posted after it times that are not earlier. @return GG_ERR_TIMEOUT, _DEVICE_LOST; _BUSY: the
 * device is only observed. */
GG_CHECKED enum gg_status gg_device_clock(struct gg_device *device, uint32_t timeout_ms,
					  uint64_t *ns);

/* ---- Contexts and memory ---------------------------------------------------------------- */

/** Makes a context with a heap of its own. `bytes` is rounded up to 4 KiB; 0 is half of what is
 * left. */
GG_CHECKED enum gg_status gg_context_create(struct gg_device *device, uint64_t bytes,
					    struct gg_context **context);

/** Releases a context with its modules and memory, which is cleared. @return GG_ERR_BUSY: tasks run in
 * it, or other calls used it or one of its modules for longer than a second. */
GG_CHECKED enum gg_status gg_context_destroy(struct gg_context *context);

/** The device's own context, made at the first call with half of the heap. */
GG_CHECKED enum gg_status gg_context_default(struct gg_device *device, struct gg_context **context);

/** Number of a context (as in TMDs and fault records), its heap, and the bytes left in it. */
GG_CHECKED enum gg_status gg_context_info(struct gg_context *context, uint32_t *number,
					  uint64_t *heap, uint64_t *bytes, uint64_t *free_bytes);

/** Allocates device memory. `align` is a power of two; 0 is 64. @return GG_ERR_NO_MEMORY,
 * _ARGUMENT. */
GG_CHECKED enum gg_status gg_alloc(struct gg_context *context, uint64_t bytes, uint64_t align,
				   uint64_t *address);

/** Gives memory back. @return GG_ERR_ARGUMENT: not an address that gg_alloc() gave. */
GG_CHECKED enum gg_status gg_free(struct gg_context *context, uint64_t address);

/** Copies to or from the memory of a context. A context that another thread destroys stays until the
 * copy has ended, so nothing gets into the memory of the next one. @return GG_ERR_ARGUMENT: the
 * range is not in the context's memory. */
GG_CHECKED enum gg_status gg_context_write(struct gg_context *context, uint64_t address,
					   const void *data, uint64_t bytes);
GG_CHECKED enum gg_status gg_context_read(struct gg_context *context, uint64_t address, void *data,
					  uint64_t bytes);

/** Copies to or from any memory of the device, whoever it belongs to. @return GG_ERR_ARGUMENT: the
 * range is not in device memory. */
GG_CHECKED enum gg_status gg_write(struct gg_device *device, uint64_t address, const void *data,
				   uint64_t bytes);
GG_CHECKED enum gg_status gg_read(struct gg_device *device, uint64_t address, void *data,
				  uint64_t bytes);

/** Opens the file whose pages are device memory, for a mapping of one's own (MAP_SHARED): what the
 * device writes is seen at once, and the reverse. Such a mapping outlives the device's handle.
 * @param file A new descriptor, which the caller closes; it may be closed once it is mapped.
 * @param offset Where `address` is in the file; mmap() takes multiples of the page size only.
 * @return GG_ERR_ARGUMENT: the range is not in device memory; GG_ERR_UNSUPPORTED: the device shares
 *         no memory with its host; GG_ERR_BUSY: the device is only observed; GG_ERR_IO. */
GG_CHECKED enum gg_status gg_memory_share(struct gg_device *device, uint64_t address,
					  uint64_t bytes, int *file, uint64_t *offset);

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_DEVICE_H */
