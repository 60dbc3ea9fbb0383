/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from firmware/abi/ganger.rdl by `make abi`. Do not edit. */
/** @file
 * The ABI: register blocks and descriptors shared by the host, the control processor and the SMs.
 *
 * A macro GG_<BLOCK>_<FIELD> is the mask of a bit field in its word: see firmware/abi/field.h.
 */
#ifndef FIRMWARE_ABI_GANGER_ABI_H
#define FIRMWARE_ABI_GANGER_ABI_H

#include <stdint.h>

#define GG_ABI_MAGIC 0x52474e47u /**< The letters GNGR. */
#define GG_ABI_MAJOR 1u          /**< Version of this ABI: major. */
#define GG_ABI_MINOR 13u         /**< Version of this ABI: minor. */
#define GG_TMD_VERSION_1 1u      /**< The TMD version of this ABI. */

/** A check by the compiler, in any C from C99 on and in C++. */
#ifdef __cplusplus
#define GG_STATIC_ASSERT static_assert
#else
#define GG_STATIC_ASSERT __extension__ _Static_assert
#endif

/** A block whose every place in memory is a multiple of 8: 64 bits take a pair of its words at once. */
#if UINTPTR_MAX > 0xffffffffu
#define GG_PAIRED __attribute__((aligned(8)))
#else
#define GG_PAIRED
#endif

enum gg_task_type {
	GG_TASK_TYPE_GRID = 0, /**< A grid of CTAs. */
	GG_TASK_TYPE_QUEUE = 1, /**< CTAs take items from a circular queue. */
	GG_TASK_TYPE_GRID_NULL = 2, /**< No CTA: only dependents and semaphores. */
	GG_TASK_TYPE_GPC_CGA = 3, /**< A grid of CGAs, each inside a GPC. */
	GG_TASK_TYPE_GPU_CGA = 4, /**< A grid of CGAs, each inside the device. */
	GG_TASK_TYPE_GPU_GPC_CGA = 5, /**< A grid of GPU_CGAs of GPC_CGAs. */
	GG_TASK_TYPE_GRAPH = 6, /**< A task graph. */
	GG_TASK_TYPE_CGA = 7, /**< A grid of CGAs of up to three levels, in the domains that the cluster words name. */
};

enum gg_task_mode {
	GG_TASK_MODE_LOAD_BALANCING = 0, /**< The SM with the most free slots first. */
	GG_TASK_MODE_ROUND_ROBIN = 1, /**< The next SM in turn. */
	GG_TASK_MODE_MULTI_CAST = 2, /**< At most one CTA of a CGA on an SM. */
	GG_TASK_MODE_PULL = 3, /**< SMs take chunks themselves. */
	GG_TASK_MODE_DEVICE = 15, /**< The mode of the CONFIG block. */
};

enum gg_domain {
	GG_DOMAIN_GPU = 0, /**< The whole device. */
	GG_DOMAIN_GPC = 1, /**< One GPC. */
	GG_DOMAIN_CPC = 2, /**< One CPC. */
	GG_DOMAIN_TPC = 3, /**< One TPC. */
};

enum gg_semaphore_op {
	GG_SEMAPHORE_OP_NONE = 0, /**< No semaphore. */
	GG_SEMAPHORE_OP_RELEASE = 1, /**< Store the value. */
	GG_SEMAPHORE_OP_ADD = 2, /**< Add the value. */
	GG_SEMAPHORE_OP_MINIMUM = 3, /**< Keep the smaller, unsigned. */
	GG_SEMAPHORE_OP_MAXIMUM = 4, /**< Keep the larger, unsigned. */
	GG_SEMAPHORE_OP_AND = 5, /**< And with the value. */
	GG_SEMAPHORE_OP_OR = 6, /**< Or with the value. */
	GG_SEMAPHORE_OP_XOR = 7, /**< Exclusive or with the value. */
};

enum gg_opcode {
	GG_OPCODE_NOP = 0, /**< Complete at once: a doorbell echo. */
	GG_OPCODE_SUBMIT = 1, /**< Take the TMD at `address`, of generation `argument0`, as a task. Completes when the task is over. */
	GG_OPCODE_FENCE = 2, /**< Complete when all that this channel accepted before has completed; at most 16 are in flight on a channel. */
	GG_OPCODE_QUERY = 3, /**< Report what `argument0` says (see query_what): the value of the completion. */
	GG_OPCODE_CONFIG = 4, /**< Apply the parts of the CONFIG block that `argument0` names, a bit each (see config_part): all of them or none. */
	GG_OPCODE_CANCEL = 5, /**< End what `argument1` says (see target) with ERR_CANCELLED, and with it what depends on it. */
	GG_OPCODE_SUSPEND = 6, /**< Start no more CTAs of a task, or read no more of a channel (see target). */
	GG_OPCODE_RESUME = 7, /**< The way back from SUSPEND. */
	GG_OPCODE_RESET_SM = 8, /**< Reset the SM in `argument0`: its CTAs end with ERR_SM_LOST, and it comes back with nothing in its memory. Completes when it is in service again; ERR_SM_LOST when it does not answer and cannot be forced, so that it is written off. With the target DEVICE, the CP itself boots again, as after a panic: that has no completion, and neither has anything else that was on its way (see `cap.resets`). */
	GG_OPCODE_TRACE = 9, /**< Switch tracing: `argument0` is 0 for off, 1 for on. */
	GG_OPCODE_GRAPH = 10, /**< Do with the kept graph of handle `argument1` what `argument2` says (see graph_action). */
	GG_OPCODE_CODE = 11, /**< The host wrote code into the `argument0` bytes at `address`, at most 64 KiB: when this completes, the harts see it. */
	GG_OPCODE_PUSH = 12, /**< Add items to the queue of the task whose TMD is at `address`, of generation `argument0`: `argument2` items at `argument1` (high word `argument3`); all of them, or none (ERR_QUEUE_FULL). */
	GG_OPCODE_CLOSE = 13, /**< Take no more pushes to the queue of the task whose TMD is at `address`, of generation `argument0`, but from its own CTAs. */
};

enum gg_query_what {
	GG_QUERY_WHAT_DEVICE = 0, /**< Value: CTAs resident on all SMs now. */
	GG_QUERY_WHAT_TASKS = 1, /**< Value: tasks accepted and not completed. */
	GG_QUERY_WHAT_CLUSTERS_NOW = 2, /**< Value: top-level CGAs of the TMD at `address`, of generation `argument1`, that could start now (S1-R44). */
	GG_QUERY_WHAT_CLUSTERS_MOST = 3, /**< The same on a device without other tasks. */
	GG_QUERY_WHAT_LOOK = 4, /**< Value: SMs with CTAs. Each of them is interrupted, so that it saves the registers of what it runs (see SM LOOK). */
};

enum gg_target {
	GG_TARGET_TASK = 0, /**< The task whose TMD is at `address`, of generation `argument0`. */
	GG_TARGET_CHANNEL = 1, /**< Channel `argument0`. */
	GG_TARGET_DEVICE = 2, /**< The device; RESET_SM only. */
};

enum gg_graph_action {
	GG_GRAPH_ACTION_FREE = 0, /**< Forget the kept graph; while it runs, afterwards. */
};

enum gg_status {
	GG_OK = 0, /**< Done. */
	GG_ERR_ARGUMENT = -1, /**< An argument is wrong; the field says which. */
	GG_ERR_UNSUPPORTED = -2, /**< This device does not do what the field asks for. */
	GG_ERR_OPCODE = -3, /**< Unknown command opcode. */
	GG_ERR_FLAGS = -4, /**< Unknown flag, or a reserved bit or word that is not zero. */
	GG_ERR_CHANNEL = -5, /**< The channel is refused: its put word is out of range. */
	GG_ERR_BUSY = -6, /**< In use by somebody else, or too many at once. */
	GG_ERR_RING_FULL = -7, /**< The ring stayed full until the deadline. */
	GG_ERR_NO_MEMORY = -8, /**< Not enough memory. */
	GG_ERR_TMD_ALIGN = -16, /**< The TMD's address is not a multiple of 256. */
	GG_ERR_TMD_RANGE = -17, /**< The TMD lies outside device memory. */
	GG_ERR_TMD_VERSION = -18, /**< Unknown TMD version. */
	GG_ERR_TMD_TYPE = -19, /**< Unknown task type. */
	GG_ERR_TMD_RESERVED = -20, /**< A reserved word or bit of the TMD is not zero. */
	GG_ERR_GENERATION = -21, /**< The TMD's generation is not the one the command names. */
	GG_ERR_GRID_ZERO = -22, /**< A grid dimension is zero. */
	GG_ERR_GRID_OVERFLOW = -23, /**< Launch several grids: one has at most 65,535 CTAs along y and z, 2^63 - 1 in all (in mode PULL 2^50 - 1), and on 32-bit devices 2^32 - 1 work-items along x. */
	GG_ERR_BLOCK_ZERO = -24, /**< A block dimension is zero. */
	GG_ERR_BLOCK_TOO_LARGE = -25, /**< A block has more than 1,024 threads, or more than an SM can hold. */
	GG_ERR_PRIORITY = -26, /**< Priority is not 1 to 10. */
	GG_ERR_MODE = -27, /**< Unknown distribution mode, or one that this kind of task does not have. */
	GG_ERR_ENTRY = -28, /**< The entry is outside the code window. */
	GG_ERR_CODE_RANGE = -29, /**< The code window is empty or outside device memory. */
	GG_ERR_ARGS_RANGE = -30, /**< The argument block is outside device memory or misaligned. */
	GG_ERR_HEAP_RANGE = -31, /**< The context's heap is outside device memory. */
	GG_ERR_WINDOW_RANGE = -32, /**< A memory window is outside device memory, or there are too many. */
	GG_ERR_SHARED_TOO_LARGE = -33, /**< A CTA needs more shared memory than an SM has. */
	GG_ERR_PRIVATE_TOO_LARGE = -34, /**< A CTA needs more private (stack) memory than an SM has. */
	GG_ERR_REGISTERS_TOO_LARGE = -35, /**< A CTA needs more registers than an SM has. */
	GG_ERR_AFFINITY = -36, /**< The affinity mask leaves no SM. */
	GG_ERR_CLUSTER = -37, /**< The cluster's dimensions are wrong or can never fit. */
	GG_ERR_QUEUE = -38, /**< The work queue's fields are wrong. */
	GG_ERR_DEPENDENT = -39, /**< A dependent is not a task. */
	GG_ERR_SEMAPHORE = -40, /**< A release semaphore's fields are wrong. */
	GG_ERR_RESUME = -41, /**< The resume position is past the end of the grid. */
	GG_ERR_CONFIG = -42, /**< A configuration value is out of range; nothing was changed. */
	GG_ERR_DEPTH = -43, /**< The child's parents are nested too deep. */
	GG_ERR_TASK = -44, /**< No such task is in the device: it is complete, or was never accepted. */
	GG_ERR_QUEUE_FULL = -45, /**< The queue has no room for the items; none was taken. */
	GG_ERR_QUEUE_CLOSED = -46, /**< The queue is closed. */
	GG_ERR_CONTEXT = -47, /**< A kernel named what is not its own context's. */
	GG_ERR_CLUSTER_RANK = -48, /**< The CGA has no member of that rank. */
	GG_ERR_CLUSTER_GONE = -49, /**< The member of the CGA has ended: its shared memory cannot be reached. */
	GG_ERR_CLUSTER_RANGE = -50, /**< The address is outside of the shared memory of the CGA's member. */
	GG_ERR_CHUNK = -51, /**< PULL: the chunk is larger than the grid, or larger than can be taken at once. */
	GG_ERR_RANGE = -52, /**< The N-D range of a PULL grid is wrong: the field says where. */
	GG_ERR_GRAPH_FORMAT = -53, /**< Graph: a header or table of the program, or the graph descriptor, is wrong; the field says which. */
	GG_ERR_GRAPH_STEP = -54, /**< Graph: a step of the program is malformed: unknown operation, variable, state or definition, or not allowed there; the value is its number. */
	GG_ERR_GRAPH_TYPE = -55, /**< Graph: a step uses an integer as a resource, or the reverse; the value is its number. */
	GG_ERR_GRAPH_JUMP = -56, /**< Graph: a step jumps out of the program, or into or out of a pass definition; the value is its number. */
	GG_ERR_GRAPH_BUDGET = -57, /**< Graph: the program executed more steps than its budget; the value is the step it had come to. */
	GG_ERR_GRAPH_RESOURCE = -58, /**< Graph: unknown resource or pass, one not assigned, not declared by its pass, or read before it is written; the value is the step. */
	GG_ERR_GRAPH_CYCLE = -59, /**< Graph: passes depend on each other in a cycle; the value is one of them. */
	GG_ERR_GRAPH_TOO_LARGE = -60, /**< Graph: more passes, resources, accesses, commands or arguments than there is room for; the value is the step. */
	GG_ERR_GRAPH_MEMORY = -61, /**< Graph: the work space is too small for its transient buffers, or a pass needs more than a budget allows; the value is what is needed. */
	GG_ERR_GRAPH_HANDLE = -62, /**< Graph: no kept graph of this handle. */
	GG_ERR_GRAPH_DATA = -63, /**< Graph: the program divided by zero, or read or copied outside of a resource; the value is the step. */
	GG_ERR_FAULT_ACCESS = -64, /**< The kernel reached memory that is not its own. */
	GG_ERR_FAULT_MISALIGNED = -65, /**< The kernel made a misaligned access. */
	GG_ERR_FAULT_ILLEGAL = -66, /**< The kernel executed an illegal instruction. */
	GG_ERR_FAULT_CALL = -67, /**< The kernel made an unknown environment call. */
	GG_ERR_STACK_OVERFLOW = -68, /**< A thread overran its stack. */
	GG_ERR_DIVERGED = -69, /**< Some threads of a CTA returned while others wait at a barrier. */
	GG_ERR_TIME_LIMIT = -70, /**< A CTA ran past its time limit. */
	GG_ERR_ABORTED = -71, /**< The kernel ended itself with an error. */
	GG_ERR_CANCELLED = -72, /**< The task was cancelled. */
	GG_ERR_DEPENDENCY = -73, /**< A task that this one depends on failed. */
	GG_ERR_SM_LOST = -74, /**< An SM stopped, was reset or does not answer: the one that ran a CTA, or the one of RESET_SM. */
	GG_ERR_PRINT_FLOOD = -75, /**< The kernel printed more than its bound. */
	GG_ERR_QUARANTINE = -76, /**< The task's CTA was on two SMs that were lost, or the kernel is quarantined for that: it runs again when its channel has been reset. */
	GG_ERR_DEVICE_RESET = -77, /**< The control processor booted again while this was on its way; whether any of it was done is not known. Memory of contexts and modules is as it was, and what is submitted from now on runs. */
	GG_ERR_TIMEOUT = -96, /**< The deadline passed. */
	GG_ERR_DEVICE_LOST = -97, /**< The device is gone. */
	GG_ERR_NO_DEVICE = -98, /**< No device answers at that path. */
	GG_ERR_PANIC = -99, /**< The control processor stopped on its own bug; the error block has the record. */
	GG_ERR_QEMU_MISSING = -100, /**< The QEMU program is not installed. */
	GG_ERR_QEMU_FAILED = -101, /**< QEMU ended at start; the message has its last words. */
	GG_ERR_IMAGE_MISSING = -102, /**< A firmware image or board file is not built. */
	GG_ERR_BOARD = -103, /**< Unknown board, or a number of SMs that it cannot have. */
	GG_ERR_IO = -104, /**< The operating system refused a call. */
	GG_ERR_ABI_MAGIC = -105, /**< There is no capability block where the board says. */
	GG_ERR_ABI_VERSION = -106, /**< The device speaks an ABI that this host does not know. */
	GG_ERR_ELF_FORMAT = -107, /**< Not a kernel ELF of ganger-cc. */
	GG_ERR_ELF_TRUNCATED = -108, /**< The kernel ELF ends before its content. */
	GG_ERR_ELF_XLEN = -109, /**< The kernel ELF is for the other XLEN. */
	GG_ERR_ELF_ISA = -110, /**< The kernel ELF needs an extension that the device has not. */
	GG_ERR_KERNEL_NAME = -111, /**< The module has no kernel of that name. */
	GG_ERR_ARGUMENT_COUNT = -112, /**< The number of arguments is not the kernel's. */
	GG_ERR_ARGUMENT_SIZE = -113, /**< An argument's size or kind is not the kernel's. */
	GG_ERR_HANDLE = -114, /**< The handle was never given out, is of another kind or device, or what it names was released. */
	GG_ERR_FORKED = -115, /**< The handle is of the parent of this forked process, which alone may use it. */
	GG_ERR_COMPILE = -116, /**< The kernels' compiler refuses the source or an option; its log says why. */
	GG_ERR_PERMISSION = -117, /**< Only the user who booted the device may do this. */
};

enum gg_request_kind {
	GG_REQUEST_KIND_LAUNCH = 1, /**< Take the TMD at `address`, of generation `argument`, as a child of the CTA's task. */
	GG_REQUEST_KIND_PUSH = 2, /**< Add `count` items at `source` to the queue of the task whose TMD is at `address`, of generation `argument`. */
	GG_REQUEST_KIND_CLOSE = 3, /**< Close the queue of the task whose TMD is at `address`, of generation `argument`. */
	GG_REQUEST_KIND_PRINT = 4, /**< Add the `count` bytes at `source` to the print buffer. */
	GG_REQUEST_KIND_OCCUPANCY = 5, /**< How many top-level CGAs of the TMD at `address`, of generation `argument`, could run: `count` 0: now; 1: on an idle device. */
};

enum gg_dependence_action {
	GG_DEPENDENCE_ACTION_DECREMENT = 0, /**< Lower the dependence counter of a task that waits; at 0 it is ready. */
	GG_DEPENDENCE_ACTION_SCHEDULE = 1, /**< Take the TMD as a child task. */
	GG_DEPENDENCE_ACTION_INCREMENT_PUT = 2, /**< Raise the put count of a queue task by `amount`: so many items are in place. */
};

enum gg_trace_type {
	GG_TRACE_TYPE_NONE = 0, /**< Empty. */
	GG_TRACE_TYPE_CTA = 1, /**< SM: a CTA ran from `start` to `end`. */
	GG_TRACE_TYPE_TASK = 2, /**< CP: a task was accepted at `start` and completed at `end`. */
	GG_TRACE_TYPE_ACCEPT = 3, /**< CP: a task was accepted. */
	GG_TRACE_TYPE_SLOT = 4, /**< CP: a task took a slot. */
	GG_TRACE_TYPE_ASSIGN = 5, /**< CP: an SM was assigned a task; `cta_lo` is the SM. */
	GG_TRACE_TYPE_LAUNCH = 6, /**< CP: a packet; `cta_lo` is the first CTA, `sm` the SM, `extra` the number. */
	GG_TRACE_TYPE_REASON = 7, /**< CP: CTAs of a task were kept back from `start` to `end`, for the `reason` in `extra`. */
	GG_TRACE_TYPE_HUNG = 8, /**< CP: an SM with CTAs of a task took no interrupt, and is reset; `sm` the SM, `extra` how often it was asked. */
	GG_TRACE_TYPE_PASS = 9, /**< CP: a pass of a graph ran from `start` to `end`; `tag` is the graph's, `cta_lo` the pass, `extra` its status. */
};

enum gg_device_state {
	GG_DEVICE_STATE_NONE = 0, /**< Not booted. */
	GG_DEVICE_STATE_BOOTING = 1, /**< The CP is starting its SMs. */
	GG_DEVICE_STATE_READY = 2, /**< Commands are taken. */
	GG_DEVICE_STATE_PANIC = 3, /**< The CP stopped; see the error block. */
};

enum gg_feature {
	GG_FEATURE_ATOMICS = 0, /**< Compute cores have AMO instructions (A). */
	GG_FEATURE_FLOAT = 1, /**< Compute cores have single precision (F). */
	GG_FEATURE_DOUBLE = 2, /**< Compute cores have double precision (D). */
	GG_FEATURE_USER_MODE = 3, /**< Kernels run in U-mode. */
	GG_FEATURE_PROTECTION = 4, /**< Kernels run behind PMP. */
	GG_FEATURE_TIMER = 5, /**< SMs have a timer interrupt. */
	GG_FEATURE_DOORBELL = 6, /**< The device can interrupt the host. */
	GG_FEATURE_MULTIPLY = 7, /**< Compute cores multiply and divide (M). */
	GG_FEATURE_COMPRESSED = 8, /**< Compute cores execute compressed instructions (C). */
	GG_FEATURE_CLUSTERS = 9, /**< The CP takes tasks of CGAs. */
	GG_FEATURE_PULL = 10, /**< The CP takes PULL grids and N-D ranges. */
	GG_FEATURE_GRAPHS = 11, /**< The CP takes task graphs. */
	GG_FEATURE_QUEUES = 12, /**< The CP takes queue tasks. */
	GG_FEATURE_TRACE = 13, /**< The CP writes trace records. */
	GG_FEATURE_RESETS = 14, /**< The CP resets SMs (RESET_SM). */
	GG_FEATURE_WATCHDOG = 15, /**< The CP finds SMs that take no interrupts, and resets them. */
	GG_FEATURE_RETRIES = 17, /**< The CP runs CTAs of lost SMs again (`tmd.retry_limit`). */
	GG_FEATURE_RESTARTS = 18, /**< The CP boots again after a panic, or when it is asked to (RESET_SM). */
	GG_FEATURE_PARKS = 19, /**< The CP parks CTAs that others wait for (`config.park_ms`). */
};

enum gg_config_part {
	GG_CONFIG_PART_MODE = 0, /**< `mode`. */
	GG_CONFIG_PART_FLOOR = 1, /**< `floor_per_mille`. */
	GG_CONFIG_PART_TIME_LIMIT = 2, /**< `time_limit_us`. */
	GG_CONFIG_PART_TRACE = 3, /**< `trace`. */
	GG_CONFIG_PART_ENABLED = 4, /**< `enabled`. */
	GG_CONFIG_PART_RANK = 5, /**< `rank`. */
	GG_CONFIG_PART_GROUP = 6, /**< `group`. */
	GG_CONFIG_PART_THROTTLE = 7, /**< `throttle_sms`. */
	GG_CONFIG_PART_CLUSTER = 8, /**< `cga_ids` and `cga_patience`. */
	GG_CONFIG_PART_PULL = 9, /**< `far_ticks`, `chunk_us`, `local_low` and `latency`. */
	GG_CONFIG_PART_ANSWER = 10, /**< `answer_ms`. */
	GG_CONFIG_PART_WATCH = 11, /**< `watch_ms`. */
	GG_CONFIG_PART_RESTARTS = 12, /**< `restarts`. */
	GG_CONFIG_PART_PARK = 13, /**< `park_ms` and `park_page`. */
};

enum gg_channel_state {
	GG_CHANNEL_STATE_OPEN = 0, /**< Commands are read. */
	GG_CHANNEL_STATE_REFUSED = 1, /**< The put word was out of range; the host resets the channel with `reset`. */
	GG_CHANNEL_STATE_SUSPENDED = 2, /**< The host suspended it. */
};

enum gg_slot_state {
	GG_SLOT_STATE_FREE = 0, /**< No task. */
	GG_SLOT_STATE_READY = 1, /**< CTAs left to issue. */
	GG_SLOT_STATE_DRAINING = 2, /**< All issued; some still run. */
	GG_SLOT_STATE_LEAVING = 3, /**< Deallocation requested: no new CTA. */
};

enum gg_reason {
	GG_REASON_SLOT = 0, /**< No free slot of the task table. */
	GG_REASON_SM = 1, /**< No SM with room, or one of a task before it in the order. */
	GG_REASON_AFFINITY = 2, /**< No SM with room that the affinity allows. */
	GG_REASON_THROTTLE = 3, /**< Throttle mode does not match the task, or is being switched. */
	GG_REASON_SEQUENCE = 4, /**< A sequential task has a CTA in flight. */
	GG_REASON_QUOTA = 5, /**< Its quota is used; others of its priority have their turn. */
	GG_REASON_COALESCE = 6, /**< Its queue has too few items. */
	GG_REASON_DEPENDENCE = 7, /**< It waits for other tasks. */
	GG_REASON_SUSPENDED = 8, /**< It is suspended. */
	GG_REASON_CLUSTER = 9, /**< Its next CGA does not fit now as a whole, or all CGA ids are in use. */
	GG_REASON_NONE = 10, /**< Nothing keeps it: all is issued. */
};

enum gg_sync_state {
	GG_SYNC_STATE_NONE = 0, /**< The SM has no task. */
	GG_SYNC_STATE_WAIT_SEND = 1, /**< The state is to be sent. */
	GG_SYNC_STATE_WAIT_ACK = 2, /**< Sent; the SM has not acknowledged. */
	GG_SYNC_STATE_ACKED = 3, /**< Acknowledged. */
};

enum gg_hart_state {
	GG_HART_STATE_STARTED = 0, /**< Running. */
	GG_HART_STATE_STOPPED = 1, /**< Not started. */
	GG_HART_STATE_START_PENDING = 2, /**< Asked to start. */
	GG_HART_STATE_STOP_PENDING = 3, /**< Asked to stop. */
	GG_HART_STATE_SUSPENDED = 4, /**< Suspended. */
	GG_HART_STATE_SUSPEND_PENDING = 5, /**< Asked to suspend. */
	GG_HART_STATE_RESUME_PENDING = 6, /**< Asked to resume. */
};

enum gg_board_fault {
	GG_BOARD_FAULT_NONE = 0, /**< Nothing. */
	GG_BOARD_FAULT_CORE = 1, /**< The core lacks what the image was built for. */
	GG_BOARD_FAULT_MACHINE = 2, /**< The mailbox block is not there. */
	GG_BOARD_FAULT_HARTS = 3, /**< Fewer harts than the board has. */
	GG_BOARD_FAULT_RAM = 4, /**< Less RAM than the board has. */
	GG_BOARD_FAULT_TIMER = 5, /**< The time does not run. */
	GG_BOARD_FAULT_ROOM = 6, /**< The RAM is too small for the areas of these SMs. */
};

enum gg_graph_emphasis {
	GG_GRAPH_EMPHASIS_SPEED = 0, /**< Independent passes run at the same time where resources allow; transient buffers are apart while there is room (S2-R69). */
	GG_GRAPH_EMPHASIS_RESOURCE = 1, /**< Passes run one after the other, those first that end the life of a buffer; transient buffers share memory (S2-R69, S2-R76). */
};

enum gg_graph_need {
	GG_GRAPH_NEED_MEMORY = 0, /**< Bytes of memory besides its buffers. */
	GG_GRAPH_NEED_UNITS = 1, /**< Memory units of SMs; what is not stated is taken from the grid, at most all of the device. */
	GG_GRAPH_NEED_BANDWIDTH = 2, /**< Memory bandwidth, in units of the user's choice. */
	GG_GRAPH_NEED_USER = 3, /**< Anything. */
};

enum gg_graph_op {
	GG_GRAPH_OP_END = 0, /**< End of the program. */
	GG_GRAPH_OP_SET = 1, /**< a = imm. */
	GG_GRAPH_OP_MOVE = 2, /**< a = b; both integers or both resources. */
	GG_GRAPH_OP_ADD = 3, /**< a = b + c, modulo 2^32, like all arithmetic. */
	GG_GRAPH_OP_SUB = 4, /**< a = b - c. */
	GG_GRAPH_OP_MUL = 5, /**< a = b * c. */
	GG_GRAPH_OP_DIV = 6, /**< a = b / c, signed, towards zero. */
	GG_GRAPH_OP_REM = 7, /**< a = b - (b / c) * c. */
	GG_GRAPH_OP_AND = 8, /**< a = b & c. */
	GG_GRAPH_OP_OR = 9, /**< a = b | c. */
	GG_GRAPH_OP_XOR = 10, /**< a = b ^ c. */
	GG_GRAPH_OP_SHL = 11, /**< a = b << (c & 31). */
	GG_GRAPH_OP_SHR = 12, /**< a = b >> (c & 31), signed. */
	GG_GRAPH_OP_MIN = 13, /**< The smaller, signed. */
	GG_GRAPH_OP_MAX = 14, /**< The larger, signed. */
	GG_GRAPH_OP_ADDI = 15, /**< a = b + imm. */
	GG_GRAPH_OP_ARGUMENT = 16, /**< a = low word of argument `imm` of the graph. */
	GG_GRAPH_OP_LOAD = 17, /**< a = the word at byte c + imm of resource b, as it is now (S2-R53); c 255: 0. b must not be a transient. */
	GG_GRAPH_OP_RESOURCE = 18, /**< Resource a = resource number `imm`. */
	GG_GRAPH_OP_INDEX = 19, /**< Resource a = resource number imm + b. */
	GG_GRAPH_OP_NEXT = 20, /**< a = number of the next pass. */
	GG_GRAPH_OP_JUMP = 24, /**< Go to step `imm`. */
	GG_GRAPH_OP_JEQ = 25, /**< Go to step `imm` if a == b. */
	GG_GRAPH_OP_JNE = 26, /**< Go to step `imm` if a != b. */
	GG_GRAPH_OP_JLT = 27, /**< Go to step `imm` if a < b, signed. */
	GG_GRAPH_OP_JGE = 28, /**< Go to step `imm` if a >= b, signed. */
	GG_GRAPH_OP_INVOKE = 29, /**< Make a pass from definition `imm` (S2-R24): its steps run with the variables as they are. */
	GG_GRAPH_OP_READ = 32, /**< The pass under construction reads resource a. */
	GG_GRAPH_OP_WRITE = 33, /**< It writes resource a, after earlier passes that use it. */
	GG_GRAPH_OP_SHARE = 34, /**< It writes resource a, at the same time as other passes that SHARE it. */
	GG_GRAPH_OP_AFTER = 35, /**< It starts after pass number a has ended, however (S2-R31). */
	GG_GRAPH_OP_AFTERI = 36, /**< It starts after pass number `imm`, which may follow later. */
	GG_GRAPH_OP_NEED = 37, /**< It needs b of kind c (enum graph_need) while it runs. */
	GG_GRAPH_OP_SIZE = 38, /**< Transient resource a has b bytes, unsigned; before its first use. */
	GG_GRAPH_OP_STATE = 40, /**< Commands from now on use state `imm` (S2-R27); holds until changed (S2-R105). */
	GG_GRAPH_OP_GRID = 41, /**< The next DISPATCH has a by b by c CTAs instead of those of its state; 255: 1. */
	GG_GRAPH_OP_VALUE = 42, /**< Next argument of the next DISPATCH: integer a, sign-extended to c bytes, 4 or 8. */
	GG_GRAPH_OP_CONST = 43, /**< Next argument: imm, sign-extended to c bytes, 4 or 8. */
	GG_GRAPH_OP_PARAMETER = 44, /**< Next argument: c bytes, 4 or 8, of argument `imm` of the graph, as it is when the command starts. */
	GG_GRAPH_OP_ADDRESS = 45, /**< Next argument: a pointer to resource a, which the pass declares, plus b bytes; b 255: plus imm. */
	GG_GRAPH_OP_DISPATCH = 48, /**< Pass command: run the kernel of the state (S2-R29). */
	GG_GRAPH_OP_COPY = 49, /**< Pass command: copy the first c bytes of resource b to resource a, both declared; c 255: imm bytes. */
	GG_GRAPH_OP_FILL = 50, /**< Pass command: fill the first c bytes of resource a with words of value b; c 255: imm bytes. */
	GG_GRAPH_OP_SIGNAL = 51, /**< Pass command: store b into the word at byte imm of resource a. */
	GG_GRAPH_OP_FENCE = 52, /**< Pass command: make what was written visible (S2-R31); passes do so anyway. */
};

enum gg_graph_resource_kind {
	GG_GRAPH_RESOURCE_KIND_NONE = 0, /**< Not used. */
	GG_GRAPH_RESOURCE_KIND_ARGUMENT = 1, /**< A buffer whose address is an argument of the graph: may differ with each launch. */
	GG_GRAPH_RESOURCE_KIND_FIXED = 2, /**< A buffer at `address`. */
	GG_GRAPH_RESOURCE_KIND_TRANSIENT = 3, /**< A buffer that lives in the work space, from its first writer to its last user (S2-R39). */
};

enum gg_graph_pass_state {
	GG_GRAPH_PASS_STATE_WAITING = 0, /**< Waits for passes that it depends on. */
	GG_GRAPH_PASS_STATE_READY = 1, /**< Waits for resources. */
	GG_GRAPH_PASS_STATE_RUNNING = 2, /**< Its commands run. */
	GG_GRAPH_PASS_STATE_DONE = 3, /**< All of it is complete. */
	GG_GRAPH_PASS_STATE_FAILED = 4, /**< A command failed; the status says how. */
	GG_GRAPH_PASS_STATE_SKIPPED = 5, /**< Not run: a pass that it depends on failed, or the graph was cancelled. */
};

/**
 * TMD. Task metadata: one task, 256 bytes, aligned to 256 (S0-R02). The host writes it; the CP
 * copies it, checks the copy, and never reads the original again.
 */
struct gg_tmd {
	/** Version, type, mode, priority and flags. Writer: host. */
	uint32_t header;
	/** Counts the uses of this TMD; must equal `argument0` of SUBMIT. Writer: host. */
	uint32_t generation;
	/** Free for the host; appears in traces. Writer: host. */
	uint32_t correlation;
	/** Number of the context that owns the task. Writer: host. */
	uint32_t context;
	/** Program entry, inside the code window; even. Writer: host. */
	uint32_t entry_lo;
	/** High word. Writer: host. */
	uint32_t entry_hi;
	/** Code window: read and execute. Writer: host. */
	uint32_t code_lo;
	/** High word. Writer: host. */
	uint32_t code_hi;
	/** Bytes of the code window; a multiple of 4. Writer: host. */
	uint32_t code_bytes;
	/** Bytes of the argument block; 0 for none. Writer: host. */
	uint32_t args_bytes;
	/** Argument block: read-only to the CTA; aligned to 16. Writer: host. */
	uint32_t args_lo;
	/** High word. Writer: host. */
	uint32_t args_hi;
	/** CTAs along x; not 0 (S1-R75). Writer: host. */
	uint32_t grid_x;
	/** CTAs along y and z. Writer: host. */
	uint32_t grid_yz;
	/** Threads of a CTA along x and y. Writer: host. */
	uint32_t block_xy;
	/** Threads along z; dimensions that the kernel sees. Writer: host. */
	uint32_t block_z;
	/** CTAs of a cluster (CGA) along x and y; 0 for no cluster. Writer: host. */
	uint32_t cluster_xy;
	/** CTAs of a cluster along z; its domain. Writer: host. */
	uint32_t cluster_z;
	/** Shared memory of a CTA, in bytes. Writer: host. */
	uint32_t shared_bytes;
	/** Stack of one thread, in bytes; a multiple of 16, not 0. Writer: host. */
	uint32_t private_bytes;
	/** Registers of a thread: a budget that the board sets; 0 for none. Writer: host. */
	uint32_t registers;
	/** GPCs that may run it; 0 for all (S0-R25). Writer: host. */
	uint32_t gpc_mask;
	/** Address of a 512-bit mask of SMs that may run it; 0 for all (S0-R25). Writer: host. */
	uint32_t affinity_lo;
	/** High word. Writer: host. */
	uint32_t affinity_hi;
	/**
	 * CTAs before another task of the priority has its turn (S0-R24); not 0 when
	 * `quota_enable` is set, else 0. Writer: host.
	 */
	uint32_t quota;
	/** Longest time of one CTA, in microseconds; 0 for the device's default. Writer: host. */
	uint32_t time_limit_us;
	/**
	 * Times a CTA may run again after its SM was lost, up to 15; 0: the task fails. Not 0
	 * says that a CTA of the kernel may run twice, in part or completely. A CGA runs again
	 * as a whole. Not for CGAs made of CGAs, which are refused as unsupported. Writer:
	 * host.
	 */
	uint32_t retry_limit;
	/**
	 * PULL: CTAs per chunk, at most those of the grid; 0 lets the device choose (S4-R57,
	 * R58). Writer: host.
	 */
	uint32_t chunk;
	/**
	 * GRAPH: address of a `graph`. PULL: address of an `nd_range` (S4-R35), or 0 for a
	 * grid of three dimensions. QUEUE: address of the circular queue (S0-R05):
	 * `queue_capacity` items of `queue_item_bytes`, in the context's heap; aligned to 4.
	 * Writer: host.
	 */
	uint32_t queue_lo;
	/** High word. Writer: host. */
	uint32_t queue_hi;
	/**
	 * Items that the queue holds. Grids: global id of the first work-item along x; 0 with
	 * an `nd_range`. Writer: host.
	 */
	uint32_t queue_capacity;
	/**
	 * Bytes of an item; a multiple of 4. Grids: global id of the first work-item along y.
	 * Writer: host.
	 */
	uint32_t queue_item_bytes;
	/**
	 * Items per CTA. Grids: as one number, the CTAs to run from `resume` on, a multiple of
	 * the CTAs of a CGA; 0: all that follow. Writer: host.
	 */
	uint32_t queue_items;
	/**
	 * Time after which a CTA starts with fewer items (S0-R06); 0: at once; 0xffffffff:
	 * never. Grids: threads of the last CTA along x (9:0), y (19:10), z (29:20), where
	 * they are fewer than `block_x`, `block_y`, `block_z`; else 0. Writer: host.
	 */
	uint32_t coalesce_us;
	/**
	 * DECREMENT actions of other tasks that it waits for before it is ready, besides
	 * `after`. Writer: host.
	 */
	uint32_t dependence_count;
	/** Entries of the list of dependents, 0 to 64. Writer: host. */
	uint32_t dependent_count;
	/**
	 * Address of an array of `dependent`: what happens when this task has completed
	 * without error. Writer: host.
	 */
	uint32_t dependents_lo;
	/** High word. Writer: host. */
	uint32_t dependents_hi;
	/**
	 * First release semaphore: address of a word, aligned to 4; not read when the op is
	 * NONE. Writer: host.
	 */
	uint32_t semaphore0_lo;
	/** High word. Writer: host. */
	uint32_t semaphore0_hi;
	/** Value. Writer: host. */
	uint32_t semaphore0_value;
	/** What is done with the value when the task has completed without error. Writer: host. */
	uint32_t semaphore0_op;
	/** Second release semaphore. Writer: host. */
	uint32_t semaphore1_lo;
	/** High word. Writer: host. */
	uint32_t semaphore1_hi;
	/** Value. Writer: host. */
	uint32_t semaphore1_value;
	/** What is done with the value, after the first. Writer: host. */
	uint32_t semaphore1_op;
	/** First CTA to run, in linear order (S0-R13). Writer: host. */
	uint32_t resume_lo;
	/** High word. Writer: host. */
	uint32_t resume_hi;
	/** The context's heap: read and write. Writer: host. */
	uint32_t heap_lo;
	/** High word. Writer: host. */
	uint32_t heap_hi;
	/** Bytes of the heap; 0 for none. Writer: host. */
	uint32_t heap_bytes_lo;
	/** High word. Writer: host. */
	uint32_t heap_bytes_hi;
	/**
	 * Address of an array of `window`: memory outside the heap that its kernels may reach.
	 * Writer: host.
	 */
	uint32_t windows_lo;
	/** High word. Writer: host. */
	uint32_t windows_hi;
	/** Windows, 0 to 4. Writer: host. */
	uint32_t window_count;
	/**
	 * Address of an array of `dependent`, action DECREMENT: tasks that must complete
	 * before this one is ready. A task that is not in the device counts as complete.
	 * Writer: host.
	 */
	uint32_t after_lo;
	/** High word. Writer: host. */
	uint32_t after_hi;
	/** Entries of it, 0 to 64. Writer: host. */
	uint32_t after_count;
	/**
	 * Items that are in the queue at submission, from its start on. Grids: global id of
	 * the first work-item along z. Writer: host.
	 */
	uint32_t queue_outstanding;
	/**
	 * Address of the print buffer: a word that counts the bytes printed, then the bytes;
	 * aligned to 4. Children print into that of their oldest ancestor. Writer: host.
	 */
	uint32_t print_lo;
	/** High word. Writer: host. */
	uint32_t print_hi;
	/** Bytes that may be printed; 0: no print buffer, prints go nowhere. Writer: host. */
	uint32_t print_bytes;
	/**
	 * Nested CGAs (S1-R36): the second level, counted in CGAs of the first; 0 for none.
	 * Writer: host.
	 */
	uint32_t outer;
	/**
	 * The third level, counted in CGAs of the second; 0 for none; type CGA only. Writer:
	 * host.
	 */
	uint32_t top;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_tmd) == 256, "shared size");

#define GG_TMD_VERSION 0x000000ffu /**< header: 1. */
#define GG_TMD_TYPE 0x00000f00u /**< header: Task type. */
#define GG_TMD_MODE 0x0000f000u /**< header: Distribution mode. */
#define GG_TMD_PRIORITY 0x000f0000u /**< header: 1 (highest) to 10 (S0-R03). */
#define GG_TMD_HEAD 0x00100000u /**< header: Insert at the head of its priority list (S0-R10). */
#define GG_TMD_SEQUENTIAL 0x00200000u /**< header: At most one CTA in flight (S0-R23). */
#define GG_TMD_THROTTLE 0x00400000u /**< header: Runs in throttle mode only (S0-R22). */
#define GG_TMD_QUOTA_ENABLE 0x00800000u /**< header: The launch quota holds (S0-R24). */
#define GG_TMD_BARRIER 0x01000000u /**< header: Threads meet at barriers: each has a stack of its own (S3-R84). */
#define GG_TMD_CLOSED 0x02000000u /**< header: QUEUE: closed from the start: it runs the items in `queue_outstanding` and those that its own CTAs push. */
#define GG_TMD_CUT_PRINTS 0x04000000u /**< header: What does not fit into the print buffer is left out, and is no error. */
#define GG_TMD_SHORT 0x08000000u /**< header: The rare words are zero, and are not read; since ABI 1.13. The others are those up to `block_z`, `shared_bytes`, `private_bytes`, `registers`, `time_limit_us` and those of the heap. A grid without rare words is accepted in fewer steps with it. */
#define GG_TMD_RESERVED 0xf0000000u /**< header: Zero. */
#define GG_TMD_GRID_Y 0x0000ffffu /**< grid_yz: Not 0. */
#define GG_TMD_GRID_Z 0xffff0000u /**< grid_yz: Not 0. */
#define GG_TMD_BLOCK_X 0x0000ffffu /**< block_xy: Not 0. */
#define GG_TMD_BLOCK_Y 0xffff0000u /**< block_xy: Not 0. */
#define GG_TMD_BLOCK_Z 0x0000ffffu /**< block_z: Not 0; x · y · z at most 1,024 (S1-R180). */
#define GG_TMD_DIMENSIONS 0x00030000u /**< block_z: 1 to 3; 0 counts as 3. */
#define GG_TMD_BLOCK_RESERVED 0xfffc0000u /**< block_z: Zero. */
#define GG_TMD_CLUSTER_X 0x0000ffffu /**< cluster_xy: 0 or CTAs. */
#define GG_TMD_CLUSTER_Y 0xffff0000u /**< cluster_xy: 0 or CTAs. */
#define GG_TMD_CLUSTER_Z 0x0000ffffu /**< cluster_z: 0 or CTAs. */
#define GG_TMD_CLUSTER_DOMAIN 0x00030000u /**< cluster_z: Type CGA: the domain that all CTAs of a cluster are in; else 0. */
#define GG_TMD_CLUSTER_RESERVED 0xfffc0000u /**< cluster_z: Zero. */
#define GG_TMD_QUEUE_ITEMS 0x0000ffffu /**< queue_items: Items that a CTA takes, N (S0-R06); not 0. */
#define GG_TMD_QUEUE_MINIMUM 0xffff0000u /**< queue_items: Fewest items that start a CTA without a time-out, at most N; 0: N. */
#define GG_TMD_OUTER_X 0x000003ffu /**< outer: 0 or CGAs. */
#define GG_TMD_OUTER_Y 0x000ffc00u /**< outer: 0 or CGAs. */
#define GG_TMD_OUTER_Z 0x3ff00000u /**< outer: 0 or CGAs. */
#define GG_TMD_OUTER_DOMAIN 0xc0000000u /**< outer: Type CGA: its domain; larger than that of the first level; else 0. */
#define GG_TMD_TOP_X 0x000003ffu /**< top: 0 or CGAs. */
#define GG_TMD_TOP_Y 0x000ffc00u /**< top: 0 or CGAs. */
#define GG_TMD_TOP_Z 0x3ff00000u /**< top: 0 or CGAs. */
#define GG_TMD_TOP_DOMAIN 0xc0000000u /**< top: Its domain; larger than that of the second level. */

/** Command. One entry of a channel's ring. */
struct gg_command {
	/** What to do. Writer: host. */
	uint32_t header;
	/** Comes back in the completion; the host keeps tags in flight distinct. Writer: host. */
	uint32_t tag;
	/** Device address, or 0. Writer: host. */
	uint32_t address_lo;
	/** High word. Writer: host. */
	uint32_t address_hi;
	/**
	 * By opcode; QUERY: what; CODE: bytes; RESET_SM: the SM; SUBMIT, PUSH, CLOSE and a
	 * target TASK: the TMD's generation; a target CHANNEL: its number; else 0. Writer:
	 * host.
	 */
	uint32_t argument0;
	/**
	 * CANCEL, SUSPEND, RESUME: the kind of target; RESET_SM: 0, or the target DEVICE;
	 * QUERY of a TMD: its generation; PUSH: low word of the address of the items, 0 with
	 * `argument3` when they are in place; GRAPH: the handle; else 0. Writer: host.
	 */
	uint32_t argument1;
	/** PUSH: items; GRAPH: an action; else 0. Writer: host. */
	uint32_t argument2;
	/** PUSH: high word of the address of the items; else 0. Writer: host. */
	uint32_t argument3;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_command) == 32, "shared size");

#define GG_COMMAND_OPCODE 0x000000ffu /**< header: Opcode. */
#define GG_COMMAND_NO_INTERRUPT 0x00000100u /**< header: Do not interrupt the host for this completion. */
#define GG_COMMAND_COMMAND_RESERVED 0xfffffe00u /**< header: Zero. */

/**
 * Completion. One entry of the completion ring: exactly one for every command. Times are ticks
 * of the device's clock (`timebase_hz`).
 */
struct gg_completion {
	/** Tag of the command. Writer: CP. */
	uint32_t tag;
	/** 0, or the negative of an error number, as a signed word. Writer: CP. */
	uint32_t status;
	/**
	 * Field id of the offending field, or 0: descriptor number in bits 31:24, lowest bit
	 * in 20:16, byte offset in 15:0. Writer: CP.
	 */
	uint32_t field;
	/** Value of the offending field, or the answer of a QUERY. Writer: CP. */
	uint32_t value_lo;
	/** High word. Writer: CP. */
	uint32_t value_hi;
	/** Channel and opcode of its command, and how many SMs had CTAs of it. Writer: CP. */
	uint32_t source;
	/** CTAs that completed. Writer: CP. */
	uint32_t ctas_lo;
	/** High word. Writer: CP. */
	uint32_t ctas_hi;
	/** The CP took the command. Writer: CP. */
	uint32_t posted_lo;
	/** High word. Writer: CP. */
	uint32_t posted_hi;
	/** The task entered the scheduler table, free of dependences. Writer: CP. */
	uint32_t ready_lo;
	/** High word. Writer: CP. */
	uint32_t ready_hi;
	/** Its first CTA started; 0 for none. Writer: CP. */
	uint32_t first_lo;
	/** High word. Writer: CP. */
	uint32_t first_hi;
	/** Its last CTA ended; 0 for none. Writer: CP. */
	uint32_t last_lo;
	/** High word. Writer: CP. */
	uint32_t last_hi;
	/** The CP posted the completion. Writer: CP. */
	uint32_t done_lo;
	/** High word. Writer: CP. */
	uint32_t done_hi;
	/** Fault record of a failed task. Writer: CP. */
	uint32_t fault;
	/** Launch packets that the task took. Writer: CP. */
	uint32_t packets;
	/**
	 * By `reason`: turns of the CP's loop during which CTAs of the task were kept back for
	 * this reason. Writer: CP.
	 */
	uint32_t not_issued[10];
	/**
	 * How the CTAs of a grid were distributed: as its TMD said, or PULL where the TMD left
	 * it to the device and SMs took them themselves. Writer: CP.
	 */
	uint32_t mode;
	/**
	 * CTAs that ran again because their SM was lost, each as often as it did
	 * (`tmd.retry_limit`). Writer: CP.
	 */
	uint32_t retried;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_completion) == 128, "shared size");

#define GG_COMPLETION_CHANNEL 0x000000ffu /**< source: Channel of the command. */
#define GG_COMPLETION_OPCODE 0x0000ff00u /**< source: Its opcode. */
#define GG_COMPLETION_SMS 0xffff0000u /**< source: SMs that ran CTAs of the task. */
#define GG_COMPLETION_FAULT_SM 0x0000ffffu /**< fault: SM that holds the record. */
#define GG_COMPLETION_FAULT_SEQUENCE 0xffff0000u /**< fault: `sequence` of the record, low 16 bits; 0 for none. */

/** Memory window. One entry of a TMD's list of windows. */
struct gg_window {
	/** First byte; a multiple of 4. Writer: host. */
	uint32_t base_lo;
	/** High word. Writer: host. */
	uint32_t base_hi;
	/** Bytes; a multiple of 4, not 0. Writer: host. */
	uint32_t bytes_lo;
	/** High bytes and rights. Writer: host. */
	uint32_t rights;
};
GG_STATIC_ASSERT(sizeof(struct gg_window) == 16, "shared size");

#define GG_WINDOW_BYTES_HI 0x0000ffffu /**< rights: High bits of the bytes. */
#define GG_WINDOW_READ 0x00010000u /**< rights: May be read. */
#define GG_WINDOW_WRITE 0x00020000u /**< rights: May be written. */
#define GG_WINDOW_WINDOW_RESERVED 0xfffc0000u /**< rights: Zero. */

/**
 * CGA member. A CTA of a CGA, in the CLUSTER block of its SM, at the place of its lowest unit
 * (S1-R71, S1-R72): written before its packet is sent, valid until its CGA has ended.
 */
struct gg_member {
	/**
	 * Sequence number of its innermost CGA, counted from 1 over all tasks; 0: no CTA of a
	 * CGA is here. Writer: CP.
	 */
	uint32_t sequence;
	/** Its place in that CGA. Writer: CP. */
	uint32_t rank;
	/** Where the CTA of the next rank is; after the last rank, rank 0. Writer: CP. */
	uint32_t next;
	/** Its CGA. Writer: CP. */
	uint32_t cga;
};
GG_STATIC_ASSERT(sizeof(struct gg_member) == 16, "shared size");

#define GG_MEMBER_RANK 0x0000ffffu /**< rank: Its rank (`cga_cta_id`, S1-R114). */
#define GG_MEMBER_HEAD_SM 0xffff0000u /**< rank: SM of the CTA of rank 0. */
#define GG_MEMBER_UNIT 0x000000ffu /**< next: Its lowest unit. */
#define GG_MEMBER_SM 0xffffff00u /**< next: Its SM. */
#define GG_MEMBER_RECORD 0x0000ffffu /**< cga: The CP's record of the CGA. */
#define GG_MEMBER_ID 0x00ff0000u /**< cga: Id of the CGA, from its GPC's pool or the device's. */
#define GG_MEMBER_HEAD_UNIT 0x1f000000u /**< cga: Lowest unit of the CTA of rank 0. */
#define GG_MEMBER_STOP 0x80000000u /**< cga: 1: the CGA is to stop, because SMs of it were lost (`tmd.retry_limit`). */

/** Launch packet. CP to SM: start CTAs of one task. The SM computes x, y, z itself (S1-R108). */
struct gg_packet {
	/** The task. Writer: CP. */
	uint32_t task;
	/**
	 * Bit u: a CTA takes the units from u on; CTA first + k has the k-th lowest bit.
	 * Writer: CP.
	 */
	uint32_t starts;
	/**
	 * Launch position of the first CTA. In a plain grid its linear number: x fastest, then
	 * y, then z (S1-R109). In a grid of CGAs CTAs are counted CGA by CGA: of each level x
	 * fastest, then y, then z. Writer: CP.
	 */
	uint32_t first_lo;
	/** High word. Writer: CP. */
	uint32_t first_hi;
	/** Units that each CTA takes. Writer: CP. */
	uint32_t units;
	/** The innermost CGA that its CTAs belong to; 0 for none. Writer: CP. */
	uint32_t cga;
	/** Zero. Writer: CP. */
	uint32_t reserved_18;
	/** Counts the packets of all SMs. Writer: CP. */
	uint32_t sequence;
	/**
	 * QUEUE: number of the first item of the first CTA (S0-R05), modulo the largest
	 * multiple of the capacity below 2^31. Writer: CP.
	 */
	uint32_t queue_position;
	/** QUEUE: items of the last CTA; each one before it has N (S0-R06). Writer: CP. */
	uint32_t queue_last;
	/**
	 * `task_assign` of the SM when the packet was written: what the SM acknowledges before
	 * it takes the packet (S0-C2). Writer: CP.
	 */
	uint32_t assign;
	/**
	 * PULL: the units are streams: each runs CTA after CTA of what the SM takes (S4-R16).
	 * Writer: CP.
	 */
	uint32_t pull;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_packet) == 48, "shared size");

#define GG_PACKET_SLOT 0x000000ffu /**< task: Slot of the task table. */
#define GG_PACKET_GENERATION 0xffff0000u /**< task: Its generation. */
#define GG_PACKET_CGA_ID 0x000000ffu /**< cga: Its id, from the pool of its GPC, or of the device when its domain is larger (S1-R139). */
#define GG_PACKET_CGA_VALID 0x80000000u /**< cga: 1: there is one. */
#define GG_PACKET_PULL_ITEMS 0x00ffffffu /**< pull: Items from `first` on that the CP gives with the packet; 0 for none. */
#define GG_PACKET_PARK_SAVE 0x10000000u /**< pull: 1: no launch: CTAs of `starts` that are resident are to be parked; `first` is the address where they are kept: of as much memory as the SM has. Not with an assignment. */
#define GG_PACKET_PARK_RESTORE 0x20000000u /**< pull: 1: the CTAs are those that were parked from these units; `first` is the same. */
#define GG_PACKET_PULL_MORE 0x40000000u /**< pull: 1: when they are used up the SM takes more from the WORK entry of the slot. */
#define GG_PACKET_PULL_VALID 0x80000000u /**< pull: 1: it is a PULL grid. */

/** CTA report. SM to CP: CTAs of one task ended. One report may stand for many. */
struct gg_report {
	/** The task. Writer: SM. */
	uint32_t task;
	/** The bits of `packet.starts` whose CTAs ended: their units are free. Writer: SM. */
	uint32_t starts;
	/**
	 * 0, or the negative of an error number: of the first CTA that failed; 1: these CTAs
	 * have not ended, but are parked. Writer: SM.
	 */
	uint32_t status;
	/** Sequence of the fault record, or 0. Writer: SM. */
	uint32_t fault;
	/** Start of the earliest, in ticks. Writer: SM. */
	uint32_t first_lo;
	/** High word. Writer: SM. */
	uint32_t first_hi;
	/** End of the latest, in ticks. Writer: SM. */
	uint32_t last_lo;
	/** High word. Writer: SM. */
	uint32_t last_hi;
	/**
	 * Linear number of the CTA, when the report stands for one. PULL: first item that the
	 * SM took and did not start. Writer: SM.
	 */
	uint32_t cta_lo;
	/** High word. Writer: SM. */
	uint32_t cta_hi;
	/** PULL: CTAs that ended without an error. Writer: SM. */
	uint32_t pull_ctas;
	/** PULL: what the SM gives back. Writer: SM. */
	uint32_t pull_rest;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_report) == 48, "shared size");

#define GG_REPORT_SLOT 0x000000ffu /**< task: Slot of the task table. */
#define GG_REPORT_GENERATION 0xffff0000u /**< task: Its generation. */
#define GG_REPORT_PULL_REST 0x7fffffffu /**< pull_rest: Items from `cta_lo` on that it took and did not start: they are for others. */
#define GG_REPORT_PULL_LAST 0x80000000u /**< pull_rest: 1: it has no stream of the task any more. */

/**
 * Request. SM to CP: what a CTA asks for. The CTA waits for its answer, so an SM has at most
 * as many as it has CTAs.
 */
struct gg_request {
	/** The task of the CTA. Writer: SM. */
	uint32_t task;
	/** What it asks for. Writer: SM. */
	uint32_t kind;
	/** TMD. Writer: SM. */
	uint32_t address_lo;
	/** High word. Writer: SM. */
	uint32_t address_hi;
	/** Generation of the TMD. Writer: SM. */
	uint32_t argument;
	/** PUSH: items; PRINT: bytes, a multiple of 4. Writer: SM. */
	uint32_t count;
	/**
	 * PUSH, PRINT: address of the items or bytes, in the CTA's own memory or its context's
	 * heap: checked by the SM; 0 when items are in place. Writer: SM.
	 */
	uint32_t source_lo;
	/** High word. Writer: SM. */
	uint32_t source_hi;
	/**
	 * PUSH, PRINT: bytes from there on that the CTA may read, at most 0xffffffff. Writer:
	 * SM.
	 */
	uint32_t source_bytes;
	/** Zero. Writer: SM. */
	uint32_t reserved_24;
};
GG_STATIC_ASSERT(sizeof(struct gg_request) == 40, "shared size");

#define GG_REQUEST_SLOT 0x000000ffu /**< task: Slot of the task table. */
#define GG_REQUEST_GENERATION 0xffff0000u /**< task: Its generation. */

/** Answer. CP to SM: the answer to the request of the same place in the ring. */
struct gg_answer {
	/** 0, or the negative of an error number. Writer: CP. */
	uint32_t answer_status;
	/** Field id of the offending field, or 0. Writer: CP. */
	uint32_t answer_field;
};
GG_STATIC_ASSERT(sizeof(struct gg_answer) == 8, "shared size");

/** Dependent. One entry of a TMD's list of dependents, or of its list `after`. */
struct gg_dependent {
	/** Address of the other task's TMD. Writer: host. */
	uint32_t tmd_lo;
	/** High word. Writer: host. */
	uint32_t tmd_hi;
	/** Generation with which it was, or is to be, submitted. Writer: host. */
	uint32_t tmd_generation;
	/** What happens to it. Writer: host. */
	uint32_t action;
};
GG_STATIC_ASSERT(sizeof(struct gg_dependent) == 16, "shared size");

#define GG_DEPENDENT_ACTION 0x0000000fu /**< action: Action. */
#define GG_DEPENDENT_ACTION_RESERVED 0x0000fff0u /**< action: Zero. */
#define GG_DEPENDENT_AMOUNT 0xffff0000u /**< action: INCREMENT_PUT: items, not 0; else 0. */

/**
 * Trace record. One event, time-stamped. The ring keeps the newest; `put` of its header counts
 * all, so a reader knows what was lost.
 */
struct gg_trace_record {
	/** What and where. Writer: CP or SM, each in its own ring. */
	uint32_t header;
	/** Tag of the task. Writer: as header. */
	uint32_t tag;
	/** Linear CTA number, or as the type says. Writer: as header. */
	uint32_t cta_lo;
	/** By type: status, priority, number of CTAs. Writer: as header. */
	uint32_t extra;
	/** Ticks. Writer: as header. */
	uint32_t start_lo;
	/** High word. Writer: as header. */
	uint32_t start_hi;
	/** Ticks. Writer: as header. */
	uint32_t end_lo;
	/** High word. Writer: as header. */
	uint32_t end_hi;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_trace_record) == 32, "shared size");

#define GG_TRACE_RECORD_TYPE 0x000000ffu /**< header: Type. */
#define GG_TRACE_RECORD_PLACE 0x0000ff00u /**< header: CTA record: lowest unit, the row inside its SM; else the task slot. */
#define GG_TRACE_RECORD_SM 0xffff0000u /**< header: SM, or 0xffff. */

/**
 * SM LOOK. Where the state of an SM's runtime has what a host may want to see of an SM that
 * hangs: a table of offsets in the SM's image. Its address is that of the SM's own memory
 * (`sm_state.area`) plus the signed word at byte 28 there, which is 0 until the SM has
 * started. The state lies at the start of that memory, and changes while it is read. Registers
 * and addresses there have `cap.xlen` bits, other words 32 unless said. A newer minor only
 * adds words.
 */
struct gg_sm_look {
	/** Bytes of this table. Writer: SM. */
	uint32_t look_bytes;
	/**
	 * Address of the CTA record that has the hart, or had it last. This and the next two:
	 * offsets in the state. Writer: SM.
	 */
	uint32_t current;
	/** 64 bits: when it got the hart, in ticks. Writer: SM. */
	uint32_t run_since;
	/** CTA records, the first one: one for each unit that a CTA can begin with. Writer: SM. */
	uint32_t ctas;
	/** Number of records. Writer: SM. */
	uint32_t cta_count;
	/**
	 * Bytes of a record. It begins with the pc where the CTA goes on when it does not have
	 * the hart, and x1 to x31. Writer: SM.
	 */
	uint32_t cta_bytes;
	/**
	 * Address of its task's record. This and what follows: offsets in a CTA record.
	 * Writer: SM.
	 */
	uint32_t cta_task;
	/** Address of its CTA block (struct gg_cta). Writer: SM. */
	uint32_t cta_block;
	/**
	 * Byte: 0 free, 1 waits to start, 2 has started, 3 waits for the CP's answer, 4 waits
	 * at a barrier of its CGA, 5 a stream between two CTAs. Writer: SM.
	 */
	uint32_t cta_state;
	/** Byte: level of the barrier that it waits at. Writer: SM. */
	uint32_t cta_level;
	/** 64 bits: linear number in its grid. Writer: SM. */
	uint32_t cta_linear;
	/**
	 * 64 bits: when it started, in ticks. When that is `run_since` and it has the hart,
	 * its registers were not saved yet. Writer: SM.
	 */
	uint32_t cta_start;
	/** 64 bits: ticks that it had the hart before `run_since`, or waited. Writer: SM. */
	uint32_t cta_used;
	/**
	 * Slot | generation << 16. This and what follows: offsets in a task's record. Writer:
	 * SM.
	 */
	uint32_t task_name;
	/** Tag of its command. Writer: SM. */
	uint32_t task_tag;
	/** Address where its kernel starts. Writer: SM. */
	uint32_t task_entry;
};
GG_STATIC_ASSERT(sizeof(struct gg_sm_look) == 64, "shared size");

/** Fault record. What a CTA did wrong, written by its SM before the report that names it. */
struct gg_fault_record {
	/** Counts the faults of this SM from 1; written last. Writer: SM. */
	uint32_t sequence;
	/** The negative of an error number. Writer: SM. */
	uint32_t status;
	/** Tag of the task's command. Writer: SM. */
	uint32_t tag;
	/** SM. Writer: SM. */
	uint32_t sm;
	/** Linear CTA number. Writer: SM. */
	uint32_t cta_lo;
	/** High word. Writer: SM. */
	uint32_t cta_hi;
	/** Linear thread number in the CTA. Writer: SM. */
	uint32_t thread;
	/** mcause, or 0. Writer: SM. */
	uint32_t cause;
	/** Program counter. Writer: SM. */
	uint32_t pc_lo;
	/** High word. Writer: SM. */
	uint32_t pc_hi;
	/** Faulting address (mtval). Writer: SM. */
	uint32_t address_lo;
	/** High word. Writer: SM. */
	uint32_t address_hi;
	/** Integer registers x1 to x31, as pairs of words, low first. Writer: SM. */
	uint32_t registers[62];
	/** Context of the task. Writer: SM. */
	uint32_t context;
	/** As `packet.cga`: the CGA of the CTA; 0 for none (S1-R157). Writer: SM. */
	uint32_t cga;
	/** Rank of the CTA in it. Writer: SM. */
	uint32_t cga_rank;
	uint32_t gap_134[2]; /**< Zero. */
	/** Zero. Writer: SM. */
	uint32_t reserved_13c;
};
GG_STATIC_ASSERT(sizeof(struct gg_fault_record) == 320, "shared size");

/** CAP: capability block. At the place that the board states. All else is found through it. */
struct gg_cap {
	/** 0x52474e47, the letters GNGR; written last at boot. Writer: CP. */
	uint32_t magic;
	/** Version of this ABI; a newer minor only adds. Writer: CP. */
	uint32_t abi;
	/** Bytes of this block. Writer: CP. */
	uint32_t bytes;
	/** State of the device. Writer: CP. */
	uint32_t state;
	/** Counts the passes of the CP's loop: ring and see it move. Writer: CP. */
	uint32_t heartbeat;
	/** Build id, first of four words. Writer: CP. */
	uint32_t build0;
	/** Build id. Writer: CP. */
	uint32_t build1;
	/** Build id. Writer: CP. */
	uint32_t build2;
	/** Build id. Writer: CP. */
	uint32_t build3;
	/** 32 or 64. Writer: CP. */
	uint32_t xlen;
	/** Bit n: feature n. Writer: CP. */
	uint32_t features;
	/** Ticks of the device's clock in a second. Writer: CP. */
	uint32_t timebase_hz;
	/** SMs that answered at boot. Writer: CP. */
	uint32_t sms;
	/** Slots of the task table. Writer: CP. */
	uint32_t slots;
	/** 10. Writer: CP. */
	uint32_t priorities;
	/** Channels of the mailbox. Writer: CP. */
	uint32_t channels;
	/** Commands that a channel's ring holds; a power of two. Writer: CP. */
	uint32_t channel_entries;
	/** Completions that the ring holds; a power of two. Writer: CP. */
	uint32_t completion_entries;
	/**
	 * Packets that a launch ring holds, and reports that a report ring holds; a power of
	 * two. Writer: CP.
	 */
	uint32_t launch_entries;
	/** Records of each trace ring; a power of two. Writer: CP. */
	uint32_t trace_entries;
	/** Fault records of each SM; a power of two. Writer: CP. */
	uint32_t fault_entries;
	/** Threads of a CTA, at most. Writer: CP. */
	uint32_t block_threads_max;
	/** Threads of a warp. Writer: CP. */
	uint32_t warp_threads;
	/** CTA slots of an SM. Writer: CP. */
	uint32_t sm_ctas;
	/** Warp slots of an SM. Writer: CP. */
	uint32_t sm_warps;
	/** Memory units of an SM. Writer: CP. */
	uint32_t sm_units;
	/** Shared memory of an SM. Writer: CP. */
	uint32_t sm_shared_bytes;
	/** Private (stack) memory of an SM. Writer: CP. */
	uint32_t sm_private_bytes;
	/** Register budget of an SM. Writer: CP. */
	uint32_t sm_registers;
	/** Tasks that can be pending: places of the task pool. Writer: CP. */
	uint32_t tasks_max;
	/** Device memory that the host may allocate. Writer: CP. */
	uint32_t heap_lo;
	/** High word. Writer: CP. */
	uint32_t heap_hi;
	/** Its bytes. Writer: CP. */
	uint32_t heap_bytes_lo;
	/** High word. Writer: CP. */
	uint32_t heap_bytes_hi;
	/** Device address of this block. Writer: CP. */
	uint32_t base_lo;
	/** High word. Writer: CP. */
	uint32_t base_hi;
	/** Bytes from this block to the end of the last. Writer: CP. */
	uint32_t window_bytes;
	/** CONFIG block: offset from this block, like all offsets below. Writer: CP. */
	uint32_t config_offset;
	/** Channels. Writer: CP. */
	uint32_t mailbox_offset;
	/** Command rings, one after the other. Writer: CP. */
	uint32_t commands_offset;
	/** Header of the completion ring. Writer: CP. */
	uint32_t post_offset;
	/** Completion ring. Writer: CP. */
	uint32_t completions_offset;
	/** Task table. Writer: CP. */
	uint32_t task_table_offset;
	/** SM state, one entry an SM. Writer: CP. */
	uint32_t sm_state_offset;
	/** Bell bytes, one an SM. Writer: CP. */
	uint32_t bells_offset;
	/** Launch rings: header, packets, reports; one an SM. Writer: CP. */
	uint32_t launch_offset;
	/** Bytes from one SM's to the next. Writer: CP. */
	uint32_t launch_stride;
	/** PERF block. Writer: CP. */
	uint32_t perf_offset;
	/** Trace rings: the CP's first, then one an SM. Writer: CP. */
	uint32_t trace_offset;
	/** Bytes from one to the next. Writer: CP. */
	uint32_t trace_stride;
	/** Fault records, `fault_entries` an SM. Writer: CP. */
	uint32_t faults_offset;
	/** ERROR block. Writer: CP. */
	uint32_t error_offset;
	/** First byte after the last block. Writer: CP. */
	uint32_t registers_offset;
	/** Bytes of an SM's own memory. Writer: CP. */
	uint32_t sm_area_bytes;
	/** CLUSTER blocks, one an SM. Writer: CP. */
	uint32_t cluster_offset;
	/** Bytes from one SM's to the next. Writer: CP. */
	uint32_t cluster_stride;
	/** CGAs of all levels that can be in flight at once. Writer: CP. */
	uint32_t cgas_max;
	/** CTAs of a top-level CGA, at most. Writer: CP. */
	uint32_t cga_ctas_max;
	/** WORK blocks, one a slot. Writer: CP. */
	uint32_t work_offset;
	/** LOCAL blocks, one a GPC and slot: those of GPC 0 first. Writer: CP. */
	uint32_t local_offset;
	/** PULL blocks, one an SM. Writer: CP. */
	uint32_t pull_offset;
	/** WAVE entries, one a slot. Writer: CP. */
	uint32_t wave_offset;
	/**
	 * Times that the CP booted again without losing the host's memory. When it changes,
	 * and `state` is READY, nothing that was on its way before completes any more, all
	 * channels are refused until they are reset, there are no kept graphs, and CONFIG is
	 * as at boot but for `restarts`. Writer: CP.
	 */
	uint32_t resets;
	/** Zero. Writer: CP. */
	uint32_t reserved_fc;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_cap) == 256, "shared size");

#define GG_CAP_MINOR 0x0000ffffu /**< abi: Minor. */
#define GG_CAP_MAJOR 0xffff0000u /**< abi: Major. */

/**
 * CONFIG: configuration block. The host writes what it wants, then sends CONFIG; the CP checks
 * all of it and applies it, or nothing. At boot it holds what is in force.
 */
struct gg_config {
	/**
	 * For tasks that leave it to the device (S0-R33): LOAD_BALANCING; ROUND_ROBIN; or
	 * DEVICE, which it is at boot: LOAD_BALANCING, and PULL for grids that have more CTAs
	 * than fit into the device and need nothing that PULL grids cannot have. Writer: host.
	 */
	uint32_t mode;
	/**
	 * Share of CTAs, in thousandths, kept for tasks of lower priority while they wait: 0
	 * (strict priority) to 999. Writer: host.
	 */
	uint32_t floor_per_mille;
	/**
	 * Time limit of a CTA whose task has none: 300,000,000 at boot, which is five minutes;
	 * 0 for none. Writer: host.
	 */
	uint32_t time_limit_us;
	/** 1: SMs and CP write trace records. Writer: host. */
	uint32_t trace;
	/** Not read: bit n of CONFIG's `argument0` is part n. Writer: host. */
	uint32_t parts;
	/**
	 * SMs whose shared and private memory an SM has in throttle mode (S0-R22): 1, 2, 4, …
	 * at most the number of SMs. Writer: host.
	 */
	uint32_t throttle_sms;
	/**
	 * Ids of CGAs in each GPC's pool, and in the device's: 1 to 256 (S1-R141). Writer:
	 * host.
	 */
	uint32_t cga_ids;
	/**
	 * CTAs that other tasks may start past a CGA that does not fit before SMs are reserved
	 * for it; 0: at once. Writer: host.
	 */
	uint32_t cga_patience;
	/**
	 * A GPC whose `latency` is higher is far: its SMs take work through a local queue
	 * (S4-R62); 0: none is. Writer: host.
	 */
	uint32_t far_ticks;
	/**
	 * Adaptive chunks of PULL grids take about this long, in microseconds; 0: no limit
	 * (S4-R58). Writer: host.
	 */
	uint32_t chunk_us;
	/**
	 * A local queue with fewer CTAs left than this many per mille of its portion fetches
	 * the next (S4-R79, R83): 0 to 1000. Writer: host.
	 */
	uint32_t local_low;
	/**
	 * Milliseconds within which an SM that is reset has to stop, and to start again: 1 to
	 * 60,000. One that does not is forced where the board can, else written off. Writer:
	 * host.
	 */
	uint32_t answer_ms;
	/**
	 * An SM with CTAs that takes no interrupt for this many milliseconds is reset: up to
	 * 3,600,000; 0: never. An SM with a kernel that runs for long takes them. Writer:
	 * host.
	 */
	uint32_t watch_ms;
	/**
	 * After how many panics in a minute the CP boots again, 0 to 1,000; one more, and it
	 * stays down (state PANIC). Writer: host.
	 */
	uint32_t restarts;
	/**
	 * Milliseconds for which CTAs may hold up a task of a higher priority, a switch of
	 * throttle mode, or the end of an eviction or suspension: before that they are parked,
	 * so early that SMs have more than half of it to copy. Up to 60,000; 0: never. Writer:
	 * host.
	 */
	uint32_t park_ms;
	/**
	 * Where their memory and registers are kept: number of a page of 4,096 bytes, counted
	 * from address 0, from which on the heap has twice `cap.sms` times
	 * `cap.sm_area_bytes`, where no kernel can write. Not read while `park_ms` is 0.
	 * Writer: host.
	 */
	uint32_t park_page;
	/** Bit i of word w: SM 32 w + i is enabled. Writer: host. */
	uint32_t enabled[16];
	/** SM of each rank: the SM priority list, first is preferred (S0-R31). Writer: host. */
	uint32_t rank[512];
	/** Group of each SM. Writer: host. */
	uint32_t group[512];
	/**
	 * By GPC: time of an access to the global queue in ticks, as the board says; SMs of
	 * QEMU boards wait that long before each access (S4-R76). Writer: host.
	 */
	uint32_t latency[32];
};
GG_STATIC_ASSERT(sizeof(struct gg_config) == 4352, "shared size");

#define GG_CONFIG_GPC 0x000000ffu /**< group: GPC. */
#define GG_CONFIG_CPC 0x0000ff00u /**< group: CPC inside its GPC. */
#define GG_CONFIG_TPC 0x00ff0000u /**< group: TPC inside its CPC. */

/**
 * MAILBOX: channel. A pushbuffer: a ring of commands with its own priority (S0-R14). put and
 * get count commands and wrap at 2^32.
 */
struct gg_channel {
	/** Commands written. Writer: host. */
	uint32_t put;
	/** 1 (read first) to 10; other values count as 10. Writer: host. */
	uint32_t priority;
	/** Raise by one, with put = 0, to reopen a refused channel. Writer: host. */
	uint32_t reset;
	uint32_t gap_c[5]; /**< Zero. */
	/** Commands taken. Writer: CP. */
	uint32_t get;
	/** State. Writer: CP. */
	uint32_t state;
	/** The put word that was refused. Writer: CP. */
	uint32_t refused_put;
	/** Equals `reset` when the reset is done. Writer: CP. */
	uint32_t reset_done;
	/** Commands accepted since boot. Writer: CP. */
	uint32_t accepted;
	uint32_t gap_34[2]; /**< Zero. */
	/** Zero. Writer: CP. */
	uint32_t reserved_3c;
};
GG_STATIC_ASSERT(sizeof(struct gg_channel) == 64, "shared size");

/**
 * MAILBOX: completion ring header. put and get count completions and wrap at 2^32. The CP
 * keeps completions that find no room.
 */
struct gg_post {
	/** Completions written. Writer: CP. */
	uint32_t put;
	/** Interrupts sent to the host. Writer: CP. */
	uint32_t interrupts;
	uint32_t gap_8[6]; /**< Zero. */
	/** Completions taken. Writer: host. */
	uint32_t get;
	/**
	 * Raised by one before the doorbell, after put or reset words changed whose bell bytes
	 * were left alone: the CP looks at all channels. Writer: host.
	 */
	uint32_t rung;
	/**
	 * A byte for each channel, the lowest first: raised by one after the channel's put or
	 * reset word changed, before the doorbell. Hosts store single bytes, so that each may
	 * have channels of its own. Writer: host.
	 */
	uint32_t bells[2];
	uint32_t gap_30[3]; /**< Zero. */
	/** Zero. Writer: host. */
	uint32_t reserved_3c;
};
GG_STATIC_ASSERT(sizeof(struct gg_post) == 64, "shared size");

/** TASK TABLE: slot. A task in execution (S0-R12). */
struct gg_slot {
	/** State. Writer: CP. */
	uint32_t state;
	/**
	 * Counts the uses of the slot; low 16 bits go with every packet and report. Writer:
	 * CP.
	 */
	uint32_t generation;
	/** Tag of the command. Writer: CP. */
	uint32_t tag;
	/** 1 to 10. Writer: CP. */
	uint32_t priority;
	/**
	 * Address of the CP's checked copy of the TMD; SMs read the task's state there. Its
	 * checked `window`s follow it. Writer: CP.
	 */
	uint32_t tmd_lo;
	/** High word. Writer: CP. */
	uint32_t tmd_hi;
	/** Order of insertion: smaller is older (S0-R26). Writer: CP. */
	uint32_t stamp;
	/** CTAs issued and not reported. Writer: CP. */
	uint32_t in_flight;
	/** Next CTA to issue: the resume position. Writer: CP. */
	uint32_t next_lo;
	/** High word. Writer: CP. */
	uint32_t next_hi;
	/** CTAs left to issue. Writer: CP. */
	uint32_t left_lo;
	/** High word. Writer: CP. */
	uint32_t left_hi;
	/** 0, or the negative of the task's first error. Writer: CP. */
	uint32_t status;
	/** CTAs that an SM may gather into one report before it has to send it. Writer: CP. */
	uint32_t batch;
	/** Time limit of a CTA in ticks; 0 for none. Writer: CP. */
	uint32_t limit_ticks;
	/** Why no more of it is issued now. Writer: CP. */
	uint32_t reason;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_slot) == 64, "shared size");

/** SM STATE. The state word of an SM (S0-R27), and what the SM tells of itself. */
struct gg_sm_state {
	/** The task that the SM was last sent CTAs of. Writer: CP. */
	uint32_t task_assign;
	/** How far the task's state has come. Writer: CP. */
	uint32_t state_sync;
	/** 1: the CP has seen that the SM acknowledged its task. Writer: CP. */
	uint32_t cta_launch;
	/** 1: write trace records. Writer: CP. */
	uint32_t trace;
	/** Bit u: unit u is free. Writer: CP. */
	uint32_t free_units;
	/** Free CTA slots. Writer: CP. */
	uint32_t free_ctas;
	/** Free warp slots. Writer: CP. */
	uint32_t free_warps;
	/** CTAs of its task that it could start now (S0-R31), when last computed. Writer: CP. */
	uint32_t availability;
	/** Address of the SM's own memory. Writer: CP. */
	uint32_t area_lo;
	/** High word. Writer: CP. */
	uint32_t area_hi;
	/**
	 * Slot | generation << 16 of a task whose CTAs are to stop, with two bits; 0xffffffff
	 * for none; 0xfffffffe: the SM itself is to stop. Writer: CP.
	 */
	uint32_t stop_slot;
	/** Base of the memory that its units are cut from; read with an assignment. Writer: CP. */
	uint32_t share_lo;
	/** High word. Writer: CP. */
	uint32_t share_hi;
	/**
	 * SMs that the memory belongs to: 1, or more in throttle mode; its units are that many
	 * times as large. Writer: CP.
	 */
	uint32_t share_sms;
	/**
	 * Counts the changes of its share. Other SMs may have used the memory between two of
	 * them. Writer: CP.
	 */
	uint32_t share_sequence;
	/** Zero. Writer: CP. */
	uint32_t reserved_3c;
	/** The `task_assign` that the SM has acknowledged. Writer: SM. */
	uint32_t sync_ack;
	/** State of the hart. Writer: SM. */
	uint32_t hart_state;
	/** Heartbeat: counts the SM's traps and idle wake-ups. Writer: SM. */
	uint32_t health;
	/** CTAs resident now. Writer: SM. */
	uint32_t resident;
	/** CTAs completed since the SM started, low word. Writer: SM. */
	uint32_t ctas;
	/** CTAs that failed since the SM started. Writer: SM. */
	uint32_t faults;
	/** Bit n: feature n, as the core was found. Writer: SM. */
	uint32_t features;
	/** PMP entries found. Writer: SM. */
	uint32_t pmp_entries;
	/** Packets taken from the launch ring. Writer: SM. */
	uint32_t launch_get;
	/** Reports written to the report ring. Writer: SM. */
	uint32_t report_put;
	/** Trace records written. Writer: SM. */
	uint32_t trace_put;
	/** The `stop_slot` that the SM has acted on. Writer: SM. */
	uint32_t stop_ack;
	/** Requests written to the request ring. Writer: SM. */
	uint32_t request_put;
	/** `wave.serial` of the last wave in whose entry the SM has counted itself. Writer: SM. */
	uint32_t wave_ack;
	/** CTAs of that wave that the SM has completed. Written before `wave_ack`. Writer: SM. */
	uint32_t wave_ctas;
	/** Zero. Writer: SM. */
	uint32_t reserved_7c;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_sm_state) == 128, "shared size");

#define GG_SM_STATE_SLOT 0x000000ffu /**< task_assign: Slot of the task table. */
#define GG_SM_STATE_VALID 0x00000100u /**< task_assign: 1: there is one. */
#define GG_SM_STATE_WAVED 0x00000200u /**< task_assign: 1: the assignment of a wave. It is shown here once something else than the end of the wave happens. */
#define GG_SM_STATE_SEQUENCE 0xffff0000u /**< task_assign: Counts the assignments; of a wave: its number. */
#define GG_SM_STATE_STOP_TURN 0x00000100u /**< stop_slot: Differs from that of the request before. */
#define GG_SM_STATE_STOP_MEMBERS 0x00000200u /**< stop_slot: 1: only those with `member.stop`. */

/**
 * CTA LAUNCH: ring header. The CP's ends of an SM's rings. Packets follow, then reports,
 * requests, answers, `launch_entries` of each. The SM's ends are in its state words.
 */
struct gg_launch {
	/** Packets written. Writer: CP. */
	uint32_t launch_put;
	/** Reports taken. Writer: CP. */
	uint32_t report_get;
	/** Requests taken and answered. Writer: CP. */
	uint32_t request_get;
	/**
	 * CTAs of a wave; 0: none. The SM takes them before the packets that came after them,
	 * and clears the word. Writer: CP, then SM.
	 */
	uint32_t wave;
	uint32_t gap_10[3]; /**< Zero. */
	/** Zero. Writer: CP. */
	uint32_t reserved_1c;
};
GG_STATIC_ASSERT(sizeof(struct gg_launch) == 32, "shared size");

#define GG_LAUNCH_SLOT 0x000000ffu /**< wave: Slot of the task, and number of the WAVE entry. */
#define GG_LAUNCH_RANK 0x00ffff00u /**< wave: Rank of the SM among those of the wave. */
#define GG_LAUNCH_VALID 0x80000000u /**< wave: 1: there is one. */

/** PERF: counters since boot. All are counts; 64-bit ones are pairs. */
struct gg_perf {
	/** Commands taken. Writer: CP. */
	uint32_t commands;
	/** Commands refused. Writer: CP. */
	uint32_t refused;
	/** Tasks accepted. Writer: CP. */
	uint32_t tasks_accepted;
	/** Tasks completed, with any status. Writer: CP. */
	uint32_t tasks_completed;
	/** Tasks completed with an error. Writer: CP. */
	uint32_t tasks_failed;
	/** CTAs issued. Writer: CP. */
	uint32_t ctas_lo;
	/** High word. Writer: CP. */
	uint32_t ctas_hi;
	/** Launch packets. Writer: CP. */
	uint32_t packets;
	/** CTA reports. Writer: CP. */
	uint32_t reports;
	/** Tasks assigned to SMs. Writer: CP. */
	uint32_t assignments;
	/** Acknowledgements of a task's state. Writer: CP. */
	uint32_t acks;
	/** Interrupts taken. Writer: CP. */
	uint32_t interrupts;
	/** Passes of the event loop. Writer: CP. */
	uint32_t passes;
	/** Times the CP went to sleep. Writer: CP. */
	uint32_t sleeps;
	/** Times the availability levels were computed anew. Writer: CP. */
	uint32_t class_rebuilds;
	uint32_t gap_3c[1]; /**< Zero. */
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: no slot of the
	 * task table. Writer: CP.
	 */
	uint32_t not_issued_slot;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: no SM with
	 * room. Writer: CP.
	 */
	uint32_t not_issued_sm;
	/** Requests of CTAs: child launches, pushes, closes. Writer: CP. */
	uint32_t requests;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: no SM that
	 * their affinity allows. Writer: CP.
	 */
	uint32_t not_issued_affinity;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: the other
	 * throttle mode. Writer: CP.
	 */
	uint32_t not_issued_throttle;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: a CTA in flight
	 * of a sequential task. Writer: CP.
	 */
	uint32_t not_issued_sequence;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: their quota
	 * used. Writer: CP.
	 */
	uint32_t not_issued_quota;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: too few items.
	 * Writer: CP.
	 */
	uint32_t not_issued_coalesce;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: other tasks to
	 * wait for. Writer: CP.
	 */
	uint32_t not_issued_dependence;
	/** Times a channel had to wait for a place in the task pool. Writer: CP. */
	uint32_t pool_full;
	/** Times a completion had to wait for room in the ring. Writer: CP. */
	uint32_t post_full;
	/**
	 * Reports for a task that is not in its slot: always 0 unless something is broken.
	 * Writer: CP.
	 */
	uint32_t unmatched;
	/** Times that a task had to leave its slot for another. Writer: CP. */
	uint32_t evictions;
	/** Times that throttle mode was switched on or off. Writer: CP. */
	uint32_t throttle_switches;
	/**
	 * Times that an SM was reset because it took no interrupt for `config.watch_ms`.
	 * Writer: CP.
	 */
	uint32_t sms_hung;
	/**
	 * Sum over completed tasks of `completion.not_issued`, for the reason: a CGA that did
	 * not fit. Writer: CP.
	 */
	uint32_t not_issued_cluster;
	/** Top-level CGAs launched. Writer: CP. */
	uint32_t cgas;
	/** Queries of domains by sample CGAs (S1-R62). Writer: CP. */
	uint32_t cga_queries;
	/** Sessions that ended because a CGA did not fit (S1-R126). Writer: CP. */
	uint32_t cga_failures;
	/**
	 * Sessions that ended because no id or no record of a CGA was free (S1-R141). Writer:
	 * CP.
	 */
	uint32_t cga_stalls;
	/** CGA barriers completed. Writer: CP and SMs, by atomic addition. */
	uint32_t cga_barriers;
	/** Times that SMs were reserved for a CGA that had waited. Writer: CP. */
	uint32_t cga_reservations;
	/** Packets of PULL grids. Writer: CP. */
	uint32_t pull_packets;
	/** Times that an SM was to give its streams of a PULL grid back. Writer: CP. */
	uint32_t pull_recalls;
	/** Ranges of items that were given back and issued again. Writer: CP. */
	uint32_t pull_ranges;
	/** Items that were issued again because their SM was lost. Writer: CP. */
	uint32_t pull_reissued;
	/** Chunks that the CP took for SMs without atomics. Writer: CP. */
	uint32_t pull_grants;
	/** Times that an SM stopped, was reset or was written off. Writer: CP. */
	uint32_t sms_lost;
	/** Waves: packets to many SMs whose ends were counted, not reported. Writer: CP. */
	uint32_t waves;
	/** Waves that were opened before their end. Writer: CP. */
	uint32_t waves_opened;
	/** Times that an SM came back into service after a reset. Writer: CP. */
	uint32_t sms_back;
	/** CTAs that were parked: taken off their SM to go on later. Writer: CP. */
	uint32_t ctas_parked;
} GG_PAIRED;
GG_STATIC_ASSERT(sizeof(struct gg_perf) == 192, "shared size");

/**
 * TRACE: ring header. Records follow. The CP's ring counts in its header; an SM's in
 * `sm_state.trace_put`.
 */
struct gg_trace {
	/** Records written to the CP's ring. Writer: CP. */
	uint32_t put;
	uint32_t gap_4[6]; /**< Zero. */
	/** Zero. Writer: CP. */
	uint32_t reserved_1c;
};
GG_STATIC_ASSERT(sizeof(struct gg_trace) == 32, "shared size");

/**
 * ERROR: panic record. Written when the CP stops on its own bug. It stays when the CP boots
 * again.
 */
struct gg_error {
	/** Panics until now; the record is of the last one. Writer: CP. */
	uint32_t panics;
	/**
	 * mcause; 0xffffffff for a failed assertion; 0xfffffffe when the machine is not the
	 * board of the image. Writer: CP.
	 */
	uint32_t cause;
	/** Program counter. Writer: CP. */
	uint32_t pc_lo;
	/** High word. Writer: CP. */
	uint32_t pc_hi;
	/** mtval. Writer: CP. */
	uint32_t address_lo;
	/** High word. Writer: CP. */
	uint32_t address_hi;
	/** Line of a failed assertion. Writer: CP. */
	uint32_t line;
	uint32_t gap_1c[1]; /**< Zero. */
	/** File of a failed assertion: up to 31 letters and a zero. Writer: CP. */
	uint32_t file[8];
	/** Integer registers x1 to x31, as pairs of words, low first. Writer: CP. */
	uint32_t registers[62];
	uint32_t gap_138[1]; /**< Zero. */
	/** What is wrong with the machine, when `cause` is 0xfffffffe; else 0. Writer: CP. */
	uint32_t board_fault;
};
GG_STATIC_ASSERT(sizeof(struct gg_error) == 320, "shared size");

/**
 * CLUSTER: CGA members on an SM. One for each SM. A CTA that has come to the barrier of a
 * level waits while its bits in `come` and `go` of that level differ (S1-R135, S1-R136); at
 * that of an innermost CGA with a word `barriers`, while the round is the one in which it
 * came.
 */
struct gg_cluster {
	/**
	 * By level, 0 is the innermost: bit u: of the CTA that starts at unit u; the CP makes
	 * it equal to `come` when all have come. Writer: CP.
	 */
	uint32_t go[3];
	uint32_t gap_c[12]; /**< Zero. */
	/** Zero. Writer: CP. */
	uint32_t reserved_3c;
	/**
	 * By level: bit u changes each time the CTA that starts at unit u comes to the
	 * barrier. Writer: SM.
	 */
	uint32_t come[3];
	uint32_t gap_4c[12]; /**< Zero. */
	/** Zero. Writer: SM. */
	uint32_t reserved_7c;
	/**
	 * By unit, what has become of the CTA that started there last: `member.sequence` when
	 * it has ended well (S1-R150), that number with all bits inverted while it runs,
	 * anything else before. Writer: SM.
	 */
	uint32_t gone[32];
	/** `member` of each unit, four words each. Writer: CP. */
	uint32_t members[128];
	/**
	 * Barrier of the innermost CGA whose CTA of rank 0 starts at this unit, if its SMs
	 * count by themselves; else zero. The CP writes it before the CGA is launched, and not
	 * again. Writer: CP, then SMs.
	 */
	uint32_t barriers[32];
};
GG_STATIC_ASSERT(sizeof(struct gg_cluster) == 896, "shared size");

#define GG_CLUSTER_RUNNING 0x00001fffu /**< barriers: CTAs that have not ended well. */
#define GG_CLUSTER_MISSING 0x03ffe000u /**< barriers: Of these, CTAs that have not come in this round. */
#define GG_CLUSTER_BROKEN 0x04000000u /**< barriers: A CTA failed or was stopped: no CTA passes. */
#define GG_CLUSTER_COUNTED 0x08000000u /**< barriers: 1: the SMs count. */
#define GG_CLUSTER_ROUND 0xf0000000u /**< barriers: Barriers completed, modulo 16. */

/**
 * N-D range. Index format of a PULL grid of 1 to 8 dimensions (S4-R35), in its context's heap.
 * The CP takes the number of items from it; kernels turn positions into indices with it.
 */
struct gg_nd_range {
	/** Shape. Writer: host. */
	uint32_t shape;
	/**
	 * Dimensions, the fastest first, 4 bits each from bit 0 on (S4-C2); the rest zero.
	 * Writer: host.
	 */
	uint32_t order;
	/**
	 * Address of where each row starts (S4-R98), 64 bits each, in the heap, aligned to 8;
	 * 0 when all rows are of the size of the fastest dimension. Writer: host.
	 */
	uint32_t rows_lo;
	/** High word. Writer: host. */
	uint32_t rows_hi;
	/** Size of each dimension: low word, high word; 1 to 2^32. Writer: host. */
	uint32_t sizes[16];
	/** Added to the index of each dimension: low word, high word. Writer: host. */
	uint32_t offsets[16];
};
GG_STATIC_ASSERT(sizeof(struct gg_nd_range) == 144, "shared size");

#define GG_ND_RANGE_DIMENSIONS 0x0000000fu /**< shape: 1 to 8. */
#define GG_ND_RANGE_DESCENDING 0x00000010u /**< shape: 1: the last item is dispatched first (S4-R99). */
#define GG_ND_RANGE_RANGE_RESERVED 0xffffffe0u /**< shape: Zero. */

/**
 * WORK: global queue. One entry for each slot: the set of items of a PULL grid (S4-R18…R22),
 * in positions of their dispatch order.
 */
struct gg_work_entry {
	/** Granules that remain, signed (S4-R113). Writer: SMs and CP, by atomic addition. */
	uint32_t remaining;
	/** 0 free, 1 placed, 2 open, 3 stopped. Writer: CP. */
	uint32_t state;
	/** Slot | generation << 16 of the task (S4-C5). Writer: CP. */
	uint32_t id;
	/** Position of the first item. Writer: CP. */
	uint32_t first_lo;
	/** High word. Writer: CP. */
	uint32_t first_hi;
	/** Items from there on. Writer: CP. */
	uint32_t items_lo;
	/** High word. Writer: CP. */
	uint32_t items_hi;
	/** Granules in all. Writer: CP. */
	uint32_t granules;
	/** A granule is 2^shift items. Writer: CP. */
	uint32_t shift;
	/** SMs that may take. Writer: CP. */
	uint32_t units;
	/** Far GPCs, and one for all near SMs. Writer: CP. */
	uint32_t groups;
	/** Granules of a chunk; 0: adaptive (S4-R57, R58). Writer: CP. */
	uint32_t chunk_fixed;
	/** Smallest chunk. Writer: CP. */
	uint32_t chunk_least;
	/** Largest chunk. Writer: CP. */
	uint32_t chunk_most;
	/** Chunks of a portion of a far GPC; 0: one for each SM. Writer: CP. */
	uint32_t far_factor;
	/** An adaptive chunk takes about this long; 0: no limit. Writer: CP. */
	uint32_t target_ticks;
	/** Bit i of word w: SM 32 w + i may take (S4-R22). Writer: CP. */
	uint32_t approved[16];
};
GG_STATIC_ASSERT(sizeof(struct gg_work_entry) == 128, "shared size");

/**
 * LOCAL: local queue of a far GPC. One for each GPC and slot: a portion of the WORK entry of
 * that slot, for the SMs of a far GPC (S4-R30…R34).
 */
struct gg_local_queue {
	/** Number of the portion << 20 | granules left of it. Writer: SMs, by compare-and-swap. */
	uint32_t word;
	/**
	 * Kind << 12 | number: 0 closed, 1 staged, 2 fetching, 3 empty. Writer: SMs, by
	 * compare-and-swap.
	 */
	uint32_t state;
	/** By parity of the number: first granule of the portion. Writer: the SM that fetches. */
	uint32_t first[2];
	/** By parity of the number: its granules. Writer: the SM that fetches. */
	uint32_t count[2];
	/** 1: nothing more is granted. Writer: CP. */
	uint32_t stopped;
	/** Approved SMs of the GPC. Writer: CP. */
	uint32_t members;
	/** The next portion is fetched when no more granules are left (S4-R79). Writer: CP. */
	uint32_t threshold;
	/** Slot | generation << 16 of the task (S4-C5). Writer: CP. */
	uint32_t id;
	/** Position of the first item. Writer: CP. */
	uint32_t first_lo;
	/** High word. Writer: CP. */
	uint32_t first_hi;
	/** Items from there on. Writer: CP. */
	uint32_t items_lo;
	/** High word. Writer: CP. */
	uint32_t items_hi;
	/** Granules in all. Writer: CP. */
	uint32_t granules;
	/** A granule is 2^shift items. Writer: CP. */
	uint32_t shift;
	/** SMs that may take. Writer: CP. */
	uint32_t units;
	/** Far GPCs, and one for all near SMs. Writer: CP. */
	uint32_t groups;
	/** Granules of a chunk; 0: adaptive (S4-R57, R58). Writer: CP. */
	uint32_t chunk_fixed;
	/** Smallest chunk. Writer: CP. */
	uint32_t chunk_least;
	/** Largest chunk. Writer: CP. */
	uint32_t chunk_most;
	/** Chunks of a portion of a far GPC; 0: one for each SM. Writer: CP. */
	uint32_t far_factor;
	/** An adaptive chunk takes about this long; 0: no limit. Writer: CP. */
	uint32_t target_ticks;
	uint32_t gap_5c[8]; /**< Zero. */
	/** Zero. Writer: CP. */
	uint32_t reserved_7c;
	/** Approved SMs of the GPC (S4-R31). Writer: CP. */
	uint32_t approved[16];
	/** Reserved: zero. Writer: CP. */
	uint32_t seen[16];
};
GG_STATIC_ASSERT(sizeof(struct gg_local_queue) == 256, "shared size");

/**
 * What an SM has in hand. Of the PULL grid of a slot: the rest of its chunk, and the history
 * of its chunks (S4-R38).
 */
struct gg_hand {
	/** Slot | generation << 16 of the task; 0: nothing. Writer: SM. */
	uint32_t id;
	/** Items of its chunk that it has not started. Writer: SM. */
	uint32_t left;
	/** Position of the first of them. Writer: SM. */
	uint32_t next_lo;
	/** High word. Writer: SM. */
	uint32_t next_hi;
	/** Chunks finished. Writer: SM. */
	uint32_t chunks;
	/** Granules in them, modulo 2^32. Writer: SM. */
	uint32_t granules;
	/** In 1/256 ticks, smoothed. Writer: SM. */
	uint32_t ticks_per_granule;
	/** In the last chunk. Writer: SM. */
	uint32_t last_granules;
	/** Time of the last chunk. Writer: SM. */
	uint32_t last_ticks;
	/** Granules that are so short that it is not worth while to take fewer. Writer: SM. */
	uint32_t worth;
	/** Position of the first item of the chunk in hand (S4-R37). Writer: SM. */
	uint32_t first_lo;
	/** High word. Writer: SM. */
	uint32_t first_hi;
	/** Items of it. Writer: SM. */
	uint32_t items;
	/** When it was taken, in ticks. Writer: SM. */
	uint32_t since_lo;
	/** High word. Writer: SM. */
	uint32_t since_hi;
	/** Portions that it fetched for its GPC. Writer: SM. */
	uint32_t portions;
};
GG_STATIC_ASSERT(sizeof(struct gg_hand) == 64, "shared size");

/**
 * WAVE: CTAs for many SMs at once. One entry for each slot: what SMs that hold nothing get of
 * its task. A launch packet follows it: that of an SM without an extra CTA, but that `first`
 * is the position of the wave's first CTA; those of an SM follow one another, and those of the
 * next rank follow them. When these are the last CTAs of the task, or streams of a PULL grid,
 * the SMs count their ends here, and only the last one rings.
 */
struct gg_wave {
	/** SMs that have not counted themselves. Writer: CP, then SMs, by atomic addition. */
	uint32_t left;
	/**
	 * Start of the earliest CTA, in ticks from `since` on. Writer: CP, then SMs, by atomic
	 * minimum.
	 */
	uint32_t first;
	/**
	 * End of the latest CTA, in ticks from `since` on. Writer: CP, then SMs, by atomic
	 * maximum.
	 */
	uint32_t last;
	/**
	 * 0: SMs count their ends. 1: an SM that has counted itself rings; one that has not
	 * yet writes reports instead. Writer: CP.
	 */
	uint32_t open;
	/** Counts the waves of the device. Writer: CP. */
	uint32_t serial;
	/** When the wave was launched, in ticks. Writer: CP. */
	uint32_t since_lo;
	/** High word. Writer: CP. */
	uint32_t since_hi;
	/** SMs that get one CTA more, or `run`: those with the lowest ranks. Writer: CP. */
	uint32_t extra;
	/** CTAs of each other SM. Writer: CP. */
	uint32_t each;
	/** `packet.starts` of an SM with one CTA more. Writer: CP. */
	uint32_t starts_more;
	/**
	 * 0: the CTAs of an SM follow one another. Else several CGAs: so many of them do,
	 * those of the next CGA come `stride` positions later, and an SM with one CTA more has
	 * so many more. Writer: CP.
	 */
	uint32_t run;
	/**
	 * From the first CTA of an SM in a CGA to that in its next one, in positions; 0 when
	 * `run` is. Writer: CP.
	 */
	uint32_t stride;
};
GG_STATIC_ASSERT(sizeof(struct gg_wave) == 48, "shared size");

/** PULL: what an SM runs of PULL grids. One an SM; read by the CP when the SM is lost. */
struct gg_pull {
	/**
	 * By unit, low word then high word: position of the item that the stream that starts
	 * there runs. Writer: SM.
	 */
	uint32_t running[64];
	/**
	 * By unit: low word of the position of the last item that the stream has taken, at
	 * most 63 after that in `running`. It runs them in order, and may have run some of
	 * them already. Writer: SM.
	 */
	uint32_t last[32];
	/** `hand` of each slot, sixteen words each. Writer: SM. */
	uint32_t hands[512];
};
GG_STATIC_ASSERT(sizeof(struct gg_pull) == 2432, "shared size");

/**
 * Graph. How a task of type GRAPH is to be run (S2): the descriptor that its TMD's `queue`
 * words name, in its context's heap, aligned to 8. The CP copies it.
 */
struct gg_graph {
	/** How. Writer: host. */
	uint32_t mode;
	/**
	 * Kept graph to launch; 0: the graph is made from the program, and forgotten after its
	 * run. Writer: host.
	 */
	uint32_t handle;
	/**
	 * Address of a `graph_program`, aligned to 8, in the heap; 0 with a handle. Writer:
	 * host.
	 */
	uint32_t program_lo;
	/** High word. Writer: host. */
	uint32_t program_hi;
	/** Bytes of it; a multiple of 8. Writer: host. */
	uint32_t program_bytes;
	/** Arguments of the graph, 0 to 64. Writer: host. */
	uint32_t argument_count;
	/**
	 * Address of the arguments, 64 bits each: numbers, or addresses of buffers; aligned to
	 * 8, in the heap. Writer: host.
	 */
	uint32_t arguments_lo;
	/** High word. Writer: host. */
	uint32_t arguments_hi;
	/**
	 * Work space for argument blocks and transient buffers, in the heap, aligned to 64.
	 * Writer: host.
	 */
	uint32_t space_lo;
	/** High word. Writer: host. */
	uint32_t space_hi;
	/** Bytes of it: at least 64 blocks of arguments of 256 bytes. Writer: host. */
	uint32_t space_bytes_lo;
	/** High word. Writer: host. */
	uint32_t space_bytes_hi;
	/**
	 * Where the CP writes a `graph_report` and a `graph_pass` for each pass; aligned to 8,
	 * in the heap; 0 for none. Writer: host.
	 */
	uint32_t report_lo;
	/** High word. Writer: host. */
	uint32_t report_hi;
	/** Bytes there; passes past the end are not reported. Writer: host. */
	uint32_t report_bytes;
	/** Most steps that the program may execute; 0: 1,000,000. Writer: host. */
	uint32_t step_budget;
	/** Longest time from start to end, in milliseconds; 0: none. Writer: host. */
	uint32_t time_limit_ms;
	/**
	 * Plain grids of more CTAs are run as several tasks of at most as many (S2-R82); 0:
	 * never. Writer: host.
	 */
	uint32_t split_ctas;
	/** Most passes that run at once; 0: the device's choice. Writer: host. */
	uint32_t at_once;
	/** Zero. Writer: host. */
	uint32_t graph_reserved_4c;
	/**
	 * By `graph_need`: most that passes may need together while they run (S2-R67); 0: no
	 * limit. Writer: host.
	 */
	uint32_t budgets[4];
};
GG_STATIC_ASSERT(sizeof(struct gg_graph) == 96, "shared size");

#define GG_GRAPH_EMPHASIS 0x00000003u /**< mode: What is optimised (S2-R69). */
#define GG_GRAPH_KEEP 0x00000004u /**< mode: 1: make the graph, do not run it, and keep it: the completion's value is its handle. */
#define GG_GRAPH_GRAPH_RESERVED 0xfffffff8u /**< mode: Zero. */

/**
 * Graph program. Header of a task graph specification program (S2-R1): what generates a graph.
 * Tables follow at offsets from here, each a multiple of 8. The CP copies all of it before it
 * looks.
 */
struct gg_graph_program {
	/** 0x50474747, the letters GGGP. Writer: host. */
	uint32_t magic;
	/** 1. Writer: host. */
	uint32_t version;
	/** Bytes of all; as `graph.program_bytes`. Writer: host. */
	uint32_t all_bytes;
	/** How it is read. Writer: host. */
	uint32_t rules;
	/** Array of `graph_step`. Writer: host. */
	uint32_t steps_offset;
	/** Steps, 1 to 65,536. Writer: host. */
	uint32_t steps;
	/** Array of `graph_definition`. Writer: host. */
	uint32_t definitions_offset;
	/** Pass definitions, 0 to 256 (S2-R20). Writer: host. */
	uint32_t definitions;
	/**
	 * Array of TMDs: kernels with their settings (S2-R22): grids, with or without CGAs,
	 * and PULL; no arguments, dependents, `after`, windows, semaphores, print buffer.
	 * Writer: host.
	 */
	uint32_t states_offset;
	/** States, 0 to 256. Writer: host. */
	uint32_t states;
	/** Array of `graph_resource`. Writer: host. */
	uint32_t resources_offset;
	/** Resources, 0 to 16,384. Writer: host. */
	uint32_t resources;
	/** Variables, 0 to 64. Writer: host. */
	uint32_t variables;
	/**
	 * State that copies: kernel (pointer to, pointer from, u32 bytes), 4,096 bytes a CTA;
	 * 0xffffffff: only the CP copies, up to 4,096 bytes. Writer: host.
	 */
	uint32_t copy_state;
	/**
	 * State that fills: kernel (pointer to, u32 value, u32 bytes), 4,096 bytes a CTA;
	 * 0xffffffff: as above. Writer: host.
	 */
	uint32_t fill_state;
	/** Zero. Writer: host. */
	uint32_t program_reserved_3c;
	/** Bit v of the two words: variable v is a resource, else an integer. Writer: host. */
	uint32_t types[2];
};
GG_STATIC_ASSERT(sizeof(struct gg_graph_program) == 72, "shared size");

#define GG_GRAPH_PROGRAM_BLOCK_COMMANDS 0x000000ffu /**< rules: Pass commands of a block outside of definitions, N (S2-R47); 1 to 16. */
#define GG_GRAPH_PROGRAM_UNORDERED 0x00000100u /**< rules: 1: the order of passes has no meaning: a pass that reads a resource depends on all passes that write it (S2-R59). 0: program order decides what a pass reads. */
#define GG_GRAPH_PROGRAM_PROGRAM_RESERVED 0xfffffe00u /**< rules: Zero. */

/** Graph step. One instruction of a graph program. */
struct gg_graph_step {
	/**
	 * Operation and operands: variables, unless the operation says otherwise; those not
	 * used are zero. Writer: host.
	 */
	uint32_t what;
	/** Number; 0 when it is not used. Writer: host. */
	uint32_t imm;
};
GG_STATIC_ASSERT(sizeof(struct gg_graph_step) == 8, "shared size");

#define GG_GRAPH_STEP_OP 0x000000ffu /**< what: What to do. */
#define GG_GRAPH_STEP_A 0x0000ff00u /**< what: First. */
#define GG_GRAPH_STEP_B 0x00ff0000u /**< what: Second. */
#define GG_GRAPH_STEP_C 0xff000000u /**< what: Third. */

/**
 * Pass definition. Steps that make one pass (S2-R20): no jump, no INVOKE, at least one pass
 * command.
 */
struct gg_graph_definition {
	/** First step. Writer: host. */
	uint32_t first;
	/** Steps; the program does not run into them otherwise. Writer: host. */
	uint32_t count;
	/** For the host. Writer: host. */
	uint32_t id;
	/** Zero. Writer: host. */
	uint32_t definition_reserved_c;
};
GG_STATIC_ASSERT(sizeof(struct gg_graph_definition) == 16, "shared size");

/** Graph resource. A buffer that passes read and write (S2-R6). */
struct gg_graph_resource {
	/** What it is. Writer: host. */
	uint32_t kind;
	/** ARGUMENT: number of the graph's argument; else 0. Writer: host. */
	uint32_t argument;
	/** FIXED: address, in the heap; ARGUMENT: added to the argument; else 0. Writer: host. */
	uint32_t address_lo;
	/** High word. Writer: host. */
	uint32_t address_hi;
	/** Bytes; not 0, but for transients whose size the program sets. Writer: host. */
	uint32_t bytes_lo;
	/** High word. Writer: host. */
	uint32_t bytes_hi;
};
GG_STATIC_ASSERT(sizeof(struct gg_graph_resource) == 24, "shared size");

/** Graph report. What became of a graph. `passes` entries `graph_pass` follow. */
struct gg_graph_report {
	/** Passes of the graph. Writer: CP. */
	uint32_t passes;
	/** Resources that passes use (S2-A7). Writer: CP. */
	uint32_t resources;
	/** Edges from resources to passes (S2-R32). Writer: CP. */
	uint32_t reads;
	/** Edges from passes to resources. Writer: CP. */
	uint32_t writes;
	/** Steps that the program executed. Writer: CP. */
	uint32_t steps;
	/** Passes that failed. Writer: CP. */
	uint32_t failed;
	/** Passes that were not run. Writer: CP. */
	uint32_t skipped;
	/** Most passes that ran at once. Writer: CP. */
	uint32_t at_once;
	/** Bytes of all transient buffers. Writer: CP. */
	uint32_t sum_lo;
	/** High word. Writer: CP. */
	uint32_t sum_hi;
	/** Bytes that they take in the work space. Writer: CP. */
	uint32_t peak_lo;
	/** High word. Writer: CP. */
	uint32_t peak_hi;
	/** Start, in ticks: the program begins, or the launch of a kept graph. Writer: CP. */
	uint32_t started_lo;
	/** High word. Writer: CP. */
	uint32_t started_hi;
	/** The graph is made; its first passes start. Writer: CP. */
	uint32_t made_lo;
	/** High word. Writer: CP. */
	uint32_t made_hi;
};
GG_STATIC_ASSERT(sizeof(struct gg_graph_report) == 64, "shared size");

/** Pass report. What became of a pass. */
struct gg_graph_pass {
	/** State, and what made it. Writer: CP. */
	uint32_t state;
	/**
	 * 0, or the negative of an error number: of its first command that failed;
	 * ERR_DEPENDENCY when it was skipped. Writer: CP.
	 */
	uint32_t status;
	/** Step that completed it. Writer: CP. */
	uint32_t step;
	/** SKIPPED: pass that failed, + 1; else 0. Writer: CP. */
	uint32_t cause;
	/** CTAs that completed. Writer: CP. */
	uint32_t ctas_lo;
	/** High word. Writer: CP. */
	uint32_t ctas_hi;
	/** Time that was expected, in ticks (S2-R37). Writer: CP. */
	uint32_t estimate;
	/** Memory units of SMs that were expected to be used at once. Writer: CP. */
	uint32_t units;
	/** All it depends on had ended, in ticks. Writer: CP. */
	uint32_t ready_lo;
	/** High word. Writer: CP. */
	uint32_t ready_hi;
	/** Its first command started. Writer: CP. */
	uint32_t started_lo;
	/** High word. Writer: CP. */
	uint32_t started_hi;
	/** Its last command ended. Writer: CP. */
	uint32_t ended_lo;
	/** High word. Writer: CP. */
	uint32_t ended_hi;
};
GG_STATIC_ASSERT(sizeof(struct gg_graph_pass) == 56, "shared size");

#define GG_GRAPH_PASS_STATE 0x000000ffu /**< state: State. */
#define GG_GRAPH_PASS_DEFINITION 0xffff0000u /**< state: Definition + 1; 0: a block outside of definitions. */

/** Names of the fields that a refusal can point at. */
enum gg_field {
	GG_FIELD_NONE = 0, /**< No field. */
	GG_FIELD_TMD_VERSION = 0x01000000,
	GG_FIELD_TMD_TYPE = 0x01080000,
	GG_FIELD_TMD_MODE = 0x010c0000,
	GG_FIELD_TMD_PRIORITY = 0x01100000,
	GG_FIELD_TMD_HEAD = 0x01140000,
	GG_FIELD_TMD_SEQUENTIAL = 0x01150000,
	GG_FIELD_TMD_THROTTLE = 0x01160000,
	GG_FIELD_TMD_QUOTA_ENABLE = 0x01170000,
	GG_FIELD_TMD_BARRIER = 0x01180000,
	GG_FIELD_TMD_CLOSED = 0x01190000,
	GG_FIELD_TMD_CUT_PRINTS = 0x011a0000,
	GG_FIELD_TMD_SHORT = 0x011b0000,
	GG_FIELD_TMD_RESERVED = 0x011c0000,
	GG_FIELD_TMD_GENERATION = 0x01000004,
	GG_FIELD_TMD_CORRELATION = 0x01000008,
	GG_FIELD_TMD_CONTEXT = 0x0100000c,
	GG_FIELD_TMD_ENTRY = 0x01000010,
	GG_FIELD_TMD_CODE = 0x01000018,
	GG_FIELD_TMD_CODE_BYTES = 0x01000020,
	GG_FIELD_TMD_ARGS_BYTES = 0x01000024,
	GG_FIELD_TMD_ARGS = 0x01000028,
	GG_FIELD_TMD_GRID_X = 0x01000030,
	GG_FIELD_TMD_GRID_Y = 0x01000034,
	GG_FIELD_TMD_GRID_Z = 0x01100034,
	GG_FIELD_TMD_BLOCK_X = 0x01000038,
	GG_FIELD_TMD_BLOCK_Y = 0x01100038,
	GG_FIELD_TMD_BLOCK_Z = 0x0100003c,
	GG_FIELD_TMD_DIMENSIONS = 0x0110003c,
	GG_FIELD_TMD_BLOCK_RESERVED = 0x0112003c,
	GG_FIELD_TMD_CLUSTER_X = 0x01000040,
	GG_FIELD_TMD_CLUSTER_Y = 0x01100040,
	GG_FIELD_TMD_CLUSTER_Z = 0x01000044,
	GG_FIELD_TMD_CLUSTER_DOMAIN = 0x01100044,
	GG_FIELD_TMD_CLUSTER_RESERVED = 0x01120044,
	GG_FIELD_TMD_SHARED_BYTES = 0x01000048,
	GG_FIELD_TMD_PRIVATE_BYTES = 0x0100004c,
	GG_FIELD_TMD_REGISTERS = 0x01000050,
	GG_FIELD_TMD_GPC_MASK = 0x01000054,
	GG_FIELD_TMD_AFFINITY = 0x01000058,
	GG_FIELD_TMD_QUOTA = 0x01000060,
	GG_FIELD_TMD_TIME_LIMIT_US = 0x01000064,
	GG_FIELD_TMD_RETRY_LIMIT = 0x01000068,
	GG_FIELD_TMD_CHUNK = 0x0100006c,
	GG_FIELD_TMD_QUEUE = 0x01000070,
	GG_FIELD_TMD_QUEUE_CAPACITY = 0x01000078,
	GG_FIELD_TMD_QUEUE_ITEM_BYTES = 0x0100007c,
	GG_FIELD_TMD_QUEUE_ITEMS = 0x01000080,
	GG_FIELD_TMD_QUEUE_MINIMUM = 0x01100080,
	GG_FIELD_TMD_COALESCE_US = 0x01000084,
	GG_FIELD_TMD_DEPENDENCE_COUNT = 0x01000088,
	GG_FIELD_TMD_DEPENDENT_COUNT = 0x0100008c,
	GG_FIELD_TMD_DEPENDENTS = 0x01000090,
	GG_FIELD_TMD_SEMAPHORE0 = 0x01000098,
	GG_FIELD_TMD_SEMAPHORE0_VALUE = 0x010000a0,
	GG_FIELD_TMD_SEMAPHORE0_OP = 0x010000a4,
	GG_FIELD_TMD_SEMAPHORE1 = 0x010000a8,
	GG_FIELD_TMD_SEMAPHORE1_VALUE = 0x010000b0,
	GG_FIELD_TMD_SEMAPHORE1_OP = 0x010000b4,
	GG_FIELD_TMD_RESUME = 0x010000b8,
	GG_FIELD_TMD_HEAP = 0x010000c0,
	GG_FIELD_TMD_HEAP_BYTES = 0x010000c8,
	GG_FIELD_TMD_WINDOWS = 0x010000d0,
	GG_FIELD_TMD_WINDOW_COUNT = 0x010000d8,
	GG_FIELD_TMD_AFTER = 0x010000dc,
	GG_FIELD_TMD_AFTER_COUNT = 0x010000e4,
	GG_FIELD_TMD_QUEUE_OUTSTANDING = 0x010000e8,
	GG_FIELD_TMD_PRINT = 0x010000ec,
	GG_FIELD_TMD_PRINT_BYTES = 0x010000f4,
	GG_FIELD_TMD_OUTER_X = 0x010000f8,
	GG_FIELD_TMD_OUTER_Y = 0x010a00f8,
	GG_FIELD_TMD_OUTER_Z = 0x011400f8,
	GG_FIELD_TMD_OUTER_DOMAIN = 0x011e00f8,
	GG_FIELD_TMD_TOP_X = 0x010000fc,
	GG_FIELD_TMD_TOP_Y = 0x010a00fc,
	GG_FIELD_TMD_TOP_Z = 0x011400fc,
	GG_FIELD_TMD_TOP_DOMAIN = 0x011e00fc,
	GG_FIELD_COMMAND_OPCODE = 0x02000000,
	GG_FIELD_COMMAND_NO_INTERRUPT = 0x02080000,
	GG_FIELD_COMMAND_COMMAND_RESERVED = 0x02090000,
	GG_FIELD_COMMAND_TAG = 0x02000004,
	GG_FIELD_COMMAND_ADDRESS = 0x02000008,
	GG_FIELD_COMMAND_ARGUMENT0 = 0x02000010,
	GG_FIELD_COMMAND_ARGUMENT1 = 0x02000014,
	GG_FIELD_COMMAND_ARGUMENT2 = 0x02000018,
	GG_FIELD_COMMAND_ARGUMENT3 = 0x0200001c,
	GG_FIELD_COMPLETION_TAG = 0x03000000,
	GG_FIELD_COMPLETION_STATUS = 0x03000004,
	GG_FIELD_COMPLETION_FIELD = 0x03000008,
	GG_FIELD_COMPLETION_VALUE = 0x0300000c,
	GG_FIELD_COMPLETION_CHANNEL = 0x03000014,
	GG_FIELD_COMPLETION_OPCODE = 0x03080014,
	GG_FIELD_COMPLETION_SMS = 0x03100014,
	GG_FIELD_COMPLETION_CTAS = 0x03000018,
	GG_FIELD_COMPLETION_POSTED = 0x03000020,
	GG_FIELD_COMPLETION_READY = 0x03000028,
	GG_FIELD_COMPLETION_FIRST = 0x03000030,
	GG_FIELD_COMPLETION_LAST = 0x03000038,
	GG_FIELD_COMPLETION_DONE = 0x03000040,
	GG_FIELD_COMPLETION_FAULT_SM = 0x03000048,
	GG_FIELD_COMPLETION_FAULT_SEQUENCE = 0x03100048,
	GG_FIELD_COMPLETION_PACKETS = 0x0300004c,
	GG_FIELD_COMPLETION_NOT_ISSUED = 0x03000050,
	GG_FIELD_COMPLETION_MODE = 0x03000078,
	GG_FIELD_COMPLETION_RETRIED = 0x0300007c,
	GG_FIELD_WINDOW_BASE = 0x04000000,
	GG_FIELD_WINDOW_BYTES = 0x04000008,
	GG_FIELD_WINDOW_BYTES_HI = 0x0400000c,
	GG_FIELD_WINDOW_READ = 0x0410000c,
	GG_FIELD_WINDOW_WRITE = 0x0411000c,
	GG_FIELD_WINDOW_WINDOW_RESERVED = 0x0412000c,
	GG_FIELD_DEPENDENT_TMD = 0x07000000,
	GG_FIELD_DEPENDENT_TMD_GENERATION = 0x07000008,
	GG_FIELD_DEPENDENT_ACTION = 0x0700000c,
	GG_FIELD_DEPENDENT_ACTION_RESERVED = 0x0704000c,
	GG_FIELD_DEPENDENT_AMOUNT = 0x0710000c,
	GG_FIELD_CONFIG_MODE = 0x05000000,
	GG_FIELD_CONFIG_FLOOR_PER_MILLE = 0x05000004,
	GG_FIELD_CONFIG_TIME_LIMIT_US = 0x05000008,
	GG_FIELD_CONFIG_TRACE = 0x0500000c,
	GG_FIELD_CONFIG_PARTS = 0x05000010,
	GG_FIELD_CONFIG_THROTTLE_SMS = 0x05000014,
	GG_FIELD_CONFIG_CGA_IDS = 0x05000018,
	GG_FIELD_CONFIG_CGA_PATIENCE = 0x0500001c,
	GG_FIELD_CONFIG_FAR_TICKS = 0x05000020,
	GG_FIELD_CONFIG_CHUNK_US = 0x05000024,
	GG_FIELD_CONFIG_LOCAL_LOW = 0x05000028,
	GG_FIELD_CONFIG_ANSWER_MS = 0x0500002c,
	GG_FIELD_CONFIG_WATCH_MS = 0x05000030,
	GG_FIELD_CONFIG_RESTARTS = 0x05000034,
	GG_FIELD_CONFIG_PARK_MS = 0x05000038,
	GG_FIELD_CONFIG_PARK_PAGE = 0x0500003c,
	GG_FIELD_CONFIG_ENABLED = 0x05000040,
	GG_FIELD_CONFIG_RANK = 0x05000080,
	GG_FIELD_CONFIG_GPC = 0x05000880,
	GG_FIELD_CONFIG_CPC = 0x05080880,
	GG_FIELD_CONFIG_TPC = 0x05100880,
	GG_FIELD_CONFIG_LATENCY = 0x05001080,
	GG_FIELD_CHANNEL_PUT = 0x06000000,
	GG_FIELD_CHANNEL_PRIORITY = 0x06000004,
	GG_FIELD_CHANNEL_RESET = 0x06000008,
	GG_FIELD_CHANNEL_GET = 0x06000020,
	GG_FIELD_CHANNEL_STATE = 0x06000024,
	GG_FIELD_CHANNEL_REFUSED_PUT = 0x06000028,
	GG_FIELD_CHANNEL_RESET_DONE = 0x0600002c,
	GG_FIELD_CHANNEL_ACCEPTED = 0x06000030,
	GG_FIELD_CHANNEL_RESERVED_3C = 0x0600003c,
	GG_FIELD_ND_RANGE_DIMENSIONS = 0x08000000,
	GG_FIELD_ND_RANGE_DESCENDING = 0x08040000,
	GG_FIELD_ND_RANGE_RANGE_RESERVED = 0x08050000,
	GG_FIELD_ND_RANGE_ORDER = 0x08000004,
	GG_FIELD_ND_RANGE_ROWS = 0x08000008,
	GG_FIELD_ND_RANGE_SIZES = 0x08000010,
	GG_FIELD_ND_RANGE_OFFSETS = 0x08000050,
	GG_FIELD_GRAPH_EMPHASIS = 0x09000000,
	GG_FIELD_GRAPH_KEEP = 0x09020000,
	GG_FIELD_GRAPH_GRAPH_RESERVED = 0x09030000,
	GG_FIELD_GRAPH_HANDLE = 0x09000004,
	GG_FIELD_GRAPH_PROGRAM = 0x09000008,
	GG_FIELD_GRAPH_PROGRAM_BYTES = 0x09000010,
	GG_FIELD_GRAPH_ARGUMENT_COUNT = 0x09000014,
	GG_FIELD_GRAPH_ARGUMENTS = 0x09000018,
	GG_FIELD_GRAPH_SPACE = 0x09000020,
	GG_FIELD_GRAPH_SPACE_BYTES = 0x09000028,
	GG_FIELD_GRAPH_REPORT = 0x09000030,
	GG_FIELD_GRAPH_REPORT_BYTES = 0x09000038,
	GG_FIELD_GRAPH_STEP_BUDGET = 0x0900003c,
	GG_FIELD_GRAPH_TIME_LIMIT_MS = 0x09000040,
	GG_FIELD_GRAPH_SPLIT_CTAS = 0x09000044,
	GG_FIELD_GRAPH_AT_ONCE = 0x09000048,
	GG_FIELD_GRAPH_GRAPH_RESERVED_4C = 0x0900004c,
	GG_FIELD_GRAPH_BUDGETS = 0x09000050,
	GG_FIELD_GRAPH_PROGRAM_MAGIC = 0x0a000000,
	GG_FIELD_GRAPH_PROGRAM_VERSION = 0x0a000004,
	GG_FIELD_GRAPH_PROGRAM_ALL_BYTES = 0x0a000008,
	GG_FIELD_GRAPH_PROGRAM_BLOCK_COMMANDS = 0x0a00000c,
	GG_FIELD_GRAPH_PROGRAM_UNORDERED = 0x0a08000c,
	GG_FIELD_GRAPH_PROGRAM_PROGRAM_RESERVED = 0x0a09000c,
	GG_FIELD_GRAPH_PROGRAM_STEPS_OFFSET = 0x0a000010,
	GG_FIELD_GRAPH_PROGRAM_STEPS = 0x0a000014,
	GG_FIELD_GRAPH_PROGRAM_DEFINITIONS_OFFSET = 0x0a000018,
	GG_FIELD_GRAPH_PROGRAM_DEFINITIONS = 0x0a00001c,
	GG_FIELD_GRAPH_PROGRAM_STATES_OFFSET = 0x0a000020,
	GG_FIELD_GRAPH_PROGRAM_STATES = 0x0a000024,
	GG_FIELD_GRAPH_PROGRAM_RESOURCES_OFFSET = 0x0a000028,
	GG_FIELD_GRAPH_PROGRAM_RESOURCES = 0x0a00002c,
	GG_FIELD_GRAPH_PROGRAM_VARIABLES = 0x0a000030,
	GG_FIELD_GRAPH_PROGRAM_COPY_STATE = 0x0a000034,
	GG_FIELD_GRAPH_PROGRAM_FILL_STATE = 0x0a000038,
	GG_FIELD_GRAPH_PROGRAM_PROGRAM_RESERVED_3C = 0x0a00003c,
	GG_FIELD_GRAPH_PROGRAM_TYPES = 0x0a000040,
	GG_FIELD_GRAPH_STEP_OP = 0x0b000000,
	GG_FIELD_GRAPH_STEP_A = 0x0b080000,
	GG_FIELD_GRAPH_STEP_B = 0x0b100000,
	GG_FIELD_GRAPH_STEP_C = 0x0b180000,
	GG_FIELD_GRAPH_STEP_IMM = 0x0b000004,
	GG_FIELD_GRAPH_DEFINITION_FIRST = 0x0c000000,
	GG_FIELD_GRAPH_DEFINITION_COUNT = 0x0c000004,
	GG_FIELD_GRAPH_DEFINITION_ID = 0x0c000008,
	GG_FIELD_GRAPH_DEFINITION_DEFINITION_RESERVED_C = 0x0c00000c,
	GG_FIELD_GRAPH_RESOURCE_KIND = 0x0d000000,
	GG_FIELD_GRAPH_RESOURCE_ARGUMENT = 0x0d000004,
	GG_FIELD_GRAPH_RESOURCE_ADDRESS = 0x0d000008,
	GG_FIELD_GRAPH_RESOURCE_BYTES = 0x0d000010,
	GG_FIELD_GRAPH_REPORT_PASSES = 0x0e000000,
	GG_FIELD_GRAPH_REPORT_RESOURCES = 0x0e000004,
	GG_FIELD_GRAPH_REPORT_READS = 0x0e000008,
	GG_FIELD_GRAPH_REPORT_WRITES = 0x0e00000c,
	GG_FIELD_GRAPH_REPORT_STEPS = 0x0e000010,
	GG_FIELD_GRAPH_REPORT_FAILED = 0x0e000014,
	GG_FIELD_GRAPH_REPORT_SKIPPED = 0x0e000018,
	GG_FIELD_GRAPH_REPORT_AT_ONCE = 0x0e00001c,
	GG_FIELD_GRAPH_REPORT_SUM = 0x0e000020,
	GG_FIELD_GRAPH_REPORT_PEAK = 0x0e000028,
	GG_FIELD_GRAPH_REPORT_STARTED = 0x0e000030,
	GG_FIELD_GRAPH_REPORT_MADE = 0x0e000038,
	GG_FIELD_GRAPH_PASS_STATE = 0x0f000000,
	GG_FIELD_GRAPH_PASS_DEFINITION = 0x0f100000,
	GG_FIELD_GRAPH_PASS_STATUS = 0x0f000004,
	GG_FIELD_GRAPH_PASS_STEP = 0x0f000008,
	GG_FIELD_GRAPH_PASS_CAUSE = 0x0f00000c,
	GG_FIELD_GRAPH_PASS_CTAS = 0x0f000010,
	GG_FIELD_GRAPH_PASS_ESTIMATE = 0x0f000018,
	GG_FIELD_GRAPH_PASS_UNITS = 0x0f00001c,
	GG_FIELD_GRAPH_PASS_READY = 0x0f000020,
	GG_FIELD_GRAPH_PASS_STARTED = 0x0f000028,
	GG_FIELD_GRAPH_PASS_ENDED = 0x0f000030,
};

#endif /* FIRMWARE_ABI_GANGER_ABI_H */
