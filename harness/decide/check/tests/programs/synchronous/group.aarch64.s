# A group of synchronous functions is one finding among others.
# check: execute
# as: --gsframe
# ignore: elf/section-type header/obsolete-version
# show: functions messages
#
# case: four of eleven, executed
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, f4; late f4, f5; late f5, f6; late_epilogue f6, f7; late f7, f8; right f8, f9; wrong_body f9, f10; right f10, leaf
# expect: error, exited 0
# expect: error chain/matches-truth at 0x4001bb..0x4001bf in f9 : .sframe gives CFA 0x3ffeffffd50 at f9+0xf, the machine has 0x3ffeffffd40
# expect: error eh-frame/synchronous at 0x400124..0x40012c and 6 more ranges in .eh_frame : synchronous unwind tables: right at calls only (4 findings in prologues and epilogues of 4 functions: f4, f5, f6, f7)
# expect: error row/cfa-matches-truth at 0x4001b0..0x4001c8 in f9 : .sframe gives CFA 0x3ffeffffd20 at f9+0x4, the machine has 0x3ffeffffd40
#
# case: four of eleven, explored
# check: explore sync-tables=error
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, f4; late f4, f5; late f5, f6; late_epilogue f6, f7; late f7, f8; right f8, f9; wrong_body f9, f10; right f10, leaf
# expect: error, 78 of 78 reached
# expect: error eh-frame/synchronous at .text+0x74..0x7c and 6 more ranges in .eh_frame : synchronous unwind tables: right at calls only (4 findings in prologues and epilogues of 4 functions: f4, f5, f6, f7)
# expect: error row/cfa-matches-truth at .text+0x100..0x118 in f9 : .sframe gives CFA 0x3ffeffeffe0 at f9+0x4, the machine has 0x3ffefff0000
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
