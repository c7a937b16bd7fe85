# The entry of a function that no call shows is assumed for a reason: a global name, an address
# in data, nothing at all.
# check: explore
# show: assumed
# expect: clean, 8 of 8 reached
# expect: assumed by-name in named
# expect: assumed by-name in untyped
# expect: assumed by-address in pointed
# expect: assumed no-evidence in unseen
    .type called, %function
called: .cfi_startproc
    ret
    .cfi_endproc
    .globl named
    .type named, %function
named: .cfi_startproc
    mov x9, x30
    .cfi_register x30, x9
    bl called
    mov x30, x9
    .cfi_restore x30
    ret
    .cfi_endproc
    .globl untyped
untyped: .cfi_startproc
    ret
    .cfi_endproc
    .type pointed, %function
pointed: .cfi_startproc
    ret
    .cfi_endproc
    .type unseen, %function
unseen: .cfi_startproc
    ret
    .cfi_endproc
    .data
    .quad pointed
