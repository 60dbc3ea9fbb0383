# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: HTML and SVG that parsers take, with every text as it is."""
import re
import xml.etree.ElementTree as xml

from support import LONG, expect, zeros


def cells(shown):
    """Title and rows of a table in HTML, which is well-formed XML: (text, {name: value})."""
    root = xml.fromstring(shown)
    assert root.tag == "table" and {one.tag for one in root.iter()} <= {"table", "caption", "tr", "th", "td"}
    return root.find("caption").text, {row.find("th").text: row.find("td").text for row in root.iter("tr")}


def test_tasks(device, load):
    """A task on its way shows how far it is, then what became of it; so does a completion."""
    dev = device(2)
    module = load(dev, "work")
    task = dev.submit(module["forever"], grid=20, args=[zeros(dev, 20), 3])
    title, facts = cells(task._repr_html_())
    assert title == f"Task {task.tag} forever" and facts["status"] == "on its way"
    assert re.fullmatch(r"\d+ of 20", facts["CTAs"])
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    assert cells(task._repr_html_())[1]["status"] == "ERR_CANCELLED"
    good = dev.submit(module["blank"], grid=7)
    done = good.wait(LONG)
    assert cells(good._repr_html_())[1] == cells(done._repr_html_())[1]
    assert cells(done._repr_html_())[1]["CTAs"] == "7"
    wrong = dev.submit_tmd(wrong_tmd(dev, module))
    expect("ERR_BLOCK_TOO_LARGE", wrong.wait, LONG)
    shown = cells(wrong._repr_html_())[1]
    assert (shown["status"], shown["tmd.block_x"]) == ("ERR_BLOCK_TOO_LARGE", "1025")


def wrong_tmd(dev, module):
    """Task metadata with too many threads."""
    tmd = dev.tmd(module["blank"])
    tmd.block_x = 1025
    return tmd


def test_texts_are_escaped(device, load):
    """A name with the characters of markup is shown as it is."""
    dev = device(2)
    name = "<script>alert('&\"')</script>"
    task = dev.submit(load(dev, "work")["blank"])
    task.wait(LONG)
    task.kernel = name
    assert cells(task._repr_html_())[0] == f"Task {task.tag} {name}"
    dev.trace_on()
    traced = dev.submit(load(dev, "work")["blank"])
    traced.wait(LONG)
    dev.trace_off()
    trace = dev.trace()
    trace.names[traced.tag] = name
    texts = [one.text for one in xml.fromstring(trace._repr_svg_()).iter() if one.text]
    assert any(name in text for text in texts)


def test_devices(fresh, board):
    """A device shows what it is and its state, also after its end; so do its tasks."""
    dev = fresh(3)
    title, facts = cells(dev._repr_html_())
    assert title == f"Device {board}" and (facts["state"], facts["SMs"]) == ("READY", "3")
    assert facts["XLEN"] == str(dev.info.xlen) and facts["features"] == ", ".join(dev.info.features)
    task = dev.command("NOP")
    dev.close()
    assert cells(dev._repr_html_())[1]["state"] == "closed"
    assert "ERR_DEVICE_LOST" in cells(task._repr_html_())[1]["status"]


def test_a_time_line_styles_nothing_else(device, load):
    """The SVG is the file's; each rule of its style is for its own class only."""
    dev = device(2)
    dev.trace_on()
    dev.submit(load(dev, "work")["blank"], grid=5).wait(LONG)
    dev.trace_off()
    root = xml.fromstring(dev.trace()._repr_svg_())
    assert root.tag.endswith("svg") and root.get("class") == "ganger"
    style = next(one.text for one in root.iter() if one.tag.endswith("style"))
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{", style) for part in rule.split(",")]
    assert len(selectors) > 5 and all(re.fullmatch(r"\.ganger( \.\w+)?", one) for one in selectors)
