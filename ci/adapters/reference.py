#!/usr/bin/env python3
"""A reader of .sframe behind the line protocol of readers under test (ci/readers.md), to be copied: all that an adapter does is in main().
The reader itself was written from the text of the format alone, and shares nothing with the rest of the project."""

import re
import struct
import sys

SP = {1: 31, 2: 31, 3: 7, 4: 15}
FP = {1: 29, 2: 29, 3: 6, 4: 11}


class Refused(Exception):
    pass


class Section:
    def __init__(self, data, address):
        self.data, self.address = data, address
        self.order = {b"\xe2\xde": "<", b"\xde\xe2": ">"}.get(data[:2])
        if self.order is None or len(data) < 28:
            raise Refused("no header")
        self.version, self.flags, self.abi, self.fixed_fp, self.fixed_ra, aux = struct.unpack_from("BBBbbB", data, 2)
        counts = struct.unpack_from(self.order + "5I", data, 8)
        if self.version not in (1, 2, 3) or self.abi not in SP:
            raise Refused("version or ABI")
        self.count, _, self.row_bytes, fdeoff, freoff = counts
        self.size = {1: 17, 2: 20, 3: 16}[self.version]
        self.table, self.rows = 28 + aux + fdeoff, 28 + aux + freoff
        if self.table + self.count * self.size > len(data) or self.rows + self.row_bytes > len(data):
            raise Refused("tables outside the section")

    def functions(self):
        for index in range(self.count):
            at = self.table + index * self.size
            start, size, rows = struct.unpack_from(self.order + ("qII" if self.version == 3 else "iII"), self.data, at)
            yield self.address + (at if self.flags & 4 else 0) + start, size, rows, at

    def answer(self, pc):
        found = [one for one in self.functions() if one[0] <= pc < one[0] + one[1]]
        if not found:
            return "none"
        start, _, offset, at = max(found, key=lambda one: one[0])
        end, info2, block = self.rows + self.row_bytes, 0, 16
        place = self.rows + offset
        if self.version == 3:
            if offset + 5 > self.row_bytes:
                return "err"
            count, info, info2, block = struct.unpack_from(self.order + "HBBB", self.data, place)
            place += 5
        else:
            count, info = struct.unpack_from(self.order + "IB", self.data, at + 12)
            if self.version == 2:
                block = self.data[at + 17]
        kind, flex = info & 15, info2 & 31
        if kind > 2 or flex > 1 or (info & 16 and block == 0):
            return "err"
        wanted = (pc - start) % block if info & 16 else pc - start
        row = None
        for _ in range(count):
            width = 1 << kind
            if place + width + 1 > end:
                return "err"
            first = struct.unpack_from(self.order + "BHI"[kind], self.data, place)[0]
            bits = self.data[place + width]
            words, size = bits >> 1 & 15, bits >> 5 & 3
            place += width + 1
            if size == 3 or place + (words << size) > end:
                return "err"
            if first <= wanted:
                row = bits, [(place + (n << size), size) for n in range(words)]
            place += words << size
        signal = " signal" if self.version == 3 and info & 128 else ""
        if row is None:
            return "none"
        return self.row(row[0], row[1], flex, "ab"[info >> 5 & 1]) + signal

    def word(self, place, signed=True):
        return struct.unpack_from(self.order + ("bhi" if signed else "BHI")[place[1]], self.data, place[0])[0]

    def register(self, number):
        return {SP[self.abi]: "sp", FP[self.abi]: "fp"}.get(number, f"r{number}")

    def row(self, bits, words, flex, key):
        if not words:
            return "outer"
        scale = (lambda offset: offset * 8 + 160) if self.abi == 4 else (lambda offset: offset)
        default_ra = f"cfa{self.fixed_ra:+}" if self.fixed_ra else "same"
        if flex:
            cfa, ra, fp = self.flex(words, scale, default_ra)
        else:
            cfa = f"{'sp' if bits & 1 else 'fp'}{scale(self.word(words[0])):+}"
            rest = [self.slot(self.word(word)) for word in words[1:]]
            ra = default_ra if self.fixed_ra or not rest else self.ra(words[1])
            rest = rest if self.fixed_ra else rest[1:]
            fp = rest[0] if rest else "same"
        signed = f" signed-{key}" if self.abi in (1, 2) and bits & 128 else ""
        return f"{cfa} {ra} {fp}{signed}"

    def ra(self, word):
        return "same" if self.abi == 4 and self.word(word) == 0 else self.slot(self.word(word))

    def slot(self, offset):
        if self.abi == 4 and self.version == 2 and offset & 1:
            return self.register(offset >> 1) + "+0"
        return f"cfa{offset:+}"

    def flex(self, words, scale, default_ra):
        values, at = [], 0
        while at < len(words):
            control = self.word(words[at], signed=False)
            if at == 2 and control == 0:
                values.append(None)
                at += 1
                continue
            values.append((control, self.word(words[at + 1]) if at + 1 < len(words) else 0))
            at += 2
        values += [None] * 3
        if values[0] is None or not values[0][0] & 1:
            raise Refused("a CFA that counts from no register")

        def text(value, scaled, absent):
            if value is None:
                return absent
            control, offset = value
            base = self.register(control >> 3) if control & 1 else "cfa"
            total = f"{base}{scale(offset) if scaled else offset:+}"
            if base == "cfa":
                return total if control & 2 else "=" + total
            return f"[{total}]" if control & 2 else total

        return text(values[0], True, ""), text(values[1], False, default_ra), text(values[2], False, "same")


def walk(section, words):
    """Where each caller goes on, at most MOST: `chain MOST PC rN=... @ADDRESS=...`."""
    most, pc = int(words[1]), int(words[2], 16)
    regs, memory = {}, {}
    for name, value in (word.split("=") for word in words[3:]):
        (memory if name[0] == "@" else regs)[int(name[1:], 0)] = int(value, 16)
    sp, fp, link = SP[section.abi], FP[section.abi], {3: None, 4: 14}.get(section.abi, 30)

    def value(text, cfa, same):
        if text == "same":
            return regs[same]
        loaded = text[0] == "[" or text.startswith("cfa")
        name, sign, offset = re.fullmatch(r"[\[=]?(\w+?)([+-])(\d+)\]?", text).groups()
        base = cfa if name == "cfa" else regs[{"sp": sp, "fp": fp}.get(name) or int(name[1:])]
        sum_ = base + int(sign + offset) & (1 << 64) - 1
        return memory[sum_] if loaded else sum_

    callers, at = [], pc
    while len(callers) < most:
        row = section.answer(at).split()
        if len(row) < 3:
            break
        try:
            cfa = value(row[0], None, None)
            ra, caller_fp = value(row[1], cfa, link), value(row[2], cfa, fp)
        except KeyError:
            break
        # The upper bytes of a signed address hold its signature.
        pc = ra & (1 << 48) - 1 if any(word.startswith("signed") for word in row) else ra
        callers.append(pc)
        # A caller's other registers are not known, and on s390x the CFA is 160 above SP.
        regs = {sp: cfa - (160 if section.abi == 4 else 0), fp: caller_fp}
        at = pc if "signal" in row else pc - 1
    return " ".join(["chain", *map(hex, callers)])


def main(arguments):
    if arguments == ["--version"]:
        print("reference 2")
        return 0
    if arguments != ["sframe-answers-2"]:
        return 2
    section = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "section":
            # What came before is told, whatever this one does.
            sys.stdout.flush()
            path, address, _text_start, _text_end, _order, _abi = words[1:]
            try:
                with open(path, "rb") as file:
                    section = Section(file.read(), int(address, 16))
                print("read")
            except (Refused, MemoryError) as error:
                section = None
                print("refused" if isinstance(error, Refused) else "out-of-memory")
            continue
        try:
            walks = words[0] == "chain"
            print("err" if not section else walk(section, words) if walks else section.answer(int(words[0], 16)))
        except (struct.error, IndexError, Refused):
            print("err")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
