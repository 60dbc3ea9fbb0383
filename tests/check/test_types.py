# SPDX-License-Identifier: Apache-2.0
"""The check of types notices what is wrong in an example of a document, and that the package has types."""
from pathlib import Path

import check_types

GOOD = "import ganger\nwith ganger.Device.boot() as dev:\n    size: int = dev.buffer(b'x').nbytes\n"
BAD = (GOOD.replace("size: int", "size: str"), GOOD.replace("boot()", "boots()"), GOOD.replace("b'x'", "7"),
       "def untyped(x):\n    return x\n")


def status(tmp_path, text):
    """What the check says of a README with one example."""
    (tmp_path / "docs").mkdir(exist_ok=True)
    (tmp_path / "README.md").write_text(f"# One\n```python\n{text}```\n")
    (tmp_path / "docs" / "PYTHON.md").write_text("# Two\n```sh\nls\n```\n")
    file, = check_types.examples(tmp_path, tmp_path / "examples")
    return check_types.run(Path(tmp_path), file)


def test_a_wrong_example_is_noticed(tmp_path):
    assert status(tmp_path, GOOD) == 0
    assert [status(tmp_path, text) for text in BAD] == [1] * len(BAD)
