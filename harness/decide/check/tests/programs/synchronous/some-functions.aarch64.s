# Bugs of some functions are no synchronous tables.
# check: execute
# as: --gsframe
# ignore: elf/section-type header/obsolete-version
# show: functions
#
# case: one prologue
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; late_prologue f1, f2; right f2, f3; right f3, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x4000d0..0x4000d8 in f1
#
# case: only prologues
# check: execute sync-tables=error
# link:
# with functions: late_prologue f0, f1; late_prologue f1, f2; late_prologue f2, f3; late_prologue f3, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x4000b4..0x4000bc in f0
# expect: error row/cfa-matches-truth at 0x4000d0..0x4000d8 in f1
# expect: error row/cfa-matches-truth at 0x4000ec..0x4000f4 in f2
# expect: error row/cfa-matches-truth at 0x400108..0x400110 in f3
#
# case: two of four
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; late f1, f2; late f2, f3; right f3, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x4000d0..0x4000d8 and 1 more ranges in f1
# expect: error row/cfa-matches-truth at 0x4000ec..0x4000f4 and 1 more ranges in f2
#
# case: epilogues of four in eleven
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, f4; right f4, f5; right f5, f6; late_epilogue f6, f7; late_epilogue f7, f8; late_epilogue f8, f9; late_epilogue f9, f10; right f10, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x400170..0x400174 in f6
# expect: error row/cfa-matches-truth at 0x40018c..0x400190 in f7
# expect: error row/cfa-matches-truth at 0x4001a8..0x4001ac in f8
# expect: error row/cfa-matches-truth at 0x4001c4..0x4001c8 in f9
#
# case: all right
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, leaf
# expect: clean, exited 0
    .macro function name, callee, prologue=0, epilogue=0, body=32, check=0, again=0
    .globl \name
    .type \name, %function
    \name: .cfi_startproc
    .if \check
    cbz x0, 8f
    .endif
    stp x29, x30, [sp, -32]!
    .if \prologue
    .cfi_def_cfa_offset 32
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    .endif
    str x19, [sp, 16]
    mov x29, sp
    .cfi_def_cfa 29, \body
    .cfi_offset 29, -32
    .cfi_offset 30, -24
    bl \callee
    .if \again
    cbnz x0, 9f
    .endif
    ldr x19, [sp, 16]
    ldp x29, x30, [sp], 32
    .if \epilogue
    .cfi_def_cfa sp, 0
    .cfi_restore 29
    .cfi_restore 30
    .endif
7:  ret
    .if \again
9:  ldr x19, [sp, 16]
    ldp x29, x30, [sp], 32
    b \name
    .endif
    .if \check == 1
8:  brk 0
    .elseif \check == 2
8:  mov x0, 0
    b 7b
    .endif
    .cfi_endproc
    .size \name, .-\name
    .endm
    .macro late name, callee
    function \name, \callee
    .endm
    .macro right name, callee
    function \name, \callee, prologue=1, epilogue=1
    .endm
    .macro late_prologue name, callee
    function \name, \callee, epilogue=1
    .endm
    .macro late_epilogue name, callee
    function \name, \callee, prologue=1
    .endm
    .macro wrong_body name, callee
    function \name, \callee, body=48
    .endm
    .macro checked name, callee
    function \name, \callee, check=1
    .endm
    .macro code_after name, callee
    function \name, \callee, check=2
    .endm
    .macro again name, callee
    function \name, \callee, again=1
    .endm
    {functions}
    .globl leaf
    .type leaf, %function
leaf: .cfi_startproc
    ret
    .cfi_endproc
    .size leaf, .-leaf
    .globl _start
_start:
    bl f0
    mov x0, #0
    mov x8, #93
    svc #0
