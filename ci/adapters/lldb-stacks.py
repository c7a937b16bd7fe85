#!/usr/bin/python3
"""lldb behind the line protocol of readers under test (ci/readers.md), through its Python module: a core file of the registers and the stack of a
question, beside an ELF file around the section, and the callers that lldb finds."""

import glob
import os
import subprocess
import sys
import tempfile

from cores import core
from program import Section

# Where Debian puts the module and its library, whatever the search of Python finds.
PLACES = sorted(glob.glob("/usr/lib/llvm-*/lib/python3*/dist-packages"), reverse=True) + ["/usr/lib/python3/dist-packages/lldb"]


def callers(debugger, folder, program, section, question, number):
    _, most, *words = question
    path = os.path.join(folder, f"core{number}")
    with open(path, "wb") as file:
        file.write(core(section, words))
    target = debugger.CreateTarget(program)
    process = target.LoadCore(path)
    target.SetModuleLoadAddress(target.GetModuleAtIndex(0), 0)
    thread = process.GetThreadAtIndex(0) if process.IsValid() else None
    if not thread:
        return "err"
    frames = [thread.GetFrameAtIndex(index) for index in range(1, thread.GetNumFrames())]
    pcs = [frame.GetPC() for frame in frames if not frame.IsInlined()]
    debugger.DeleteTarget(target)
    os.unlink(path)
    return " ".join(["chain", *map(hex, pcs[: int(most)])])


def main():
    sys.path[:0] = PLACES
    import lldb

    debugger = lldb.SBDebugger.Create()
    debugger.SetAsync(False)
    section = None
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(sys.stdin):
            words = line.split()
            if words[0] == "section":
                sys.stdout.flush()
                section = Section(*words[1:])
                # What it reads of a file it keeps by its name.
                program = os.path.join(folder, f"program{number}")
                with open(program, "wb") as file:
                    file.write(section.elf())
                print("read")
            else:
                print(callers(debugger, folder, program, section, words, number))
        sys.stdout.flush()
    # What it does at its end takes long.
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        sys.exit(subprocess.run(["lldb", "--version"], stderr=subprocess.DEVNULL).returncode)
    main()
