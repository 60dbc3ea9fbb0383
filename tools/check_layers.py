# SPDX-License-Identifier: Apache-2.0
"""Who may include whom, and what the scheduler units may contain.

    boards -> hal <- firmware      host -> firmware/abi      qemu -> nothing else
"""
import re
import sys

import tree

CP = "firmware/cp/"


def rooms(names, *others):
    """What a room of the control processor may include: these rooms, which lie below it, and what all may use.
    Its own folder is added to every line of EDGES below."""
    return tuple(CP + name for name in names.split()) + others + ("firmware/abi", "hal")


# The layers of libganger from the bottom to the top: each includes itself and what is below it.
HOST_LAYERS = {
    "core": ("firmware/kernel/kernel_meta.h", "firmware/kernel/print_record.h"),
    "transport": ("firmware/link/frame.h",),
    "mailbox": (),
    "work": ("firmware/kernel/kernel_meta.h", "firmware/pull/nd_range.h"),
    "api": ("firmware/kernel/kernel_meta.h", "firmware/pull/nd_range.h", "firmware/graph/code_open.h",
            "firmware/graph/verify.h"),
    "group": (),
}


# The units of the OpenCL platform from the bottom to the top: each may call itself and what is in a line above its
# own line here.
OPENCL_LAYERS = (
    "base",
    "beside folder il info object options place process sha256 thread",  # tools; the table of objects
    "callback kept reaper",  # threads; what is kept of programs
    "device platform",
    "compiler context device_info far newest",
    "program queue shared",  # what a context has
    "build fault il_program kernel link memory notify order",
    "command kernel_info shape",
    "call submit",
    "event fill launch map svm sync transfer",  # kinds of commands
    "buffer moves recording rect refused",
    "passes record",
    "change replay",
    "dispatch",  # the table of all functions
)


def host_edges():
    below = ["host/include", "host/common", "firmware/abi"]
    edges = {}
    for layer, others in HOST_LAYERS.items():
        below.append(f"host/lib/{layer}")
        edges[f"host/lib/{layer}"] = (*below, *others)
    return edges


# Folder: folders and files that it may include. The longest prefix of a file's path decides.
# The control processor knows only how the SMs start and where their memory is.
EDGES = {
    "boards": ("boards", "hal"),
    "hal": ("hal",),
    "firmware": ("firmware", "hal"),
    "firmware/abi": ("firmware/abi",),
    "firmware/kernel": ("firmware/kernel", "firmware/abi", "firmware/pull"),
    "firmware/link": ("firmware/link", "firmware/abi", "firmware/cp/base/device.h", "hal"),
    "firmware/cp": ("firmware/cp", "firmware/abi", "firmware/link/service.h", "firmware/sm/sm_boot.h", "firmware/sm/sm_area.h", "hal"),
    "firmware/cp/express": rooms("host finish collect accept schedule cga policy pull wave launch sms task base"),
    "firmware/cp/start": rooms("task base", "firmware/link/service.h", "firmware/sm/sm_area.h"),
    "firmware/cp/park": rooms("life schedule wave launch sms task base"),
    "firmware/cp/host": rooms("park recover finish collect graph accept life schedule cga pull wave sms task base", "firmware/pull/work_queue.h"),
    "firmware/cp/recover": rooms("finish collect wave launch sms task base"),
    "firmware/cp/finish": rooms("accept life schedule cga pull task base"),
    "firmware/cp/collect": rooms("accept life schedule cga pull wave launch sms task base"),
    "firmware/cp/graph": rooms("accept life task base", "firmware/graph"),
    "firmware/cp/accept": rooms("life schedule cga pull sms task base"),
    "firmware/cp/life": rooms("schedule task base"),
    "firmware/cp/schedule": rooms("cga pull policy wave launch sms task base"),
    "firmware/cp/cga": rooms("wave launch sms task base", "firmware/sm/wave_share.h"),
    "firmware/cp/pull": rooms("policy wave launch sms task base", "firmware/pull"),
    "firmware/cp/policy": rooms("wave launch sms task base"),
    "firmware/cp/wave": rooms("launch sms task base"),
    "firmware/cp/launch": rooms("sms task base"),
    "firmware/cp/sms": rooms("task base", "firmware/sm/sm_boot.h"),
    "firmware/cp/task": rooms("base"),
    "firmware/cp/base": rooms(""),
    "firmware/sm": ("firmware/sm", "firmware/abi", "firmware/kernel", "firmware/pull", "hal"),
    "firmware/pull": ("firmware/pull", "firmware/abi", "hal"),
    "firmware/graph": ("firmware/graph", "firmware/abi"),
    "host": ("firmware/abi",),
    "host/include": ("host/include", "firmware/abi"),
    "host/common": ("host/common", "firmware/abi"),
    "host/broker": ("host/broker", "host/common", "firmware/abi"),
    "host/lab": ("host/lab", "firmware/cp", "firmware/abi", "hal"),
    "host/opencl": ("host/opencl", "host/include", "host/common/deadline.h", "host/common/local.h", "firmware/abi"),
    **host_edges(),
    "qemu": ("qemu",),
}
for room in [folder for folder in EDGES if folder.startswith(CP)]:
    EDGES[room] = (room,) + EDGES[room]
# Kernels are a language of their own: OpenCL's atomics take volatile pointers.
VOLATILE_FOLDERS = ("boards", "firmware/abi", "firmware/cp", "firmware/graph", "firmware/link", "firmware/pull",
                    "firmware/sm", "hal")
VOLATILE_ALLOWED = {"hal/mmio.h"}
ROOTS = ("boards", "firmware", "hal", "host", "linker", "qemu", "tests")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
ASM = re.compile(r"\b(__asm__|__asm|asm)\b")
ASM_VOLATILE = re.compile(r"\b(?:__asm__|__asm|asm)\s+(?:volatile|__volatile__)")
VOLATILE = re.compile(r"\b(volatile|__volatile__)\b")
ADDRESS = re.compile(
    r"\*\s*(?:const\s*)?\)\s*(?:\(\s*\w+\s*\)\s*)*\(?\s*(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*")
BOARD_SWITCH = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b[^\n]*BOARD", re.MULTILINE)


def longest_prefix(path, folders):
    fitting = [f for f in folders if path.startswith(f + "/")]
    return max(fitting, key=len, default=None)


def include_problems(root, path, content):
    folder = longest_prefix(path, EDGES)
    if folder is None:
        return
    plain = tree.without_comments(content)
    for match in INCLUDE.finditer(plain):
        quote, target = match.groups()
        where = f"{path}:{tree.line_of(plain, match.start(1))}"
        if not (root / target).is_file():
            from_root = folder != "firmware/kernel" and not path.startswith("host/")
            if quote == '"' and from_root:
                yield f'{where}: "{target}" is not a path from the root of the repository'
        elif not any(target == f or target.startswith(f + "/") for f in EDGES[folder]):
            yield f'{where}: {folder} may not include "{target}" ({", ".join(EDGES[folder])} only)'


def volatile_problems(path, code):
    if path in VOLATILE_ALLOWED or not longest_prefix(path, VOLATILE_FOLDERS):
        return
    # The volatile of an assembler statement is no qualifier of data.
    plain = ASM_VOLATILE.sub(lambda m: tree.blank(m), code)
    for match in VOLATILE.finditer(plain):
        yield f"{path}:{tree.line_of(plain, match.start())}: volatile belongs in hal/mmio.h only"


def scheduler_problems(path, content, code, boards):
    """firmware/cp is plain C, so that it is compiled for the host unchanged."""
    if not path.startswith("firmware/cp/"):
        return
    for match in ASM.finditer(code):
        yield f"{path}:{tree.line_of(code, match.start())}: inline assembly in a scheduler unit"
    for match in ADDRESS.finditer(code):
        if int(match.group(1), 0) >= 0x1000:
            yield f"{path}:{tree.line_of(code, match.start())}: a fixed address in a scheduler unit"
    for match in BOARD_SWITCH.finditer(code):
        yield f"{path}:{tree.line_of(code, match.start(0))}: conditional compilation by board"
    lower = content.lower()
    for board in boards:
        for name in {board, board.replace("-", "_")}:
            if re.search(rf"\b{re.escape(name)}\b", lower):
                yield f"{path}:{tree.line_of(lower, lower.index(name))}: names the board {board}"


def problems_of(root):
    boards = sorted(p.name for p in (root / "boards").glob("*") if p.is_dir() and p.name != "template")
    for path in tree.files(root, {".c", ".h", ".S", ".cl"}, ROOTS):
        name, content = path.as_posix(), tree.text(root, path)
        code = tree.code_only(content)
        yield from include_problems(root, name, content)
        yield from volatile_problems(name, code)
        yield from scheduler_problems(name, content, code, boards)


if __name__ == "__main__":
    sys.exit(tree.check(__doc__, problems_of, "no wrong edge"))
