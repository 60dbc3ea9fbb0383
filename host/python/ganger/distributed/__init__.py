# SPDX-License-Identifier: Apache-2.0
"""Ganger on a cluster of Dask: a device for each worker, kernels as Dask's tasks.

    from distributed import Client
    import ganger.distributed as gd

    client = Client(…)
    client.register_plugin(gd.Devices(sms=8))
    blur = gd.Code("blur.elf", "blur")
    picture = gd.map_blocks(blur, array, args=[gd.IN, gd.OUT, gd.columns, gd.rows], block=(8, 8), depth=1)

It needs `distributed`, and for arrays `dask[array]`: `pip install ganger[dask]`. Scheduling, transport, retries and the
dashboard are Dask's own.
"""

from .calls import submit
from .chunks import IN, OUT, columns, map_blocks, rows, size
from .code import Code, InOut, Out
from .plugin import Devices, device

__all__ = ["IN", "OUT", "Code", "Devices", "InOut", "Out", "columns", "device", "map_blocks", "rows", "size", "submit"]
