# SPDX-License-Identifier: Apache-2.0
"""Programs to begin with: `python -m ganger.examples.NAME --help`."""
