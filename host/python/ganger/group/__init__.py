# SPDX-License-Identifier: Apache-2.0
"""Several devices as one: grids spread over them, buffers that they share or split, results put together."""

from .graph import GraphDone, GroupGraph, PassDone
from .group import DeviceGroup, devices
from .memory import GroupBuffer
from .modules import GroupKernel, GroupModule
from .task import GroupDone, GroupTask, PartDone

__all__ = ["DeviceGroup", "GraphDone", "GroupBuffer", "GroupDone", "GroupGraph", "GroupKernel", "GroupModule", "GroupTask",
           "PartDone", "PassDone", "devices"]
