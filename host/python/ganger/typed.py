# SPDX-License-Identifier: Apache-2.0
"""Names of types that several modules use in their annotations. They cost nothing at run time."""

import os
from typing import TYPE_CHECKING, Any, Dict, Union

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .context import Context
    from .device import Device

    BytesLike = Buffer  # What has the buffer protocol: bytes, bytearray, memoryview, NumPy arrays, ….
    Target = Union[Device, Context]  # What a graph is run on.
else:
    BytesLike = Target = Any

Path = Union[str, "os.PathLike[str]"]
Json = Dict[str, Any]  # What a JSON document is made of.
