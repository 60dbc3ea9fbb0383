# SPDX-License-Identifier: Apache-2.0
"""The csr.json of a LiteX build, of which boards/litex/from_csr.py makes a board."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from boards.litex import from_csr  # noqa: E402


def check(data):
    """Raises what is no refusal."""
    try:
        from_csr.files_of(from_csr.read_map(data.decode("utf-8", "replace")), "boards/mine")
    except from_csr.BadMap as error:
        assert str(error)
