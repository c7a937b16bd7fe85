#!/usr/bin/env python3
"""llvm-readelf --sframe behind the line protocol of readers under test (ci/README.md): an ELF file is put around the section, and the JSON read.
The first argument is the llvm-readelf."""

import json
import os
import re
import subprocess
import sys
import tempfile

from readelf import MACHINES, elf

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


def main(readelf, words):
    if words == ["--version"]:
        return subprocess.run([readelf, "--version"]).returncode
    protocol, path, address, _text_start, _text_end, order, abi = words
    if protocol != "sframe-answers-1":
        return 2
    with open(path, "rb") as file:
        section = file.read()
    with tempfile.NamedTemporaryFile(suffix=".elf") as file:
        file.write(elf(section, int(address, 16), order, MACHINES[abi]))
        file.flush()
        command = [readelf, "--elf-output-style=JSON", "--sframe", file.name]
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if ran.returncode < 0:
        os.kill(os.getpid(), -ran.returncode)
    # What it cannot read it warns of, and ends with 0; what it had read before stands in what it printed.
    if "warning:" in ran.stderr:
        return 1
    (table,) = (value for name, value in json.loads(STRAY.sub("", ran.stdout))[0].items() if name.startswith("SFrame"))
    functions = [next(iter(item.values())) for item in table.get("Function Index", [])]
    for line in sys.stdin:
        print(answer(functions, int(line.split()[0], 16)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
