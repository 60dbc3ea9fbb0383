# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the laboratory's tests: no device, only a compiler."""
import pytest

from ganger import lab

HEAD = '#include "firmware/cp/launch/launch.h"\n#include "firmware/cp/policy/policy.h"\n' \
    '#include "firmware/cp/sms/sm_class.h"\n#include "firmware/cp/sms/sm_state.h"\n'


@pytest.fixture(scope="session")
def policy(tmp_path_factory):
    """policy("…"): a policy of a file, whose function issue(task, ctas, sms) has this body; "" for an empty one."""
    folder = tmp_path_factory.mktemp("policies")

    def write(body, name="mine", members=""):
        path = folder / f"{name}.c"
        path.write_text(f"{HEAD}static void issue(struct task *task, uint64_t ctas, const uint32_t *sms)\n{{\n"
                        f"(void)task; (void)ctas; (void)sms;\n{body}\n}}\n"
                        f"const struct policy policy_{name} = {{ .issue = issue{members} }};\n")
        return lab.find_policy(str(path))

    return write


@pytest.fixture
def played():
    """played("balance", tasks, sms=4): what happened to these tasks, in the order of their times, with all packets."""
    def run(policy, tasks, **machine):
        chosen = lab.find_policy(policy) if isinstance(policy, str) else policy
        return lab.play(lab.Workload("test", list(tasks)), [chosen], lab.Machine(**machine), log=True)[0]

    return run
