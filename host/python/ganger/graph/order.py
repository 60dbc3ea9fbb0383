# SPDX-License-Identifier: Apache-2.0
"""What passes wait for: versions of resources, dependence by data, cycles (S2-Q4 to S2-Q6)."""

from typing import Dict, List, NamedTuple, Sequence, Set, Tuple


class Version(NamedTuple):
    """The content of a resource: who makes it, and who reads it."""
    writers: List[int]
    readers: List[int]
    shared: bool


class Order:
    """Of passes, given by number, with how each uses resources: {resource: {"READ", "WRITE",
    "SHARE"}}, and the passes that each comes after.

    data[p]: passes that make what p reads; before[p]: all that p waits for; unwritten: (pass,
    resource) that reads what no pass has written before; versions: of each resource.
    """

    def __init__(self, uses: Sequence[Dict[int, Set[str]]], after: Sequence[Sequence[int]],
                 unordered: bool):
        self.data: List[Set[int]] = [set() for _pass in uses]
        self.before: List[Set[int]] = [set(one) for one in after]
        self.unwritten: List[Tuple[int, int]] = []
        self.versions: Dict[int, List[Version]] = {}
        for number, one in enumerate(uses):
            for resource, how in one.items():
                if unordered:
                    self._anyhow(number, resource, how)
                else:
                    self._in_turn(number, resource, how)
        if unordered:
            self._tie()

    def _of(self, resource: int) -> List[Version]:
        return self.versions.setdefault(resource, [Version([], [], False)])

    def _in_turn(self, number: int, resource: int, how: Set[str]) -> None:
        """Program order: a pass reads what was written last before it."""
        versions = self._of(resource)
        last = versions[-1]
        if "READ" in how:
            self._read(number, resource, last)
        if how == {"READ"}:
            last.readers.append(number)
        elif how == {"SHARE"} and last.shared and not last.readers:
            last.writers.append(number)
            if len(versions) > 1:
                self._wait_free(number, versions[-2])
        else:
            self._wait_free(number, last)
            versions.append(Version([number], [], how == {"SHARE"}))

    def _read(self, number: int, resource: int, version: Version) -> None:
        if not version.writers:
            self.unwritten.append((number, resource))
        self.data[number].update(version.writers)
        self.before[number].update(version.writers)

    def _wait_free(self, number: int, version: Version) -> None:
        self.before[number].update(one for one in (*version.writers, *version.readers)
                                   if one != number)

    def _anyhow(self, number: int, resource: int, how: Set[str]) -> None:
        version = self._of(resource)[0]
        if "READ" in how:
            version.readers.append(number)
        if how - {"READ"}:
            version.writers.append(number)

    def _tie(self) -> None:
        """Unordered: a pass that reads a resource depends on all passes that write it."""
        for resource, (version,) in self.versions.items():
            for reader in version.readers:
                self._read(reader, resource, version)

    def cycle(self) -> List[int]:
        """Passes of a cycle, each before the next; empty when there is none."""
        left = {number: set(one) for number, one in enumerate(self.before)}
        waiting: Dict[int, List[int]] = {}
        for number, one in left.items():
            for other in one:
                waiting.setdefault(other, []).append(number)
        ready = [number for number, one in left.items() if not one]
        while ready:
            number = ready.pop()
            del left[number]
            for other in waiting.get(number, ()):
                left[other].discard(number)
                if not left[other]:
                    ready.append(other)
        if not left:
            return []
        path = [min(left)]
        while True:  # Each of the passes that are left waits for another one of them.
            following = min(one for one in self.before[path[-1]] if one in left)
            if following in path:
                return path[path.index(following):][::-1]
            path.append(following)

    def topological(self) -> List[int]:
        """Passes, each after those that it waits for. There must be no cycle."""
        found: List[int] = []
        seen: Set[int] = set()
        for first in range(len(self.before)):
            stack = [(first, False)]
            while stack:
                number, ripe = stack.pop()
                if ripe:
                    found.append(number)
                elif number not in seen:
                    seen.add(number)
                    stack.append((number, True))
                    stack.extend((one, False) for one in sorted(self.before[number], reverse=True))
        return found

    def depends(self, later: int, earlier: int) -> bool:
        """Whether one pass depends on another by data, directly or not (S2-R59, S2-R60)."""
        seen, stack = set(), [later]
        while stack:
            for one in self.data[stack.pop()]:
                if one == earlier:
                    return True
                if one not in seen:
                    seen.add(one)
                    stack.append(one)
        return False

    def independent(self, one: int, other: int) -> bool:
        """Whether neither of two passes depends on the other (S2-R61)."""
        return one != other and not self.depends(one, other) and not self.depends(other, one)

    def last(self, resource: int) -> List[int]:
        """Possible last passes (S2-R78): users of the newest version that no other user needs."""
        version = self._of(resource)[-1]
        users = sorted(set(version.readers or version.writers))
        return [one for one in users
                if not any(self.depends(other, one) for other in users if other != one)]
