"""unseen FILE: offsets of bytes of FILE's .sframe that no line of a dump, on standard input, shows."""
import sys

from elf import Elf

elf = Elf(sys.argv[1])
header = elf.header(".sframe")
begins, size = elf.number(header + 24, 8), elf.number(header + 32, 8)
whole = elf.bytes[begins : begins + size]
unseen, version = set(range(size)), ""
for line in sys.stdin:
    words = line.split()
    version = version or next((word for word in words if word.startswith("(v")), "")
    if line.startswith("0x"):
        at = int(words[0], 16)
        for word in words[1:]:
            # A word of two hexadecimal digits may follow the bytes: the text begins with them.
            if len(word) != 2 or at == size or f"{whole[at]:02x}" != word:
                break
            unseen.discard(at)
            at += 1
print(version, f"{size} bytes" if not unseen else f"not printed: {sorted(unseen)}")
