"""elf FILE EDIT...: edits of an ELF64 file (gABI, chapters 4 and 5), located by independent code.

hide SECTION            without a name, as plain data, and without a segment of its own
set PLACE SIZE VALUE    stores a number in the file's byte order
xor PLACE VALUE         changes a byte
get PLACE SIZE          prints a number
resize SECTION SIZE     sets sh_size
size SECTION            prints sh_size
endless                 an AArch64 program jumps to itself at its entry
A place is an offset, or SECTION+OFFSET, or SECTION-OFFSET from the section's end."""
import re
import sys


class Elf:
    def __init__(self, path):
        self.bytes = bytearray(open(path, "rb").read())
        self.order = "little" if self.bytes[5] == 1 else "big"

    def number(self, at, size):
        return int.from_bytes(self.bytes[at : at + size], self.order)

    def store(self, at, size, value):
        self.bytes[at : at + size] = value.to_bytes(size, self.order)

    def header(self, name):
        table, count, names = self.number(40, 8), self.number(60, 2), self.number(62, 2)
        names = self.number(table + 64 * names + 24, 8)
        for at in range(table, table + 64 * count, 64):
            begins = names + self.number(at, 4)
            if self.bytes[begins : self.bytes.index(0, begins)].decode() == name:
                return at
        sys.exit(f"no section {name}")

    def segments(self):
        return range(self.number(32, 8), self.number(32, 8) + 56 * self.number(56, 2), 56)

    def place(self, text):
        section, sign, offset = re.fullmatch(r"(\.[a-z_.]+)?([+-]?)(.*)", text).groups()
        if not section:
            return int(text, 0)
        header, offset = self.header(section), int(offset or "0", 0)
        begins = self.number(header + 24, 8)
        return begins + self.number(header + 32, 8) - offset if sign == "-" else begins + offset

    def hide(self, name):
        header = self.header(name)
        self.store(header, 4, 0)
        self.store(header + 4, 4, 1)  # SHT_PROGBITS
        for at in self.segments():
            if name == ".sframe" and self.number(at, 4) == 0x6474E554:  # PT_GNU_SFRAME
                self.store(at, 4, 0)

    def entry(self):
        entry = self.number(24, 8)
        for at in self.segments():
            inside = entry - self.number(at + 16, 8)
            if self.number(at, 4) == 1 and 0 <= inside < self.number(at + 32, 8):
                return self.number(at + 8, 8) + inside


def main(path, words):
    elf = Elf(path)
    while words:
        edit = words.pop(0)
        take = lambda: int(words.pop(0), 0)
        if edit == "hide":
            elf.hide(words.pop(0))
        elif edit == "set":
            elf.store(elf.place(words.pop(0)), take(), take())
        elif edit == "xor":
            at = elf.place(words.pop(0))
            elf.bytes[at] ^= take()
        elif edit == "get":
            print(hex(elf.number(elf.place(words.pop(0)), take())))
        elif edit == "resize":
            elf.store(elf.header(words.pop(0)) + 32, 8, take())
        elif edit == "size":
            print(elf.number(elf.header(words.pop(0)) + 32, 8))
        elif edit == "endless":
            at = elf.entry()
            elf.bytes[at : at + 4] = bytes([0, 0, 0, 0x14])
        else:
            sys.exit(__doc__)
    open(path, "wb").write(elf.bytes)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
