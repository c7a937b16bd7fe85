# Synchronous tables are one finding a file, executed or explored: their rows do not follow
# prologue and epilogue.
# check: execute
# as: --gsframe
# ignore: elf/section-type header/obsolete-version
# show: functions
#
# case: all listed, executed
# check: execute sync-tables=listed
# link:
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x4000b4..0x4000bc in f0
# expect: error row/cfa-matches-truth at 0x4000d0..0x4000d8 and 1 more ranges in f1
# expect: error row/cfa-matches-truth at 0x4000ec..0x4000f4 and 1 more ranges in f2
# expect: error row/cfa-matches-truth at 0x400108..0x400110 and 1 more ranges in f3
# expect: error row/ra-matches-truth at 0x4000c8..0x4000cc in f0
#
# case: all listed, explored
# check: explore sync-tables=listed
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, 29 of 29 reached
# expect: error row/cfa-matches-truth at .text+0x4..0xc and 1 more ranges in f0
# expect: error row/cfa-matches-truth at .text+0x20..0x28 and 1 more ranges in f1
# expect: error row/cfa-matches-truth at .text+0x3c..0x44 and 1 more ranges in f2
# expect: error row/cfa-matches-truth at .text+0x58..0x60 and 1 more ranges in f3
#
# case: an error, executed
# check: execute sync-tables=error
# link:
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, exited 0
# expect: error eh-frame/synchronous at 0x4000b4..0x4000bc and 7 more ranges in .eh_frame
#
# case: an error, explored
# check: explore sync-tables=error
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, 29 of 29 reached
# expect: error eh-frame/synchronous at .text+0x4..0xc and 7 more ranges in .eh_frame
#
# case: a note, executed
# check: execute sync-tables=note
# link:
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: clean, exited 0
# expect: info eh-frame/synchronous at 0x4000b4..0x4000bc and 7 more ranges in .eh_frame
#
# case: a note, explored
# check: explore sync-tables=note
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: clean, 29 of 29 reached
# expect: info eh-frame/synchronous at .text+0x4..0xc and 7 more ranges in .eh_frame
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
