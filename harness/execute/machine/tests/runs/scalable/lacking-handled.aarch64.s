# A program may handle the signal of an instruction that only the emulator lacks: its behaviour then
# differs from that on a processor that has the instruction, and the run is undecided.
# link: -Ttext=0x400000 -Tbss=0x600000
# show: end
#
# case: irg, which only the emulator lacks
# with code: irg x0, x0
# expect: illegal-instruction at 20: illegal instruction irg at 0x400020, after 12 steps with up to 2 frames
#
# case: udf
# with code: udf #0
# expect: exit 3, after 12 steps with up to 2 frames
    .arch armv8.5-a+memtag
    adr x2, handler
    ldr x1, =action
    str x2, [x1]
    mov x0, #4 // SIGILL
    mov x2, #0
    mov x3, #8
    mov x8, #134
    svc #0
    {code}
    nop
handler:
    mov x0, #3
    mov x8, #93
    svc #0
    .pool
    .bss
action:
    .skip 0x1000
