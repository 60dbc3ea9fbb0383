# SPDX-License-Identifier: Apache-2.0
"""The part of the counting plugin's file that only measurements use: marks and spans at addresses
of the firmware and of kernels (qemu/plugin/count.h). Set them before the code there runs first."""

from typing import NamedTuple, Optional

from ganger.counter import ENTRY, MARKS, SPANS, Counter

MARK_OFFSET = ENTRY
SPAN_OFFSET = MARK_OFFSET + MARKS * ENTRY


class Mark(NamedTuple):
    """First hit since arm(); the counts leave out the instruction at the address."""
    hart: int
    hart0_count: int
    hart_count: int


class Span(NamedTuple):
    """Lengths in instructions; all 0 where the span never came to its end."""
    hits: int
    min: int
    max: int
    sum: int


class Marks(Counter):
    """A counter with marks ("when did a hart come here?") and spans ("how long from here to there?")."""

    def watch_mark(self, index: int, address: int) -> None:
        """Watches an instruction; address 0 = off."""
        self._longs[self._mark(index) // 8] = address

    def arm(self, index: int) -> None:
        """Asks for the record of the next hit. Only while no hart is near the address."""
        word = self._mark(index) // 4
        self._words[word + 2] = self._words[word + 2] % 0xffffffff + 1

    def mark(self, index: int) -> Optional[Mark]:
        """The first hit since arm(), or None."""
        at = self._mark(index)
        arm, fired = self._words[at // 4 + 2], self._words[at // 4 + 4]
        if arm == 0 or fired != arm:
            return None
        return Mark(self._words[at // 4 + 5], self._longs[at // 8 + 3], self._longs[at // 8 + 4])

    def hits(self, index: int) -> int:
        """Hits of all harts since the start, armed or not."""
        return self._longs[self._mark(index) // 8 + 5]

    def last_hart0(self, index: int) -> int:
        """Count of hart 0 at the last hit of all; 0 if there was none."""
        return self._longs[self._mark(index) // 8 + 6] if self.hits(index) else 0

    def watch_span(self, index: int, begin: int, end: int = 0, hart: int = 0) -> None:
        """From `begin` up to `end`, both counted; end 0 = the next mret."""
        at = self._span(index)
        self._longs[at // 8 + 1] = end
        self._words[at // 4 + 4] = hart
        self._longs[at // 8] = begin

    def clear_span(self, index: int) -> None:
        """Forgets the results at the next begin."""
        self._words[self._span(index) // 4 + 5] += 1

    def span(self, index: int) -> Span:
        """The results since the start or clear_span()."""
        at = self._span(index)
        arm, seen = self._words[at // 4 + 5], self._words[at // 4 + 14]
        result = Span(*self._longs[at // 8 + 3:at // 8 + 7])
        return result if result.hits and arm == seen else Span(0, 0, 0, 0)

    @staticmethod
    def _mark(index: int) -> int:
        if not 0 <= index < MARKS:
            raise IndexError(f"mark {index}: there are {MARKS}")
        return MARK_OFFSET + index * ENTRY

    @staticmethod
    def _span(index: int) -> int:
        if not 0 <= index < SPANS:
            raise IndexError(f"span {index}: there are {SPANS}")
        return SPAN_OFFSET + index * ENTRY
