# SPDX-License-Identifier: Apache-2.0
"""What goes to a worker: a kernel's program, and arguments that have results."""

import hashlib
import os
from typing import Any, NamedTuple, Sequence, Tuple, Union

from ..typed import BytesLike, Path, view_of


class Code:
    """A kernel of an ELF, by path or as bytes. The program goes to the workers, which need no file.

    Its name says what it is: two with the same program and kernel are equal to Dask. Raises OSError.
    """

    def __init__(self, source: Union[Path, BytesLike], kernel: str):
        if isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as file:
                self.program = file.read()
        else:
            self.program = view_of(source).tobytes()
        self.kernel = kernel
        self.digest = hashlib.sha256(self.program).hexdigest()

    def __dask_tokenize__(self) -> Tuple[str, str]:
        return self.digest, self.kernel

    def __repr__(self) -> str:
        return f"<ganger.distributed.Code {self.kernel}>"


class Out(NamedTuple):
    """An argument that is memory of the kernel's; what is in it at the end is a result: an array of this shape and type.
    It begins with zeros."""
    shape: Sequence[int]
    dtype: Any = "uint8"


class InOut(NamedTuple):
    """An argument that is an array, and whose content at the end is a result."""
    array: Any
