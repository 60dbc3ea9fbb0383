# SPDX-License-Identifier: Apache-2.0
"""Lists of kernels in ELFs that go beyond the limits of the host: refused with the limit and the kernel. No device."""
import pytest

import ganger
from kernel_elf import kernel_elf
from support import expect

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
    """S3-R40, S3-R44: the longest name, and as many parameters as there may be."""
    found = info([("n" * 127, 0), ("many", 32)], xlen=xlen_of_file)
    assert list(found.kernels) == ["n" * 127, "many"] and found.xlen == xlen_of_file
    assert len(found.kernels["many"].parameters) == 32


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


def test_many_parameters(info):
    """S3-R41: the message says which kernel has how many parameters, and what the limit is."""
    error = expect("ERR_UNSUPPORTED", info, [("few", 2), ("blur", 33)])
    assert error.field == "parameters" and error.value == 33
    assert "Kernel blur has 33 parameters, and 32 is the most" in str(error)


def test_more_kernels_than_there_are(info):
    """S3-R41: a count of kernels that the section cannot hold is refused before memory is taken for so many."""
    error = expect("ERR_ELF_FORMAT", info, [("one", 0)], count=65535)
    assert "not in the section" in str(error) and error.value == 65535
