# SPDX-License-Identifier: Apache-2.0
"""The reference's TMDs and commands as words of the ABI, in the device's memory."""
import device
from reference_parts import BY_DEVICE
from wire import ENUMS, pack

CODE = device.HEAP
HEAP_BYTES = 0x40000
TYPES = {"grid": "GRID", "queue": "QUEUE", "null": "GRID_NULL"}
QUEUES = 0x30000  # offset of the queues' items
# Words of a TMD that are zero in a short one.
RARE = ("gpc_mask", "quota", "resume_lo", "queue_items", "retry_limit", "affinity_lo", "dependence_count", "dependent_count",
        "dependents_lo", "after_count", "after_lo", "queue_lo")


class Memory:
    """Device memory: TMDs from 0x1000 on, lists from 0x20000 on; written through a device's ops."""

    def __init__(self, device_):
        self.device = device_
        self.tmds = 0x1000
        self.lists = 0x20000

    def tmd_address(self):
        """A new place for a TMD."""
        self.tmds += 256
        return device.HEAP + self.tmds - 256

    def write(self, offset, words):
        """Write words."""
        self.device.ops += [device.MEMORY, offset, len(words), *words]

    def put_list(self, words):
        """Put a list somewhere; its address, or 0 for an empty one."""
        if not words:
            return 0
        self.lists += len(words) * 4
        self.write(self.lists - len(words) * 4, words)
        return device.HEAP + self.lists - len(words) * 4

    def put_tmd(self, tmd):
        """Write a TMD."""
        dependents = [word for other, action, amount in tmd.dependents for word in pack(
            "dependent", tmd_lo=other.address, tmd_generation=other.generation,
            action=action | amount << 16)]
        after = [word for other in tmd.after for word in pack(
            "dependent", tmd_lo=other.address, tmd_generation=other.generation)]
        mask = [0] * 16
        for sm in tmd.only:
            mask[sm // 32] |= 1 << sm % 32
        values = dict(
            version=1, type=ENUMS["task_type"][TYPES[tmd.kind]], mode=tmd.mode,
            priority=tmd.priority, head=tmd.head, sequential=tmd.sequential,
            throttle=tmd.throttle, quota_enable=bool(tmd.quota), closed=tmd.closed,
            generation=tmd.generation, correlation=tmd.ident, context=tmd.context,
            entry_lo=CODE + 4 * tmd.kernel, code_lo=CODE, code_bytes=4096, grid_x=tmd.ctas, grid_yz=0x10001,
            block_x=tmd.warps * 32, block_y=1, block_z=1, shared_bytes=tmd.shared,
            private_bytes=1024, gpc_mask=tmd.gpcs, quota=tmd.quota, resume_lo=tmd.resume,
            queue_items=tmd.part, retry_limit=tmd.retry,
            affinity_lo=self.put_list(mask) if tmd.only else 0,
            dependence_count=tmd.dependence_count, dependent_count=len(tmd.dependents),
            dependents_lo=self.put_list(dependents), after_count=len(tmd.after),
            after_lo=self.put_list(after), heap_lo=device.HEAP, heap_bytes_lo=HEAP_BYTES)
        if tmd.kind == "queue":
            values.update(
                grid_x=1, queue_lo=device.HEAP + QUEUES, queue_capacity=tmd.capacity,
                queue_item_bytes=4, queue_items=tmd.items, coalesce_us=tmd.coalesce_us,
                queue_outstanding=tmd.outstanding)
            values["queue_items"] |= tmd.minimum << 16
        values["short"] = not any(values.get(name) for name in RARE)
        self.write(tmd.address - device.HEAP, pack("tmd", **values))


def command(verb, tag, address=0, argument0=0, argument1=0, argument2=0):
    """Words of a command."""
    return pack("command", opcode=ENUMS["opcode"][verb], tag=tag, address_lo=address,
                argument0=argument0, argument1=argument1, argument2=argument2)


assert ENUMS["task_mode"]["DEVICE"] == BY_DEVICE
