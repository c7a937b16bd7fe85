"""tame: of standard input, the lines that a terminal or a CI service acts upon, and the number of the others that name `forged`."""
import sys

shown = 0
for line in sys.stdin.read().split("\n"):
    acts = any(ord(c) < 32 and c != "\t" or 127 <= ord(c) < 160 or c in "\u202e\u2028\ufeff" for c in line)
    if acts or line.strip().startswith("::") or "##[" in line:
        print("acts:", repr(line))
    elif "forged" in line:
        shown += 1
print("shown" if shown else "not shown")
