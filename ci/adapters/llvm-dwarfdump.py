#!/usr/bin/env python3
"""llvm-dwarfdump --eh-frame behind the line protocol of readers under test (ci/readers.md): an ELF file is put around the section, and the text
read. The first argument is the program. Expressions print as their operations, which are not evaluated here: not claimed."""

import re
import sys

from frames import RA, Function, answer, asked, number, sum_of
from program import given_at_once, serve

CIE = re.compile(r"([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ CIE")
FDE = re.compile(r"([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.\.([0-9a-f]+)")
ROW = re.compile(r"  (?:0x([0-9a-f]+): )?(CFA=.*)$")
LETTERS = re.compile(r'  Augmentation: +"(.*)"')


def rule(text, abi, register):
    if text in ("same", "unspecified"):
        return "same"
    if text == "undefined":
        return "outer" if register == RA[abi] else "same"
    found = re.fullmatch(r"(\[?)(CFA|\w+)([+-]\d+)?(\]?)", text)
    if not found:
        return "err"
    offset = int(found[3] or 0)
    if found[2] == "CFA":
        return f"cfa{offset:+}" if found[1] else f"=cfa{offset:+}"
    base = number(found[2], abi)
    if base is None:
        return "err"
    return f"[{sum_of(base, offset, abi)}]" if found[1] else sum_of(base, offset, abi)


def row(text, section, address, column):
    abi = section.abi
    first, _, rest = text.partition(": ")
    cfa = rule(first[4:], abi, None)
    values = {"ra": rule("same", abi, None), "fp": "same"}
    if column not in (None, RA[abi]):
        values["ra"] = "same"
    for name, value in re.findall(r"(\w+)=([^,]*)", rest):
        register = number(name, abi)
        if register is not None and register == (RA[abi] if column is None else column):
            values["ra"] = rule(value, abi, RA[abi])
        if register == asked(section):
            values["fp"] = rule(value, abi, register)
    signed = re.search(r"RA_SIGN_STATE=(\d)|reg34=(\d)", rest, re.IGNORECASE)
    return address, cfa, values["ra"], values["fp"], bool(signed and "1" in signed.groups())


def read(text, section):
    letters, columns, functions, at = {}, {}, [], None
    for line in text.splitlines():
        cie, fde, found, augmentation = CIE.match(line), FDE.match(line), ROW.match(line), LETTERS.match(line)
        if cie:
            at = int(cie[1], 16)
        elif augmentation and at is not None:
            letters[at] = augmentation[1]
        elif line.startswith("  Return address column:") and at is not None:
            columns[at] = int(line.split()[-1])
        elif fde:
            at, of = None, int(fde[2], 16)
            functions.append(Function(int(fde[3], 16), int(fde[4], 16), letters.get(of, "")))
            column = columns.get(of)
        elif found and at is None and functions:
            functions[-1].rows.append(row(found[2], section, int(found[1] or "0", 16), column))
    return functions


def answers(text, section):
    functions = read(text, section)
    return lambda pc: answer(functions, pc)


def look(program, section):
    ran = section.given_to(program, "--eh-frame")
    return answers(ran.stdout, section) if " CIE" in ran.stdout else None


if __name__ == "__main__":
    sys.exit(serve(look, sys.argv[1], sys.argv[2:]))
