"""gdb behind the line protocol of readers under test (ci/readers.md): a core file of the registers and memory of a question, beside an ELF file
around the section, and the caller that gdb finds. Runs inside gdb: `gdb -batch -nx -x ci/adapters/gdb-frames.py`; by itself it starts one."""

import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from cores import core
from frames import AMD64
from program import Section

NAMES = {"amd64": ("rsp", "rbp"), "aarch64-le": ("sp", "x29"), "aarch64-be": ("sp", "x29"), "s390x": ("r15", "r11")}


def value(frame, section, register):
    """A register of a frame, by its name, or by its DWARF number."""
    if isinstance(register, int):
        register = AMD64[register] if section.abi == "amd64" else f"x{register}" if register < 32 else f"v{register - 64}"
    found = frame.read_register(register)
    found = found["d"]["u"][0] if register.startswith("v") else found
    return int(found.cast(gdb.lookup_type("long"))) % 2**64


def callers(frame, most):
    """The PC of each caller, the innermost first; frames of inlined functions are none."""
    while most > 0 and (frame := frame.older()) is not None:
        if frame.type() != gdb.INLINE_FRAME:
            yield frame.pc()
            most -= 1


def answer(folder, section, words):
    is_chain = words[0] == "chain"
    if is_chain:
        _, most, *words = words
    # Where nothing describes the code it guesses, from registers that are not given.
    elif len(words) == 1:
        return "none"
    path = os.path.join(folder, "core")
    with open(path, "wb") as file:
        file.write(core(section, words))
    gdb.execute(f"core-file {path}", to_string=True)
    try:
        frame = gdb.newest_frame()
        if is_chain:
            return " ".join(["chain", *(f"{pc:#x}" for pc in callers(frame, int(most)))])
        older = frame.older()
        if older is None:
            return "outer" if frame.unwind_stop_reason() == gdb.FRAME_UNWIND_OUTERMOST else "err"
        sp, fp = NAMES[section.abi]
        fp = fp if section.register is None else section.register
        return f"caller {older.pc():#x} {value(older, section, sp):#x} {value(older, section, fp):#x}"
    except gdb.error:
        return "err"
    finally:
        gdb.execute("core-file", to_string=True)


def inside():
    # What is printed for people would be in between.
    for setting in ("confirm off", "pagination off", "debug-file-directory /nonexistent", "sysroot /nonexistent", "auto-load off", "backtrace past-entry on", "backtrace past-main on", "style enabled off"):
        gdb.execute(f"set {setting}", to_string=True)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    section = None
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            words = line.split()
            if words[0] == "section":
                out.flush()
                section = Section(*words[1:])
                path = os.path.join(folder, "program")
                with open(path, "wb") as file:
                    file.write(section.elf())
                gdb.execute("file", to_string=True)
                gdb.execute(f"file {path}", to_string=True)
                print("read", file=out)
            else:
                print(answer(folder, section, words), file=out)
        out.flush()


if "gdb" in sys.modules or "gdb" in globals():
    import gdb

    inside()
elif sys.argv[2:] == ["--version"]:
    sys.exit(subprocess.run([sys.argv[1], "--version"]).returncode)
else:
    os.execvp(sys.argv[1], [sys.argv[1], "-q", "-nx", "-batch", "-x", os.path.abspath(__file__)])
