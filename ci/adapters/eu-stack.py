"""eu-stack behind the line protocol of readers under test (ci/readers.md): a core file of the registers and the stack of a question, beside an ELF
file around the section, and the callers that it prints."""

import os
import re
import subprocess
import sys
import tempfile

from cores import core
from program import Section

FRAME = re.compile(r"^#\d+ +0x([0-9a-f]+)", re.MULTILINE)


class Program:
    """The ELF file around a section. It is found in a core file by its headers, which are in memory before all else."""

    def __init__(self, section, path):
        first = min(section.text[0], section.address, section.index[1] if section.index else section.address)
        self.section, self.path, self.headers_at = section, path, max((first & ~0xFFF) - (1 << 16), 0x1000)
        content = section.elf(self.headers_at)
        with open(path, "wb") as file:
            file.write(content)
        read = lambda at, size: int.from_bytes(content[at : at + size], section.order)
        self.count = read(56, 2)
        self.words = [f"@{self.headers_at + at:#x}={read(at, 8):#x}" for at in range(0, 64 + 56 * self.count, 8)]

    def core(self, words):
        return core(self.section, [*words, *self.words], (self.headers_at + 64, self.count))


def callers(folder, program, question):
    _, most, *words = question
    path = os.path.join(folder, "core")
    with open(path, "wb") as file:
        file.write(program.core(words))
    command = ["eu-stack", "--raw", "-n", str(int(most) + 1), f"--core={path}", f"--executable={program.path}"]
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if ran.returncode < 0:
        # The protocol has a crash as the end of the adapter.
        os.kill(os.getpid(), -ran.returncode)
    frames = FRAME.findall(ran.stdout)
    return " ".join(["chain", *(f"{int(pc, 16):#x}" for pc in frames[1 : int(most) + 1])]) if frames else "err"


def main():
    program = None
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            words = line.split()
            if words[0] == "section":
                sys.stdout.flush()
                program = Program(Section(*words[1:]), os.path.join(folder, "program"))
                print("read")
            else:
                print(callers(folder, program, words))
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        sys.exit(subprocess.run(["eu-stack", "--version"]).returncode)
    main()
