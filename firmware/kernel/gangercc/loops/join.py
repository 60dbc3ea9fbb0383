# SPDX-License-Identifier: Apache-2.0
"""Links files of LLVM's text to one: `join OUT.ll IN.ll …`. What LLVM does not like ends it, with LLVM's words."""
import sys

sys.dont_write_bytecode = True

import llvm  # noqa: E402
from llvm import L  # noqa: E402


def main(arguments):
    produced, first, *rest = arguments
    context = L.ContextCreate()
    try:
        module = llvm.read(first, context)
        for path in rest:
            if L.LinkModules2(module, llvm.read(path, context)):
                return 1
        llvm.write(module, produced)
    except llvm.Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
