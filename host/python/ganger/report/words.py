# SPDX-License-Identifier: Apache-2.0
"""Why CTAs of a task were not issued, in words: the end of a sentence that begins with the task's name."""

from typing import Dict

REASONS: Dict[str, str] = {
    "SLOT": "waits for a slot of the task table",
    "SM": "waits for room on an SM",
    "AFFINITY": "waits for room on the SMs that its affinity allows",
    "THROTTLE": "waits for the other throttle mode",
    "SEQUENCE": "waits for its own last CTA, since it is sequential",
    "QUOTA": "has used its launch quota and waits for its next turn",
    "COALESCE": "waits for more items in its queue",
    "DEPENDENCE": "waits for tasks that it depends on",
    "SUSPENDED": "is suspended",
    "CLUSTER": "waits for SMs with room for a whole CGA",
    "OUT": "is not in the task table: it waits for a slot, or for tasks that it depends on, or is suspended",
}
