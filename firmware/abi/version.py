# SPDX-License-Identifier: Apache-2.0
"""Version of the ABI, for all emitters. A newer minor only adds."""

MAGIC = 0x52474E47  # The letters GNGR.
MAJOR = 1
MINOR = 13
