# SPDX-License-Identifier: Apache-2.0
"""Cycles that a kernel would take on a core, by the instructions that were counted in QEMU (profile.py).

    estimate = ganger.estimate_cycles(profile, "refsoc", memory=40)
    estimate.span(sms=256)

An instruction costs what its kind costs on the core, as a rule the same each time; how often a branch was taken follows from
how often what is behind it, and where it leads, was executed. Around each CTA there is what the SM does for it. The figures are
those of the boards on RTL (tests/bench/cycle_costs.py measures them; tests/rtl/test_estimates.py compares). What is not in
them: waiting for other CTAs, for the control processor, and misses of caches that are not the rule.
"""

from typing import Dict, List, NamedTuple, Optional, Tuple

from .errors import Error
from .profile import Profile
from .typed import Json


class Core(NamedTuple):
    """Cycles by kind of instruction, of a core and its memory. None: the core has no such instruction."""
    alu: float                  # Registers and constants; also CSRs and fences.
    load: float
    store: float
    branch: float               # That goes on behind it.
    taken: float                # That jumps.
    jump: float
    jump_register: float
    multiply: Optional[float]
    multiply_high: Optional[float]
    divide: Optional[float]
    shift: float                # More, for each bit that a shift by a constant shifts.
    use: float                  # More, when the instruction before loads what this one needs.
    chain: float                # More, when it computes what this one needs.
    first: float                # Of the SM, for the first CTA: before and behind its kernel.
    more: float                 # For each other of the RESIDENT that come together.
    later: float                # For each one behind those: it comes when another one has ended,
    pace: float                 # and at least so long after the one before it: the control processor sends them.
    slices: float               # Share of time that turns at each end of a time slice add, when the SM has several CTAs.
    bus: float                  # Share of time that each other SM that is at work adds, since they have one memory.


RESIDENT = 4  # CTAs that an SM of these boards has at once.

CORES: Dict[str, Core] = {
    "refsoc": Core(1, 1, 1, 1, 2, 2, 2.5, 1, 2, 37, 0, 1, 0, 520, 700, 1700, 1750, 0.05, 0.4),
    # Its division takes 3 to 35 cycles, as many as the quotient has bits: the figure is the mean.
    "refsoc-cv32e40p": Core(1, 1, 1, 1, 3, 2, 3.5, 1, 5, 19, 0, 1, 0, 570, 710, 1700, 2000, 0.04, 0.55),
    # It foresees branches, so `branch` and `taken` are means: 1 and 4 forwards, 4 and 2.6 backwards.
    "refsoc-vexriscv": Core(1, 4, 1.9, 1.5, 4, 2.5, 4.5, 1, 1, 34, 0, 2, 0, 1970, 1350, 2400, 4200, 0.12, 0.08),
    # It fetches on while an instruction waits. In a row of the same, nothing hides a wait; in kernels a part of it is hidden: `taken`,
    # `jump`, `jump_register`, `use` and `chain` are less than in a row.
    "refsoc-vexmin": Core(2.7, 3.05, 3, 2.7, 5.5, 5.5, 9, None, None, None, 0.87, 0.4, 0.7, 1800, 2100, 3000, 4800, 0.19, 0),
}

_LINK, _STACK = 1, 2


class Instruction(NamedTuple):
    """What the estimate needs of one: its kind (a field of Core, "branch", "float" or "atomic"), its bytes, where it leads (offset in
    the module), the register that it writes (0: none), those that it reads, the bits of a shift by a constant."""
    kind: str
    nbytes: int
    target: Optional[int] = None
    written: int = 0
    read: Tuple[int, ...] = ()
    bits: int = 0

    @property
    def ends(self) -> bool:
        """What is behind it is never executed next."""
        return self.kind in ("jump", "jump_register") and not self.written


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def _gather(code: int, *fields: Tuple[int, int, int]) -> int:
    """Bits of an immediate: for each field the lowest bit in the code, how many, and the lowest in the immediate."""
    return sum((code >> low & (1 << count) - 1) << to for low, count, to in fields)


def _full(code: int, at: int) -> Instruction:
    """Of 32 bits."""
    opcode, to, one, other, funct = code >> 2 & 31, code >> 7 & 31, code >> 15 & 31, code >> 20 & 31, code >> 12 & 7
    if opcode in (0x01, 0x09, 0x10, 0x11, 0x12, 0x13, 0x14):
        return Instruction("float", 4)
    if opcode == 0x0b:
        return Instruction("atomic", 4, None, to, (one, other))
    if opcode == 0x00:
        return Instruction("load", 4, None, to, (one,))
    if opcode == 0x08:
        return Instruction("store", 4, None, 0, (one, other))
    if opcode == 0x18:
        offset = _signed(_gather(code, (31, 1, 12), (7, 1, 11), (25, 6, 5), (8, 4, 1)), 13)
        return Instruction("branch", 4, at + offset, 0, (one, other))
    if opcode == 0x1b:
        offset = _signed(_gather(code, (31, 1, 20), (12, 8, 12), (20, 1, 11), (21, 10, 1)), 21)
        return Instruction("jump", 4, at + offset, to)
    if opcode == 0x19:
        return Instruction("jump_register", 4, None, to, (one,))
    if opcode in (0x0c, 0x0e):
        if code >> 25 == 1:
            return Instruction("multiply" if funct == 0 else "multiply_high" if funct < 4 else "divide", 4, None, to, (one, other))
        return Instruction("alu", 4, None, to, (one, other))
    if opcode in (0x04, 0x06):
        return Instruction("alu", 4, None, to, (one,), code >> 20 & 63 if funct in (1, 5) else 0)
    return Instruction("alu", 4, None, to if opcode in (0x05, 0x0d, 0x1c) else 0)


def _of_quadrant_1(code: int, at: int, xlen: int) -> Instruction:
    funct, to, near, shifted = code >> 13, code >> 7 & 31, 8 + (code >> 7 & 7), code >> 2 & 31
    if funct == 5 or (funct == 1 and xlen == 32):
        offset = _signed(_gather(code, (12, 1, 11), (8, 1, 10), (9, 2, 8), (6, 1, 7), (7, 1, 6), (2, 1, 5), (11, 1, 4), (3, 3, 1)), 12)
        return Instruction("jump", 2, at + offset, _LINK if funct == 1 else 0)
    if funct >= 6:
        offset = _signed(_gather(code, (12, 1, 8), (5, 2, 6), (2, 1, 5), (10, 2, 3), (3, 2, 1)), 9)
        return Instruction("branch", 2, at + offset, 0, (near,))
    if funct == 4:
        kind = code >> 10 & 3
        return Instruction("alu", 2, None, near, (near, 8 + (shifted & 7)) if kind == 3 else (near,), shifted if kind < 2 else 0)
    return Instruction("alu", 2, None, to, () if funct == 2 else (to,))


def _compressed(code: int, at: int, xlen: int) -> Instruction:
    quadrant, funct, to, other = code & 3, code >> 13, code >> 7 & 31, code >> 2 & 31
    near, far = 8 + (code >> 2 & 7), 8 + (code >> 7 & 7)
    if quadrant == 1:
        return _of_quadrant_1(code, at, xlen)
    if funct in (1, 5) or (xlen == 32 and funct in (3, 7)):
        return Instruction("float", 2)
    if quadrant == 0:
        if funct == 0:
            return Instruction("alu", 2, None, near, (_STACK,))
        return Instruction("load", 2, None, near, (far,)) if funct < 4 else Instruction("store", 2, None, 0, (far, near))
    if funct == 0:
        return Instruction("alu", 2, None, to, (to,), other)
    if funct != 4:
        return Instruction("load", 2, None, to, (_STACK,)) if funct < 4 else Instruction("store", 2, None, 0, (_STACK, other))
    if other == 0 and to == 0:  # c.ebreak
        return Instruction("alu", 2)
    if other == 0:
        return Instruction("jump_register", 2, None, code >> 12 & 1, (to,))
    return Instruction("alu", 2, None, to, (to, other) if code >> 12 & 1 else (other,))


def instruction(code: int, at: int, xlen: int) -> Instruction:
    """Reads an instruction at an offset; a compressed one is in the low 16 bits."""
    return _full(code, at) if code & 3 == 3 else _compressed(code & 0xffff, at, xlen)


class _Flow:
    """How often branches were taken: what arrives at an instruction is what goes on from the one before it, and what jumps there."""

    def __init__(self, found: Dict[int, Instruction], times: Dict[int, int]) -> None:
        self._found, self._times = found, times
        self._before: Dict[int, int] = {at + one.nbytes: at for at, one in found.items()}
        self._from: Dict[int, List[int]] = {}
        for at, one in found.items():
            if one.target is not None:
                self._from.setdefault(one.target, []).append(at)
        self.taken: Dict[int, float] = {}
        waiting = [at for at, one in found.items() if one.kind == "branch"]
        while waiting:
            left = [at for at in waiting if not self._tell(at)]
            if len(left) == len(waiting):  # The two of an unknown share are equal.
                at = left.pop(0)
                self.taken[at] = times[at] / 2
            waiting = left

    def _jumped(self, to: int, but: int) -> Optional[float]:
        """Jumps to an instruction, but from one place; None: not known yet."""
        total = 0.0
        for at in self._from.get(to, []):
            if at == but:
                continue
            if self._found[at].kind == "branch" and at not in self.taken:
                return None
            total += self.taken.get(at, self._times[at])
        return total

    def _fell(self, to: int) -> Optional[float]:
        """Arrivals from the instruction before it; None: not known yet."""
        before = self._before.get(to)
        if before is None or self._found[before].ends:
            return 0.0
        if self._found[before].kind != "branch":
            return self._times[before]
        return self._times[before] - self.taken[before] if before in self.taken else None

    def _tell(self, at: int) -> bool:
        """Finds out about a branch by what is behind it, or by where it leads."""
        times, one = self._times[at], self._found[at]
        assert one.target is not None
        behind, jumped = at + one.nbytes, self._jumped(at + one.nbytes, at)
        if one.target == behind:
            taken: Optional[float] = 0.0
        elif jumped is not None:
            taken = times - (self._times.get(behind, 0) - jumped)
        else:
            others, fell = self._jumped(one.target, at), self._fell(one.target)
            taken = None if others is None or fell is None else self._times.get(one.target, 0) - others - fell
        if taken is None:
            return False
        self.taken[at] = min(float(times), max(0.0, taken))
        return True


class Estimate(NamedTuple):
    """Cycles of a kernel on a core. `cycles`: of its instructions, by SM that ran it in QEMU; `ctas`: by SM; `functions`: the same
    cycles by function, the most first; `core`, `memory`: what they are for."""
    core: Core
    memory: float
    cycles: List[float]
    ctas: List[int]
    functions: Dict[str, float]

    @property
    def total(self) -> float:
        """Of all CTAs, without what the SMs do for them."""
        return sum(self.cycles)

    def cta(self) -> float:
        """Of a CTA, in the mean; 0: none ran."""
        return self.total / max(1, sum(self.ctas))

    def span(self, sms: Optional[int] = None) -> float:
        """From the start of the first CTA to the end of the last one: on the SMs and with the CTAs of each that there were in QEMU, or
        evenly on so many SMs, which then do not slow each other down. Raises Error ERR_ARGUMENT."""
        if sms is not None and sms < 1:
            raise Error("ERR_ARGUMENT", "A device has at least one SM.", "sms", sms)
        if sms is None:
            busy = sum(1 for ctas in self.ctas if ctas)
            slower = 1 + self.core.bus * max(0, busy - 1)
            return slower * max((self._on_sm(cycles, ctas) for cycles, ctas in zip(self.cycles, self.ctas)), default=0.0)
        most = -(-sum(self.ctas) // sms)
        return self._on_sm(most * self.cta(), most)

    def _on_sm(self, cycles: float, ctas: int) -> float:
        """Cycles of so many CTAs, and what the SM does around them."""
        if ctas > 1:
            together = min(ctas, RESIDENT)
            later = max(self.core.later, self.core.pace - cycles / ctas)
            cycles += cycles * self.core.slices + (together - 1) * self.core.more + (ctas - together) * later
        return cycles + self.core.first if ctas else 0.0

    def as_dict(self, sms: Optional[int] = None) -> Json:
        """For JSON, with span(sms)."""
        return {"cycles": self.total, "cta": self.cta(), "span": self.span(sms), "memory": self.memory,
                "functions": [{"function": name, "cycles": cycles} for name, cycles in self.functions.items()]}


def core_of(name: str) -> Core:
    """A core of CORES. Raises Error ERR_ARGUMENT."""
    if name not in CORES:
        raise Error("ERR_ARGUMENT", f"There are figures of {', '.join(CORES)}.", "cycles", name)
    return CORES[name]


def estimate_cycles(profile: Profile, core: str, memory: float = 0) -> Estimate:
    """What the instructions of a profile would cost on a core, a name of CORES. `memory`: cycles more for each load and store but
    those of the stack, at least 0. Raises Error ERR_ARGUMENT, and ERR_UNSUPPORTED where the kernel has instructions that the core
    does not have: ganger-cc -march= builds one without them."""
    figures = core_of(core)
    if not 0 <= memory < float("inf"):
        raise Error("ERR_ARGUMENT", "Cycles are at least 0.", "memory", str(memory))
    found = {row.offset: instruction(row.code, row.offset, profile.xlen) for row in profile.rows}
    symbols = {row.offset: row.place.symbol for row in profile.rows}
    times = {row.offset: [cost.instructions for cost in row.costs] for row in profile.rows}
    cycles, functions = [0.0] * len(profile.ctas), dict.fromkeys(symbols.values(), 0.0)
    taken = _Flow(found, {at: sum(of_sm) for at, of_sm in times.items()}).taken
    before = {at + one.nbytes: one for at, one in found.items()}
    for at, one in found.items():
        cost = _cost(one, before.get(at), figures, memory, core)
        share = taken.get(at, 0.0) / sum(times[at]) if one.kind == "branch" else 0.0
        cost += share * (figures.taken - figures.branch)
        for sm, count in enumerate(times[at]):
            cycles[sm] += count * cost
            functions[symbols[at]] += count * cost
    return Estimate(figures, memory, cycles, list(profile.ctas), dict(sorted(functions.items(), key=lambda pair: -pair[1])))


def _cost(one: Instruction, before: Optional[Instruction], core: Core, memory: float, name: str) -> float:
    """Of an instruction; of a branch, when it goes on behind it."""
    cost: Optional[float] = getattr(core, one.kind, None)
    if cost is None:
        raise Error("ERR_UNSUPPORTED", f"The kernel has instructions of the kind '{one.kind}', which {name} has not: build it with "
                    "`ganger-cc -march=` for that core.", "cycles", name)
    cost += core.shift * one.bits
    if one.kind in ("load", "store") and one.read[0] != _STACK:
        cost += memory
    if before is not None and before.written and before.written in one.read:
        cost += core.use if before.kind == "load" else core.chain
    return cost
