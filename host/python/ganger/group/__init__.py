# SPDX-License-Identifier: Apache-2.0
"""Several devices as one: grids spread over them, buffers that they share or split, results put together."""

from .group import DeviceGroup, devices
from .memory import GroupBuffer
from .modules import GroupKernel, GroupModule
from .task import GroupDone, GroupTask, PartDone

__all__ = ["DeviceGroup", "GroupBuffer", "GroupDone", "GroupKernel", "GroupModule", "GroupTask", "PartDone", "devices"]
