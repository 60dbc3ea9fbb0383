# SPDX-License-Identifier: Apache-2.0
"""The checks are imported from tools/."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
