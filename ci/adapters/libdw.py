#!/usr/bin/env python3
"""elfutils' libdw behind the line protocol of readers under test (ci/readers.md): dwarf_cfi_addrframe of an ELF file in memory. What it gives of a
register are operations of DWARF; those of CFI that is not an expression have few forms. The argument before the protocol is the library."""

import ctypes
import sys

from frames import RA, asked, sum_of
from program import serve


class Op(ctypes.Structure):
    _fields_ = [("atom", ctypes.c_uint8), ("number", ctypes.c_uint64), ("number2", ctypes.c_uint64), ("offset", ctypes.c_uint64)]


ELF_C_READ = 1
BREG, REG, REGX, BREGX, PLUS, DEREF = 0x70, 0x50, 0x90, 0x92, 0x23, 0x06
CALL_FRAME_CFA, STACK_VALUE, LIT0, NOP = 0x9C, 0x9F, 0x30, 0x96
POINTER = ctypes.POINTER


def library(path):
    dw = ctypes.CDLL(path)
    elf = ctypes.CDLL("libelf.so.1")
    elf.elf_version(1)
    elf.elf_memory.restype = ctypes.c_void_p
    dw.dwarf_getcfi_elf.restype = ctypes.c_void_p
    dw.dwarf_getcfi_elf.argtypes = [ctypes.c_void_p]
    dw.dwarf_cfi_addrframe.argtypes = [ctypes.c_void_p, ctypes.c_uint64, POINTER(ctypes.c_void_p)]
    dw.dwarf_frame_info.argtypes = [ctypes.c_void_p, POINTER(ctypes.c_uint64), POINTER(ctypes.c_uint64), POINTER(ctypes.c_bool)]
    dw.dwarf_frame_cfa.argtypes = [ctypes.c_void_p, POINTER(POINTER(Op)), POINTER(ctypes.c_size_t)]
    dw.dwarf_frame_register.argtypes = [ctypes.c_void_p, ctypes.c_int, Op * 3, POINTER(POINTER(Op)), POINTER(ctypes.c_size_t)]
    dw.dwarf_errmsg.restype = ctypes.c_char_p
    return dw, elf


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def based(op):
    """Register and offset of DW_OP_breg; None for another operation."""
    if BREG <= op.atom < BREG + 32:
        return op.atom - BREG, signed(op.number)
    return (op.number, signed(op.number2)) if op.atom == BREGX else None


def cfa_of(ops, abi):
    found = based(ops[0]) if ops else None
    if not found:
        return "err"
    register, offset = found
    rest = [op for op in ops[1:] if op.atom != NOP]
    if rest and rest[0].atom == PLUS:
        offset, rest = offset + signed(rest[0].number), rest[1:]
    if not rest:
        return sum_of(register, offset, abi)
    return f"[{sum_of(register, offset, abi)}]" if [op.atom for op in rest] == [DEREF] else "err"


def rule(ops, space, abi):
    if not ops:
        # No location: of the caller's own array of operations, undefined; otherwise the value is the same.
        return "undefined" if space else "same"
    value = ops[-1].atom == STACK_VALUE
    ops = ops[:-1] if value else ops
    first = ops[0]
    if REG <= first.atom < REG + 32 or first.atom == REGX:
        return sum_of(first.atom - REG if first.atom != REGX else first.number, 0, abi)
    offset = 0
    rest = ops[1:]
    if rest and rest[0].atom == PLUS:
        offset, rest = signed(rest[0].number), rest[1:]
    if first.atom == CALL_FRAME_CFA and not rest:
        return ("=" if value else "") + f"cfa{offset:+}"
    found = based(first)
    if found and not rest:
        text = sum_of(found[0], found[1] + offset, abi)
        return text if value else f"[{text}]"
    return "err"


def look(path, section):
    dw, elf = LIBRARIES[path]
    data = section.elf()
    buffer = ctypes.create_string_buffer(data, len(data))
    handle = elf.elf_memory(buffer, ctypes.c_size_t(len(data)))
    cfi = dw.dwarf_getcfi_elf(handle) if handle else None
    if not cfi:
        return None

    def answer(pc):
        frame = ctypes.c_void_p()
        if dw.dwarf_cfi_addrframe(cfi, pc, ctypes.byref(frame)) != 0:
            return "none" if b"no matching" in (dw.dwarf_errmsg(-1) or b"").lower() else "err"
        start, end, signal = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_bool()
        column = dw.dwarf_frame_info(frame, ctypes.byref(start), ctypes.byref(end), ctypes.byref(signal))
        ops, count = POINTER(Op)(), ctypes.c_size_t()

        def register(number):
            space = (Op * 3)()
            if dw.dwarf_frame_register(frame, number, space, ctypes.byref(ops), ctypes.byref(count)) != 0:
                return "err"
            at_space = ctypes.cast(ops, ctypes.c_void_p).value == ctypes.addressof(space)
            return rule([ops[n] for n in range(count.value)], at_space, section.abi)

        mark = " signal" if signal.value else ""
        ra, fp = register(column), register(asked(section))
        if ra == "undefined":
            return "outer" + mark
        if dw.dwarf_frame_cfa(frame, ctypes.byref(ops), ctypes.byref(count)) != 0:
            return "err"
        cfa = cfa_of([ops[n] for n in range(count.value)], section.abi)
        fp = "same" if fp == "undefined" else fp
        if column != RA[section.abi] and ra == "same":
            ra = sum_of(column, 0, section.abi)
        return "err" if "err" in (cfa, ra, fp) else f"{cfa} {ra} {fp}{mark}"

    answer.alive = buffer, handle, cfi
    return answer


if __name__ == "__main__":
    if sys.argv[2:] == ["--version"]:
        ctypes.CDLL(sys.argv[1])
        import os
        print("libdw", os.path.realpath("/usr/lib/x86_64-linux-gnu/" + sys.argv[1]).rsplit("-", 1)[1].removesuffix(".so"))
        sys.exit(0)
    LIBRARIES = {sys.argv[1]: library(sys.argv[1])}
    sys.exit(serve(look, sys.argv[1], sys.argv[2:]))
