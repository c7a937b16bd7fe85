#!/usr/bin/env python3
"""readelf --debug-dump=frames-interp behind the line protocol of readers under test (ci/readers.md): an ELF file is put around the section, and
the text read. The first argument is the program. Expressions print as `exp`; a register of which nothing is said prints like one that is
undefined: neither is claimed."""

import re
import sys

from frames import RA, Function, answer, asked, number, sum_of
from program import given_at_once, serve

WORDS = ("--wide", "--debug-dump=frames-interp")
CIE = re.compile(r'([0-9a-f]+) [0-9a-f]+ 0+ CIE "([^"]*)" cf=(-?\d+) df=(-?\d+) ra=(\d+)')
FDE = re.compile(r"([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)")
ROW = re.compile(r"([0-9a-f]{16}) (\S.*)$")


def rule(text, abi, absent):
    if text in ("u", "s"):
        return absent
    found = re.fullmatch(r"([cv])([+-]\d+)", text)
    if found:
        return ("=" if found[1] == "v" else "") + "cfa" + found[2]
    register = number(text, abi)
    return "err" if register is None else sum_of(register, 0, abi)


def cfa(text, abi):
    found = re.fullmatch(r"(\w+?)([+-]\d+)", text)
    register = number(found[1], abi) if found else None
    return "err" if register is None else sum_of(register, int(found[2]), abi)


def read(text, section):
    abi, register = section.abi, asked(section)
    letters, functions, columns, last, initial = {}, [], [], None, {}
    for line in text.splitlines():
        cie, fde, row = CIE.match(line), FDE.match(line), ROW.match(line)
        if cie:
            letters[int(cie[1], 16)] = cie[2]
            last = ("cie", int(cie[1], 16))
        elif fde:
            of = int(fde[2], 16)
            functions.append(Function(int(fde[3], 16), int(fde[4], 16), letters.get(of, "")))
            last = ("fde", of)
            functions[-1].rows += [(0, *initial[of][1:])] if of in initial else []
        elif line.lstrip().startswith("LOC"):
            columns = line.split()[1:]
        elif row and last:
            values = dict(zip(columns, re.sub(r" \(\w+\)", "", row[2]).split()))
            # A register is `r12 (r12)`. Without a column nothing is said.
            ra = rule(values.get("ra", "u"), abi, "outer" if abi == "amd64" and values.get("ra") == "u" else "same")
            fp = [value for name, value in values.items() if name not in ("CFA", "ra") and number(name, abi) == register]
            signed = values.get("ra_sign_state", values.get("ra_state")) == "1"
            made = (int(row[1], 16), cfa(values.get("CFA", ""), abi), ra, rule(fp[0], abi, "same") if fp else "same", signed)
            if last[0] == "cie":
                initial[last[1]] = made
            else:
                functions[-1].rows.append(made)
    return functions


def answers(text, section):
    functions = read(text, section)
    return lambda pc: answer(functions, pc)


def look(program, section):
    ran = section.given_to(program, *WORDS)
    return answers(ran.stdout, section) if " CIE " in ran.stdout else None


def look_at_once(program, sections):
    ran = given_at_once(sections, program, *WORDS)
    if ran is None or len(sections) < 2:
        return None
    parts, part = {}, []
    for line in ran[0].stdout.splitlines(keepends=True):
        named = re.match(r"File: (.*)$", line)
        if named:
            part = parts.setdefault(named[1], [])
        else:
            part.append(line)
    texts = ["".join(parts.get(name, [])) for name in ran[1]]
    return [answers(text, section) if " CIE " in text else None for text, section in zip(texts, sections)]


if __name__ == "__main__":
    sys.exit(serve(look, sys.argv[1], sys.argv[2:], look_at_once))
