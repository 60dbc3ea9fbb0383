# SPDX-License-Identifier: Apache-2.0
"""Lists the numbers of the five specifications: docs/spec-numbers.txt.

The specifications are not part of the repository. This reads them once, from the folder given,
and writes one line for each requirement (R), claim (C), acceptance vector (T, V) and appendix
item (A): number, tag, title. A title that the file already has is kept: titles are ours to edit.
"""
import argparse
import re
import sys
from pathlib import Path

HEADER = """\
# The numbers of the five specifications that Ganger implements: S0 scheduling of compute tasks,
# S1 cooperative groups, S2 task graphs, S3 threads on cores, S4 N-D ranges.
# R requirement, C claim, T and V acceptance vector, A appendix item. Made by tools/spec_numbers.py;
# titles are edited by hand. Tags: M base behaviour, O option, X worked example, B background,
# I inferred, NA does not apply to a compute-only device; - where there is none.
"""
LINE = re.compile(r"^\s*-?\s*\**(S[0-4]-[RCTVA]\d+)\b\**(.*)")
BARE = re.compile(r"^\s*-\s*(V\d+)\b(.*)")  # S2 and S4 write their vectors without the prefix
CLAIMS = re.compile(r"(?:\*\*(C\d+)\*\*|(?<![-\w])(S[0-4]-C\d+))")
INLINE = re.compile(r"\*\*(S[0-4]-R\d+) (\[[MOXBI]\])\*\*([^;]*)")  # options defined in a running text
TAG = re.compile(r"\[(M|O|X|B|I|N/A)\b[^\]]*\]")
WORDS = 8


def title_of(text):
    """The first clause, at most WORDS words, free of marks."""
    text = re.sub(r"\[[^\]]*\]|\([^)]*\)|¶[\d,–]+|[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}", " ", text)
    clause = re.split(r"[.;:](?:\s|$)|\s[=–—⇒]\s|,\s", text.strip(" .:;—–="), maxsplit=1)[0]
    return " ".join(clause.split()[:WORDS]).strip(" ,.:;=—–") or "see the specification"


def numbers_of(path):
    """(number, tag, title) in the order of the file."""
    spec = path.name[:2].upper()
    for line in path.read_text(encoding="utf-8").splitlines():
        match, bare = LINE.match(line), BARE.match(line)
        for number, tag, text in INLINE.findall(line):
            yield number, TAG.match(tag).group(1), title_of(text)
        if bare:
            yield f"{spec}-{bare.group(1)}", "-", title_of(bare.group(2))
        elif match:
            tag = TAG.search(line)
            yield (match.group(1), tag.group(1).replace("/", "") if tag else "-",
                   title_of(match.group(2)))
            if re.match(r"S\d-C", match.group(1)):
                # A line of claims may go on with further ones.
                rest = match.group(2)
                found = list(CLAIMS.finditer(rest))
                for here, after in zip(found, found[1:] + [None]):
                    name = here.group(2) or f"{spec}-{here.group(1)}"
                    yield name, "-", title_of(rest[here.end():after.start() if after else None])


def order(number):
    spec, rest = number.split("-")
    return spec, "RCTVA".index(rest[0]), int(rest[1:])


def titles_in(path):
    rows = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {row.split()[0]: row.split(None, 2)[2] for row in rows if row.startswith("S")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", type=Path, help="folder of the five specifications")
    parser.add_argument("--out", type=Path, default=Path("docs/spec-numbers.txt"))
    arguments = parser.parse_args()
    kept, rows = titles_in(arguments.out), {}
    for path in sorted(arguments.specs.glob("s[0-4]-*.md")):
        for number, tag, title in numbers_of(path):
            rows.setdefault(number, (tag, kept.get(number, title)))
    with arguments.out.open("w", encoding="utf-8") as out:
        out.write(HEADER)
        for number in sorted(rows, key=order):
            out.write(f"{number:<8} {rows[number][0]:<2} {rows[number][1]}\n")
    print(f"{len(rows)} numbers in {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
