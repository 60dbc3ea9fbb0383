# SPDX-License-Identifier: Apache-2.0
"""Does what a page of the documents says, for tests of such pages.

A block of code whose fence names a file after the language goes to that file; a further one for the
same file is added to it. A block `sh` is run, and the block `text` behind it is what its output has:
each line in that order, `…` for anything.
"""
import os
import re
import subprocess

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(commands, folder, variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, text=True, timeout=600, env={**environment, **variables},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{commands}\n{done.stdout}"
    return done.stdout


def check_output(said, expected):
    """Each expected line, in order."""
    lines = iter(said.splitlines())
    for want in expected.splitlines():
        pattern = ".*".join(re.escape(" ".join(part.split())) for part in want.split("…"))
        pattern = pattern.replace(r"\ .*", ".*").replace(r".*\ ", ".*")
        assert any(re.fullmatch(pattern, " ".join(line.split())) for line in lines), f"no '{want}' in:\n{said}"


def follow(page, folder, change, variables=None):
    """Do what a page says. `change` fits its text to the board; `variables` are those of its commands."""
    said = ""
    for language, name, content in BLOCK.findall(change(page.read_text(encoding="utf-8"))):
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write(content)
        elif language == "sh":
            said = run(content, folder, variables or {})
        elif language == "text":
            check_output(said, content)
