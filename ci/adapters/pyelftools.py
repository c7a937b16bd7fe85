#!/usr/bin/env python3
"""pyelftools behind the line protocol of readers under test (ci/readers.md): the decoded table of each FDE. Expressions are lists of bytes, which
are not evaluated here: not claimed."""

import io
import os
import sys

from frames import Function, RA, answer, asked, sum_of
from program import serve

# Where ci/consumers puts it; else the system's.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../target/consumers/pyelftools/root"))


def rule(found, abi, ra):
    from elftools.dwarf.callframe import RegisterRule as Rule

    if found is None or found.type == Rule.SAME_VALUE:
        return "same"
    if found.type == Rule.UNDEFINED:
        return "outer" if ra else "same"
    if found.type == Rule.OFFSET:
        return f"cfa{found.arg:+}"
    if found.type == Rule.VAL_OFFSET:
        return f"=cfa{found.arg:+}"
    return sum_of(found.arg, 0, abi) if found.type == Rule.REGISTER else "err"


def look(_program, section):
    from elftools.dwarf.callframe import FDE
    from elftools.elf.elffile import ELFFile

    file = ELFFile(io.BytesIO(section.elf()))
    dwarf = file.get_dwarf_info()
    try:
        entries = dwarf.EH_CFI_entries()
    except Exception:
        return None
    functions, abi = [], section.abi
    for entry in entries:
        if not isinstance(entry, FDE):
            continue
        letters = entry.cie.header.augmentation.decode("latin-1")
        start = entry.header.initial_location
        function = Function(start, start + entry.header.address_range, letters)
        functions.append(function)
        column, fp = entry.cie.header.return_address_register, asked(section)
        try:
            table = entry.get_decoded().table
        except Exception:
            function.rows.append((0, "err", "err", "err", False))
            continue
        for line in table:
            cfa = line["cfa"]
            cfa = "err" if cfa is None or cfa.reg is None else sum_of(cfa.reg, cfa.offset, abi)
            ra = rule(line.get(column), abi, True)
            if column != RA[abi] and ra == "same":
                ra = sum_of(column, 0, abi)
            function.rows.append((line["pc"], cfa, ra, rule(line.get(fp), abi, False), False))
    return lambda pc: answer(functions, pc)


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        import elftools

        print("pyelftools", elftools.__version__)
        sys.exit(0)
    sys.exit(serve(look, "pyelftools", sys.argv[1:]))
