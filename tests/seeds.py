# SPDX-License-Identifier: Apache-2.0
"""Seeds of random tests. They are fixed, so that two runs of the same commit are the same; GANGER_SEED=NUMBER repeats
another run, and GANGER_SEED=random makes a new one, which looks where none has looked before."""
import os
import random
import zlib


def seed_of(name: str) -> int:
    """The seed of the test of this name, 0 to 2^32 - 1."""
    asked = os.environ.get("GANGER_SEED") or ""
    if asked == "random":
        return random.SystemRandom().getrandbits(32)
    return int(asked) if asked else zlib.crc32(name.encode())
