"""What adapters around programs that print tables share: the line protocol of readers under test (ci/readers.md), and an ELF file around a
section, which is all that such a program takes."""

import re
import struct
import subprocess
import sys
import tempfile

# Number of sections for one start of a program that takes long to start, and the time for these.
AT_ONCE = 20
AT_ONCE_SECONDS = 3
MACHINES = {"amd64": 62, "aarch64-le": 183, "aarch64-be": 183, "s390x": 22}


# How assert() of the C library names the function.
ASSERTION = re.compile(r": (\w+): Assertion ")


class Crashed(Exception):
    """A signal ended the program."""


class Section:
    def __init__(self, path, address, _text_start, _text_end, order, abi):
        self.path, self.address, self.order, self.abi = path, int(address, 16), order, abi

    def elf(self):
        """An ELF file around the section."""
        with open(self.path, "rb") as file:
            return elf(file.read(), self.address, self.order, MACHINES[self.abi])

    def given_to(self, program, *words):
        """What a program prints of the section."""
        with tempfile.NamedTemporaryFile(suffix=".elf") as file:
            file.write(self.elf())
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


# The place of a result that has to be had alone.
ALONE = object()


def given_at_once(sections, program, *words):
    """What a program prints of several sections, and the names of their files; None if it does not end well in time: one of them is to blame."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{number}.elf" for number in range(len(sections))]
        for name, section in zip(names, sections):
            with open(name, "wb") as file:
                file.write(section.elf())
        try:
            ran = subprocess.run([program, *words, *names], capture_output=True, text=True, errors="replace", timeout=AT_ONCE_SECONDS)
        except subprocess.TimeoutExpired:
            return None
    return (ran, names) if ran.returncode == 0 else None


def serve(look, program, words, look_at_once=None):
    """`look(program, section)` gives a function from PC to answer, or None where the program refuses the section. `look_at_once(program,
    sections)` gives one for each, or None if each has to be asked alone: programs that take long to start are started less often."""
    if words == ["--version"]:
        return subprocess.run([program, "--version"]).returncode
    if words != ["sframe-answers-2"]:
        return 2
    answer = None
    lines = sys.stdin.readlines() if look_at_once else sys.stdin
    ahead = [line.split()[1:] for line in lines if line.startswith("section ")] if look_at_once else []
    known = []
    for line in lines:
        first, *rest = line.split()
        if first != "section":
            print(answer(int(first, 16)) if answer else "err")
            continue
        # What came before is told, whatever this one does.
        sys.stdout.flush()
        try:
            if len(ahead) > 1 and not known:
                some = ahead[:AT_ONCE]
                known = look_at_once(program, [Section(*one) for one in some]) or [ALONE] * len(some)
            ahead = ahead[1:]
            found = known.pop(0) if known else ALONE
            answer = look(program, Section(*rest)) if found is ALONE else found
            print("read" if answer else "refused")
        except Crashed as crash:
            answer = None
            print("crash", crash.args[0])
    return 0
