"""What adapters around programs that print tables share: the line protocol of readers under test (ci/readers.md), and an ELF file around a
section, which is all that such a program takes."""

import re
import struct
import subprocess
import sys
import tempfile

MACHINES = {"amd64": 62, "aarch64-le": 183, "aarch64-be": 183, "s390x": 22}


# How assert() of the C library names the function.
ASSERTION = re.compile(r": (\w+): Assertion ")


class Crashed(Exception):
    """A signal ended the program."""


class Section:
    def __init__(self, path, address, _text_start, _text_end, order, abi):
        self.path, self.address, self.order, self.abi = path, int(address, 16), order, abi

    def given_to(self, program, *words):
        """What a program prints of the section."""
        with open(self.path, "rb") as file:
            bytes_of_section = file.read()
        with tempfile.NamedTemporaryFile(suffix=".elf") as file:
            file.write(elf(bytes_of_section, self.address, self.order, MACHINES[self.abi]))
            file.flush()
            ran = subprocess.run([program, *words, file.name], capture_output=True, text=True, errors="replace")
        if ran.returncode < 0:
            place = ASSERTION.search(ran.stderr)
            raise Crashed(f"{-ran.returncode} {place[1] if place else ''}".strip())
        return ran


def elf(section, address, order, machine):
    mark = "<" if order == "little" else ">"
    names = b"\0.sframe\0.shstrtab\0"
    strings = 64 + len(section)
    table = (strings + len(names) + 7) // 8 * 8
    header = b"\x7fELF" + bytes([2, 1 if mark == "<" else 2, 1, 0]) + bytes(8)
    header += struct.pack(mark + "HHIQQQIHHHHHH", 2, machine, 1, 0, 0, table, 0, 64, 0, 0, 64, 3, 2)
    entry = lambda *fields: struct.pack(mark + "IIQQQQIIQQ", *fields)
    body = (header + section + names).ljust(table, b"\0")
    body += bytes(64) + entry(1, 0x6FFFFFF4, 2, address, 64, len(section), 0, 0, 8, 0)
    return body + entry(9, 3, 0, 0, strings, len(names), 0, 0, 1, 0)


def serve(look, program, words):
    """`look(program, section)` gives a function from PC to answer, or None where the program refuses the section."""
    if words == ["--version"]:
        return subprocess.run([program, "--version"]).returncode
    if words != ["sframe-answers-2"]:
        return 2
    answer = None
    for line in sys.stdin:
        first, *rest = line.split()
        if first != "section":
            print(answer(int(first, 16)) if answer else "err")
            continue
        # What came before is told, whatever this one does.
        sys.stdout.flush()
        try:
            answer = look(program, Section(*rest))
            print("read" if answer else "refused")
        except Crashed as crash:
            answer = None
            print("crash", crash.args[0])
    return 0
