#!/usr/bin/env python3
"""llvm-readelf --sframe behind the line protocol of readers under test (ci/readers.md): an ELF file is put around the section, and the JSON read.
The first argument is the llvm-readelf."""

import functools
import json
import re
import sys

from program import given_at_once, serve

# Version 22 prints one field of every descriptor as text amid its JSON.
STRAY = re.compile(r"Padding2: 0x[0-9a-f]+\n", re.IGNORECASE)


def row(found, function):
    base = {"SP": "sp", "FP": "fp"}.get(found["Base Register"]["Name"])
    if base is None or "CFA Offset" not in found:
        return "err"
    slot = lambda name: f"cfa{found[name]:+}" if name in found else "same"
    key = function["Info"].get("PAuth Key", {}).get("Name")
    signed = (" signed-b" if key == "B" else " signed-a") if found["Return Address Signed"] else ""
    return f"{base}{found['CFA Offset']:+} {slot('RA Offset')} {slot('FP Offset')}{signed}"


def answer(functions, pc):
    for function in functions:
        start = function["PC"]
        if not start <= pc < start + function["Size"]:
            continue
        rows = [item["Frame Row Entry"] for item in function["FREs"]]
        if function["Info"]["FDE Type"]["Name"] == "PCMask":
            block = function.get("Repetitive block size", 0)
            if block == 0:
                return "err"
            # Its rows start within the block.
            pc = (pc - start) % block
        found = [one for one in rows if one["Start Address"] <= pc]
        return row(found[-1], function) if found else "none"
    return "none"


def parsed(text, as_printed):
    try:
        return json.loads(text if as_printed else STRAY.sub("", text))
    except json.JSONDecodeError:
        return None


WORDS = ("--elf-output-style=JSON", "--sframe")


def read(file):
    (table,) = (value for name, value in file.items() if name.startswith("SFrame"))
    functions = [next(iter(item.values())) for item in table.get("Function Index", [])]
    return lambda pc: answer(functions, pc)


def look(program, section, as_printed=False):
    ran = section.given_to(program, *WORDS)
    # It warns of what it cannot read and exits with 0; its output has what it had read before.
    if "warning:" in ran.stderr:
        return None
    whole = parsed(ran.stdout, as_printed)
    return None if whole is None else read(whole[0])


def look_at_once(program, sections):
    ran, names = given_at_once(sections, program, *WORDS) or (None, [])
    whole = parsed(ran.stdout, False) if ran else None
    if whole is None or len(whole) != len(sections):
        return None
    warned = [line for line in ran.stderr.splitlines() if "warning:" in line]
    if not all(any(name in line for name in names) for line in warned):
        return None
    return [None if any(name in line for line in warned) else read(file) for name, file in zip(names, whole)]


if __name__ == "__main__":
    words = [word for word in sys.argv[2:] if word != "--as-printed"]
    as_printed = "--as-printed" in sys.argv
    sys.exit(serve(functools.partial(look, as_printed=as_printed), sys.argv[1], words, None if as_printed else look_at_once))
