"""What adapters of readers of `.eh_frame` share: the rows that a reader gives of functions, as answers of the line protocol (ci/readers.md)."""

import re

# Numbers of SP and FP, and the names of general registers, of each ABI.
SP = {"amd64": 7, "aarch64-le": 31, "aarch64-be": 31, "s390x": 15}
FP = {"amd64": 6, "aarch64-le": 29, "aarch64-be": 29, "s390x": 11}
RA = {"amd64": 16, "aarch64-le": 30, "aarch64-be": 30, "s390x": 14}
AMD64 = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()

# Floating-point registers in the order of their numbers, from 16 on.
S390X_FLOATS = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15]


def number(name, abi):
    """A register's DWARF number by its name; None if it has none here."""
    name = name.lower()
    if abi == "amd64" and name in AMD64:
        return AMD64.index(name)
    if abi == "s390x" and re.fullmatch(r"f\d+d?", name):
        return 16 + S390X_FLOATS.index(int(name[1:].rstrip("d")))
    special = {"sp": SP[abi], "fp": FP[abi], "lr": RA[abi], "wsp": SP[abi]}
    if name in special and abi.startswith("aarch64"):
        return special[name]
    if abi.startswith("aarch64") and re.fullmatch(r"[dvbhsq]\d+", name):
        return 64 + int(name[1:])
    found = re.fullmatch(r"(?:reg|[rwx])(\d+)d?", name)
    return int(found[1]) if found else None


def asked(section):
    """The DWARF number of the register that is asked for: FP, or another one that a call preserves."""
    return FP[section.abi] if section.register is None else section.register


def named(register, abi):
    return {SP[abi]: "sp", FP[abi]: "fp"}.get(register, f"r{register}")


def sum_of(register, offset, abi):
    return f"{named(register, abi)}{offset:+}"


class Function:
    """The range of a function, its rows by ascending address, and the letters of its CIE."""

    def __init__(self, start, end, letters=""):
        self.start, self.end, self.letters, self.rows = start, end, letters, []


def answer(functions, pc):
    """The answer for an address. A row is (address, words of CFA, RA and FP, signed); a CFA None ends the stack, RA "err" has no form."""
    for function in functions:
        if not function.start <= pc < function.end:
            continue
        found = [row for row in function.rows if row[0] <= pc]
        if not found:
            return "none"
        _, cfa, ra, fp, signed = found[-1]
        signal = " signal" if "S" in function.letters else ""
        if ra == "outer":
            return "outer" + signal
        if "err" in (cfa, ra, fp):
            return "err"
        key = (" signed-b" if "B" in function.letters else " signed-a") if signed else ""
        return f"{cfa} {ra} {fp}{key}{signal}"
    return "none"
