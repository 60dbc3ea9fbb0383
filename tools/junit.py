# SPDX-License-Identifier: Apache-2.0
"""Results as JUnit XML: the one format of all our runners, as pytest writes it."""
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd]")


@dataclass
class Case:
    suite: str
    name: str
    state: str  # "passed", "failed" or "skipped"
    text: str = ""
    seconds: float = 0.0


def write(path, cases):
    suite = ET.Element("testsuite", tests=str(len(cases)))
    for case in cases:
        element = ET.SubElement(suite, "testcase", classname=case.suite, name=case.name,
                                time=f"{case.seconds:.3f}")
        if case.state != "passed":
            tag = "failure" if case.state == "failed" else "skipped"
            ET.SubElement(element, tag).text = NOT_XML.sub("?", case.text)
    ET.ElementTree(suite).write(path, encoding="unicode")


def read(path):
    """The cases of a file; ValueError when it is no result file. An error counts as failed."""
    try:
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError) as error:
        raise ValueError(error) from None
    cases = {}
    for element in root.iter("testcase"):
        inner = {child.tag: child.text or child.get("message", "") for child in element}
        state, text = "passed", ""
        for tag, other in (("skipped", "skipped"), ("error", "failed"), ("failure", "failed")):
            if tag in inner:
                state, text = other, inner[tag]
        key = (element.get("classname", ""), element.get("name", ""))
        # pytest writes a case twice when its teardown fails as well.
        if key not in cases or state == "failed":
            cases[key] = Case(*key, state, text, float(element.get("time") or 0))
    return list(cases.values())
