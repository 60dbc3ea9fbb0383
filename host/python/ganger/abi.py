# SPDX-License-Identifier: Apache-2.0
# Generated from firmware/abi/ganger.rdl by `make abi`. Do not edit.
"""The ABI as data: numbers, layouts and field ids."""

from typing import Dict, Optional, Tuple

Field = Tuple[int, int, Optional[str], str]
Word = Tuple[int, int, Optional[str], str, str, Dict[str, Field]]

MAGIC = 0x52474E47
MAJOR = 1
MINOR = 13

# name: {enumerator: number}
ENUMS: Dict[str, Dict[str, int]] = {
    'task_type': {
        'GRID': 0,
        'QUEUE': 1,
        'GRID_NULL': 2,
        'GPC_CGA': 3,
        'GPU_CGA': 4,
        'GPU_GPC_CGA': 5,
        'GRAPH': 6,
        'CGA': 7,
    },
    'task_mode': {
        'LOAD_BALANCING': 0,
        'ROUND_ROBIN': 1,
        'MULTI_CAST': 2,
        'PULL': 3,
        'DEVICE': 15,
    },
    'domain': {
        'GPU': 0,
        'GPC': 1,
        'CPC': 2,
        'TPC': 3,
    },
    'semaphore_op': {
        'NONE': 0,
        'RELEASE': 1,
        'ADD': 2,
        'MINIMUM': 3,
        'MAXIMUM': 4,
        'AND': 5,
        'OR': 6,
        'XOR': 7,
    },
    'opcode': {
        'NOP': 0,
        'SUBMIT': 1,
        'FENCE': 2,
        'QUERY': 3,
        'CONFIG': 4,
        'CANCEL': 5,
        'SUSPEND': 6,
        'RESUME': 7,
        'RESET_SM': 8,
        'TRACE': 9,
        'GRAPH': 10,
        'CODE': 11,
        'PUSH': 12,
        'CLOSE': 13,
    },
    'query_what': {
        'DEVICE': 0,
        'TASKS': 1,
        'CLUSTERS_NOW': 2,
        'CLUSTERS_MOST': 3,
        'LOOK': 4,
    },
    'target': {
        'TASK': 0,
        'CHANNEL': 1,
        'DEVICE': 2,
    },
    'graph_action': {
        'FREE': 0,
    },
    'status': {
        'OK': 0,
        'ERR_ARGUMENT': -1,
        'ERR_UNSUPPORTED': -2,
        'ERR_OPCODE': -3,
        'ERR_FLAGS': -4,
        'ERR_CHANNEL': -5,
        'ERR_BUSY': -6,
        'ERR_RING_FULL': -7,
        'ERR_NO_MEMORY': -8,
        'ERR_TMD_ALIGN': -16,
        'ERR_TMD_RANGE': -17,
        'ERR_TMD_VERSION': -18,
        'ERR_TMD_TYPE': -19,
        'ERR_TMD_RESERVED': -20,
        'ERR_GENERATION': -21,
        'ERR_GRID_ZERO': -22,
        'ERR_GRID_OVERFLOW': -23,
        'ERR_BLOCK_ZERO': -24,
        'ERR_BLOCK_TOO_LARGE': -25,
        'ERR_PRIORITY': -26,
        'ERR_MODE': -27,
        'ERR_ENTRY': -28,
        'ERR_CODE_RANGE': -29,
        'ERR_ARGS_RANGE': -30,
        'ERR_HEAP_RANGE': -31,
        'ERR_WINDOW_RANGE': -32,
        'ERR_SHARED_TOO_LARGE': -33,
        'ERR_PRIVATE_TOO_LARGE': -34,
        'ERR_REGISTERS_TOO_LARGE': -35,
        'ERR_AFFINITY': -36,
        'ERR_CLUSTER': -37,
        'ERR_QUEUE': -38,
        'ERR_DEPENDENT': -39,
        'ERR_SEMAPHORE': -40,
        'ERR_RESUME': -41,
        'ERR_CONFIG': -42,
        'ERR_DEPTH': -43,
        'ERR_TASK': -44,
        'ERR_QUEUE_FULL': -45,
        'ERR_QUEUE_CLOSED': -46,
        'ERR_CONTEXT': -47,
        'ERR_CLUSTER_RANK': -48,
        'ERR_CLUSTER_GONE': -49,
        'ERR_CLUSTER_RANGE': -50,
        'ERR_CHUNK': -51,
        'ERR_RANGE': -52,
        'ERR_GRAPH_FORMAT': -53,
        'ERR_GRAPH_STEP': -54,
        'ERR_GRAPH_TYPE': -55,
        'ERR_GRAPH_JUMP': -56,
        'ERR_GRAPH_BUDGET': -57,
        'ERR_GRAPH_RESOURCE': -58,
        'ERR_GRAPH_CYCLE': -59,
        'ERR_GRAPH_TOO_LARGE': -60,
        'ERR_GRAPH_MEMORY': -61,
        'ERR_GRAPH_HANDLE': -62,
        'ERR_GRAPH_DATA': -63,
        'ERR_FAULT_ACCESS': -64,
        'ERR_FAULT_MISALIGNED': -65,
        'ERR_FAULT_ILLEGAL': -66,
        'ERR_FAULT_CALL': -67,
        'ERR_STACK_OVERFLOW': -68,
        'ERR_DIVERGED': -69,
        'ERR_TIME_LIMIT': -70,
        'ERR_ABORTED': -71,
        'ERR_CANCELLED': -72,
        'ERR_DEPENDENCY': -73,
        'ERR_SM_LOST': -74,
        'ERR_PRINT_FLOOD': -75,
        'ERR_QUARANTINE': -76,
        'ERR_DEVICE_RESET': -77,
        'ERR_TIMEOUT': -96,
        'ERR_DEVICE_LOST': -97,
        'ERR_NO_DEVICE': -98,
        'ERR_PANIC': -99,
        'ERR_QEMU_MISSING': -100,
        'ERR_QEMU_FAILED': -101,
        'ERR_IMAGE_MISSING': -102,
        'ERR_BOARD': -103,
        'ERR_IO': -104,
        'ERR_ABI_MAGIC': -105,
        'ERR_ABI_VERSION': -106,
        'ERR_ELF_FORMAT': -107,
        'ERR_ELF_TRUNCATED': -108,
        'ERR_ELF_XLEN': -109,
        'ERR_ELF_ISA': -110,
        'ERR_KERNEL_NAME': -111,
        'ERR_ARGUMENT_COUNT': -112,
        'ERR_ARGUMENT_SIZE': -113,
        'ERR_HANDLE': -114,
        'ERR_FORKED': -115,
        'ERR_COMPILE': -116,
        'ERR_PERMISSION': -117,
    },
    'request_kind': {
        'LAUNCH': 1,
        'PUSH': 2,
        'CLOSE': 3,
        'PRINT': 4,
        'OCCUPANCY': 5,
    },
    'dependence_action': {
        'DECREMENT': 0,
        'SCHEDULE': 1,
        'INCREMENT_PUT': 2,
    },
    'trace_type': {
        'NONE': 0,
        'CTA': 1,
        'TASK': 2,
        'ACCEPT': 3,
        'SLOT': 4,
        'ASSIGN': 5,
        'LAUNCH': 6,
        'REASON': 7,
        'HUNG': 8,
        'PASS': 9,
    },
    'device_state': {
        'NONE': 0,
        'BOOTING': 1,
        'READY': 2,
        'PANIC': 3,
    },
    'feature': {
        'ATOMICS': 0,
        'FLOAT': 1,
        'DOUBLE': 2,
        'USER_MODE': 3,
        'PROTECTION': 4,
        'TIMER': 5,
        'DOORBELL': 6,
        'MULTIPLY': 7,
        'COMPRESSED': 8,
        'CLUSTERS': 9,
        'PULL': 10,
        'GRAPHS': 11,
        'QUEUES': 12,
        'TRACE': 13,
        'RESETS': 14,
        'WATCHDOG': 15,
        'RETRIES': 17,
        'RESTARTS': 18,
        'PARKS': 19,
    },
    'config_part': {
        'MODE': 0,
        'FLOOR': 1,
        'TIME_LIMIT': 2,
        'TRACE': 3,
        'ENABLED': 4,
        'RANK': 5,
        'GROUP': 6,
        'THROTTLE': 7,
        'CLUSTER': 8,
        'PULL': 9,
        'ANSWER': 10,
        'WATCH': 11,
        'RESTARTS': 12,
        'PARK': 13,
    },
    'channel_state': {
        'OPEN': 0,
        'REFUSED': 1,
        'SUSPENDED': 2,
    },
    'slot_state': {
        'FREE': 0,
        'READY': 1,
        'DRAINING': 2,
        'LEAVING': 3,
    },
    'reason': {
        'SLOT': 0,
        'SM': 1,
        'AFFINITY': 2,
        'THROTTLE': 3,
        'SEQUENCE': 4,
        'QUOTA': 5,
        'COALESCE': 6,
        'DEPENDENCE': 7,
        'SUSPENDED': 8,
        'CLUSTER': 9,
        'NONE': 10,
    },
    'sync_state': {
        'NONE': 0,
        'WAIT_SEND': 1,
        'WAIT_ACK': 2,
        'ACKED': 3,
    },
    'hart_state': {
        'STARTED': 0,
        'STOPPED': 1,
        'START_PENDING': 2,
        'STOP_PENDING': 3,
        'SUSPENDED': 4,
        'SUSPEND_PENDING': 5,
        'RESUME_PENDING': 6,
    },
    'board_fault': {
        'NONE': 0,
        'CORE': 1,
        'MACHINE': 2,
        'HARTS': 3,
        'RAM': 4,
        'TIMER': 5,
        'ROOM': 6,
    },
    'graph_emphasis': {
        'SPEED': 0,
        'RESOURCE': 1,
    },
    'graph_need': {
        'MEMORY': 0,
        'UNITS': 1,
        'BANDWIDTH': 2,
        'USER': 3,
    },
    'graph_op': {
        'END': 0,
        'SET': 1,
        'MOVE': 2,
        'ADD': 3,
        'SUB': 4,
        'MUL': 5,
        'DIV': 6,
        'REM': 7,
        'AND': 8,
        'OR': 9,
        'XOR': 10,
        'SHL': 11,
        'SHR': 12,
        'MIN': 13,
        'MAX': 14,
        'ADDI': 15,
        'ARGUMENT': 16,
        'LOAD': 17,
        'RESOURCE': 18,
        'INDEX': 19,
        'NEXT': 20,
        'JUMP': 24,
        'JEQ': 25,
        'JNE': 26,
        'JLT': 27,
        'JGE': 28,
        'INVOKE': 29,
        'READ': 32,
        'WRITE': 33,
        'SHARE': 34,
        'AFTER': 35,
        'AFTERI': 36,
        'NEED': 37,
        'SIZE': 38,
        'STATE': 40,
        'GRID': 41,
        'VALUE': 42,
        'CONST': 43,
        'PARAMETER': 44,
        'ADDRESS': 45,
        'DISPATCH': 48,
        'COPY': 49,
        'FILL': 50,
        'SIGNAL': 51,
        'FENCE': 52,
    },
    'graph_resource_kind': {
        'NONE': 0,
        'ARGUMENT': 1,
        'FIXED': 2,
        'TRANSIENT': 3,
    },
    'graph_pass_state': {
        'WAITING': 0,
        'READY': 1,
        'RUNNING': 2,
        'DONE': 3,
        'FAILED': 4,
        'SKIPPED': 5,
    },
}

# status number: sentence
STATUS_TEXT: Dict[int, str] = {
    0: 'Done.',
    -1: 'An argument is wrong; the field says which.',
    -2: 'This device does not do what the field asks for.',
    -3: 'Unknown command opcode.',
    -4: 'Unknown flag, or a reserved bit or word that is not zero.',
    -5: 'The channel is refused: its put word is out of range.',
    -6: 'In use by somebody else, or too many at once.',
    -7: 'The ring stayed full until the deadline.',
    -8: 'Not enough memory.',
    -16: "The TMD's address is not a multiple of 256.",
    -17: 'The TMD lies outside device memory.',
    -18: 'Unknown TMD version.',
    -19: 'Unknown task type.',
    -20: 'A reserved word or bit of the TMD is not zero.',
    -21: "The TMD's generation is not the one the command names.",
    -22: 'A grid dimension is zero.',
    -23: 'Launch several grids: one has at most 65,535 CTAs along y and z, 2^63 - 1 in all (in mode PULL 2^50 - 1), and on 32-bit devices 2^32 - 1 work-items along x.',
    -24: 'A block dimension is zero.',
    -25: 'A block has more than 1,024 threads, or more than an SM can hold.',
    -26: 'Priority is not 1 to 10.',
    -27: 'Unknown distribution mode, or one that this kind of task does not have.',
    -28: 'The entry is outside the code window.',
    -29: 'The code window is empty or outside device memory.',
    -30: 'The argument block is outside device memory or misaligned.',
    -31: "The context's heap is outside device memory.",
    -32: 'A memory window is outside device memory, or there are too many.',
    -33: 'A CTA needs more shared memory than an SM has.',
    -34: 'A CTA needs more private (stack) memory than an SM has.',
    -35: 'A CTA needs more registers than an SM has.',
    -36: 'The affinity mask leaves no SM.',
    -37: "The cluster's dimensions are wrong or can never fit.",
    -38: "The work queue's fields are wrong.",
    -39: 'A dependent is not a task.',
    -40: "A release semaphore's fields are wrong.",
    -41: 'The resume position is past the end of the grid.',
    -42: 'A configuration value is out of range; nothing was changed.',
    -43: "The child's parents are nested too deep.",
    -44: 'No such task is in the device: it is complete, or was never accepted.',
    -45: 'The queue has no room for the items; none was taken.',
    -46: 'The queue is closed.',
    -47: "A kernel named what is not its own context's.",
    -48: 'The CGA has no member of that rank.',
    -49: 'The member of the CGA has ended: its shared memory cannot be reached.',
    -50: "The address is outside of the shared memory of the CGA's member.",
    -51: 'PULL: the chunk is larger than the grid, or larger than can be taken at once.',
    -52: 'The N-D range of a PULL grid is wrong: the field says where.',
    -53: 'Graph: a header or table of the program, or the graph descriptor, is wrong; the field says which.',
    -54: 'Graph: a step of the program is malformed: unknown operation, variable, state or definition, or not allowed there; the value is its number.',
    -55: 'Graph: a step uses an integer as a resource, or the reverse; the value is its number.',
    -56: 'Graph: a step jumps out of the program, or into or out of a pass definition; the value is its number.',
    -57: 'Graph: the program executed more steps than its budget; the value is the step it had come to.',
    -58: 'Graph: unknown resource or pass, one not assigned, not declared by its pass, or read before it is written; the value is the step.',
    -59: 'Graph: passes depend on each other in a cycle; the value is one of them.',
    -60: 'Graph: more passes, resources, accesses, commands or arguments than there is room for; the value is the step.',
    -61: 'Graph: the work space is too small for its transient buffers, or a pass needs more than a budget allows; the value is what is needed.',
    -62: 'Graph: no kept graph of this handle.',
    -63: 'Graph: the program divided by zero, or read or copied outside of a resource; the value is the step.',
    -64: 'The kernel reached memory that is not its own.',
    -65: 'The kernel made a misaligned access.',
    -66: 'The kernel executed an illegal instruction.',
    -67: 'The kernel made an unknown environment call.',
    -68: 'A thread overran its stack.',
    -69: 'Some threads of a CTA returned while others wait at a barrier.',
    -70: 'A CTA ran past its time limit.',
    -71: 'The kernel ended itself with an error.',
    -72: 'The task was cancelled.',
    -73: 'A task that this one depends on failed.',
    -74: 'An SM stopped, was reset or does not answer: the one that ran a CTA, or the one of RESET_SM.',
    -75: 'The kernel printed more than its bound.',
    -76: "The task's CTA was on two SMs that were lost, or the kernel is quarantined for that: it runs again when its channel has been reset.",
    -77: 'The control processor booted again while this was on its way; whether any of it was done is not known. Memory of contexts and modules is as it was, and what is submitted from now on runs.',
    -96: 'The deadline passed.',
    -97: 'The device is gone.',
    -98: 'No device answers at that path.',
    -99: 'The control processor stopped on its own bug; the error block has the record.',
    -100: 'The QEMU program is not installed.',
    -101: 'QEMU ended at start; the message has its last words.',
    -102: 'A firmware image or board file is not built.',
    -103: 'Unknown board, or a number of SMs that it cannot have.',
    -104: 'The operating system refused a call.',
    -105: 'There is no capability block where the board says.',
    -106: 'The device speaks an ABI that this host does not know.',
    -107: 'Not a kernel ELF of ganger-cc.',
    -108: 'The kernel ELF ends before its content.',
    -109: 'The kernel ELF is for the other XLEN.',
    -110: 'The kernel ELF needs an extension that the device has not.',
    -111: 'The module has no kernel of that name.',
    -112: "The number of arguments is not the kernel's.",
    -113: "An argument's size or kind is not the kernel's.",
    -114: 'The handle was never given out, is of another kind or device, or what it names was released.',
    -115: 'The handle is of the parent of this forked process, which alone may use it.',
    -116: "The kernels' compiler refuses the source or an option; its log says why.",
    -117: 'Only the user who booted the device may do this.',
}

# block: (bytes, {word: (offset, count, enumeration, writer, description,
#                       {bit field: (low, high, enumeration, description)})})
BLOCKS: Dict[str, Tuple[int, Dict[str, Word]]] = {
    'tmd': (256, {
        'header': (0, 1, None, 'host',
            'Version, type, mode, priority and flags.', {
                'version': (0, 7, None, '1.'),
                'type': (8, 11, 'task_type', 'Task type.'),
                'mode': (12, 15, 'task_mode', 'Distribution mode.'),
                'priority': (16, 19, None, '1 (highest) to 10 (S0-R03).'),
                'head': (20, 20, None, 'Insert at the head of its priority list (S0-R10).'),
                'sequential': (21, 21, None, 'At most one CTA in flight (S0-R23).'),
                'throttle': (22, 22, None, 'Runs in throttle mode only (S0-R22).'),
                'quota_enable': (23, 23, None, 'The launch quota holds (S0-R24).'),
                'barrier': (24, 24, None, 'Threads meet at barriers: each has a stack of its own (S3-R84).'),
                'closed': (25, 25, None, 'QUEUE: closed from the start: it runs the items in `queue_outstanding` and those that its own CTAs push.'),
                'cut_prints': (26, 26, None, 'What does not fit into the print buffer is left out, and is no error.'),
                'short': (27, 27, None, 'The rare words are zero, and are not read; since ABI 1.13. The others are those up to `block_z`, `shared_bytes`, `private_bytes`, `registers`, `time_limit_us` and those of the heap. A grid without rare words is accepted in fewer steps with it.'),
                'reserved': (28, 31, None, 'Zero.'),
            }),
        'generation': (4, 1, None, 'host',
            'Counts the uses of this TMD; must equal `argument0` of SUBMIT.', {
            }),
        'correlation': (8, 1, None, 'host',
            'Free for the host; appears in traces.', {
            }),
        'context': (12, 1, None, 'host',
            'Number of the context that owns the task.', {
            }),
        'entry_lo': (16, 1, None, 'host',
            'Program entry, inside the code window; even.', {
            }),
        'entry_hi': (20, 1, None, 'host',
            'High word.', {
            }),
        'code_lo': (24, 1, None, 'host',
            'Code window: read and execute.', {
            }),
        'code_hi': (28, 1, None, 'host',
            'High word.', {
            }),
        'code_bytes': (32, 1, None, 'host',
            'Bytes of the code window; a multiple of 4.', {
            }),
        'args_bytes': (36, 1, None, 'host',
            'Bytes of the argument block; 0 for none.', {
            }),
        'args_lo': (40, 1, None, 'host',
            'Argument block: read-only to the CTA; aligned to 16.', {
            }),
        'args_hi': (44, 1, None, 'host',
            'High word.', {
            }),
        'grid_x': (48, 1, None, 'host',
            'CTAs along x; not 0 (S1-R75).', {
            }),
        'grid_yz': (52, 1, None, 'host',
            'CTAs along y and z.', {
                'grid_y': (0, 15, None, 'Not 0.'),
                'grid_z': (16, 31, None, 'Not 0.'),
            }),
        'block_xy': (56, 1, None, 'host',
            'Threads of a CTA along x and y.', {
                'block_x': (0, 15, None, 'Not 0.'),
                'block_y': (16, 31, None, 'Not 0.'),
            }),
        'block_z': (60, 1, None, 'host',
            'Threads along z; dimensions that the kernel sees.', {
                'block_z': (0, 15, None, 'Not 0; x · y · z at most 1,024 (S1-R180).'),
                'dimensions': (16, 17, None, '1 to 3; 0 counts as 3.'),
                'block_reserved': (18, 31, None, 'Zero.'),
            }),
        'cluster_xy': (64, 1, None, 'host',
            'CTAs of a cluster (CGA) along x and y; 0 for no cluster.', {
                'cluster_x': (0, 15, None, '0 or CTAs.'),
                'cluster_y': (16, 31, None, '0 or CTAs.'),
            }),
        'cluster_z': (68, 1, None, 'host',
            'CTAs of a cluster along z; its domain.', {
                'cluster_z': (0, 15, None, '0 or CTAs.'),
                'cluster_domain': (16, 17, 'domain', 'Type CGA: the domain that all CTAs of a cluster are in; else 0.'),
                'cluster_reserved': (18, 31, None, 'Zero.'),
            }),
        'shared_bytes': (72, 1, None, 'host',
            'Shared memory of a CTA, in bytes.', {
            }),
        'private_bytes': (76, 1, None, 'host',
            'Stack of one thread, in bytes; a multiple of 16, not 0.', {
            }),
        'registers': (80, 1, None, 'host',
            'Registers of a thread: a budget that the board sets; 0 for none.', {
            }),
        'gpc_mask': (84, 1, None, 'host',
            'GPCs that may run it; 0 for all (S0-R25).', {
            }),
        'affinity_lo': (88, 1, None, 'host',
            'Address of a 512-bit mask of SMs that may run it; 0 for all (S0-R25).', {
            }),
        'affinity_hi': (92, 1, None, 'host',
            'High word.', {
            }),
        'quota': (96, 1, None, 'host',
            'CTAs before another task of the priority has its turn (S0-R24); not 0 when `quota_enable` is set, else 0.', {
            }),
        'time_limit_us': (100, 1, None, 'host',
            "Longest time of one CTA, in microseconds; 0 for the device's default.", {
            }),
        'retry_limit': (104, 1, None, 'host',
            'Times a CTA may run again after its SM was lost, up to 15; 0: the task fails. Not 0 says that a CTA of the kernel may run twice, in part or completely. A CGA runs again as a whole. Not for CGAs made of CGAs, which are refused as unsupported.', {
            }),
        'chunk': (108, 1, None, 'host',
            'PULL: CTAs per chunk, at most those of the grid; 0 lets the device choose (S4-R57, R58).', {
            }),
        'queue_lo': (112, 1, None, 'host',
            "GRAPH: address of a `graph`. PULL: address of an `nd_range` (S4-R35), or 0 for a grid of three dimensions. QUEUE: address of the circular queue (S0-R05): `queue_capacity` items of `queue_item_bytes`, in the context's heap; aligned to 4.", {
            }),
        'queue_hi': (116, 1, None, 'host',
            'High word.', {
            }),
        'queue_capacity': (120, 1, None, 'host',
            'Items that the queue holds. Grids: global id of the first work-item along x; 0 with an `nd_range`.', {
            }),
        'queue_item_bytes': (124, 1, None, 'host',
            'Bytes of an item; a multiple of 4. Grids: global id of the first work-item along y.', {
            }),
        'queue_items': (128, 1, None, 'host',
            'Items per CTA. Grids: as one number, the CTAs to run from `resume` on, a multiple of the CTAs of a CGA; 0: all that follow.', {
                'queue_items': (0, 15, None, 'Items that a CTA takes, N (S0-R06); not 0.'),
                'queue_minimum': (16, 31, None, 'Fewest items that start a CTA without a time-out, at most N; 0: N.'),
            }),
        'coalesce_us': (132, 1, None, 'host',
            'Time after which a CTA starts with fewer items (S0-R06); 0: at once; 0xffffffff: never. Grids: threads of the last CTA along x (9:0), y (19:10), z (29:20), where they are fewer than `block_x`, `block_y`, `block_z`; else 0.', {
            }),
        'dependence_count': (136, 1, None, 'host',
            'DECREMENT actions of other tasks that it waits for before it is ready, besides `after`.', {
            }),
        'dependent_count': (140, 1, None, 'host',
            'Entries of the list of dependents, 0 to 64.', {
            }),
        'dependents_lo': (144, 1, None, 'host',
            'Address of an array of `dependent`: what happens when this task has completed without error.', {
            }),
        'dependents_hi': (148, 1, None, 'host',
            'High word.', {
            }),
        'semaphore0_lo': (152, 1, None, 'host',
            'First release semaphore: address of a word, aligned to 4; not read when the op is NONE.', {
            }),
        'semaphore0_hi': (156, 1, None, 'host',
            'High word.', {
            }),
        'semaphore0_value': (160, 1, None, 'host',
            'Value.', {
            }),
        'semaphore0_op': (164, 1, 'semaphore_op', 'host',
            'What is done with the value when the task has completed without error.', {
            }),
        'semaphore1_lo': (168, 1, None, 'host',
            'Second release semaphore.', {
            }),
        'semaphore1_hi': (172, 1, None, 'host',
            'High word.', {
            }),
        'semaphore1_value': (176, 1, None, 'host',
            'Value.', {
            }),
        'semaphore1_op': (180, 1, 'semaphore_op', 'host',
            'What is done with the value, after the first.', {
            }),
        'resume_lo': (184, 1, None, 'host',
            'First CTA to run, in linear order (S0-R13).', {
            }),
        'resume_hi': (188, 1, None, 'host',
            'High word.', {
            }),
        'heap_lo': (192, 1, None, 'host',
            "The context's heap: read and write.", {
            }),
        'heap_hi': (196, 1, None, 'host',
            'High word.', {
            }),
        'heap_bytes_lo': (200, 1, None, 'host',
            'Bytes of the heap; 0 for none.', {
            }),
        'heap_bytes_hi': (204, 1, None, 'host',
            'High word.', {
            }),
        'windows_lo': (208, 1, None, 'host',
            'Address of an array of `window`: memory outside the heap that its kernels may reach.', {
            }),
        'windows_hi': (212, 1, None, 'host',
            'High word.', {
            }),
        'window_count': (216, 1, None, 'host',
            'Windows, 0 to 4.', {
            }),
        'after_lo': (220, 1, None, 'host',
            'Address of an array of `dependent`, action DECREMENT: tasks that must complete before this one is ready. A task that is not in the device counts as complete.', {
            }),
        'after_hi': (224, 1, None, 'host',
            'High word.', {
            }),
        'after_count': (228, 1, None, 'host',
            'Entries of it, 0 to 64.', {
            }),
        'queue_outstanding': (232, 1, None, 'host',
            'Items that are in the queue at submission, from its start on. Grids: global id of the first work-item along z.', {
            }),
        'print_lo': (236, 1, None, 'host',
            'Address of the print buffer: a word that counts the bytes printed, then the bytes; aligned to 4. Children print into that of their oldest ancestor.', {
            }),
        'print_hi': (240, 1, None, 'host',
            'High word.', {
            }),
        'print_bytes': (244, 1, None, 'host',
            'Bytes that may be printed; 0: no print buffer, prints go nowhere.', {
            }),
        'outer': (248, 1, None, 'host',
            'Nested CGAs (S1-R36): the second level, counted in CGAs of the first; 0 for none.', {
                'outer_x': (0, 9, None, '0 or CGAs.'),
                'outer_y': (10, 19, None, '0 or CGAs.'),
                'outer_z': (20, 29, None, '0 or CGAs.'),
                'outer_domain': (30, 31, 'domain', 'Type CGA: its domain; larger than that of the first level; else 0.'),
            }),
        'top': (252, 1, None, 'host',
            'The third level, counted in CGAs of the second; 0 for none; type CGA only.', {
                'top_x': (0, 9, None, '0 or CGAs.'),
                'top_y': (10, 19, None, '0 or CGAs.'),
                'top_z': (20, 29, None, '0 or CGAs.'),
                'top_domain': (30, 31, 'domain', 'Its domain; larger than that of the second level.'),
            }),
    }),
    'command': (32, {
        'header': (0, 1, None, 'host',
            'What to do.', {
                'opcode': (0, 7, 'opcode', 'Opcode.'),
                'no_interrupt': (8, 8, None, 'Do not interrupt the host for this completion.'),
                'command_reserved': (9, 31, None, 'Zero.'),
            }),
        'tag': (4, 1, None, 'host',
            'Comes back in the completion; the host keeps tags in flight distinct.', {
            }),
        'address_lo': (8, 1, None, 'host',
            'Device address, or 0.', {
            }),
        'address_hi': (12, 1, None, 'host',
            'High word.', {
            }),
        'argument0': (16, 1, 'query_what', 'host',
            "By opcode; QUERY: what; CODE: bytes; RESET_SM: the SM; SUBMIT, PUSH, CLOSE and a target TASK: the TMD's generation; a target CHANNEL: its number; else 0.", {
            }),
        'argument1': (20, 1, 'target', 'host',
            'CANCEL, SUSPEND, RESUME: the kind of target; RESET_SM: 0, or the target DEVICE; QUERY of a TMD: its generation; PUSH: low word of the address of the items, 0 with `argument3` when they are in place; GRAPH: the handle; else 0.', {
            }),
        'argument2': (24, 1, 'graph_action', 'host',
            'PUSH: items; GRAPH: an action; else 0.', {
            }),
        'argument3': (28, 1, None, 'host',
            'PUSH: high word of the address of the items; else 0.', {
            }),
    }),
    'completion': (128, {
        'tag': (0, 1, None, 'CP',
            'Tag of the command.', {
            }),
        'status': (4, 1, 'status', 'CP',
            '0, or the negative of an error number, as a signed word.', {
            }),
        'field': (8, 1, None, 'CP',
            'Field id of the offending field, or 0: descriptor number in bits 31:24, lowest bit in 20:16, byte offset in 15:0.', {
            }),
        'value_lo': (12, 1, None, 'CP',
            'Value of the offending field, or the answer of a QUERY.', {
            }),
        'value_hi': (16, 1, None, 'CP',
            'High word.', {
            }),
        'source': (20, 1, None, 'CP',
            'Channel and opcode of its command, and how many SMs had CTAs of it.', {
                'channel': (0, 7, None, 'Channel of the command.'),
                'opcode': (8, 15, None, 'Its opcode.'),
                'sms': (16, 31, None, 'SMs that ran CTAs of the task.'),
            }),
        'ctas_lo': (24, 1, None, 'CP',
            'CTAs that completed.', {
            }),
        'ctas_hi': (28, 1, None, 'CP',
            'High word.', {
            }),
        'posted_lo': (32, 1, None, 'CP',
            'The CP took the command.', {
            }),
        'posted_hi': (36, 1, None, 'CP',
            'High word.', {
            }),
        'ready_lo': (40, 1, None, 'CP',
            'The task entered the scheduler table, free of dependences.', {
            }),
        'ready_hi': (44, 1, None, 'CP',
            'High word.', {
            }),
        'first_lo': (48, 1, None, 'CP',
            'Its first CTA started; 0 for none.', {
            }),
        'first_hi': (52, 1, None, 'CP',
            'High word.', {
            }),
        'last_lo': (56, 1, None, 'CP',
            'Its last CTA ended; 0 for none.', {
            }),
        'last_hi': (60, 1, None, 'CP',
            'High word.', {
            }),
        'done_lo': (64, 1, None, 'CP',
            'The CP posted the completion.', {
            }),
        'done_hi': (68, 1, None, 'CP',
            'High word.', {
            }),
        'fault': (72, 1, None, 'CP',
            'Fault record of a failed task.', {
                'fault_sm': (0, 15, None, 'SM that holds the record.'),
                'fault_sequence': (16, 31, None, '`sequence` of the record, low 16 bits; 0 for none.'),
            }),
        'packets': (76, 1, None, 'CP',
            'Launch packets that the task took.', {
            }),
        'not_issued': (80, 10, None, 'CP',
            "By `reason`: turns of the CP's loop during which CTAs of the task were kept back for this reason.", {
            }),
        'mode': (120, 1, 'task_mode', 'CP',
            'How the CTAs of a grid were distributed: as its TMD said, or PULL where the TMD left it to the device and SMs took them themselves.', {
            }),
        'retried': (124, 1, None, 'CP',
            'CTAs that ran again because their SM was lost, each as often as it did (`tmd.retry_limit`).', {
            }),
    }),
    'window': (16, {
        'base_lo': (0, 1, None, 'host',
            'First byte; a multiple of 4.', {
            }),
        'base_hi': (4, 1, None, 'host',
            'High word.', {
            }),
        'bytes_lo': (8, 1, None, 'host',
            'Bytes; a multiple of 4, not 0.', {
            }),
        'rights': (12, 1, None, 'host',
            'High bytes and rights.', {
                'bytes_hi': (0, 15, None, 'High bits of the bytes.'),
                'read': (16, 16, None, 'May be read.'),
                'write': (17, 17, None, 'May be written.'),
                'window_reserved': (18, 31, None, 'Zero.'),
            }),
    }),
    'member': (16, {
        'sequence': (0, 1, None, 'CP',
            'Sequence number of its innermost CGA, counted from 1 over all tasks; 0: no CTA of a CGA is here.', {
            }),
        'rank': (4, 1, None, 'CP',
            'Its place in that CGA.', {
                'rank': (0, 15, None, 'Its rank (`cga_cta_id`, S1-R114).'),
                'head_sm': (16, 31, None, 'SM of the CTA of rank 0.'),
            }),
        'next': (8, 1, None, 'CP',
            'Where the CTA of the next rank is; after the last rank, rank 0.', {
                'unit': (0, 7, None, 'Its lowest unit.'),
                'sm': (8, 31, None, 'Its SM.'),
            }),
        'cga': (12, 1, None, 'CP',
            'Its CGA.', {
                'record': (0, 15, None, "The CP's record of the CGA."),
                'id': (16, 23, None, "Id of the CGA, from its GPC's pool or the device's."),
                'head_unit': (24, 28, None, 'Lowest unit of the CTA of rank 0.'),
                'stop': (31, 31, None, '1: the CGA is to stop, because SMs of it were lost (`tmd.retry_limit`).'),
            }),
    }),
    'packet': (48, {
        'task': (0, 1, None, 'CP',
            'The task.', {
                'slot': (0, 7, None, 'Slot of the task table.'),
                'generation': (16, 31, None, 'Its generation.'),
            }),
        'starts': (4, 1, None, 'CP',
            'Bit u: a CTA takes the units from u on; CTA first + k has the k-th lowest bit.', {
            }),
        'first_lo': (8, 1, None, 'CP',
            'Launch position of the first CTA. In a plain grid its linear number: x fastest, then y, then z (S1-R109). In a grid of CGAs CTAs are counted CGA by CGA: of each level x fastest, then y, then z.', {
            }),
        'first_hi': (12, 1, None, 'CP',
            'High word.', {
            }),
        'units': (16, 1, None, 'CP',
            'Units that each CTA takes.', {
            }),
        'cga': (20, 1, None, 'CP',
            'The innermost CGA that its CTAs belong to; 0 for none.', {
                'cga_id': (0, 7, None, 'Its id, from the pool of its GPC, or of the device when its domain is larger (S1-R139).'),
                'cga_valid': (31, 31, None, '1: there is one.'),
            }),
        'reserved_18': (24, 1, None, 'CP',
            'Zero.', {
            }),
        'sequence': (28, 1, None, 'CP',
            'Counts the packets of all SMs.', {
            }),
        'queue_position': (32, 1, None, 'CP',
            'QUEUE: number of the first item of the first CTA (S0-R05), modulo the largest multiple of the capacity below 2^31.', {
            }),
        'queue_last': (36, 1, None, 'CP',
            'QUEUE: items of the last CTA; each one before it has N (S0-R06).', {
            }),
        'assign': (40, 1, None, 'CP',
            '`task_assign` of the SM when the packet was written: what the SM acknowledges before it takes the packet (S0-C2).', {
            }),
        'pull': (44, 1, None, 'CP',
            'PULL: the units are streams: each runs CTA after CTA of what the SM takes (S4-R16).', {
                'pull_items': (0, 23, None, 'Items from `first` on that the CP gives with the packet; 0 for none.'),
                'park_save': (28, 28, None, '1: no launch: CTAs of `starts` that are resident are to be parked; `first` is the address where they are kept: of as much memory as the SM has. Not with an assignment.'),
                'park_restore': (29, 29, None, '1: the CTAs are those that were parked from these units; `first` is the same.'),
                'pull_more': (30, 30, None, '1: when they are used up the SM takes more from the WORK entry of the slot.'),
                'pull_valid': (31, 31, None, '1: it is a PULL grid.'),
            }),
    }),
    'report': (48, {
        'task': (0, 1, None, 'SM',
            'The task.', {
                'slot': (0, 7, None, 'Slot of the task table.'),
                'generation': (16, 31, None, 'Its generation.'),
            }),
        'starts': (4, 1, None, 'SM',
            'The bits of `packet.starts` whose CTAs ended: their units are free.', {
            }),
        'status': (8, 1, 'status', 'SM',
            '0, or the negative of an error number: of the first CTA that failed; 1: these CTAs have not ended, but are parked.', {
            }),
        'fault': (12, 1, None, 'SM',
            'Sequence of the fault record, or 0.', {
            }),
        'first_lo': (16, 1, None, 'SM',
            'Start of the earliest, in ticks.', {
            }),
        'first_hi': (20, 1, None, 'SM',
            'High word.', {
            }),
        'last_lo': (24, 1, None, 'SM',
            'End of the latest, in ticks.', {
            }),
        'last_hi': (28, 1, None, 'SM',
            'High word.', {
            }),
        'cta_lo': (32, 1, None, 'SM',
            'Linear number of the CTA, when the report stands for one. PULL: first item that the SM took and did not start.', {
            }),
        'cta_hi': (36, 1, None, 'SM',
            'High word.', {
            }),
        'pull_ctas': (40, 1, None, 'SM',
            'PULL: CTAs that ended without an error.', {
            }),
        'pull_rest': (44, 1, None, 'SM',
            'PULL: what the SM gives back.', {
                'pull_rest': (0, 30, None, 'Items from `cta_lo` on that it took and did not start: they are for others.'),
                'pull_last': (31, 31, None, '1: it has no stream of the task any more.'),
            }),
    }),
    'request': (40, {
        'task': (0, 1, None, 'SM',
            'The task of the CTA.', {
                'slot': (0, 7, None, 'Slot of the task table.'),
                'generation': (16, 31, None, 'Its generation.'),
            }),
        'kind': (4, 1, 'request_kind', 'SM',
            'What it asks for.', {
            }),
        'address_lo': (8, 1, None, 'SM',
            'TMD.', {
            }),
        'address_hi': (12, 1, None, 'SM',
            'High word.', {
            }),
        'argument': (16, 1, None, 'SM',
            'Generation of the TMD.', {
            }),
        'count': (20, 1, None, 'SM',
            'PUSH: items; PRINT: bytes, a multiple of 4.', {
            }),
        'source_lo': (24, 1, None, 'SM',
            "PUSH, PRINT: address of the items or bytes, in the CTA's own memory or its context's heap: checked by the SM; 0 when items are in place.", {
            }),
        'source_hi': (28, 1, None, 'SM',
            'High word.', {
            }),
        'source_bytes': (32, 1, None, 'SM',
            'PUSH, PRINT: bytes from there on that the CTA may read, at most 0xffffffff.', {
            }),
        'reserved_24': (36, 1, None, 'SM',
            'Zero.', {
            }),
    }),
    'answer': (8, {
        'answer_status': (0, 1, 'status', 'CP',
            '0, or the negative of an error number.', {
            }),
        'answer_field': (4, 1, None, 'CP',
            'Field id of the offending field, or 0.', {
            }),
    }),
    'dependent': (16, {
        'tmd_lo': (0, 1, None, 'host',
            "Address of the other task's TMD.", {
            }),
        'tmd_hi': (4, 1, None, 'host',
            'High word.', {
            }),
        'tmd_generation': (8, 1, None, 'host',
            'Generation with which it was, or is to be, submitted.', {
            }),
        'action': (12, 1, None, 'host',
            'What happens to it.', {
                'action': (0, 3, 'dependence_action', 'Action.'),
                'action_reserved': (4, 15, None, 'Zero.'),
                'amount': (16, 31, None, 'INCREMENT_PUT: items, not 0; else 0.'),
            }),
    }),
    'trace_record': (32, {
        'header': (0, 1, None, 'CP or SM, each in its own ring',
            'What and where.', {
                'type': (0, 7, 'trace_type', 'Type.'),
                'place': (8, 15, None, 'CTA record: lowest unit, the row inside its SM; else the task slot.'),
                'sm': (16, 31, None, 'SM, or 0xffff.'),
            }),
        'tag': (4, 1, None, 'as header',
            'Tag of the task.', {
            }),
        'cta_lo': (8, 1, None, 'as header',
            'Linear CTA number, or as the type says.', {
            }),
        'extra': (12, 1, None, 'as header',
            'By type: status, priority, number of CTAs.', {
            }),
        'start_lo': (16, 1, None, 'as header',
            'Ticks.', {
            }),
        'start_hi': (20, 1, None, 'as header',
            'High word.', {
            }),
        'end_lo': (24, 1, None, 'as header',
            'Ticks.', {
            }),
        'end_hi': (28, 1, None, 'as header',
            'High word.', {
            }),
    }),
    'sm_look': (64, {
        'look_bytes': (0, 1, None, 'SM',
            'Bytes of this table.', {
            }),
        'current': (4, 1, None, 'SM',
            'Address of the CTA record that has the hart, or had it last. This and the next two: offsets in the state.', {
            }),
        'run_since': (8, 1, None, 'SM',
            '64 bits: when it got the hart, in ticks.', {
            }),
        'ctas': (12, 1, None, 'SM',
            'CTA records, the first one: one for each unit that a CTA can begin with.', {
            }),
        'cta_count': (16, 1, None, 'SM',
            'Number of records.', {
            }),
        'cta_bytes': (20, 1, None, 'SM',
            'Bytes of a record. It begins with the pc where the CTA goes on when it does not have the hart, and x1 to x31.', {
            }),
        'cta_task': (24, 1, None, 'SM',
            "Address of its task's record. This and what follows: offsets in a CTA record.", {
            }),
        'cta_block': (28, 1, None, 'SM',
            'Address of its CTA block (struct gg_cta).', {
            }),
        'cta_state': (32, 1, None, 'SM',
            "Byte: 0 free, 1 waits to start, 2 has started, 3 waits for the CP's answer, 4 waits at a barrier of its CGA, 5 a stream between two CTAs.", {
            }),
        'cta_level': (36, 1, None, 'SM',
            'Byte: level of the barrier that it waits at.', {
            }),
        'cta_linear': (40, 1, None, 'SM',
            '64 bits: linear number in its grid.', {
            }),
        'cta_start': (44, 1, None, 'SM',
            '64 bits: when it started, in ticks. When that is `run_since` and it has the hart, its registers were not saved yet.', {
            }),
        'cta_used': (48, 1, None, 'SM',
            '64 bits: ticks that it had the hart before `run_since`, or waited.', {
            }),
        'task_name': (52, 1, None, 'SM',
            "Slot | generation << 16. This and what follows: offsets in a task's record.", {
            }),
        'task_tag': (56, 1, None, 'SM',
            'Tag of its command.', {
            }),
        'task_entry': (60, 1, None, 'SM',
            'Address where its kernel starts.', {
            }),
    }),
    'fault_record': (320, {
        'sequence': (0, 1, None, 'SM',
            'Counts the faults of this SM from 1; written last.', {
            }),
        'status': (4, 1, 'status', 'SM',
            'The negative of an error number.', {
            }),
        'tag': (8, 1, None, 'SM',
            "Tag of the task's command.", {
            }),
        'sm': (12, 1, None, 'SM',
            'SM.', {
            }),
        'cta_lo': (16, 1, None, 'SM',
            'Linear CTA number.', {
            }),
        'cta_hi': (20, 1, None, 'SM',
            'High word.', {
            }),
        'thread': (24, 1, None, 'SM',
            'Linear thread number in the CTA.', {
            }),
        'cause': (28, 1, None, 'SM',
            'mcause, or 0.', {
            }),
        'pc_lo': (32, 1, None, 'SM',
            'Program counter.', {
            }),
        'pc_hi': (36, 1, None, 'SM',
            'High word.', {
            }),
        'address_lo': (40, 1, None, 'SM',
            'Faulting address (mtval).', {
            }),
        'address_hi': (44, 1, None, 'SM',
            'High word.', {
            }),
        'registers': (48, 62, None, 'SM',
            'Integer registers x1 to x31, as pairs of words, low first.', {
            }),
        'context': (296, 1, None, 'SM',
            'Context of the task.', {
            }),
        'cga': (300, 1, None, 'SM',
            'As `packet.cga`: the CGA of the CTA; 0 for none (S1-R157).', {
            }),
        'cga_rank': (304, 1, None, 'SM',
            'Rank of the CTA in it.', {
            }),
        'reserved_13c': (316, 1, None, 'SM',
            'Zero.', {
            }),
    }),
    'cap': (256, {
        'magic': (0, 1, None, 'CP',
            '0x52474e47, the letters GNGR; written last at boot.', {
            }),
        'abi': (4, 1, None, 'CP',
            'Version of this ABI; a newer minor only adds.', {
                'minor': (0, 15, None, 'Minor.'),
                'major': (16, 31, None, 'Major.'),
            }),
        'bytes': (8, 1, None, 'CP',
            'Bytes of this block.', {
            }),
        'state': (12, 1, 'device_state', 'CP',
            'State of the device.', {
            }),
        'heartbeat': (16, 1, None, 'CP',
            "Counts the passes of the CP's loop: ring and see it move.", {
            }),
        'build0': (20, 1, None, 'CP',
            'Build id, first of four words.', {
            }),
        'build1': (24, 1, None, 'CP',
            'Build id.', {
            }),
        'build2': (28, 1, None, 'CP',
            'Build id.', {
            }),
        'build3': (32, 1, None, 'CP',
            'Build id.', {
            }),
        'xlen': (36, 1, None, 'CP',
            '32 or 64.', {
            }),
        'features': (40, 1, 'feature', 'CP',
            'Bit n: feature n.', {
            }),
        'timebase_hz': (44, 1, None, 'CP',
            "Ticks of the device's clock in a second.", {
            }),
        'sms': (48, 1, None, 'CP',
            'SMs that answered at boot.', {
            }),
        'slots': (52, 1, None, 'CP',
            'Slots of the task table.', {
            }),
        'priorities': (56, 1, None, 'CP',
            '10.', {
            }),
        'channels': (60, 1, None, 'CP',
            'Channels of the mailbox.', {
            }),
        'channel_entries': (64, 1, None, 'CP',
            "Commands that a channel's ring holds; a power of two.", {
            }),
        'completion_entries': (68, 1, None, 'CP',
            'Completions that the ring holds; a power of two.', {
            }),
        'launch_entries': (72, 1, None, 'CP',
            'Packets that a launch ring holds, and reports that a report ring holds; a power of two.', {
            }),
        'trace_entries': (76, 1, None, 'CP',
            'Records of each trace ring; a power of two.', {
            }),
        'fault_entries': (80, 1, None, 'CP',
            'Fault records of each SM; a power of two.', {
            }),
        'block_threads_max': (84, 1, None, 'CP',
            'Threads of a CTA, at most.', {
            }),
        'warp_threads': (88, 1, None, 'CP',
            'Threads of a warp.', {
            }),
        'sm_ctas': (92, 1, None, 'CP',
            'CTA slots of an SM.', {
            }),
        'sm_warps': (96, 1, None, 'CP',
            'Warp slots of an SM.', {
            }),
        'sm_units': (100, 1, None, 'CP',
            'Memory units of an SM.', {
            }),
        'sm_shared_bytes': (104, 1, None, 'CP',
            'Shared memory of an SM.', {
            }),
        'sm_private_bytes': (108, 1, None, 'CP',
            'Private (stack) memory of an SM.', {
            }),
        'sm_registers': (112, 1, None, 'CP',
            'Register budget of an SM.', {
            }),
        'tasks_max': (116, 1, None, 'CP',
            'Tasks that can be pending: places of the task pool.', {
            }),
        'heap_lo': (120, 1, None, 'CP',
            'Device memory that the host may allocate.', {
            }),
        'heap_hi': (124, 1, None, 'CP',
            'High word.', {
            }),
        'heap_bytes_lo': (128, 1, None, 'CP',
            'Its bytes.', {
            }),
        'heap_bytes_hi': (132, 1, None, 'CP',
            'High word.', {
            }),
        'base_lo': (136, 1, None, 'CP',
            'Device address of this block.', {
            }),
        'base_hi': (140, 1, None, 'CP',
            'High word.', {
            }),
        'window_bytes': (144, 1, None, 'CP',
            'Bytes from this block to the end of the last.', {
            }),
        'config_offset': (148, 1, None, 'CP',
            'CONFIG block: offset from this block, like all offsets below.', {
            }),
        'mailbox_offset': (152, 1, None, 'CP',
            'Channels.', {
            }),
        'commands_offset': (156, 1, None, 'CP',
            'Command rings, one after the other.', {
            }),
        'post_offset': (160, 1, None, 'CP',
            'Header of the completion ring.', {
            }),
        'completions_offset': (164, 1, None, 'CP',
            'Completion ring.', {
            }),
        'task_table_offset': (168, 1, None, 'CP',
            'Task table.', {
            }),
        'sm_state_offset': (172, 1, None, 'CP',
            'SM state, one entry an SM.', {
            }),
        'bells_offset': (176, 1, None, 'CP',
            'Bell bytes, one an SM.', {
            }),
        'launch_offset': (180, 1, None, 'CP',
            'Launch rings: header, packets, reports; one an SM.', {
            }),
        'launch_stride': (184, 1, None, 'CP',
            "Bytes from one SM's to the next.", {
            }),
        'perf_offset': (188, 1, None, 'CP',
            'PERF block.', {
            }),
        'trace_offset': (192, 1, None, 'CP',
            "Trace rings: the CP's first, then one an SM.", {
            }),
        'trace_stride': (196, 1, None, 'CP',
            'Bytes from one to the next.', {
            }),
        'faults_offset': (200, 1, None, 'CP',
            'Fault records, `fault_entries` an SM.', {
            }),
        'error_offset': (204, 1, None, 'CP',
            'ERROR block.', {
            }),
        'registers_offset': (208, 1, None, 'CP',
            'First byte after the last block.', {
            }),
        'sm_area_bytes': (212, 1, None, 'CP',
            "Bytes of an SM's own memory.", {
            }),
        'cluster_offset': (216, 1, None, 'CP',
            'CLUSTER blocks, one an SM.', {
            }),
        'cluster_stride': (220, 1, None, 'CP',
            "Bytes from one SM's to the next.", {
            }),
        'cgas_max': (224, 1, None, 'CP',
            'CGAs of all levels that can be in flight at once.', {
            }),
        'cga_ctas_max': (228, 1, None, 'CP',
            'CTAs of a top-level CGA, at most.', {
            }),
        'work_offset': (232, 1, None, 'CP',
            'WORK blocks, one a slot.', {
            }),
        'local_offset': (236, 1, None, 'CP',
            'LOCAL blocks, one a GPC and slot: those of GPC 0 first.', {
            }),
        'pull_offset': (240, 1, None, 'CP',
            'PULL blocks, one an SM.', {
            }),
        'wave_offset': (244, 1, None, 'CP',
            'WAVE entries, one a slot.', {
            }),
        'resets': (248, 1, None, 'CP',
            "Times that the CP booted again without losing the host's memory. When it changes, and `state` is READY, nothing that was on its way before completes any more, all channels are refused until they are reset, there are no kept graphs, and CONFIG is as at boot but for `restarts`.", {
            }),
        'reserved_fc': (252, 1, None, 'CP',
            'Zero.', {
            }),
    }),
    'config': (4352, {
        'mode': (0, 1, 'task_mode', 'host',
            'For tasks that leave it to the device (S0-R33): LOAD_BALANCING; ROUND_ROBIN; or DEVICE, which it is at boot: LOAD_BALANCING, and PULL for grids that have more CTAs than fit into the device and need nothing that PULL grids cannot have.', {
            }),
        'floor_per_mille': (4, 1, None, 'host',
            'Share of CTAs, in thousandths, kept for tasks of lower priority while they wait: 0 (strict priority) to 999.', {
            }),
        'time_limit_us': (8, 1, None, 'host',
            'Time limit of a CTA whose task has none: 300,000,000 at boot, which is five minutes; 0 for none.', {
            }),
        'trace': (12, 1, None, 'host',
            '1: SMs and CP write trace records.', {
            }),
        'parts': (16, 1, 'config_part', 'host',
            "Not read: bit n of CONFIG's `argument0` is part n.", {
            }),
        'throttle_sms': (20, 1, None, 'host',
            'SMs whose shared and private memory an SM has in throttle mode (S0-R22): 1, 2, 4, … at most the number of SMs.', {
            }),
        'cga_ids': (24, 1, None, 'host',
            "Ids of CGAs in each GPC's pool, and in the device's: 1 to 256 (S1-R141).", {
            }),
        'cga_patience': (28, 1, None, 'host',
            'CTAs that other tasks may start past a CGA that does not fit before SMs are reserved for it; 0: at once.', {
            }),
        'far_ticks': (32, 1, None, 'host',
            'A GPC whose `latency` is higher is far: its SMs take work through a local queue (S4-R62); 0: none is.', {
            }),
        'chunk_us': (36, 1, None, 'host',
            'Adaptive chunks of PULL grids take about this long, in microseconds; 0: no limit (S4-R58).', {
            }),
        'local_low': (40, 1, None, 'host',
            'A local queue with fewer CTAs left than this many per mille of its portion fetches the next (S4-R79, R83): 0 to 1000.', {
            }),
        'answer_ms': (44, 1, None, 'host',
            'Milliseconds within which an SM that is reset has to stop, and to start again: 1 to 60,000. One that does not is forced where the board can, else written off.', {
            }),
        'watch_ms': (48, 1, None, 'host',
            'An SM with CTAs that takes no interrupt for this many milliseconds is reset: up to 3,600,000; 0: never. An SM with a kernel that runs for long takes them.', {
            }),
        'restarts': (52, 1, None, 'host',
            'After how many panics in a minute the CP boots again, 0 to 1,000; one more, and it stays down (state PANIC).', {
            }),
        'park_ms': (56, 1, None, 'host',
            'Milliseconds for which CTAs may hold up a task of a higher priority, a switch of throttle mode, or the end of an eviction or suspension: before that they are parked, so early that SMs have more than half of it to copy. Up to 60,000; 0: never.', {
            }),
        'park_page': (60, 1, None, 'host',
            'Where their memory and registers are kept: number of a page of 4,096 bytes, counted from address 0, from which on the heap has twice `cap.sms` times `cap.sm_area_bytes`, where no kernel can write. Not read while `park_ms` is 0.', {
            }),
        'enabled': (64, 16, None, 'host',
            'Bit i of word w: SM 32 w + i is enabled.', {
            }),
        'rank': (128, 512, None, 'host',
            'SM of each rank: the SM priority list, first is preferred (S0-R31).', {
            }),
        'group': (2176, 512, None, 'host',
            'Group of each SM.', {
                'gpc': (0, 7, None, 'GPC.'),
                'cpc': (8, 15, None, 'CPC inside its GPC.'),
                'tpc': (16, 23, None, 'TPC inside its CPC.'),
            }),
        'latency': (4224, 32, None, 'host',
            'By GPC: time of an access to the global queue in ticks, as the board says; SMs of QEMU boards wait that long before each access (S4-R76).', {
            }),
    }),
    'channel': (64, {
        'put': (0, 1, None, 'host',
            'Commands written.', {
            }),
        'priority': (4, 1, None, 'host',
            '1 (read first) to 10; other values count as 10.', {
            }),
        'reset': (8, 1, None, 'host',
            'Raise by one, with put = 0, to reopen a refused channel.', {
            }),
        'get': (32, 1, None, 'CP',
            'Commands taken.', {
            }),
        'state': (36, 1, 'channel_state', 'CP',
            'State.', {
            }),
        'refused_put': (40, 1, None, 'CP',
            'The put word that was refused.', {
            }),
        'reset_done': (44, 1, None, 'CP',
            'Equals `reset` when the reset is done.', {
            }),
        'accepted': (48, 1, None, 'CP',
            'Commands accepted since boot.', {
            }),
        'reserved_3c': (60, 1, None, 'CP',
            'Zero.', {
            }),
    }),
    'post': (64, {
        'put': (0, 1, None, 'CP',
            'Completions written.', {
            }),
        'interrupts': (4, 1, None, 'CP',
            'Interrupts sent to the host.', {
            }),
        'get': (32, 1, None, 'host',
            'Completions taken.', {
            }),
        'rung': (36, 1, None, 'host',
            'Raised by one before the doorbell, after put or reset words changed whose bell bytes were left alone: the CP looks at all channels.', {
            }),
        'bells': (40, 2, None, 'host',
            "A byte for each channel, the lowest first: raised by one after the channel's put or reset word changed, before the doorbell. Hosts store single bytes, so that each may have channels of its own.", {
            }),
        'reserved_3c': (60, 1, None, 'host',
            'Zero.', {
            }),
    }),
    'slot': (64, {
        'state': (0, 1, 'slot_state', 'CP',
            'State.', {
            }),
        'generation': (4, 1, None, 'CP',
            'Counts the uses of the slot; low 16 bits go with every packet and report.', {
            }),
        'tag': (8, 1, None, 'CP',
            'Tag of the command.', {
            }),
        'priority': (12, 1, None, 'CP',
            '1 to 10.', {
            }),
        'tmd_lo': (16, 1, None, 'CP',
            "Address of the CP's checked copy of the TMD; SMs read the task's state there. Its checked `window`s follow it.", {
            }),
        'tmd_hi': (20, 1, None, 'CP',
            'High word.', {
            }),
        'stamp': (24, 1, None, 'CP',
            'Order of insertion: smaller is older (S0-R26).', {
            }),
        'in_flight': (28, 1, None, 'CP',
            'CTAs issued and not reported.', {
            }),
        'next_lo': (32, 1, None, 'CP',
            'Next CTA to issue: the resume position.', {
            }),
        'next_hi': (36, 1, None, 'CP',
            'High word.', {
            }),
        'left_lo': (40, 1, None, 'CP',
            'CTAs left to issue.', {
            }),
        'left_hi': (44, 1, None, 'CP',
            'High word.', {
            }),
        'status': (48, 1, None, 'CP',
            "0, or the negative of the task's first error.", {
            }),
        'batch': (52, 1, None, 'CP',
            'CTAs that an SM may gather into one report before it has to send it.', {
            }),
        'limit_ticks': (56, 1, None, 'CP',
            'Time limit of a CTA in ticks; 0 for none.', {
            }),
        'reason': (60, 1, 'reason', 'CP',
            'Why no more of it is issued now.', {
            }),
    }),
    'sm_state': (128, {
        'task_assign': (0, 1, None, 'CP',
            'The task that the SM was last sent CTAs of.', {
                'slot': (0, 7, None, 'Slot of the task table.'),
                'valid': (8, 8, None, '1: there is one.'),
                'waved': (9, 9, None, '1: the assignment of a wave. It is shown here once something else than the end of the wave happens.'),
                'sequence': (16, 31, None, 'Counts the assignments; of a wave: its number.'),
            }),
        'state_sync': (4, 1, 'sync_state', 'CP',
            "How far the task's state has come.", {
            }),
        'cta_launch': (8, 1, None, 'CP',
            '1: the CP has seen that the SM acknowledged its task.', {
            }),
        'trace': (12, 1, None, 'CP',
            '1: write trace records.', {
            }),
        'free_units': (16, 1, None, 'CP',
            'Bit u: unit u is free.', {
            }),
        'free_ctas': (20, 1, None, 'CP',
            'Free CTA slots.', {
            }),
        'free_warps': (24, 1, None, 'CP',
            'Free warp slots.', {
            }),
        'availability': (28, 1, None, 'CP',
            'CTAs of its task that it could start now (S0-R31), when last computed.', {
            }),
        'area_lo': (32, 1, None, 'CP',
            "Address of the SM's own memory.", {
            }),
        'area_hi': (36, 1, None, 'CP',
            'High word.', {
            }),
        'stop_slot': (40, 1, None, 'CP',
            'Slot | generation << 16 of a task whose CTAs are to stop, with two bits; 0xffffffff for none; 0xfffffffe: the SM itself is to stop.', {
                'stop_turn': (8, 8, None, 'Differs from that of the request before.'),
                'stop_members': (9, 9, None, '1: only those with `member.stop`.'),
            }),
        'share_lo': (44, 1, None, 'CP',
            'Base of the memory that its units are cut from; read with an assignment.', {
            }),
        'share_hi': (48, 1, None, 'CP',
            'High word.', {
            }),
        'share_sms': (52, 1, None, 'CP',
            'SMs that the memory belongs to: 1, or more in throttle mode; its units are that many times as large.', {
            }),
        'share_sequence': (56, 1, None, 'CP',
            'Counts the changes of its share. Other SMs may have used the memory between two of them.', {
            }),
        'reserved_3c': (60, 1, None, 'CP',
            'Zero.', {
            }),
        'sync_ack': (64, 1, None, 'SM',
            'The `task_assign` that the SM has acknowledged.', {
            }),
        'hart_state': (68, 1, 'hart_state', 'SM',
            'State of the hart.', {
            }),
        'health': (72, 1, None, 'SM',
            "Heartbeat: counts the SM's traps and idle wake-ups.", {
            }),
        'resident': (76, 1, None, 'SM',
            'CTAs resident now.', {
            }),
        'ctas': (80, 1, None, 'SM',
            'CTAs completed since the SM started, low word.', {
            }),
        'faults': (84, 1, None, 'SM',
            'CTAs that failed since the SM started.', {
            }),
        'features': (88, 1, None, 'SM',
            'Bit n: feature n, as the core was found.', {
            }),
        'pmp_entries': (92, 1, None, 'SM',
            'PMP entries found.', {
            }),
        'launch_get': (96, 1, None, 'SM',
            'Packets taken from the launch ring.', {
            }),
        'report_put': (100, 1, None, 'SM',
            'Reports written to the report ring.', {
            }),
        'trace_put': (104, 1, None, 'SM',
            'Trace records written.', {
            }),
        'stop_ack': (108, 1, None, 'SM',
            'The `stop_slot` that the SM has acted on.', {
            }),
        'request_put': (112, 1, None, 'SM',
            'Requests written to the request ring.', {
            }),
        'wave_ack': (116, 1, None, 'SM',
            '`wave.serial` of the last wave in whose entry the SM has counted itself.', {
            }),
        'wave_ctas': (120, 1, None, 'SM',
            'CTAs of that wave that the SM has completed. Written before `wave_ack`.', {
            }),
        'reserved_7c': (124, 1, None, 'SM',
            'Zero.', {
            }),
    }),
    'launch': (32, {
        'launch_put': (0, 1, None, 'CP',
            'Packets written.', {
            }),
        'report_get': (4, 1, None, 'CP',
            'Reports taken.', {
            }),
        'request_get': (8, 1, None, 'CP',
            'Requests taken and answered.', {
            }),
        'wave': (12, 1, None, 'CP, then SM',
            'CTAs of a wave; 0: none. The SM takes them before the packets that came after them, and clears the word.', {
                'slot': (0, 7, None, 'Slot of the task, and number of the WAVE entry.'),
                'rank': (8, 23, None, 'Rank of the SM among those of the wave.'),
                'valid': (31, 31, None, '1: there is one.'),
            }),
        'reserved_1c': (28, 1, None, 'CP',
            'Zero.', {
            }),
    }),
    'perf': (192, {
        'commands': (0, 1, None, 'CP',
            'Commands taken.', {
            }),
        'refused': (4, 1, None, 'CP',
            'Commands refused.', {
            }),
        'tasks_accepted': (8, 1, None, 'CP',
            'Tasks accepted.', {
            }),
        'tasks_completed': (12, 1, None, 'CP',
            'Tasks completed, with any status.', {
            }),
        'tasks_failed': (16, 1, None, 'CP',
            'Tasks completed with an error.', {
            }),
        'ctas_lo': (20, 1, None, 'CP',
            'CTAs issued.', {
            }),
        'ctas_hi': (24, 1, None, 'CP',
            'High word.', {
            }),
        'packets': (28, 1, None, 'CP',
            'Launch packets.', {
            }),
        'reports': (32, 1, None, 'CP',
            'CTA reports.', {
            }),
        'assignments': (36, 1, None, 'CP',
            'Tasks assigned to SMs.', {
            }),
        'acks': (40, 1, None, 'CP',
            "Acknowledgements of a task's state.", {
            }),
        'interrupts': (44, 1, None, 'CP',
            'Interrupts taken.', {
            }),
        'passes': (48, 1, None, 'CP',
            'Passes of the event loop.', {
            }),
        'sleeps': (52, 1, None, 'CP',
            'Times the CP went to sleep.', {
            }),
        'class_rebuilds': (56, 1, None, 'CP',
            'Times the availability levels were computed anew.', {
            }),
        'not_issued_slot': (64, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: no slot of the task table.', {
            }),
        'not_issued_sm': (68, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: no SM with room.', {
            }),
        'requests': (72, 1, None, 'CP',
            'Requests of CTAs: child launches, pushes, closes.', {
            }),
        'not_issued_affinity': (76, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: no SM that their affinity allows.', {
            }),
        'not_issued_throttle': (80, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: the other throttle mode.', {
            }),
        'not_issued_sequence': (84, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: a CTA in flight of a sequential task.', {
            }),
        'not_issued_quota': (88, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: their quota used.', {
            }),
        'not_issued_coalesce': (92, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: too few items.', {
            }),
        'not_issued_dependence': (96, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: other tasks to wait for.', {
            }),
        'pool_full': (100, 1, None, 'CP',
            'Times a channel had to wait for a place in the task pool.', {
            }),
        'post_full': (104, 1, None, 'CP',
            'Times a completion had to wait for room in the ring.', {
            }),
        'unmatched': (108, 1, None, 'CP',
            'Reports for a task that is not in its slot: always 0 unless something is broken.', {
            }),
        'evictions': (112, 1, None, 'CP',
            'Times that a task had to leave its slot for another.', {
            }),
        'throttle_switches': (116, 1, None, 'CP',
            'Times that throttle mode was switched on or off.', {
            }),
        'sms_hung': (120, 1, None, 'CP',
            'Times that an SM was reset because it took no interrupt for `config.watch_ms`.', {
            }),
        'not_issued_cluster': (124, 1, None, 'CP',
            'Sum over completed tasks of `completion.not_issued`, for the reason: a CGA that did not fit.', {
            }),
        'cgas': (128, 1, None, 'CP',
            'Top-level CGAs launched.', {
            }),
        'cga_queries': (132, 1, None, 'CP',
            'Queries of domains by sample CGAs (S1-R62).', {
            }),
        'cga_failures': (136, 1, None, 'CP',
            'Sessions that ended because a CGA did not fit (S1-R126).', {
            }),
        'cga_stalls': (140, 1, None, 'CP',
            'Sessions that ended because no id or no record of a CGA was free (S1-R141).', {
            }),
        'cga_barriers': (144, 1, None, 'CP and SMs, by atomic addition',
            'CGA barriers completed.', {
            }),
        'cga_reservations': (148, 1, None, 'CP',
            'Times that SMs were reserved for a CGA that had waited.', {
            }),
        'pull_packets': (152, 1, None, 'CP',
            'Packets of PULL grids.', {
            }),
        'pull_recalls': (156, 1, None, 'CP',
            'Times that an SM was to give its streams of a PULL grid back.', {
            }),
        'pull_ranges': (160, 1, None, 'CP',
            'Ranges of items that were given back and issued again.', {
            }),
        'pull_reissued': (164, 1, None, 'CP',
            'Items that were issued again because their SM was lost.', {
            }),
        'pull_grants': (168, 1, None, 'CP',
            'Chunks that the CP took for SMs without atomics.', {
            }),
        'sms_lost': (172, 1, None, 'CP',
            'Times that an SM stopped, was reset or was written off.', {
            }),
        'waves': (176, 1, None, 'CP',
            'Waves: packets to many SMs whose ends were counted, not reported.', {
            }),
        'waves_opened': (180, 1, None, 'CP',
            'Waves that were opened before their end.', {
            }),
        'sms_back': (184, 1, None, 'CP',
            'Times that an SM came back into service after a reset.', {
            }),
        'ctas_parked': (188, 1, None, 'CP',
            'CTAs that were parked: taken off their SM to go on later.', {
            }),
    }),
    'trace': (32, {
        'put': (0, 1, None, 'CP',
            "Records written to the CP's ring.", {
            }),
        'reserved_1c': (28, 1, None, 'CP',
            'Zero.', {
            }),
    }),
    'error': (320, {
        'panics': (0, 1, None, 'CP',
            'Panics until now; the record is of the last one.', {
            }),
        'cause': (4, 1, None, 'CP',
            'mcause; 0xffffffff for a failed assertion; 0xfffffffe when the machine is not the board of the image.', {
            }),
        'pc_lo': (8, 1, None, 'CP',
            'Program counter.', {
            }),
        'pc_hi': (12, 1, None, 'CP',
            'High word.', {
            }),
        'address_lo': (16, 1, None, 'CP',
            'mtval.', {
            }),
        'address_hi': (20, 1, None, 'CP',
            'High word.', {
            }),
        'line': (24, 1, None, 'CP',
            'Line of a failed assertion.', {
            }),
        'file': (32, 8, None, 'CP',
            'File of a failed assertion: up to 31 letters and a zero.', {
            }),
        'registers': (64, 62, None, 'CP',
            'Integer registers x1 to x31, as pairs of words, low first.', {
            }),
        'board_fault': (316, 1, 'board_fault', 'CP',
            'What is wrong with the machine, when `cause` is 0xfffffffe; else 0.', {
            }),
    }),
    'cluster': (896, {
        'go': (0, 3, None, 'CP',
            'By level, 0 is the innermost: bit u: of the CTA that starts at unit u; the CP makes it equal to `come` when all have come.', {
            }),
        'reserved_3c': (60, 1, None, 'CP',
            'Zero.', {
            }),
        'come': (64, 3, None, 'SM',
            'By level: bit u changes each time the CTA that starts at unit u comes to the barrier.', {
            }),
        'reserved_7c': (124, 1, None, 'SM',
            'Zero.', {
            }),
        'gone': (128, 32, None, 'SM',
            'By unit, what has become of the CTA that started there last: `member.sequence` when it has ended well (S1-R150), that number with all bits inverted while it runs, anything else before.', {
            }),
        'members': (256, 128, None, 'CP',
            '`member` of each unit, four words each.', {
            }),
        'barriers': (768, 32, None, 'CP, then SMs',
            'Barrier of the innermost CGA whose CTA of rank 0 starts at this unit, if its SMs count by themselves; else zero. The CP writes it before the CGA is launched, and not again.', {
                'running': (0, 12, None, 'CTAs that have not ended well.'),
                'missing': (13, 25, None, 'Of these, CTAs that have not come in this round.'),
                'broken': (26, 26, None, 'A CTA failed or was stopped: no CTA passes.'),
                'counted': (27, 27, None, '1: the SMs count.'),
                'round': (28, 31, None, 'Barriers completed, modulo 16.'),
            }),
    }),
    'nd_range': (144, {
        'shape': (0, 1, None, 'host',
            'Shape.', {
                'dimensions': (0, 3, None, '1 to 8.'),
                'descending': (4, 4, None, '1: the last item is dispatched first (S4-R99).'),
                'range_reserved': (5, 31, None, 'Zero.'),
            }),
        'order': (4, 1, None, 'host',
            'Dimensions, the fastest first, 4 bits each from bit 0 on (S4-C2); the rest zero.', {
            }),
        'rows_lo': (8, 1, None, 'host',
            'Address of where each row starts (S4-R98), 64 bits each, in the heap, aligned to 8; 0 when all rows are of the size of the fastest dimension.', {
            }),
        'rows_hi': (12, 1, None, 'host',
            'High word.', {
            }),
        'sizes': (16, 16, None, 'host',
            'Size of each dimension: low word, high word; 1 to 2^32.', {
            }),
        'offsets': (80, 16, None, 'host',
            'Added to the index of each dimension: low word, high word.', {
            }),
    }),
    'work_entry': (128, {
        'remaining': (0, 1, None, 'SMs and CP, by atomic addition',
            'Granules that remain, signed (S4-R113).', {
            }),
        'state': (4, 1, None, 'CP',
            '0 free, 1 placed, 2 open, 3 stopped.', {
            }),
        'id': (8, 1, None, 'CP',
            'Slot | generation << 16 of the task (S4-C5).', {
            }),
        'first_lo': (12, 1, None, 'CP',
            'Position of the first item.', {
            }),
        'first_hi': (16, 1, None, 'CP',
            'High word.', {
            }),
        'items_lo': (20, 1, None, 'CP',
            'Items from there on.', {
            }),
        'items_hi': (24, 1, None, 'CP',
            'High word.', {
            }),
        'granules': (28, 1, None, 'CP',
            'Granules in all.', {
            }),
        'shift': (32, 1, None, 'CP',
            'A granule is 2^shift items.', {
            }),
        'units': (36, 1, None, 'CP',
            'SMs that may take.', {
            }),
        'groups': (40, 1, None, 'CP',
            'Far GPCs, and one for all near SMs.', {
            }),
        'chunk_fixed': (44, 1, None, 'CP',
            'Granules of a chunk; 0: adaptive (S4-R57, R58).', {
            }),
        'chunk_least': (48, 1, None, 'CP',
            'Smallest chunk.', {
            }),
        'chunk_most': (52, 1, None, 'CP',
            'Largest chunk.', {
            }),
        'far_factor': (56, 1, None, 'CP',
            'Chunks of a portion of a far GPC; 0: one for each SM.', {
            }),
        'target_ticks': (60, 1, None, 'CP',
            'An adaptive chunk takes about this long; 0: no limit.', {
            }),
        'approved': (64, 16, None, 'CP',
            'Bit i of word w: SM 32 w + i may take (S4-R22).', {
            }),
    }),
    'local_queue': (256, {
        'word': (0, 1, None, 'SMs, by compare-and-swap',
            'Number of the portion << 20 | granules left of it.', {
            }),
        'state': (4, 1, None, 'SMs, by compare-and-swap',
            'Kind << 12 | number: 0 closed, 1 staged, 2 fetching, 3 empty.', {
            }),
        'first': (8, 2, None, 'the SM that fetches',
            'By parity of the number: first granule of the portion.', {
            }),
        'count': (16, 2, None, 'the SM that fetches',
            'By parity of the number: its granules.', {
            }),
        'stopped': (24, 1, None, 'CP',
            '1: nothing more is granted.', {
            }),
        'members': (28, 1, None, 'CP',
            'Approved SMs of the GPC.', {
            }),
        'threshold': (32, 1, None, 'CP',
            'The next portion is fetched when no more granules are left (S4-R79).', {
            }),
        'id': (36, 1, None, 'CP',
            'Slot | generation << 16 of the task (S4-C5).', {
            }),
        'first_lo': (40, 1, None, 'CP',
            'Position of the first item.', {
            }),
        'first_hi': (44, 1, None, 'CP',
            'High word.', {
            }),
        'items_lo': (48, 1, None, 'CP',
            'Items from there on.', {
            }),
        'items_hi': (52, 1, None, 'CP',
            'High word.', {
            }),
        'granules': (56, 1, None, 'CP',
            'Granules in all.', {
            }),
        'shift': (60, 1, None, 'CP',
            'A granule is 2^shift items.', {
            }),
        'units': (64, 1, None, 'CP',
            'SMs that may take.', {
            }),
        'groups': (68, 1, None, 'CP',
            'Far GPCs, and one for all near SMs.', {
            }),
        'chunk_fixed': (72, 1, None, 'CP',
            'Granules of a chunk; 0: adaptive (S4-R57, R58).', {
            }),
        'chunk_least': (76, 1, None, 'CP',
            'Smallest chunk.', {
            }),
        'chunk_most': (80, 1, None, 'CP',
            'Largest chunk.', {
            }),
        'far_factor': (84, 1, None, 'CP',
            'Chunks of a portion of a far GPC; 0: one for each SM.', {
            }),
        'target_ticks': (88, 1, None, 'CP',
            'An adaptive chunk takes about this long; 0: no limit.', {
            }),
        'reserved_7c': (124, 1, None, 'CP',
            'Zero.', {
            }),
        'approved': (128, 16, None, 'CP',
            'Approved SMs of the GPC (S4-R31).', {
            }),
        'seen': (192, 16, None, 'CP',
            'Reserved: zero.', {
            }),
    }),
    'hand': (64, {
        'id': (0, 1, None, 'SM',
            'Slot | generation << 16 of the task; 0: nothing.', {
            }),
        'left': (4, 1, None, 'SM',
            'Items of its chunk that it has not started.', {
            }),
        'next_lo': (8, 1, None, 'SM',
            'Position of the first of them.', {
            }),
        'next_hi': (12, 1, None, 'SM',
            'High word.', {
            }),
        'chunks': (16, 1, None, 'SM',
            'Chunks finished.', {
            }),
        'granules': (20, 1, None, 'SM',
            'Granules in them, modulo 2^32.', {
            }),
        'ticks_per_granule': (24, 1, None, 'SM',
            'In 1/256 ticks, smoothed.', {
            }),
        'last_granules': (28, 1, None, 'SM',
            'In the last chunk.', {
            }),
        'last_ticks': (32, 1, None, 'SM',
            'Time of the last chunk.', {
            }),
        'worth': (36, 1, None, 'SM',
            'Granules that are so short that it is not worth while to take fewer.', {
            }),
        'first_lo': (40, 1, None, 'SM',
            'Position of the first item of the chunk in hand (S4-R37).', {
            }),
        'first_hi': (44, 1, None, 'SM',
            'High word.', {
            }),
        'items': (48, 1, None, 'SM',
            'Items of it.', {
            }),
        'since_lo': (52, 1, None, 'SM',
            'When it was taken, in ticks.', {
            }),
        'since_hi': (56, 1, None, 'SM',
            'High word.', {
            }),
        'portions': (60, 1, None, 'SM',
            'Portions that it fetched for its GPC.', {
            }),
    }),
    'wave': (48, {
        'left': (0, 1, None, 'CP, then SMs, by atomic addition',
            'SMs that have not counted themselves.', {
            }),
        'first': (4, 1, None, 'CP, then SMs, by atomic minimum',
            'Start of the earliest CTA, in ticks from `since` on.', {
            }),
        'last': (8, 1, None, 'CP, then SMs, by atomic maximum',
            'End of the latest CTA, in ticks from `since` on.', {
            }),
        'open': (12, 1, None, 'CP',
            '0: SMs count their ends. 1: an SM that has counted itself rings; one that has not yet writes reports instead.', {
            }),
        'serial': (16, 1, None, 'CP',
            'Counts the waves of the device.', {
            }),
        'since_lo': (20, 1, None, 'CP',
            'When the wave was launched, in ticks.', {
            }),
        'since_hi': (24, 1, None, 'CP',
            'High word.', {
            }),
        'extra': (28, 1, None, 'CP',
            'SMs that get one CTA more, or `run`: those with the lowest ranks.', {
            }),
        'each': (32, 1, None, 'CP',
            'CTAs of each other SM.', {
            }),
        'starts_more': (36, 1, None, 'CP',
            '`packet.starts` of an SM with one CTA more.', {
            }),
        'run': (40, 1, None, 'CP',
            '0: the CTAs of an SM follow one another. Else several CGAs: so many of them do, those of the next CGA come `stride` positions later, and an SM with one CTA more has so many more.', {
            }),
        'stride': (44, 1, None, 'CP',
            'From the first CTA of an SM in a CGA to that in its next one, in positions; 0 when `run` is.', {
            }),
    }),
    'pull': (2432, {
        'running': (0, 64, None, 'SM',
            'By unit, low word then high word: position of the item that the stream that starts there runs.', {
            }),
        'last': (256, 32, None, 'SM',
            'By unit: low word of the position of the last item that the stream has taken, at most 63 after that in `running`. It runs them in order, and may have run some of them already.', {
            }),
        'hands': (384, 512, None, 'SM',
            '`hand` of each slot, sixteen words each.', {
            }),
    }),
    'graph': (96, {
        'mode': (0, 1, None, 'host',
            'How.', {
                'emphasis': (0, 1, 'graph_emphasis', 'What is optimised (S2-R69).'),
                'keep': (2, 2, None, "1: make the graph, do not run it, and keep it: the completion's value is its handle."),
                'graph_reserved': (3, 31, None, 'Zero.'),
            }),
        'handle': (4, 1, None, 'host',
            'Kept graph to launch; 0: the graph is made from the program, and forgotten after its run.', {
            }),
        'program_lo': (8, 1, None, 'host',
            'Address of a `graph_program`, aligned to 8, in the heap; 0 with a handle.', {
            }),
        'program_hi': (12, 1, None, 'host',
            'High word.', {
            }),
        'program_bytes': (16, 1, None, 'host',
            'Bytes of it; a multiple of 8.', {
            }),
        'argument_count': (20, 1, None, 'host',
            'Arguments of the graph, 0 to 64.', {
            }),
        'arguments_lo': (24, 1, None, 'host',
            'Address of the arguments, 64 bits each: numbers, or addresses of buffers; aligned to 8, in the heap.', {
            }),
        'arguments_hi': (28, 1, None, 'host',
            'High word.', {
            }),
        'space_lo': (32, 1, None, 'host',
            'Work space for argument blocks and transient buffers, in the heap, aligned to 64.', {
            }),
        'space_hi': (36, 1, None, 'host',
            'High word.', {
            }),
        'space_bytes_lo': (40, 1, None, 'host',
            'Bytes of it: at least 64 blocks of arguments of 256 bytes.', {
            }),
        'space_bytes_hi': (44, 1, None, 'host',
            'High word.', {
            }),
        'report_lo': (48, 1, None, 'host',
            'Where the CP writes a `graph_report` and a `graph_pass` for each pass; aligned to 8, in the heap; 0 for none.', {
            }),
        'report_hi': (52, 1, None, 'host',
            'High word.', {
            }),
        'report_bytes': (56, 1, None, 'host',
            'Bytes there; passes past the end are not reported.', {
            }),
        'step_budget': (60, 1, None, 'host',
            'Most steps that the program may execute; 0: 1,000,000.', {
            }),
        'time_limit_ms': (64, 1, None, 'host',
            'Longest time from start to end, in milliseconds; 0: none.', {
            }),
        'split_ctas': (68, 1, None, 'host',
            'Plain grids of more CTAs are run as several tasks of at most as many (S2-R82); 0: never.', {
            }),
        'at_once': (72, 1, None, 'host',
            "Most passes that run at once; 0: the device's choice.", {
            }),
        'graph_reserved_4c': (76, 1, None, 'host',
            'Zero.', {
            }),
        'budgets': (80, 4, 'graph_need', 'host',
            'By `graph_need`: most that passes may need together while they run (S2-R67); 0: no limit.', {
            }),
    }),
    'graph_program': (72, {
        'magic': (0, 1, None, 'host',
            '0x50474747, the letters GGGP.', {
            }),
        'version': (4, 1, None, 'host',
            '1.', {
            }),
        'all_bytes': (8, 1, None, 'host',
            'Bytes of all; as `graph.program_bytes`.', {
            }),
        'rules': (12, 1, None, 'host',
            'How it is read.', {
                'block_commands': (0, 7, None, 'Pass commands of a block outside of definitions, N (S2-R47); 1 to 16.'),
                'unordered': (8, 8, None, '1: the order of passes has no meaning: a pass that reads a resource depends on all passes that write it (S2-R59). 0: program order decides what a pass reads.'),
                'program_reserved': (9, 31, None, 'Zero.'),
            }),
        'steps_offset': (16, 1, None, 'host',
            'Array of `graph_step`.', {
            }),
        'steps': (20, 1, None, 'host',
            'Steps, 1 to 65,536.', {
            }),
        'definitions_offset': (24, 1, None, 'host',
            'Array of `graph_definition`.', {
            }),
        'definitions': (28, 1, None, 'host',
            'Pass definitions, 0 to 256 (S2-R20).', {
            }),
        'states_offset': (32, 1, None, 'host',
            'Array of TMDs: kernels with their settings (S2-R22): grids, with or without CGAs, and PULL; no arguments, dependents, `after`, windows, semaphores, print buffer.', {
            }),
        'states': (36, 1, None, 'host',
            'States, 0 to 256.', {
            }),
        'resources_offset': (40, 1, None, 'host',
            'Array of `graph_resource`.', {
            }),
        'resources': (44, 1, None, 'host',
            'Resources, 0 to 16,384.', {
            }),
        'variables': (48, 1, None, 'host',
            'Variables, 0 to 64.', {
            }),
        'copy_state': (52, 1, None, 'host',
            'State that copies: kernel (pointer to, pointer from, u32 bytes), 4,096 bytes a CTA; 0xffffffff: only the CP copies, up to 4,096 bytes.', {
            }),
        'fill_state': (56, 1, None, 'host',
            'State that fills: kernel (pointer to, u32 value, u32 bytes), 4,096 bytes a CTA; 0xffffffff: as above.', {
            }),
        'program_reserved_3c': (60, 1, None, 'host',
            'Zero.', {
            }),
        'types': (64, 2, None, 'host',
            'Bit v of the two words: variable v is a resource, else an integer.', {
            }),
    }),
    'graph_step': (8, {
        'what': (0, 1, None, 'host',
            'Operation and operands: variables, unless the operation says otherwise; those not used are zero.', {
                'op': (0, 7, 'graph_op', 'What to do.'),
                'a': (8, 15, None, 'First.'),
                'b': (16, 23, None, 'Second.'),
                'c': (24, 31, None, 'Third.'),
            }),
        'imm': (4, 1, None, 'host',
            'Number; 0 when it is not used.', {
            }),
    }),
    'graph_definition': (16, {
        'first': (0, 1, None, 'host',
            'First step.', {
            }),
        'count': (4, 1, None, 'host',
            'Steps; the program does not run into them otherwise.', {
            }),
        'id': (8, 1, None, 'host',
            'For the host.', {
            }),
        'definition_reserved_c': (12, 1, None, 'host',
            'Zero.', {
            }),
    }),
    'graph_resource': (24, {
        'kind': (0, 1, 'graph_resource_kind', 'host',
            'What it is.', {
            }),
        'argument': (4, 1, None, 'host',
            "ARGUMENT: number of the graph's argument; else 0.", {
            }),
        'address_lo': (8, 1, None, 'host',
            'FIXED: address, in the heap; ARGUMENT: added to the argument; else 0.', {
            }),
        'address_hi': (12, 1, None, 'host',
            'High word.', {
            }),
        'bytes_lo': (16, 1, None, 'host',
            'Bytes; not 0, but for transients whose size the program sets.', {
            }),
        'bytes_hi': (20, 1, None, 'host',
            'High word.', {
            }),
    }),
    'graph_report': (64, {
        'passes': (0, 1, None, 'CP',
            'Passes of the graph.', {
            }),
        'resources': (4, 1, None, 'CP',
            'Resources that passes use (S2-A7).', {
            }),
        'reads': (8, 1, None, 'CP',
            'Edges from resources to passes (S2-R32).', {
            }),
        'writes': (12, 1, None, 'CP',
            'Edges from passes to resources.', {
            }),
        'steps': (16, 1, None, 'CP',
            'Steps that the program executed.', {
            }),
        'failed': (20, 1, None, 'CP',
            'Passes that failed.', {
            }),
        'skipped': (24, 1, None, 'CP',
            'Passes that were not run.', {
            }),
        'at_once': (28, 1, None, 'CP',
            'Most passes that ran at once.', {
            }),
        'sum_lo': (32, 1, None, 'CP',
            'Bytes of all transient buffers.', {
            }),
        'sum_hi': (36, 1, None, 'CP',
            'High word.', {
            }),
        'peak_lo': (40, 1, None, 'CP',
            'Bytes that they take in the work space.', {
            }),
        'peak_hi': (44, 1, None, 'CP',
            'High word.', {
            }),
        'started_lo': (48, 1, None, 'CP',
            'Start, in ticks: the program begins, or the launch of a kept graph.', {
            }),
        'started_hi': (52, 1, None, 'CP',
            'High word.', {
            }),
        'made_lo': (56, 1, None, 'CP',
            'The graph is made; its first passes start.', {
            }),
        'made_hi': (60, 1, None, 'CP',
            'High word.', {
            }),
    }),
    'graph_pass': (56, {
        'state': (0, 1, None, 'CP',
            'State, and what made it.', {
                'state': (0, 7, 'graph_pass_state', 'State.'),
                'definition': (16, 31, None, 'Definition + 1; 0: a block outside of definitions.'),
            }),
        'status': (4, 1, 'status', 'CP',
            '0, or the negative of an error number: of its first command that failed; ERR_DEPENDENCY when it was skipped.', {
            }),
        'step': (8, 1, None, 'CP',
            'Step that completed it.', {
            }),
        'cause': (12, 1, None, 'CP',
            'SKIPPED: pass that failed, + 1; else 0.', {
            }),
        'ctas_lo': (16, 1, None, 'CP',
            'CTAs that completed.', {
            }),
        'ctas_hi': (20, 1, None, 'CP',
            'High word.', {
            }),
        'estimate': (24, 1, None, 'CP',
            'Time that was expected, in ticks (S2-R37).', {
            }),
        'units': (28, 1, None, 'CP',
            'Memory units of SMs that were expected to be used at once.', {
            }),
        'ready_lo': (32, 1, None, 'CP',
            'All it depends on had ended, in ticks.', {
            }),
        'ready_hi': (36, 1, None, 'CP',
            'High word.', {
            }),
        'started_lo': (40, 1, None, 'CP',
            'Its first command started.', {
            }),
        'started_hi': (44, 1, None, 'CP',
            'High word.', {
            }),
        'ended_lo': (48, 1, None, 'CP',
            'Its last command ended.', {
            }),
        'ended_hi': (52, 1, None, 'CP',
            'High word.', {
            }),
    }),
}

# field id: (block, field)
FIELDS: Dict[int, Tuple[str, str]] = {
    0x01000000: ('tmd', 'version'),
    0x01080000: ('tmd', 'type'),
    0x010C0000: ('tmd', 'mode'),
    0x01100000: ('tmd', 'priority'),
    0x01140000: ('tmd', 'head'),
    0x01150000: ('tmd', 'sequential'),
    0x01160000: ('tmd', 'throttle'),
    0x01170000: ('tmd', 'quota_enable'),
    0x01180000: ('tmd', 'barrier'),
    0x01190000: ('tmd', 'closed'),
    0x011A0000: ('tmd', 'cut_prints'),
    0x011B0000: ('tmd', 'short'),
    0x011C0000: ('tmd', 'reserved'),
    0x01000004: ('tmd', 'generation'),
    0x01000008: ('tmd', 'correlation'),
    0x0100000C: ('tmd', 'context'),
    0x01000010: ('tmd', 'entry'),
    0x01000014: ('tmd', 'entry'),
    0x01000018: ('tmd', 'code'),
    0x0100001C: ('tmd', 'code'),
    0x01000020: ('tmd', 'code_bytes'),
    0x01000024: ('tmd', 'args_bytes'),
    0x01000028: ('tmd', 'args'),
    0x0100002C: ('tmd', 'args'),
    0x01000030: ('tmd', 'grid_x'),
    0x01000034: ('tmd', 'grid_y'),
    0x01100034: ('tmd', 'grid_z'),
    0x01000038: ('tmd', 'block_x'),
    0x01100038: ('tmd', 'block_y'),
    0x0100003C: ('tmd', 'block_z'),
    0x0110003C: ('tmd', 'dimensions'),
    0x0112003C: ('tmd', 'block_reserved'),
    0x01000040: ('tmd', 'cluster_x'),
    0x01100040: ('tmd', 'cluster_y'),
    0x01000044: ('tmd', 'cluster_z'),
    0x01100044: ('tmd', 'cluster_domain'),
    0x01120044: ('tmd', 'cluster_reserved'),
    0x01000048: ('tmd', 'shared_bytes'),
    0x0100004C: ('tmd', 'private_bytes'),
    0x01000050: ('tmd', 'registers'),
    0x01000054: ('tmd', 'gpc_mask'),
    0x01000058: ('tmd', 'affinity'),
    0x0100005C: ('tmd', 'affinity'),
    0x01000060: ('tmd', 'quota'),
    0x01000064: ('tmd', 'time_limit_us'),
    0x01000068: ('tmd', 'retry_limit'),
    0x0100006C: ('tmd', 'chunk'),
    0x01000070: ('tmd', 'queue'),
    0x01000074: ('tmd', 'queue'),
    0x01000078: ('tmd', 'queue_capacity'),
    0x0100007C: ('tmd', 'queue_item_bytes'),
    0x01000080: ('tmd', 'queue_items'),
    0x01100080: ('tmd', 'queue_minimum'),
    0x01000084: ('tmd', 'coalesce_us'),
    0x01000088: ('tmd', 'dependence_count'),
    0x0100008C: ('tmd', 'dependent_count'),
    0x01000090: ('tmd', 'dependents'),
    0x01000094: ('tmd', 'dependents'),
    0x01000098: ('tmd', 'semaphore0'),
    0x0100009C: ('tmd', 'semaphore0'),
    0x010000A0: ('tmd', 'semaphore0_value'),
    0x010000A4: ('tmd', 'semaphore0_op'),
    0x010000A8: ('tmd', 'semaphore1'),
    0x010000AC: ('tmd', 'semaphore1'),
    0x010000B0: ('tmd', 'semaphore1_value'),
    0x010000B4: ('tmd', 'semaphore1_op'),
    0x010000B8: ('tmd', 'resume'),
    0x010000BC: ('tmd', 'resume'),
    0x010000C0: ('tmd', 'heap'),
    0x010000C4: ('tmd', 'heap'),
    0x010000C8: ('tmd', 'heap_bytes'),
    0x010000CC: ('tmd', 'heap_bytes'),
    0x010000D0: ('tmd', 'windows'),
    0x010000D4: ('tmd', 'windows'),
    0x010000D8: ('tmd', 'window_count'),
    0x010000DC: ('tmd', 'after'),
    0x010000E0: ('tmd', 'after'),
    0x010000E4: ('tmd', 'after_count'),
    0x010000E8: ('tmd', 'queue_outstanding'),
    0x010000EC: ('tmd', 'print'),
    0x010000F0: ('tmd', 'print'),
    0x010000F4: ('tmd', 'print_bytes'),
    0x010000F8: ('tmd', 'outer_x'),
    0x010A00F8: ('tmd', 'outer_y'),
    0x011400F8: ('tmd', 'outer_z'),
    0x011E00F8: ('tmd', 'outer_domain'),
    0x010000FC: ('tmd', 'top_x'),
    0x010A00FC: ('tmd', 'top_y'),
    0x011400FC: ('tmd', 'top_z'),
    0x011E00FC: ('tmd', 'top_domain'),
    0x02000000: ('command', 'opcode'),
    0x02080000: ('command', 'no_interrupt'),
    0x02090000: ('command', 'command_reserved'),
    0x02000004: ('command', 'tag'),
    0x02000008: ('command', 'address'),
    0x0200000C: ('command', 'address'),
    0x02000010: ('command', 'argument0'),
    0x02000014: ('command', 'argument1'),
    0x02000018: ('command', 'argument2'),
    0x0200001C: ('command', 'argument3'),
    0x03000000: ('completion', 'tag'),
    0x03000004: ('completion', 'status'),
    0x03000008: ('completion', 'field'),
    0x0300000C: ('completion', 'value'),
    0x03000010: ('completion', 'value'),
    0x03000014: ('completion', 'channel'),
    0x03080014: ('completion', 'opcode'),
    0x03100014: ('completion', 'sms'),
    0x03000018: ('completion', 'ctas'),
    0x0300001C: ('completion', 'ctas'),
    0x03000020: ('completion', 'posted'),
    0x03000024: ('completion', 'posted'),
    0x03000028: ('completion', 'ready'),
    0x0300002C: ('completion', 'ready'),
    0x03000030: ('completion', 'first'),
    0x03000034: ('completion', 'first'),
    0x03000038: ('completion', 'last'),
    0x0300003C: ('completion', 'last'),
    0x03000040: ('completion', 'done'),
    0x03000044: ('completion', 'done'),
    0x03000048: ('completion', 'fault_sm'),
    0x03100048: ('completion', 'fault_sequence'),
    0x0300004C: ('completion', 'packets'),
    0x03000050: ('completion', 'not_issued'),
    0x03000078: ('completion', 'mode'),
    0x0300007C: ('completion', 'retried'),
    0x04000000: ('window', 'base'),
    0x04000004: ('window', 'base'),
    0x04000008: ('window', 'bytes'),
    0x0400000C: ('window', 'bytes_hi'),
    0x0410000C: ('window', 'read'),
    0x0411000C: ('window', 'write'),
    0x0412000C: ('window', 'window_reserved'),
    0x07000000: ('dependent', 'tmd'),
    0x07000004: ('dependent', 'tmd'),
    0x07000008: ('dependent', 'tmd_generation'),
    0x0700000C: ('dependent', 'action'),
    0x0704000C: ('dependent', 'action_reserved'),
    0x0710000C: ('dependent', 'amount'),
    0x05000000: ('config', 'mode'),
    0x05000004: ('config', 'floor_per_mille'),
    0x05000008: ('config', 'time_limit_us'),
    0x0500000C: ('config', 'trace'),
    0x05000010: ('config', 'parts'),
    0x05000014: ('config', 'throttle_sms'),
    0x05000018: ('config', 'cga_ids'),
    0x0500001C: ('config', 'cga_patience'),
    0x05000020: ('config', 'far_ticks'),
    0x05000024: ('config', 'chunk_us'),
    0x05000028: ('config', 'local_low'),
    0x0500002C: ('config', 'answer_ms'),
    0x05000030: ('config', 'watch_ms'),
    0x05000034: ('config', 'restarts'),
    0x05000038: ('config', 'park_ms'),
    0x0500003C: ('config', 'park_page'),
    0x05000040: ('config', 'enabled'),
    0x05000080: ('config', 'rank'),
    0x05000880: ('config', 'gpc'),
    0x05080880: ('config', 'cpc'),
    0x05100880: ('config', 'tpc'),
    0x05001080: ('config', 'latency'),
    0x06000000: ('channel', 'put'),
    0x06000004: ('channel', 'priority'),
    0x06000008: ('channel', 'reset'),
    0x06000020: ('channel', 'get'),
    0x06000024: ('channel', 'state'),
    0x06000028: ('channel', 'refused_put'),
    0x0600002C: ('channel', 'reset_done'),
    0x06000030: ('channel', 'accepted'),
    0x0600003C: ('channel', 'reserved_3c'),
    0x08000000: ('nd_range', 'dimensions'),
    0x08040000: ('nd_range', 'descending'),
    0x08050000: ('nd_range', 'range_reserved'),
    0x08000004: ('nd_range', 'order'),
    0x08000008: ('nd_range', 'rows'),
    0x0800000C: ('nd_range', 'rows'),
    0x08000010: ('nd_range', 'sizes'),
    0x08000050: ('nd_range', 'offsets'),
    0x09000000: ('graph', 'emphasis'),
    0x09020000: ('graph', 'keep'),
    0x09030000: ('graph', 'graph_reserved'),
    0x09000004: ('graph', 'handle'),
    0x09000008: ('graph', 'program'),
    0x0900000C: ('graph', 'program'),
    0x09000010: ('graph', 'program_bytes'),
    0x09000014: ('graph', 'argument_count'),
    0x09000018: ('graph', 'arguments'),
    0x0900001C: ('graph', 'arguments'),
    0x09000020: ('graph', 'space'),
    0x09000024: ('graph', 'space'),
    0x09000028: ('graph', 'space_bytes'),
    0x0900002C: ('graph', 'space_bytes'),
    0x09000030: ('graph', 'report'),
    0x09000034: ('graph', 'report'),
    0x09000038: ('graph', 'report_bytes'),
    0x0900003C: ('graph', 'step_budget'),
    0x09000040: ('graph', 'time_limit_ms'),
    0x09000044: ('graph', 'split_ctas'),
    0x09000048: ('graph', 'at_once'),
    0x0900004C: ('graph', 'graph_reserved_4c'),
    0x09000050: ('graph', 'budgets'),
    0x0A000000: ('graph_program', 'magic'),
    0x0A000004: ('graph_program', 'version'),
    0x0A000008: ('graph_program', 'all_bytes'),
    0x0A00000C: ('graph_program', 'block_commands'),
    0x0A08000C: ('graph_program', 'unordered'),
    0x0A09000C: ('graph_program', 'program_reserved'),
    0x0A000010: ('graph_program', 'steps_offset'),
    0x0A000014: ('graph_program', 'steps'),
    0x0A000018: ('graph_program', 'definitions_offset'),
    0x0A00001C: ('graph_program', 'definitions'),
    0x0A000020: ('graph_program', 'states_offset'),
    0x0A000024: ('graph_program', 'states'),
    0x0A000028: ('graph_program', 'resources_offset'),
    0x0A00002C: ('graph_program', 'resources'),
    0x0A000030: ('graph_program', 'variables'),
    0x0A000034: ('graph_program', 'copy_state'),
    0x0A000038: ('graph_program', 'fill_state'),
    0x0A00003C: ('graph_program', 'program_reserved_3c'),
    0x0A000040: ('graph_program', 'types'),
    0x0B000000: ('graph_step', 'op'),
    0x0B080000: ('graph_step', 'a'),
    0x0B100000: ('graph_step', 'b'),
    0x0B180000: ('graph_step', 'c'),
    0x0B000004: ('graph_step', 'imm'),
    0x0C000000: ('graph_definition', 'first'),
    0x0C000004: ('graph_definition', 'count'),
    0x0C000008: ('graph_definition', 'id'),
    0x0C00000C: ('graph_definition', 'definition_reserved_c'),
    0x0D000000: ('graph_resource', 'kind'),
    0x0D000004: ('graph_resource', 'argument'),
    0x0D000008: ('graph_resource', 'address'),
    0x0D00000C: ('graph_resource', 'address'),
    0x0D000010: ('graph_resource', 'bytes'),
    0x0D000014: ('graph_resource', 'bytes'),
    0x0E000000: ('graph_report', 'passes'),
    0x0E000004: ('graph_report', 'resources'),
    0x0E000008: ('graph_report', 'reads'),
    0x0E00000C: ('graph_report', 'writes'),
    0x0E000010: ('graph_report', 'steps'),
    0x0E000014: ('graph_report', 'failed'),
    0x0E000018: ('graph_report', 'skipped'),
    0x0E00001C: ('graph_report', 'at_once'),
    0x0E000020: ('graph_report', 'sum'),
    0x0E000024: ('graph_report', 'sum'),
    0x0E000028: ('graph_report', 'peak'),
    0x0E00002C: ('graph_report', 'peak'),
    0x0E000030: ('graph_report', 'started'),
    0x0E000034: ('graph_report', 'started'),
    0x0E000038: ('graph_report', 'made'),
    0x0E00003C: ('graph_report', 'made'),
    0x0F000000: ('graph_pass', 'state'),
    0x0F100000: ('graph_pass', 'definition'),
    0x0F000004: ('graph_pass', 'status'),
    0x0F000008: ('graph_pass', 'step'),
    0x0F00000C: ('graph_pass', 'cause'),
    0x0F000010: ('graph_pass', 'ctas'),
    0x0F000014: ('graph_pass', 'ctas'),
    0x0F000018: ('graph_pass', 'estimate'),
    0x0F00001C: ('graph_pass', 'units'),
    0x0F000020: ('graph_pass', 'ready'),
    0x0F000024: ('graph_pass', 'ready'),
    0x0F000028: ('graph_pass', 'started'),
    0x0F00002C: ('graph_pass', 'started'),
    0x0F000030: ('graph_pass', 'ended'),
    0x0F000034: ('graph_pass', 'ended'),
}
