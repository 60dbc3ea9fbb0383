/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: kernel modules and tasks. The rules of ganger.h hold.
 */
#ifndef HOST_INCLUDE_GANGER_TASK_H
#define HOST_INCLUDE_GANGER_TASK_H

#include "host/include/ganger_device.h"

/* ---- Modules and kernels ---------------------------------------------------------------- */

enum gg_argument_kind {
	GG_ARGUMENT_VALUE = 0,  /**< Bytes as they are: a number, a vector, a structure. */
	GG_ARGUMENT_BUFFER = 1, /**< An address in device memory. */
	GG_ARGUMENT_LOCAL = 2,  /**< A `__local` pointer: shared memory of each CTA. */
};

/** What a value is: how a host should write a number of its own. */
enum gg_value_type {
	GG_VALUE_POINTER = 0,   /**< Not a value. */
	GG_VALUE_SIGNED = 1,    /**< Signed integer. */
	GG_VALUE_UNSIGNED = 2,  /**< Unsigned integer, enumeration, character. */
	GG_VALUE_FLOAT = 3,     /**< IEEE binary32 or binary64. */
	GG_VALUE_BOOL = 4,      /**< 0 or 1. */
	GG_VALUE_AGGREGATE = 5, /**< struct, union or vector, as C lays it out. */
};

/** A parameter of a kernel. */
struct gg_parameter {
	char name[64];      /**< Name in the source, or empty. */
	char type_name[64]; /**< Type as in C, for messages. */
	uint32_t kind;      /**< enum gg_argument_kind. */
	uint32_t type;      /**< enum gg_value_type. */
	uint32_t bytes;     /**< Bytes of a value; of a pointer for the other kinds. */
	uint32_t offset;    /**< Place in the argument block. */
	uint32_t align;     /**< Alignment there. */
	uint32_t constant;  /**< 1: a pointer through which the kernel only reads. */
};

#define GG_PARAMETERS_MAX 32

/** A kernel of a module. */
struct gg_kernel_info {
	char name[128];          /**< Name in the source. */
	uint32_t shared_bytes;   /**< Shared memory of a CTA that its `__local` variables take. */
	uint32_t stack_bytes;    /**< Stack of a thread. */
	uint32_t flags;          /**< GG_KERNEL_… */
	uint32_t block[3];       /**< Block that it requires; 0 0 0: any. */
	uint32_t entry;          /**< Where a CTA starts, from the module's base. */
	uint32_t argument_bytes; /**< Bytes of its argument block. */
	uint32_t parameters;     /**< Number of parameters. */
	struct gg_parameter parameter[GG_PARAMETERS_MAX];
};

#define GG_KERNEL_BARRIER       1u /**< Flag: threads meet at barriers. */
#define GG_KERNEL_STACK_ASSUMED 2u /**< Flag: stack_bytes is a guess. */
#define GG_KERNEL_BLOCK_FIXED   4u /**< Flag: runs with the block `block` only. */

/** Facts of a kernel ELF. */
struct gg_elf {
	uint32_t xlen;     /**< 32 or 64. */
	uint32_t kernels;  /**< Kernels in it. */
	uint32_t features; /**< Bits of enum gg_feature that it needs. */
	uint32_t reserved; /**< 0. */
	uint64_t bytes;    /**< Device memory that it takes. */
	char isa[32];      /**< Its ISA: "rv64imafdc". */
	char producer[96]; /**< Compiler and version. */
};

/** Reads a kernel ELF without a device. @return GG_ERR_IO, _ELF_FORMAT, _ELF_TRUNCATED. */
GG_CHECKED enum gg_status gg_elf_info(const char *path, struct gg_elf *elf);
/** Kernel number `index` of an ELF, without a device. @return as above; GG_ERR_KERNEL_NAME. */
GG_CHECKED enum gg_status gg_elf_kernel(const char *path, uint32_t index,
					struct gg_kernel_info *info);

/** Loads a kernel ELF. @return GG_ERR_IO, _ELF_*, _NO_MEMORY. */
GG_CHECKED enum gg_status gg_module_load(struct gg_context *context, const char *path,
					 struct gg_module **module);
/** The same from memory, which is not kept. */
GG_CHECKED enum gg_status gg_module_load_bytes(struct gg_context *context, const void *data,
					       size_t bytes, struct gg_module **module);
/** Takes a module out of the device. @return GG_ERR_BUSY: its kernels run. */
GG_CHECKED enum gg_status gg_module_unload(struct gg_module *module);
/** What a module is, and where: its base, and its code window at that base. */
GG_CHECKED enum gg_status gg_module_info(struct gg_module *module, struct gg_elf *elf,
					 uint64_t *base, uint64_t *code_bytes);
/** Kernel number `index`, 0 to elf.kernels - 1. @return GG_ERR_KERNEL_NAME. */
GG_CHECKED enum gg_status gg_module_kernel(struct gg_module *module, uint32_t index,
					   struct gg_kernel_info *info);
/** Number of the kernel of that name. @return GG_ERR_KERNEL_NAME. */
GG_CHECKED enum gg_status gg_kernel_find(struct gg_module *module, const char *name,
					 uint32_t *index);

/* ---- Tasks ------------------------------------------------------------------------------ */

/** One argument: VALUE: its bytes; BUFFER: a uint64_t address; LOCAL: no data, bytes of memory. */
struct gg_argument {
	uint32_t kind;    /**< enum gg_argument_kind. */
	uint32_t bytes;   /**< Bytes at data; LOCAL: bytes of shared memory. */
	const void *data; /**< The value; LOCAL: NULL. */
};

/** Memory outside the context's heap that a task's kernels may reach. */
struct gg_memory {
	uint64_t address; /**< A multiple of 4. */
	uint64_t bytes;   /**< A multiple of 4, not 0. */
	uint32_t read;    /**< 1: may be read. */
	uint32_t write;   /**< 1: may be written. */
};

#define GG_WINDOWS_MAX 4

/** What to run. Zero is the common case of everything after `arguments`, but for `mode`. */
struct gg_work {
	struct gg_module *module; /**< Module. */
	uint32_t kernel;          /**< Number of its kernel. */
	uint32_t dimensions;      /**< Dimensions that the kernel sees, 1 to 3; 0: 3. */
	uint32_t grid[3];         /**< CTAs along x, y, z. Not 0: the device refuses zeros. */
	uint32_t block[3];        /**< Threads of a CTA along x, y, z. */
	uint32_t mode;            /**< enum gg_task_mode; GG_TASK_MODE_DEVICE: the device's. */
	uint32_t argument_count;  /**< Number of arguments: as many as the kernel has parameters. */
	const struct gg_argument *arguments;
	uint32_t priority;       /**< 1 (highest) to 10; 0: 5. */
	uint32_t channel;        /**< Channel, from 0. */
	uint32_t head;           /**< 1: before the others of its priority. */
	uint32_t sequential;     /**< 1: one CTA at a time. */
	uint32_t throttle;       /**< 1: in throttle mode only. */
	uint32_t quota;          /**< CTAs before another task's turn; 0: no quota. */
	uint32_t time_limit_us;  /**< Longest time of a CTA; 0: the device's default. */
	uint32_t retry_limit;    /**< Times a CTA may run again after its SM was lost. */
	uint32_t cluster[3];     /**< CTAs of a cluster; 0 0 0: none. */
	uint32_t gpc_mask;       /**< GPCs that may run it; 0: all. */
	uint32_t stack_bytes;    /**< Stack of a thread; 0: the kernel's. */
	uint32_t correlation;    /**< Free for the caller. */
	uint32_t affinity_count; /**< Number of SMs in `affinity`; 0: all SMs may run it. */
	uint32_t memory_count;   /**< Number of windows in `memory`. */
	uint32_t after_count;    /**< Number of tasks in `after`. */
	uint32_t flags;          /**< GG_WORK_… */
	const uint32_t *affinity;
	const struct gg_memory *memory;
	struct gg_task *const *after; /**< Tasks that must complete first. */
};

#define GG_WORK_NO_INTERRUPT 1u /**< No interrupt for its completion: a wait looks now and then. */

/** Places of gg_done.times. */
enum gg_time {
	GG_TIME_POSTED = 0, /**< The device took the command. */
	GG_TIME_READY = 1,  /**< The task entered the scheduler table. */
	GG_TIME_FIRST = 2,  /**< Its first CTA started. */
	GG_TIME_LAST = 3,   /**< Its last CTA ended. */
	GG_TIME_DONE = 4,   /**< The device posted the completion. */
};

/** A completion. */
struct gg_done {
	uint32_t complete; /**< 1: the device completed it, and the rest holds. */
	int32_t status;    /**< enum gg_status. */
	uint32_t tag;      /**< Tag of its command. */
	uint32_t field;    /**< enum gg_field of the offending field, or 0. */
	uint64_t value;    /**< Its value, or the answer of a query. */
	uint64_t ctas;     /**< CTAs that completed. */
	uint64_t times[5]; /**< By enum gg_time: ns of the device's clock; 0: did not happen. */
	uint32_t sms;      /**< SMs that ran it. */
	uint32_t packets;  /**< Launch packets that it took. */
	uint32_t channel, opcode;
	uint32_t fault_sm;       /**< SM of the fault record: see gg_fault_read(). */
	uint32_t fault_sequence; /**< Its sequence; 0: there is none. */
};

/**
 * Posts a task. Waits for room in the channel until the deadline. Arguments are copied.
 * @return GG_ERR_ARGUMENT_COUNT, _ARGUMENT_SIZE, _ARGUMENT, _NO_MEMORY, _RING_FULL, _CHANNEL,
 * _DEVICE_LOST, _PANIC. What the device refuses comes with the completion.
 */
GG_CHECKED enum gg_status gg_submit(const struct gg_work *work, uint32_t timeout_ms,
				    struct gg_task **task);

/** Posts `count` tasks with few doorbells; `posted` is set, also on an error, to those posted. */
GG_CHECKED enum gg_status gg_submit_many(const struct gg_work *work, uint32_t count,
					 uint32_t timeout_ms, struct gg_task **tasks,
					 uint32_t *posted);

/**
 * Waits until the task completed. `done` may be NULL; it is always written, see `complete`.
 * @return the task's own status; GG_ERR_TIMEOUT, _DEVICE_LOST, _PANIC, _CHANNEL: not complete.
 */
GG_CHECKED enum gg_status gg_task_wait(struct gg_task *task, uint32_t timeout_ms,
				       struct gg_done *done);
/** Waits until one of the tasks completed, and tells which. @return as above, but GG_OK if one did. */
GG_CHECKED enum gg_status gg_task_wait_any(struct gg_task *const *tasks, uint32_t count,
					   uint32_t timeout_ms, uint32_t *index);
/** Does not wait: done->complete tells. @return GG_OK also if the task failed. */
GG_CHECKED enum gg_status gg_task_poll(struct gg_task *task, struct gg_done *done);
/** Tag of the task's command. */
GG_CHECKED enum gg_status gg_task_tag(struct gg_task *task, uint32_t *tag);
/** Forgets a task; one on its way still runs to its end. NULL is nothing. */
GG_API enum gg_status gg_task_release(struct gg_task *task);

/** Ask the device to cancel, suspend or resume a task, and wait for its answer. */
GG_CHECKED enum gg_status gg_task_cancel(struct gg_task *task, uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_task_suspend(struct gg_task *task, uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_task_resume(struct gg_task *task, uint32_t timeout_ms);

/** Waits until all that the channel took before has completed. */
GG_CHECKED enum gg_status gg_fence(struct gg_device *device, uint32_t channel, uint32_t timeout_ms);

#endif /* HOST_INCLUDE_GANGER_TASK_H */
