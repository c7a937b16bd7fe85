#!/usr/bin/env python3
"""readelf --sframe, or objdump, behind the line protocol of readers under test (ci/readers.md): an ELF file is put around the section, and the
text read. The first argument is the program. An objdump reads files of its own target only: the one that is named is for x86_64, and those
beside it serve the others. Blocks that repeat have no size in the text, so that they are not claimed."""

import functools
import re
import struct
import subprocess
import sys

from program import serve

# As the programs of cross binutils are named.
TARGETS = {"amd64": "x86_64", "aarch64-le": "aarch64", "aarch64-be": "aarch64", "s390x": "s390x"}
FUNCTION = re.compile(r"func idx \[\d+\]: pc = 0x([0-9a-f]+), size = (-?\d+) bytes(.*)")
ROW = re.compile(r"\s+([0-9a-f]{16})\s+(\S.*)$")
FLAGS = {"NONE": 0, "SFRAME_F_FDE_SORTED": 1, "SFRAME_F_FRAME_POINTER": 2, "SFRAME_F_FDE_FUNC_START_PCREL": 4}
# Wide values run into the next column.
VALUE = re.compile(r"(\([^)]*\)|(?:sp|fp|r\d+)[+-]+\d+|c[+-]+\d+|r\d+|[uUf])(\[s\])?")


def value(text, fixed, amd64):
    """A column of RA or FP in the words of the protocol."""
    if text == "f" or (amd64 and text in "uU"):
        return f"cfa{fixed:+}"
    if text in "uU":
        return "same"
    if text[0] == "c":
        return "cfa" + text[1:].replace("+-", "-")
    if text[0] == "(":
        return "[" + text[1:-1].replace("+-", "-") + "]"
    return text.replace("+-", "-") if "+" in text or "-" in text else text + "+0"


def answer(functions, pc, fixed, abi):
    for start, size, words, rows in functions:
        if not start <= pc < start + size:
            continue
        found = [text for first, text in rows if first <= pc]
        if not found:
            return "none"
        signal = " signal" if re.search(r'attr = "\w*S', words) else ""
        if "undefined" in found[-1]:
            return "outer" + signal
        columns = VALUE.findall(found[-1])
        # A CFA counts from a register, and a slot at the CFA has no parentheses.
        if len(columns) != 3 or columns[0][0][0] == "c" or any(text.startswith("(c") for text, _ in columns):
            return "err"
        (cfa, _), (fp, _), (ra, signed) = columns
        cfa = ("[" + cfa[1:-1] + "]" if cfa[0] == "(" else cfa).replace("+-", "-")
        ra = value(ra, fixed, abi == "amd64")
        key = (" signed-b" if "B key" in words else " signed-a") if signed else ""
        return f"{cfa} {ra} {value(fp, fixed, False)}{key}{signal}"
    return "none"


def read(text):
    functions = []
    for line in text.splitlines():
        function, row = FUNCTION.search(line), ROW.match(line)
        if function:
            functions.append((int(function[1], 16), int(function[2]) % 2**32, function[3], []))
        elif line.startswith("    STARTPC[m]"):
            functions[-1] = (*functions[-1][:2], functions[-1][2] + " repeats", functions[-1][3])
        elif row and functions:
            functions[-1][3].append((int(row[1], 16), row[2]))
    return functions


def are_flags_right(text, flags):
    """Returns true if the header's flags are printed, each by name or as a number."""
    words = re.search(r"Flags: (.*?)\n *(?:CFA fixed|Num FDEs)", text, re.DOTALL)
    words = re.split(r"[,\s]+", words[1].strip()) if words else []
    # One flag is no list: a second word, of 0, would be the same sum.
    printed = [FLAGS.get(word, int(word) if word.isdigit() else -1) for word in words]
    return sum(printed) == flags and (flags == 0 or 0 not in printed) and len(printed) <= max(1, flags.bit_count())


def is_header_right(text, content):
    """Returns true if the header's version, counts and fixed offsets are printed; an offset of 0 is none."""
    fp, ra, fdes, fres = struct.unpack_from(order(content) + "bbxII", content, 5)
    fixed = [(f"CFA fixed {name} offset", str(value)) for name, value in [("FP", fp), ("RA", ra)] if value]
    right = [("Version", f"SFRAME_VERSION_{content[2]}"), *fixed, ("Num FDEs", str(fdes)), ("Num FREs", str(fres))]
    return re.findall(r"(?m)^ +(Version|CFA fixed .. offset|Num F[DR]Es): (\S+)", text) == right


def order(content):
    return ">" if content[:2] == b"\xde\xe2" else "<"


def repeats(content, index):
    """Returns true if the function's rows repeat in blocks, by its descriptor; None if that is not in the section."""
    aux, fdes, rows = struct.unpack_from(order(content) + "B12xII", content, 7)
    at = 28 + aux + fdes + {1: 17, 2: 20}.get(content[2], 16) * index
    try:
        info = at + 16 if content[2] < 3 else 28 + aux + rows + struct.unpack_from(order(content) + "I", content, at + 12)[0] + 2
        return bool(content[info] & 16)
    except (struct.error, IndexError):
        return None


@functools.cache
def knows_type(program):
    """Returns true for a readelf that knows the section's type, which from 2.46 on assemblers write."""
    printed = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"GNU readelf .* (\d+)\.(\d+)", printed)
    return bool(version) and (int(version[1]), int(version[2])) >= (2, 46)


def look(program, section):
    program = program.replace("x86_64-linux-gnu-objdump", TARGETS[section.abi] + "-linux-gnu-objdump")
    with open(section.path, "rb") as file:
        content = file.read()
    # Any section of the type can be named; without a name it is .sframe.
    is_named = sum(content) % 2 == 1
    name = ".sframe.asked" if is_named and knows_type(program) else ".sframe"
    words = ["-SW"] if knows_type(program) else []
    ran = section.given_to(program, *words, f"--sframe={name}" if is_named else "--sframe", name=name)
    if "Num FDEs" not in ran.stdout:
        return None
    is_type_right = not words or re.search(rf"{re.escape(name)} +GNU_SFRAME ", ran.stdout)
    if not is_type_right or re.findall(r"Contents of the SFrame section (\S+):", ran.stdout) != [name]:
        return lambda pc: "err"
    if not are_flags_right(ran.stdout, content[3]) or not is_header_right(ran.stdout, content):
        return lambda pc: "err"
    fixed = re.search(r"CFA fixed RA offset: (-?\d+)", ran.stdout)
    functions, rows = read(ran.stdout), re.search(r"Num FREs: (\d+)", ran.stdout)
    if rows and sum(len(own) for *_, own in functions) > int(rows[1]):
        return lambda pc: "err"
    if any(repeats(content, index) is (not words.endswith(" repeats")) for index, (_, _, words, _) in enumerate(functions)):
        return lambda pc: "err"
    return lambda pc: answer(functions, pc, int(fixed[1]) if fixed else -8, section.abi)


if __name__ == "__main__":
    sys.exit(serve(look, sys.argv[1], sys.argv[2:]))
