# SPDX-License-Identifier: Apache-2.0
"""The one kind of error that ganger-cc reports to its user."""


class KernelError(Exception):
    """What is wrong with the sources or the command line, in words for their author."""
