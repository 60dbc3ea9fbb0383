# SPDX-License-Identifier: Apache-2.0
"""Structures of host/include/ganger*.h, field for field. Nothing else belongs here."""

import ctypes
from ctypes import (POINTER, c_char, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p)

from typing import Any, List

from . import abi

PARAMETERS_MAX = 32
RANGE_DIMENSIONS = 8
REASONS = abi.ENUMS["reason"]["NONE"]  # NONE is the last and is not counted.
TMD_BYTES = abi.BLOCKS["tmd"][0]
TmdBytes = c_uint32 * (TMD_BYTES // 4)
PerfWords = c_uint32 * (abi.BLOCKS["perf"][0] // 4)
ConfigWords = c_uint32 * (abi.BLOCKS["config"][0] // 4)


def _words(names: str) -> List[Any]:
    return [(name, c_uint32) for name in names.split()]


def _longs(names: str) -> List[Any]:
    return [(name, c_uint64) for name in names.split()]


class Failure(ctypes.Structure):
    """struct gg_failure."""
    _fields_ = [("status", c_int32), ("field", c_uint32), ("value", c_uint64),
                ("name", c_char * 64), ("message", c_char * 256),
                ("fault_sm", c_uint32), ("fault_sequence", c_uint32)]


class Boot(ctypes.Structure):
    """struct gg_boot."""
    _fields_ = [("board", c_char_p), ("sms", c_uint32), ("icount", c_uint32),
                ("ram_bytes", c_uint64), ("build", c_char_p), ("plugin", c_char_p),
                ("extra", POINTER(c_char_p)), ("timeout_ms", c_uint32), ("reserved", c_uint32),
                ("processors", c_char_p), ("listen", c_char_p)]


class Sharing(ctypes.Structure):
    """struct gg_sharing."""
    _fields_ = _words("hosts reserved") + [("group", c_char_p)]


class Host(ctypes.Structure):
    """struct gg_host."""
    _fields_ = (_words("host state") + [("pid", c_int32)]
                + _words("uid first_channel channels most on_way") + _longs("heap heap_bytes completed"))


class Info(ctypes.Structure):
    """struct gg_info."""
    _fields_ = (_words("abi_major abi_minor state xlen features timebase_hz sms slots priorities "
                       "channels tasks_max channel_entries completion_entries launch_entries "
                       "trace_entries fault_entries block_threads_max warp_threads sm_ctas "
                       "sm_warps sm_units sm_shared_bytes sm_private_bytes sm_registers "
                       "sm_area_bytes window_bytes cgas_max cga_ctas_max")
                + [("build", c_uint32 * 4), ("qemu_pid", c_int32)]
                + _longs("base heap heap_bytes ram ram_bytes")
                + [("board", c_char * 32)])


class Parameter(ctypes.Structure):
    """struct gg_parameter."""
    _fields_ = ([("name", c_char * 64), ("type_name", c_char * 64)]
                + _words("kind type bytes offset align constant space qualifiers") + [("cl_type", c_char * 64)])


class KernelInfo(ctypes.Structure):
    """struct gg_kernel_info."""
    _fields_ = ([("name", c_char * 128)] + _words("shared_bytes stack_bytes flags")
                + [("block", c_uint32 * 3)] + _words("entry argument_bytes parameters")
                + [("parameter", Parameter * PARAMETERS_MAX), ("attributes", c_char * 192)])


class Elf(ctypes.Structure):
    """struct gg_elf."""
    _fields_ = (_words("xlen kernels features reserved")
                + [("bytes", c_uint64), ("isa", c_char * 32), ("producer", c_char * 96)])


class Argument(ctypes.Structure):
    """struct gg_argument."""
    _fields_ = [("kind", c_uint32), ("bytes", c_uint32), ("data", c_void_p)]


class Memory(ctypes.Structure):
    """struct gg_memory."""
    _fields_ = _longs("address bytes") + _words("read write")


class Dependence(ctypes.Structure):
    """struct gg_dependence."""
    _fields_ = ([("task", c_void_p), ("address", c_uint64)]
                + _words("generation action amount reserved"))


class Semaphore(ctypes.Structure):
    """struct gg_semaphore."""
    _fields_ = [("address", c_uint64)] + _words("value op")


class Queue(ctypes.Structure):
    """struct gg_queue."""
    _fields_ = (_words("capacity item_bytes items minimum coalesce_us closed data_items reserved")
                + [("data", c_void_p)])


class Range(ctypes.Structure):
    """struct gg_range."""
    _fields_ = (_words("dimensions descending")
                + [("sizes", c_uint64 * RANGE_DIMENSIONS), ("offsets", c_uint64 * RANGE_DIMENSIONS),
                   ("order", c_uint32 * RANGE_DIMENSIONS), ("rows", POINTER(c_uint64)),
                   ("row_count", c_uint64)])


class GraphRun(ctypes.Structure):
    """struct gg_graph_run."""
    _fields_ = ([("program", c_char_p), ("arguments", POINTER(c_uint64))]
                + _longs("program_bytes space_bytes")
                + _words("argument_count handle keep emphasis step_budget time_limit_ms split_ctas "
                         "at_once")
                + [("budgets", c_uint32 * 4)] + _words("report_passes raw_mode"))


class Work(ctypes.Structure):
    """struct gg_work."""
    _fields_ = ([("module", c_void_p)] + _words("kernel dimensions")
                + [("grid", c_uint32 * 3), ("block", c_uint32 * 3)]
                + _words("mode argument_count") + [("arguments", POINTER(Argument))]
                + _words("priority channel head sequential throttle quota time_limit_us "
                         "retry_limit")
                + [(level, c_uint32 * 3) for level in ("cluster", "outer", "top")]
                + _words("cluster_domain outer_domain top_domain gpc_mask stack_bytes "
                         "correlation affinity_count memory_count after_count flags type "
                         "dependence_count dependent_count")
                + [("affinity", POINTER(c_uint32)), ("memory", POINTER(Memory)),
                   ("after", POINTER(c_void_p)), ("dependents", POINTER(Dependence)),
                   ("semaphores", Semaphore * 2), ("queue", Queue), ("context", c_void_p)]
                + _words("print_bytes chunk")
                + [("range", POINTER(Range)), ("graph", POINTER(GraphRun)), ("offset", c_uint32 * 3), ("edge", c_uint32 * 3),
                   ("first_cta", c_uint64)] + _words("ctas reserved"))


class Done(ctypes.Structure):
    """struct gg_done."""
    _fields_ = ([("complete", c_uint32), ("status", c_int32)] + _words("tag field")
                + _longs("value ctas") + [("times", c_uint64 * 5)]
                + _words("sms packets channel opcode fault_sm fault_sequence")
                + [("not_issued", c_uint32 * REASONS)] + _words("retried mode"))


class Traffic(ctypes.Structure):
    """struct gg_traffic."""
    _fields_ = _longs("posted completed unknown interrupts doorbells")


class Event(ctypes.Structure):
    """struct gg_event."""
    _fields_ = _words("type place sm tag cta extra") + _longs("start end")


class Fault(ctypes.Structure):
    """struct gg_fault."""
    _fields_ = ([("status", c_int32)] + _words("tag sm thread cause context cga cga_rank")
                + _longs("cta pc address") + [("registers", c_uint64 * 31)])


class Panic(ctypes.Structure):
    """struct gg_panic."""
    _fields_ = (_words("panics cause line reserved") + _longs("pc address")
                + [("registers", c_uint64 * 31), ("file", c_char * 32)])


class Raw(ctypes.Structure):
    """struct gg_raw."""
    _fields_ = (_words("channel opcode flags reserved")
                + [("address", c_uint64), ("argument", c_uint32 * 4)])


# Calls of the library: name -> types of the parameters. All return an enum gg_status.
_P, _U, _L, _S = c_void_p, c_uint32, c_uint64, c_char_p
_PP, _PU, _PL = POINTER(c_void_p), POINTER(c_uint32), POINTER(c_uint64)
PROTOTYPES = {
    "gg_error_last": [POINTER(Failure)],
    "gg_field_name": [_U, _S, c_size_t],
    "gg_device_boot": [POINTER(Boot), _PP],
    "gg_device_attach": [_S, _PP],
    "gg_device_observe": [_S, _PP],
    "gg_device_connect": [_S, _PP],
    "gg_device_up": [_S, POINTER(Boot)],
    "gg_device_up_shared": [_S, POINTER(Boot), POINTER(Sharing)],
    "gg_device_down": [_S, _U],
    "gg_hosts": [_S, POINTER(Host), _U, _PU],
    "gg_host_quota": [_S, _U, _U],
    "gg_device_close": [_P],
    "gg_device_info": [_P, POINTER(Info)],
    "gg_device_alive": [_P, _U],
    "gg_device_stood_still": [_P, POINTER(c_uint64)],
    "gg_device_clock": [_P, _U, POINTER(c_uint64)],
    "gg_context_create": [_P, _L, _PP],
    "gg_context_destroy": [_P],
    "gg_context_default": [_P, _PP],
    "gg_context_info": [_P, _PU, _PL, _PL, _PL],
    "gg_alloc": [_P, _L, _L, _PL],
    "gg_free": [_P, _L],
    "gg_write": [_P, _L, _P, _L],
    "gg_read": [_P, _L, _P, _L],
    "gg_context_write": [_P, _L, _P, _L],
    "gg_context_copy": [_P, _L, _L, _L, _U],
    "gg_context_fill": [_P, _L, _U, _L, _U],
    "gg_context_read": [_P, _L, _P, _L],
    "gg_memory_share": [_P, _L, _L, POINTER(ctypes.c_int), _PL],
    "gg_elf_info": [_S, POINTER(Elf)],
    "gg_elf_kernel": [_S, _U, POINTER(KernelInfo)],
    "gg_elf_parameter": [_S, _U, _U, POINTER(Parameter)],
    "gg_module_load": [_P, _S, _PP],
    "gg_module_load_bytes": [_P, _P, c_size_t, _PP],
    "gg_module_unload": [_P],
    "gg_module_info": [_P, POINTER(Elf), _PL, _PL],
    "gg_module_kernel": [_P, _U, POINTER(KernelInfo)],
    "gg_module_parameter": [_P, _U, _U, POINTER(Parameter)],
    "gg_range_items": [POINTER(Range), _PL],
    "gg_range_index": [POINTER(Range), _L, _PL],
    "gg_range_position": [POINTER(Range), _PL, _PL],
    "gg_range_recompose": [POINTER(Range), _L, _L, _P, _L, _P, _L],
    "gg_submit_many": [POINTER(Work), _U, _U, _PP, _PU],
    "gg_clusters": [POINTER(Work), _U, _PL, _PL],
    "gg_task_wait": [_P, _U, POINTER(Done)],
    "gg_task_wait_any": [_PP, _U, _U, _PU],
    "gg_task_poll": [_P, POINTER(Done)],
    "gg_task_tag": [_P, _PU],
    "gg_task_release": [_P],
    "gg_task_output": [_P, _S, c_size_t, POINTER(c_size_t)],
    "gg_task_name": [_P, _PL, _PU],
    "gg_task_cancel": [_P, _U],
    "gg_task_suspend": [_P, _U],
    "gg_task_resume": [_P, _U],
    "gg_queue_push": [_P, _P, _U, _U, _PU],
    "gg_queue_close": [_P, _U],
    "gg_graph_check": [_S, _L, _U],
    "gg_graph_report": [_P, _P, _P, _U, _PU],
    "gg_graph_free": [_P, _U, _U],
    "gg_graph_state": [POINTER(Work), POINTER(TmdBytes)],
    "gg_graph_moves": [_P, POINTER(TmdBytes), POINTER(TmdBytes)],
    "gg_template_create": [POINTER(Work), _PL, _PU],
    "gg_template_destroy": [_P, _L],
    "gg_channel_cancel": [_P, _U, _U],
    "gg_channel_suspend": [_P, _U, _U],
    "gg_channel_resume": [_P, _U, _U],
    "gg_regs_read": [_P, _U, _PU, _U],
    "gg_regs_write": [_P, _U, _PU, _U],
    "gg_stat": [_P, POINTER(PerfWords)],
    "gg_traffic": [_P, POINTER(Traffic)],
    "gg_completions_wait": [_P, _U, _PL],
    "gg_config_get": [_P, POINTER(ConfigWords)],
    "gg_config_set": [_P, _U, POINTER(ConfigWords), _U],
    "gg_query": [_P, _U, _U, _PL],
    "gg_trace_enable": [_P, _U, _U],
    "gg_trace_read": [_P, _U, _PU, POINTER(Event), _U, _PU, _PL],
    "gg_fault_read": [_P, _U, _U, POINTER(Fault)],
    "gg_panic_read": [_P, POINTER(Panic)],
    "gg_console_read": [_P, _S, c_size_t, POINTER(c_size_t)],
    "gg_orphans": [_P, POINTER(Done), _U, _PU],
    "gg_command_post": [_P, POINTER(Raw), _U, _PP],
    "gg_tmd_create": [POINTER(Work), POINTER(TmdBytes), _PL],
    "gg_tmd_destroy": [_P, _L],
    "gg_doorbell": [_P],
    "gg_channel_put": [_P, _U, _U],
    "gg_channel_priority": [_P, _U, _U],
    "gg_channel_reset": [_P, _U, _U],
    "gg_sm_reset": [_P, _U, _U],
    "gg_device_restart": [_P, _U],
}
