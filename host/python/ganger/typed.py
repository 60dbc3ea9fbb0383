# SPDX-License-Identifier: Apache-2.0
"""Names of types that several modules use in their annotations."""

import os
from typing import TYPE_CHECKING, Any, Dict, Protocol, Union

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .context import Context
    from .device import Device

    class _Array(Protocol):
        """An array of NumPy, whose types tell of the buffer protocol only from Python 3.12 on."""

        @property
        def __array_interface__(self) -> Dict[str, Any]: ...

    BytesLike = Union[Buffer, _Array]  # What has the buffer protocol: bytes, bytearray, arrays, ….
    Target = Union[Device, Context]  # What a graph is run on.
else:
    BytesLike = Target = Any

Path = Union[str, "os.PathLike[str]"]
Json = Dict[str, Any]  # What a JSON document is made of.


def view_of(data: BytesLike) -> memoryview:
    """The memory of any bytes-like. Raises TypeError if it is none."""
    anything: Any = data
    return memoryview(anything)
