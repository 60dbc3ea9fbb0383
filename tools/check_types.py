# SPDX-License-Identifier: Apache-2.0
"""mypy --strict on the Python package, and on the Python examples of the documents."""
import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / "host/python/pyproject.toml"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def examples(root, folder):
    """Writes every Python example of README.md and docs/PYTHON.md into a file of its own; returns the files."""
    files = []
    folder.mkdir(parents=True, exist_ok=True)
    for document in ("README.md", "docs/PYTHON.md"):
        for number, text in enumerate(BLOCK.findall((root / document).read_text(encoding="utf-8")), 1):
            files.append(folder / f"{Path(document).stem.lower()}_{number}.py")
            files[-1].write_text(text, encoding="utf-8")
    return files


def run(build, *what):
    """mypy's status; it says what is wrong."""
    command = [sys.executable, "-m", "mypy", "--config-file", CONFIG, "--cache-dir", build / "mypy", *what]
    return subprocess.run(command, check=False, timeout=600,
                          env={**os.environ, "MYPYPATH": str(ROOT / "host/python")}).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build"))
    build = parser.parse_args().build.resolve()
    package = run(build, "--package", "ganger")
    # Each by itself: they are programs, and use the same names.
    return package | max(run(build, file) for file in examples(ROOT, build / "mypy" / "examples"))


if __name__ == "__main__":
    sys.exit(main())
