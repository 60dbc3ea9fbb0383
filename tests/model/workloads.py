# SPDX-License-Identifier: Apache-2.0
"""What makes a test of workloads: `@workloads(number)` above `def test_x(steps)`."""
import os

from hypothesis import given, settings
from hypothesis import strategies as st

from choices import Choices
from steps import Steps

BYTES = 160
SHARE = 4 if os.environ.get("BRIEF") else 1  # `make test` runs a quarter of them


def workloads(number, size=BYTES):
    """Run the test with so many workloads; it says which features they use by calling `steps`."""
    def decorate(test):
        @settings(max_examples=number // SHARE)
        @given(st.binary(min_size=size, max_size=size))
        def run(data):
            test(lambda *features, **device: Steps(Choices(data), *features, **device).run())
        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run
    return decorate
