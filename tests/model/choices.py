# SPDX-License-Identifier: Apache-2.0
"""Choices of a workload, from the bytes that Hypothesis makes.

0 is always the plainest choice, and what follows the last byte is all 0: so a workload shrinks to
the few choices that matter.
"""


class Choices:
    """A string of bytes, read as choices."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def more(self):
        """Whether there are bytes left."""
        return self.at < len(self.data)

    def below(self, limit):
        """A number from 0 to limit - 1; limit at most 256."""
        if self.at >= len(self.data):
            return 0
        self.at += 1
        return self.data[self.at - 1] % limit

    def chance(self, one_in):
        """True once in so many times."""
        return self.below(one_in) == one_in - 1

    def of(self, items):
        """One of the items; the first is the plainest."""
        return items[self.below(len(items))]

    def some(self, items):
        """Some of the items, in their order."""
        return [item for item in items if self.below(2)]
