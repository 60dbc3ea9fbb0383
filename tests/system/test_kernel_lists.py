# SPDX-License-Identifier: Apache-2.0
"""Lists of kernels in ELFs that go beyond the limits of the host: refused with the limit and the kernel. No device."""
import pytest

import ganger
from kernel_elf import kernel_elf
from support import expect

pytestmark = pytest.mark.shared

BOTH = pytest.mark.parametrize("xlen_of_file", (32, 64))


@pytest.fixture(name="info")
def info_of(tmp_path):
    """Reads an ELF that is made of these kernels."""
    def read(kernels, **said):
        path = tmp_path / "made.elf"
        path.write_bytes(kernel_elf(kernels, **said))
        return ganger.elf_info(path)
    return read


@BOTH
def test_good(info, xlen_of_file):
    """S3-R40, S3-R44: the longest name, and hundreds of parameters."""
    found = info([("n" * 127, 0), ("many", 300), ("last", 33)], xlen=xlen_of_file)
    assert list(found.kernels) == ["n" * 127, "many", "last"] and found.xlen == xlen_of_file
    assert found.kernels["many"].attributes == "" and not found.kernels["many"].silent  # A list of version 1.0.
    assert {(p.space, p.cl_type) for p in found.kernels["many"].parameters} == {("private", "")}
    for name, count in ("many", 300), ("last", 33):
        assert [(p.name, p.offset) for p in found.kernels[name].parameters] == [(f"p{i}", 4 * i) for i in range(count)]


@BOTH
def test_long_name(info, xlen_of_file):
    """S3-R41: a name that the host cannot hold as a whole is refused, since its beginning may be another kernel's."""
    name = "n" * 127
    error = expect("ERR_UNSUPPORTED", info, [(name + "a", 0), (name + "b", 0)], xlen=xlen_of_file)
    assert error.field == "name" and error.value == 128
    assert "has 128 bytes, and 127 is the most" in str(error) and "nnnn" in str(error)


def test_same_name(info):
    """S3-R41: two kernels of one name, and kernels without a name."""
    error = expect("ERR_ELF_FORMAT", info, [("one", 0), ("two", 1), ("one", 2)])
    assert "Two kernels of the ELF have the name one" in str(error)
    assert "no name" in str(expect("ERR_ELF_FORMAT", info, [("", 0)]))


def test_large_block(info):
    """S3-R41: the message says which kernel's parameters take how many bytes, and what the limit is."""
    error = expect("ERR_UNSUPPORTED", info, [("few", 2), ("blur", 16385)])
    assert error.field == "argument_bytes" and error.value == 65540
    assert "The parameters of kernel blur take 65540 bytes, and 65536 is the most" in str(error)


def test_arguments_that_are_not_there(info):
    """S3-R41: kernels with more arguments than the section has, or with arguments that lie over one another."""
    error = expect("ERR_ELF_FORMAT", info, [("one", 3)], arguments=2)
    assert "more arguments than there are" in str(error)
    error = expect("ERR_ELF_FORMAT", info, [("one", 3)], arguments=65535)
    assert "arguments are not in the section" in str(error) and error.value == 65535
    error = expect("ERR_ELF_FORMAT", info, [("one", 3)], step=2)
    assert "lie over one another" in str(error) and error.value == 1


def test_more_kernels_than_there_are(info):
    """S3-R41: a count of kernels that the section cannot hold is refused before memory is taken for so many."""
    error = expect("ERR_ELF_FORMAT", info, [("one", 0)], count=65535)
    assert "not in the section" in str(error) and error.value == 65535
