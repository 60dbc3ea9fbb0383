# SPDX-License-Identifier: Apache-2.0
"""Ganger: hosts of Ganger devices in Python.

    import ganger
    with ganger.Device.boot("qemu-virt64", sms=8) as dev:
        mod = dev.load("build/kernels/vecadd.elf")
        a, b, c = dev.buffer(data_a), dev.buffer(data_b), dev.buffer(nbytes=4 * n)
        task = dev.submit(mod["vecadd"], grid=(n // 128,), block=(128,), args=[a, b, c, n])
        done = task.wait(timeout=10)
        result = c.read()

Standard library only, over build/host/libganger.so. Times are in seconds, sizes in bytes. What
goes wrong is a ganger.Error with the ABI's status.
"""

from .boot import BootOptions
from .channels import Channel
from .compiler import Built, build
from .config import Config
from .context import ClusterCounts, Context
from .cycle_costs import Estimate, estimate_cycles
from .cycles import CycleProfile, Sections
from .device import Device
from .errors import Error, status_text
from .faults import Fault
from .group import (DeviceGroup, GraphDone, GroupBuffer, GroupDone, GroupGraph, GroupKernel, GroupModule, GroupTask, PartDone,
                    PassDone, devices)
from .graph import (Graph, GraphReport, GraphTask, GraphText, KeptGraph, PassReport, assemble,
                    disassemble, graph_of, read_graph)
from .graph import Program as GraphProgram
from .kernels import ElfInfo, Kernel, Module, Parameter, elf_info
from .memory import Buffer
from .places import sample
from .profile import Profile, Profiler
from .progress import Progress
from .pulls import PullHistory
from .queues import Queue, QueueTask
from .ranges import Range, Results
from .rawtmd import Tmd
from .sharing import Host, host_quota, hosts
from .stages import Stage, StageProfiler
from .tasks import Done, Task, Times, wait_any
from .template import Template
from .trace import Trace
from .values import Value, f32, f64, i8, i16, i32, i64, local, raw, u8, u16, u32, u64
from .work import Work

__all__ = [
    "BootOptions", "Buffer", "Built", "Channel", "ClusterCounts", "Config", "Context", "CycleProfile", "Device", "DeviceGroup", "Done",
    "ElfInfo", "Error", "Estimate", "Fault", "Graph", "GraphProgram", "GraphReport", "GraphTask", "GraphText",
    "GraphDone", "GroupBuffer", "GroupDone", "GroupGraph", "GroupKernel", "GroupModule", "GroupTask", "Host",
    "Kernel", "KeptGraph", "Module", "Parameter", "PartDone", "PassReport", "Profile", "Profiler", "Progress",
    "PullHistory",
    "Queue", "QueueTask", "Range", "Results", "Sections", "Stage", "StageProfiler", "Task", "Template", "Times", "Tmd", "Trace", "Value", "Work",
    "assemble", "build", "devices", "disassemble", "elf_info", "estimate_cycles", "f32", "f64", "graph_of",
    "host_quota", "hosts", "i8", "i16",
    "i32", "i64", "local", "raw", "read_graph", "sample", "status_text", "u8", "u16", "u32", "u64", "wait_any",
]
