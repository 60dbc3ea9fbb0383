/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * libganger: kernel modules and tasks. The rules of ganger.h hold.
 */
#ifndef HOST_INCLUDE_GANGER_TASK_H
#define HOST_INCLUDE_GANGER_TASK_H

#include "host/include/ganger_device.h"
#include "host/include/ganger_work.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/** Address space of what a parameter points to. */
enum gg_space {
	GG_SPACE_PRIVATE = 0, /**< No pointer. */
	GG_SPACE_GLOBAL = 1,  /**< Also of any pointer of C that is not a `local_pointer`. */
	GG_SPACE_CONSTANT = 2,
	GG_SPACE_LOCAL = 3,
};

/** A parameter of a kernel. */
struct gg_parameter {
	char name[64];       /**< Name in the source, or empty. */
	char type_name[64];  /**< Type as in C, for messages. */
	uint32_t kind;       /**< enum gg_argument_kind. */
	uint32_t type;       /**< enum gg_value_type. */
	uint32_t bytes;      /**< Bytes of a value; of a pointer for the other kinds. */
	uint32_t offset;     /**< Place in the argument block. */
	uint32_t align;      /**< Alignment there. */
	uint32_t constant;   /**< 1: a pointer through which the kernel only reads. */
	uint32_t space;      /**< enum gg_space. */
	uint32_t qualifiers; /**< GG_CONST, GG_VOLATILE and GG_RESTRICT of a pointer. */
	char cl_type[64];    /**< Type as OpenCL tells it, "float4*"; empty: an older compiler. */
};

#define GG_CONST    1u
#define GG_VOLATILE 2u
#define GG_RESTRICT 4u

#define GG_PARAMETERS_MAX 32 /* Of gg_kernel_info; a kernel may have more. */

/** A kernel of a module. */
struct gg_kernel_info {
	char name[128];          /**< Name in the source, whole: longer ones are refused. */
	uint32_t shared_bytes;   /**< Shared memory of a CTA that its `__local` variables take. */
	uint32_t stack_bytes;    /**< Stack of a thread. */
	uint32_t flags;          /**< GG_KERNEL_… */
	uint32_t block[3];       /**< Block that it requires; 0 0 0: any. */
	uint32_t entry;          /**< Where a CTA starts, from the module's base. */
	uint32_t argument_bytes; /**< Bytes of its argument block. */
	uint32_t parameters;     /**< Number of parameters: any, see gg_module_parameter(). */
	struct gg_parameter parameter[GG_PARAMETERS_MAX]; /**< The first of them. */
	/** Attributes of OpenCL C, "reqd_work_group_size(8,8,1) vec_type_hint(float4)", or empty. */
	char attributes[192];
};

#define GG_KERNEL_BARRIER       1u  /**< Flag: threads meet at barriers. */
#define GG_KERNEL_STACK_ASSUMED 2u  /**< Flag: stack_bytes is a guess. */
#define GG_KERNEL_BLOCK_FIXED   4u  /**< Flag: runs with the block `block` only. */
#define GG_KERNEL_SILENT        8u  /**< Flag: it cannot print, nor can a child of it. */
#define GG_KERNEL_EDGES         16u /**< Flag: its language allows smaller CTAs at a grid's end. */
#define GG_KERNEL_LOOPS         32u /**< Flag: ganger-cc made it a loop over its work-items. */

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
/** Parameter `number` of that kernel, from 0. @return as above; GG_ERR_ARGUMENT: it has fewer. */
GG_CHECKED enum gg_status gg_elf_parameter(const char *path, uint32_t index, uint32_t number,
					   struct gg_parameter *parameter);

/** Loads a kernel ELF. @return GG_ERR_IO, _ELF_*, _NO_MEMORY. */
GG_CHECKED enum gg_status gg_module_load(struct gg_context *context, const char *path,
					 struct gg_module **module);
/** The same from memory, which is not kept. */
GG_CHECKED enum gg_status gg_module_load_bytes(struct gg_context *context, const void *data,
					       size_t bytes, struct gg_module **module);
/** Takes a module out of the device. @return GG_ERR_BUSY: its kernels run, or other calls used it for
 * longer than a second. */
GG_CHECKED enum gg_status gg_module_unload(struct gg_module *module);
/** What a module is, and where: its base, and its code window at that base. */
GG_CHECKED enum gg_status gg_module_info(struct gg_module *module, struct gg_elf *elf,
					 uint64_t *base, uint64_t *code_bytes);
/** Kernel number `index`, 0 to elf.kernels - 1. @return GG_ERR_KERNEL_NAME. */
GG_CHECKED enum gg_status gg_module_kernel(struct gg_module *module, uint32_t index,
					   struct gg_kernel_info *info);
/** Parameter `number`, from 0, of kernel number `index`. @return GG_ERR_KERNEL_NAME,
 * _ARGUMENT: the kernel has fewer. */
GG_CHECKED enum gg_status gg_module_parameter(struct gg_module *module, uint32_t index,
					      uint32_t number, struct gg_parameter *parameter);
/** Number of the kernel of that name. @return GG_ERR_KERNEL_NAME. */
GG_CHECKED enum gg_status gg_kernel_find(struct gg_module *module, const char *name,
					 uint32_t *index);

/* ---- Tasks ------------------------------------------------------------------------------ */

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
	/** By enum gg_reason: turns of the CP that kept CTAs back. */
	uint32_t not_issued[GG_REASON_NONE];
	uint32_t retried; /**< CTAs that ran again because their SM was lost (retry_limit). */
	uint32_t
		mode; /**< enum gg_task_mode: that of the work, or PULL where the device chose that. */
};

/**
 * Posts a task. Waits for room in the channel until the deadline. Arguments and lists are copied.
 * Tasks that it names (`after`, `dependents`) must be on their way; where one is still in another
 * channel, this waits, too. Of `after`, those that completed well are left out.
 * @return GG_ERR_ARGUMENT_COUNT, _ARGUMENT_SIZE, _ARGUMENT, _NO_MEMORY, _CHANNEL, _DEVICE_LOST,
 * _PANIC; _RING_FULL (field channel.state: the channel is suspended); _DEPENDENCY: a task of
 * `after` failed (value: its tag); _TIMEOUT: another channel kept a task that it names. What the
 * device refuses comes with the completion.
 */
GG_CHECKED enum gg_status gg_submit(const struct gg_work *work, uint32_t timeout_ms,
				    struct gg_task **task);

/** Posts `count` tasks with few doorbells; `posted` is set, also on an error, to those posted. */
GG_CHECKED enum gg_status gg_submit_many(const struct gg_work *work, uint32_t count,
					 uint32_t timeout_ms, struct gg_task **tasks,
					 uint32_t *posted);

/**
 * How many top-level CGAs of some work could run at once (S1-R44): `now`, beside the tasks that the
 * device has, and at `most`, on a device without any; of a plain grid, how many CTAs. Nothing is
 * submitted; the work is checked as if it were. Both are asked within the deadline.
 * @return as gg_submit(), and what the device refuses: GG_ERR_CLUSTER with field and value, ….
 */
GG_CHECKED enum gg_status gg_clusters(const struct gg_work *work, uint32_t timeout_ms,
				      uint64_t *now, uint64_t *most);

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
/**
 * Text that the kernels of a completed task, and of its children, printed; also if it failed. At most
 * `size` bytes of it are written, without a 0; `bytes` is all that there is, 0 without print_bytes.
 * @return GG_ERR_NO_MEMORY: some of it is missing, since this process had no memory for it.
 */
GG_CHECKED enum gg_status gg_task_output(struct gg_task *task, char *text, size_t size,
					 size_t *bytes);
/** Forgets a task; one on its way still runs to its end. NULL is nothing. */
GG_API enum gg_status gg_task_release(struct gg_task *task);

/** What names the task on the device, to kernels and in raw lists: {address of its TMD, generation}. */
GG_CHECKED enum gg_status gg_task_name(struct gg_task *task, uint64_t *address,
				       uint32_t *generation);

/**
 * Ask the device to cancel, suspend or resume a task, and wait for its answer. A cancelled task
 * completes with GG_ERR_CANCELLED. Of a suspended one no more CTAs start; the others end.
 *
 * The command follows the task through its channel until the device has taken the task; then it
 * goes through the last channel that is open, so that neither a suspended nor a full one holds it
 * up. @return GG_ERR_TASK: the task is complete, or in a suspended channel; _TIMEOUT, ….
 */
GG_CHECKED enum gg_status gg_task_cancel(struct gg_task *task, uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_task_suspend(struct gg_task *task, uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_task_resume(struct gg_task *task, uint32_t timeout_ms);

/* ---- Queues, templates, channels -------------------------------------------------------- */

/**
 * Adds items to the queue of a QUEUE task. Where there is no room it tries again until the
 * deadline; an answer is waited for 30 s at least. NULL data: the items are in the ring already.
 * @param pushed  Items that the queue took; set also on an error. After GG_ERR_TIMEOUT nobody knows
 * of the items that follow them.
 * @return GG_ERR_QUEUE_FULL at the deadline, _QUEUE_CLOSED, _TASK (complete, or in a suspended
 * channel), _ARGUMENT (not a QUEUE task of ours), _NO_MEMORY, _TIMEOUT, ….
 */
GG_CHECKED enum gg_status gg_queue_push(struct gg_task *task, const void *data, uint32_t count,
					uint32_t timeout_ms, uint32_t *pushed);

/** Closes it: only the task's own CTAs may push any more. When it is empty, the task is complete. */
GG_CHECKED enum gg_status gg_queue_close(struct gg_task *task, uint32_t timeout_ms);

/**
 * Makes a TMD that is not submitted, with all that it needs in one piece of its context's heap
 * (a QUEUE's ring, too): for kernels to launch, and for SCHEDULE. Give `generation` along with the
 * address. gg_free() or gg_template_destroy() gives it back.
 */
GG_CHECKED enum gg_status gg_template_create(const struct gg_work *work, uint64_t *address,
					     uint32_t *generation);
/** Gives that memory back; not while it runs. @return GG_ERR_ARGUMENT: not such an address. */
GG_CHECKED enum gg_status gg_template_destroy(struct gg_context *context, uint64_t address);

/**
 * Cancel the tasks of a channel, suspend or resume the reading of a channel. CANCEL goes through
 * the channel itself while it is open and has room, and so meets all that was posted before; else
 * it meets those that the device has taken. @return GG_ERR_ARGUMENT: no such channel, or no other
 * one would be open then; _TIMEOUT, ….
 */
GG_CHECKED enum gg_status gg_channel_cancel(struct gg_device *device, uint32_t channel,
					    uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_channel_suspend(struct gg_device *device, uint32_t channel,
					     uint32_t timeout_ms);
GG_CHECKED enum gg_status gg_channel_resume(struct gg_device *device, uint32_t channel,
					    uint32_t timeout_ms);

/** Waits until all that the channel took before has completed. */
GG_CHECKED enum gg_status gg_fence(struct gg_device *device, uint32_t channel, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* HOST_INCLUDE_GANGER_TASK_H */
