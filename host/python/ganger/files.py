# SPDX-License-Identifier: Apache-2.0
"""Files that results are written to: whole or not at all."""

import os
import stat
import threading
from pathlib import Path
from typing import Union

from .typed import Path as AnyPath


def is_special(path: AnyPath) -> bool:
    """Whether there is something else than a regular file: a pipe, a terminal, /dev/null."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def write(path: AnyPath, content: Union[bytes, str]) -> None:
    """Writes a file. After an error, such as a full disk, the file is as before: the content goes to
    a draft beside it first, which is the thread's own. Raises OSError with the path."""
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))
    special = is_special(target)
    mine = f"{os.getpid()}.{threading.get_native_id()}"
    draft = target if special else target.with_name(f".{target.name}.{mine}")
    try:
        draft.write_bytes(data)
        if not special:
            if target.exists():
                os.chmod(draft, stat.S_IMODE(target.stat().st_mode))
            os.replace(draft, target)
    except BaseException as error:
        if not special:
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise
