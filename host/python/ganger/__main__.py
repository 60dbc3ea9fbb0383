# SPDX-License-Identifier: Apache-2.0
"""`python -m ganger` is the `ganger` command."""

import sys

from .cli import main

sys.exit(main())
