# SPDX-License-Identifier: Apache-2.0
"""The files of a profile in what they are for: the time line in Perfetto's trace processor, the pictures in Chromium."""
import collections
import xml.etree.ElementTree as ET

import pytest
from selenium.webdriver.common.by import By

import ganger
from conftest import BUILD, PICTURES, SECONDS, errors
from processor import Processor, served


@pytest.fixture(scope="module")
def profile():
    """Six CTAs of 32 work-items with barriers."""
    source = (BUILD.parent / "firmware/kernel/samples/reduce.c").read_text(encoding="utf-8")
    with ganger.Profiler() as profiler, ganger.Device.boot("qemu-virt64", sms=2, plugin=profiler.plugin()) as dev:
        module = dev.load(ganger.build(source, "-g", "-fno-loops").image)
        profiler.watch(dev, module)
        dev.submit(module["reduce"], grid=6, block=32, args=[dev.buffer(bytes(768)), dev.buffer(bytes(24)), 192]).wait(SECONDS)
        return profiler.read(dev)


def test_time_line(chromium, profile, tmp_path):
    """S3-R8: nothing is wrong in it, each CTA is as long as it executed instructions, and each turn is there."""
    file = tmp_path / "line.json"
    file.write_text(profile.perfetto())
    with served() as address:
        processor = Processor(chromium, address, file)
        wrong = processor.query("select name, value from stats where severity in ('error', 'data_loss') and value > 0")
        assert [(row.name, row.value) for row in wrong] == []
        found = processor.query("""
            select s.name, s.category, s.dur, p.name as sm from slice s join thread_track k on s.track_id = k.id
            join thread using (utid) join process p using (upid)""")
    long, turns = collections.Counter(), collections.Counter()
    for row in found:
        if row.category == "cta":
            long[row.sm, row.name] += row.dur
        else:
            turns[row.sm] += 1
    assert long == {(f"SM {cta.sm}", f"CTA {cta.cta}"): cta.instructions for cta in profile.work.ctas}
    assert turns == collections.Counter(f"SM {turn.sm}" for turn in profile.work.turns)


@pytest.mark.parametrize("name", ["flame", "roofline"])
def test_pictures(chromium, profile, name):
    """The browser shows all that is in the picture, inside of its edges."""
    file = PICTURES / f"{name}.svg"
    file.write_text(getattr(profile, name)(title="reduce"))
    errors(chromium)
    chromium.get(file.as_uri())
    titles = [one.text for one in ET.parse(file).iter("{http://www.w3.org/2000/svg}title")]
    groups = chromium.find_elements(By.CSS_SELECTOR, "svg > g")
    assert len(groups) == len(titles) > 3 and errors(chromium) == []
    whole = chromium.find_element(By.CSS_SELECTOR, "svg").rect
    for one in groups:
        rect = one.rect
        assert rect["width"] > 0 and rect["x"] >= 0 and rect["x"] + rect["width"] <= whole["width"] + 1
        assert rect["y"] >= 0 and rect["y"] + rect["height"] <= whole["height"] + 1
    chromium.save_screenshot(str(PICTURES / f"{name}.png"))
