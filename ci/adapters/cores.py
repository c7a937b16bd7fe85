"""Core files of the registers and memory of a question, for debuggers."""

import struct

NT_PRSTATUS, NT_FPREGSET, NT_PRPSINFO, NT_AUXV, NT_ARM_PAC_MASK = 1, 2, 3, 6, 0x406
AT_NULL, AT_PHDR, AT_PHENT, AT_PHNUM, AT_ENTRY, AT_HWCAP = 0, 3, 4, 5, 9, 16
# AT_HWCAP with PACA; the bits of a signature in an address of 48 bits, for data and for code.
PACA = (AT_HWCAP, 1 << 30)
SIGNATURE = 0xFF7F000000000000
ET_CORE = 4
# AMD64's order of registers in a core file (the kernel's user_regs_struct), by DWARF number; None: another one.
AMD64 = [15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5, None, "pc", "cs", "flags", 7, "ss"] + [None] * 6
AARCH64 = list(range(32)) + ["pc", None]
# The PSW's mask and address; after the general registers the access registers, two a word, and another.
S390X = ["mask", "pc"] + list(range(16)) + [None] * 9
# The DWARF numbers of its floating-point registers f0 to f15: a function without calls may save others there.
FLOATS = [16, 20, 17, 21, 18, 22, 19, 23, 24, 28, 25, 29, 26, 30, 27, 31]
REGISTERS = {"amd64": AMD64, "aarch64-le": AARCH64, "aarch64-be": AARCH64, "s390x": S390X}
# A program of 64 bits on s390x runs with this mask.
FIXED = {"cs": 0x33, "ss": 0x2B, "flags": 0x202, "mask": 0x0705000180000000}
# Offset of the registers in the note.
BEFORE = 112


def core(section, words, headers_at=None):
    """The core file for a question: a PC, registers `rN=...`, and words of memory `@ADDRESS=...`. `headers_at`: address and number of the
    program's headers, for a debugger that asks the auxiliary vector for them."""
    mark = "<" if section.order == "little" else ">"
    pc = int(words[0], 16)
    # Of an instruction of 4 bytes the first.
    values, memory = {"pc": pc & ~3 if section.abi.startswith("aarch64") else pc, **FIXED}, {}
    for word in words[1:]:
        name, value = word.split("=")
        if name[0] == "@":
            memory[int(name[1:], 16)] = int(value, 16)
        else:
            values[int(name[1:])] = int(value, 16)
    order = REGISTERS[section.abi]
    status = struct.pack(mark + "iii", 5, 0, 0).ljust(32, b"\0") + struct.pack(mark + "i", 1)
    status = status.ljust(BEFORE, b"\0") + b"".join(struct.pack(mark + "Q", values.get(name, 0)) for name in order) + bytes(8)
    # libdw wants the process too: its identifier is at 24.
    process = (bytes(24) + struct.pack(mark + "i", 1)).ljust(136, b"\0")
    note = b""
    notes = [("CORE", NT_PRSTATUS, status), ("CORE", NT_PRPSINFO, process)]
    if section.abi == "s390x":
        # After the control register.
        notes.append(("CORE", NT_FPREGSET, bytes(8) + struct.pack(">16Q", *(values.get(number, 0) for number in FLOATS))))
    elif section.abi.startswith("aarch64"):
        # The lower halves of v0 to v31, FPSR and FPCR.
        halves = [struct.pack(mark + "2Q", *((values.get(64 + number, 0), 0) if mark == "<" else (0, values.get(64 + number, 0)))) for number in range(32)]
        notes.append(("CORE", NT_FPREGSET, b"".join(halves) + bytes(16)))
    auxiliary = []
    if headers_at:
        auxiliary += [AT_PHDR, headers_at[0], AT_PHENT, 56, AT_PHNUM, headers_at[1], AT_ENTRY, 0]
    if section.abi.startswith("aarch64"):
        auxiliary += PACA
    if auxiliary:
        auxiliary += [AT_NULL, 0]
        notes.append(("CORE", NT_AUXV, struct.pack(f"{mark}{len(auxiliary)}Q", *auxiliary)))
    if section.abi.startswith("aarch64"):
        notes.append(("LINUX", NT_ARM_PAC_MASK, struct.pack(mark + "2Q", SIGNATURE, SIGNATURE)))
    for owner, kind, data in notes:
        note += struct.pack(mark + "III", len(owner) + 1, len(data), kind) + owner.encode().ljust(8, b"\0") + data
    segment = lambda *fields: struct.pack(mark + "IIQQQQQQ", *fields)
    from program import MACHINES

    # Words one after the other are one part.
    parts = []
    for address in sorted(memory):
        if parts and parts[-1][0] + len(parts[-1][1]) == address:
            parts[-1][1].extend(struct.pack(mark + "Q", memory[address]))
        else:
            parts.append((address, bytearray(struct.pack(mark + "Q", memory[address]))))
    at = 64 + 56 * (1 + len(parts))
    headers, body = segment(4, 0, at, 0, 0, len(note), 0, 4), note
    for address, data in parts:
        headers += segment(1, 6, at + len(body), address, 0, len(data), len(data), 1)
        body += data
    # ELFOSABI_GNU: lldb reads no core file of an unknown system.
    header = b"\x7fELF" + bytes([2, 1 if mark == "<" else 2, 1, 3]) + bytes(8)
    header += struct.pack(mark + "HHIQQQIHHHHHH", ET_CORE, MACHINES[section.abi], 1, 0, 64, 0, 0, 64, 56, 1 + len(parts), 64, 0, 0)
    return header + headers + body
