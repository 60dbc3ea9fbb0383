# SPDX-License-Identifier: Apache-2.0
"""What gdb-multiarch runs first: it takes the device, and gets its commands."""

import gdb

from ..errors import Error
from . import focus, listing, printers
from .session import Session


def _begin() -> None:
    try:
        session = Session()
        listing.install(session)
        focus.install(session)
        printers.install()
    except (Error, gdb.error) as error:
        print(f"ganger: {error}")
        gdb.execute("quit 1")
        return
    info = session.device.info
    print(f"{info.board}: thread 1 is the control processor, thread 2 is SM 0, and so on to {info.sms + 1}. All stand still.\n"
          "`info ganger` lists CTAs and work-items, `ganger focus` shows one that waits, `continue` lets all run.")


_begin()
