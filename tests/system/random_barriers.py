# SPDX-License-Identifier: Apache-2.0
"""Random kernels with barriers in loops, in branches and in called functions; the same text is C and OpenCL C.

`u` is the same for all work-items, `v` is not: what decides about barriers is made of the former alone.
"""
HEAD = """
uint exchanged(local SHARED *shared, uint me, uint all, uint value, uint step)
{
	shared[me] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	value = shared[(me + step) % all];
	barrier(CLK_LOCAL_MEM_FENCE);
	return value;
}
"""
C_HEAD = HEAD.replace("local SHARED *", "uint *").replace("uint exchanged", "static uint exchanged")
CL_HEAD = HEAD.replace("SHARED", "uint")


class Writer:
    """One kernel. Loops and branches nest at most `depth` deep."""

    def __init__(self, dice, depth=3):
        self.dice, self.depth = dice, depth
        self.lines, self.loops = [], 0

    def put(self, text, level):
        self.lines.append("\t" * level + text)

    def number(self, names):
        """An expression of such variables."""
        dice = self.dice
        one, other = dice.choice(names), dice.choice([*names, str(dice.randrange(1, 99))])
        return f"({one} {dice.choice(['+', '-', '*', '^', '&', '|'])} {other})"

    def same(self):
        return self.number(["u0", "u1", "p", *(f"k{n}" for n in range(self.loops))])

    def own(self):
        return self.number(["u0", "v0", "v1", "v2", "me", "a[v0 & 3]", "p", *(f"k{n}" for n in range(self.loops))])

    def change(self, level):
        """A work-item for itself, perhaps in a branch or a loop of its own."""
        dice, target = self.dice, self.dice.choice(["v0", "v1", "v2", "a[v1 & 3]"])
        kind = dice.randrange(4)
        if kind == 0:
            self.put(f"if ({self.own()} % 3 == 1) {{ {target} += {self.own()}; }} else {{ v0 ^= {self.own()}; }}", level)
        elif kind == 1:
            self.put(f"for (uint i = 0; i < ({self.own()} & 7); i++) {{ {target} = {target} * 5 + i; }}", level)
        else:
            self.put(f"{target} = {self.own()};", level)

    def block(self, level):
        for _ in range(self.dice.randrange(2, 5)):
            self.statement(level)

    def statement(self, level):
        dice = self.dice
        kind = dice.randrange(10) if level <= self.depth else dice.randrange(6)
        if kind < 3:
            self.change(level)
        elif kind == 3:
            self.put(f"{dice.choice(['u0', 'u1'])} = {self.same()};", level)
        elif kind == 4:
            self.put(f"v2 += exchanged(shared, me, all, {self.own()}, {dice.randrange(1, 9)});", level)
        elif kind == 5:
            self.put(f"shared[me] = {self.own()};", level)
            self.put("barrier(CLK_LOCAL_MEM_FENCE);", level)
            self.put(f"v1 ^= shared[all - 1 - me] + {self.own()};", level)
            self.put("barrier(CLK_LOCAL_MEM_FENCE);", level)
        elif kind < 8:
            self.loop(level)
        else:
            self.put(f"if ({self.same()} % 3 == {dice.randrange(3)}) {{", level)
            self.block(level + 1)
            if dice.randrange(2):
                self.put("} else {", level)
                self.block(level + 1)
            self.put("}", level)

    def loop(self, level):
        name = f"k{self.loops}"
        self.put(f"for (uint {name} = 0; {name} < ({self.same()} & 3); {name}++) {{", level)
        self.loops += 1
        self.block(level + 1)
        if self.dice.randrange(2):
            self.put(f"if ({self.same()} % 5 == 2) {self.dice.choice(['break', 'continue'])};", level + 1)
            self.block(level + 1)
        self.loops -= 1
        self.put("}", level)

    def kernel(self, name):
        self.put(f"kernel void {name}(global uint *out, uint p)\n{{", 0)
        self.put("local uint shared[1024];", 1)
        self.put("uint me = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * "
                 "get_local_id(2));", 1)
        self.put("uint all = get_local_size(0) * get_local_size(1) * get_local_size(2);", 1)
        self.put("uint u0 = p * 3, u1 = p ^ get_group_id(0), v0 = get_global_id(0), v1 = me * 7, v2 = 1;", 1)
        self.put("uint a[4] = { me, p, 5, 9 };\n", 1)
        for _ in range(4):
            self.statement(1)
        self.put("out[get_group_id(0) * all + me] = v0 + 3 * v1 + 5 * v2 + 7 * u0 + 11 * u1 + 13 * a[p & 3] + "
                 "17 * a[v0 & 3];", 1)
        self.put("}", 0)
        return "\n".join(self.lines) + "\n"


def program(dice, suffix, kernels):
    """A source of so many kernels k0, k1, …"""
    text = "".join(Writer(dice).kernel(f"k{number}") for number in range(kernels))
    return (C_HEAD if suffix == "c" else CL_HEAD) + text
