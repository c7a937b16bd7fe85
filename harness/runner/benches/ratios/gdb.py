# What a step takes when gdb makes it and reads three registers: the time in nanoseconds, after "a step: ".
import time

import gdb

STEPS = 5000

gdb.execute("set pagination off")
gdb.execute("starti", to_string=True)
begun = time.perf_counter()
for _ in range(STEPS):
    gdb.execute("stepi", to_string=True)
    frame = gdb.selected_frame()
    for register in ("rip", "rsp", "rbp"):
        int(frame.read_register(register))
print("a step:", (time.perf_counter() - begun) * 1e9 / STEPS)
gdb.execute("kill")
