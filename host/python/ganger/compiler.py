# SPDX-License-Identifier: Apache-2.0
"""`ganger-cc`, the kernels' compiler, as a command of the installed package: docs/KERNELS.md."""

import os
import sys
from typing import List

from .places import root


def command() -> List[str]:
    """The command line of the compiler, without arguments."""
    return [sys.executable, str(root() / "firmware" / "kernel" / "ganger-cc")]


def main() -> None:
    """Becomes the compiler, with the arguments of this process. Does not return."""
    words = [*command(), *sys.argv[1:]]
    os.execv(words[0], words)
