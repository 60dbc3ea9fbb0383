# SPDX-License-Identifier: Apache-2.0
"""Configuration at run time: all or nothing."""
import pytest

from support import LONG, Held, expect, run_good_task

BAD = [
    ({"mode": "multicast"}, "ERR_CONFIG", "config.mode", 2),
    ({"mode": "pull"}, "ERR_CONFIG", "config.mode", 3),
    ({"mode": 14}, "ERR_CONFIG", "config.mode", 14),
    ({"mode": 0x1000000}, "ERR_CONFIG", "config.mode", 0x1000000),
    ({"trace": 2}, "ERR_CONFIG", "config.trace", 2),
    ({"enabled": []}, "ERR_CONFIG", "config.enabled", 0),
    ({"enabled": [0, 8]}, "ERR_CONFIG", "config.enabled", 0x101),
    ({"enabled": [31]}, "ERR_CONFIG", "config.enabled", 1 << 31),
    ({"rank": [0, 0]}, "ERR_CONFIG", "config.rank", 0),
    ({"rank": [7, 6, 5, 4, 3, 2, 1, 8]}, "ERR_CONFIG", "config.rank", 8),
    ({"floor_per_mille": 1000}, "ERR_CONFIG", "config.floor_per_mille", 1000),
    ({"throttle_sms": 3}, "ERR_CONFIG", "config.throttle_sms", 3),
    ({"throttle_sms": 16}, "ERR_CONFIG", "config.throttle_sms", 16),
    ({"throttle_sms": 0}, "ERR_CONFIG", "config.throttle_sms", 0),
    ({"group": {0: (32, 0, 1)}}, "ERR_CONFIG", "config.gpc", None),
    ({"cga_ids": 0}, "ERR_CONFIG", "config.cga_ids", 0),
    ({"cga_ids": 257}, "ERR_CONFIG", "config.cga_ids", 257),
    ({"answer_ms": 0}, "ERR_CONFIG", "config.answer_ms", 0),
    ({"answer_ms": 60001}, "ERR_CONFIG", "config.answer_ms", 60001),
    ({"watch_ms": 3600001}, "ERR_CONFIG", "config.watch_ms", 3600001),
    ({"restarts": 1001}, "ERR_CONFIG", "config.restarts", 1001),
]


@pytest.mark.parametrize("parts, status, field, value", BAD, ids=[str(one[0]) for one in BAD])
def test_bad_configuration(device, load, parts, status, field, value):
    """S0-R33, S0-R31: a wrong value is refused with its field, and nothing is changed."""
    dev = device(8)
    before = dev.config()
    error = expect(status, dev.config, **parts)
    assert error.field == field, error
    assert value is None or error.value == value
    assert dev.config() == before
    run_good_task(dev, load(dev, "work"))


def test_one_bad_part_refuses_all(device, load):
    """S0-R33: of several parts, one of them wrong, none comes into force."""
    dev = device(8)
    before = dev.config()
    expect("ERR_CONFIG", dev.config, mode="round-robin", enabled=[3], rank=[9])
    assert dev.config() == before
    with Held(dev, load(dev, "work"), 8, mode="device") as held:
        held.await_started()
        assert held.per_sm() == [1] * 8
    with Held(dev, load(dev, "work"), 3, mode="device") as held:
        held.await_started()
        assert sorted(held.sms()) == [0, 1, 2]


@pytest.mark.parametrize("parts", [0, 1 << 14, 1 << 31, 0xffffffff])
def test_unknown_parts(device, parts):
    """S0-R33: a CONFIG of no part, or of an unknown one, is refused."""
    dev = device(8)
    error = expect("ERR_ARGUMENT", dev.command("CONFIG", args=(parts,)).wait, LONG)
    assert error.field == "command.argument0" and error.value == parts


def test_configuration_at_boot(device):
    """S0-R31, S0-R33: what is in force before anybody changes it."""
    config = device(64).config()
    assert config["mode"] == "device" and config["floor_per_mille"] == 0
    assert config["enabled"] == config["rank"] == list(range(64))
    assert config["time_limit_us"] == 300_000_000 and not config["trace"]
    assert config["cga_ids"] == config["cga_patience"] == 256
    assert config["answer_ms"] == 10000 and config["watch_ms"] == 60000 and config["restarts"] == 3


def test_unknown_keyword(device):
    """S0-R33: a part that the host does not know is a mistake in the program."""
    with pytest.raises(TypeError):
        device(8).config(colour="green")


def test_change_under_load(device, load, seed):
    """S0-R33, S0-R30: 60 changes of mode, list and SMs while tasks run: nothing is lost."""
    dev = device(8)
    kernel = load(dev, "work")["count"]
    outs = [dev.buffer(bytes(4 * 100)) for _task in range(60)]
    tasks = []
    for out in outs:
        tasks.append(dev.submit(kernel, grid=(100,), block=(2,), mode="device", args=[out]))
        dev.config(mode=seed.choice(("balance", "round-robin")),
                   enabled=seed.sample(range(8), seed.randint(1, 8)),
                   rank=seed.sample(range(8), 8))
    dev.config(mode="device", enabled=range(8), rank=range(8))
    assert all(task.wait(LONG).ctas == 100 for task in tasks)
    assert all(out.read() == b"\1\0\0\0" * 100 for out in outs)
