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
# The most bytes of code that are put into a file.
MOST_CODE = 1 << 20
ABIS = {"amd64": 3, "aarch64-le": 2, "aarch64-be": 1, "s390x": 4}
MACHINES = {"amd64": 62, "aarch64-le": 183, "aarch64-be": 183, "s390x": 22}


# How assert() of the C library names the function.
ASSERTION = re.compile(r": (\w+): Assertion ")


class Crashed(Exception):
    """A signal ended the program."""


class Section:
    def __init__(self, path, address, text_start, text_end, order, abi, table="sframe", *rest):
        self.path, self.address, self.order, self.abi, self.table = path, int(address, 16), order, abi, table
        self.text = int(text_start, 16), int(text_end, 16)
        # The register that is asked for in place of FP; None: FP.
        self.register = None
        if rest[-2:-1] == ("register",):
            self.register, rest = int(rest[-1]), rest[:-2]
        self.index = (rest[0], int(rest[1], 16)) if rest else None

    def elf(self, headers_at=None, name=".sframe"):
        """An ELF file around the section, which has this name if it is of SFrame."""
        with open(self.path, "rb") as file:
            table = file.read()
        if self.table == "sframe":
            # Beside it another one that is not asked for: a table without functions.
            other = ".sframe.other" if name == ".sframe" else ".sframe"
            empty = table[:4].ljust(4, b"\0") + bytes([ABIS[self.abi]]) + bytes(27)
            parts = [(one, 0x6FFFFFF4, 2, self.address, part) for one, part in ((other, empty), (name, table))]
            return elf(parts, self.order, MACHINES[self.abi])
        start, end = self.text
        # Code of zeros; of a large function only its place.
        code = bytes(end - start) if end - start <= MOST_CODE else end - start
        parts = [(".text", 1, 6, start, code), (".eh_frame", 1, 2, self.address, table)]
        if self.index:
            with open(self.index[0], "rb") as file:
                parts.append((".eh_frame_hdr", 1, 2, self.index[1], file.read()))
        return elf(parts, self.order, MACHINES[self.abi], headers_at)

    def given_to(self, program, *words, name=".sframe"):
        """What a program prints of the section."""
        with tempfile.NamedTemporaryFile(suffix=".elf") as file:
            file.write(self.elf(name=name))
            file.flush()
            ran = subprocess.run([program, *words, file.name], capture_output=True, text=True, errors="replace")
        if ran.returncode < 0:
            place = ASSERTION.search(ran.stderr)
            raise Crashed(f"{-ran.returncode} {place[1] if place else ''}".strip())
        return ran


def elf(parts, order, machine, headers_at=None):
    """An ELF file with these sections: name, type, flags, address, and bytes, or only their number. What is in memory has segments; its headers
    have one if they have an address."""
    mark = "<" if order == "little" else ">"
    strings, names = b"\0", []
    for name, *_ in parts + [(".shstrtab",)]:
        names.append(len(strings))
        strings += name.encode() + b"\0"
    entry = lambda *fields: struct.pack(mark + "IIQQQQIIQQ", *fields)
    segment = lambda *fields: struct.pack(mark + "IIQQQQQQ", *fields)
    segments, table, body = [], bytes(64), b""
    count = len([part for part in parts if not part[0].startswith(".sframe")]) + any(part[0] == ".eh_frame_hdr" for part in parts) + bool(headers_at)
    first = 64 + 56 * count
    for at, (name, kind, flags, address, data) in zip(names, parts):
        size, data = (data, b"") if isinstance(data, int) else (len(data), data)
        # Offset and address are equal within a page.
        offset = first + len(body)
        offset += (address - offset) % 4096 if count else 0
        body = body.ljust(offset - first, b"\0") + data
        table += entry(at, kind if len(data) == size else 8, flags, address, offset, size, 0, 0, 8 if name.startswith(".sframe") else 1, 0)
        if not name.startswith(".sframe"):
            segments.append(segment(1, 5 if flags & 4 else 4, offset, address, address, len(data), size, 4096))
        if name == ".eh_frame_hdr":
            segments.append(segment(0x6474E550, 4, offset, address, address, size, size, 4))
    if headers_at:
        segments.append(segment(1, 4, 0, headers_at, headers_at, first, first, 4096))
    table += entry(names[-1], 3, 0, 0, first + len(body), len(strings), 0, 0, 1, 0)
    body = (body + strings).ljust((first + len(body) + len(strings) + 7) // 8 * 8 - first, b"\0")
    header = b"\x7fELF" + bytes([2, 1 if mark == "<" else 2, 1, 0]) + bytes(8)
    # Program headers are sorted by address, as loaders need them.
    segments.sort(key=lambda one: (struct.unpack(mark + "I", one[:4])[0] != 1, struct.unpack(mark + "Q", one[16:24])[0]))
    header += struct.pack(mark + "HHIQQQIHHHHHH", 2, machine, 1, 0, 64 if count else 0, first + len(body), 0, 64, 56 if count else 0, count, 64, len(parts) + 2, len(parts) + 1)
    return header + b"".join(segments) + body + table


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
