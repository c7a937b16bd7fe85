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
# expect: error chain/matches-truth at 0x4010ca..0x4010cd in f9 : .sframe gives CFA 0x3ffeffffd50 at f9+0xd, the machine has 0x3ffeffffd40
# expect: error eh-frame/synchronous at 0x401055..0x401058 and 6 more ranges in .eh_frame : synchronous unwind tables: right at calls only (4 findings in prologues and epilogues of 4 functions: f4, f5, f6, f7)
# expect: error row/cfa-matches-truth at 0x4010be..0x4010d2 in f9 : .sframe gives CFA 0x3ffeffffd38 at f9+0x1, the machine has 0x3ffeffffd40
#
# case: four of eleven, explored
# check: explore sync-tables=error
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, f4; late f4, f5; late f5, f6; late_epilogue f6, f7; late f7, f8; right f8, f9; wrong_body f9, f10; right f10, leaf
# expect: error, 100 of 100 reached
# expect: error eh-frame/synchronous at .text+0x55..0x58 and 6 more ranges in .eh_frame : synchronous unwind tables: right at calls only (4 findings in prologues and epilogues of 4 functions: f4, f5, f6, f7)
# expect: error row/cfa-matches-truth at .text+0xbe..0xd2 in f9 : .sframe gives CFA 0x3ffeffefff8 at f9+0x1, the machine has 0x3ffefff0000
    .macro function name, callee, prologue=0, epilogue=0, body=16, check=0, again=0
    .globl \name
    .type \name, @function
    \name: .cfi_startproc
    .if \check
    test %edi, %edi
    je 8f
    .endif
    push %rbp
    .if \prologue
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    .endif
    mov %rsp, %rbp
    .cfi_def_cfa %rbp, \body
    .cfi_offset %rbp, -16
    push %rbx
    sub $8, %rsp
    call \callee
    .if \again
    test %eax, %eax
    jne 9f
    .endif
    add $8, %rsp
    pop %rbx
    pop %rbp
    .if \epilogue
    .cfi_def_cfa %rsp, 8
    .cfi_restore %rbp
    .endif
7:  ret
    .if \again
9:  add $8, %rsp
    pop %rbx
    pop %rbp
    jmp \name
    .endif
    .if \check == 1
8:  ud2
    .elseif \check == 2
8:  xor %eax, %eax
    jmp 7b
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
    function \name, \callee, body=32
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
    call f0
    mov $60, %eax
    xor %edi, %edi
    syscall
