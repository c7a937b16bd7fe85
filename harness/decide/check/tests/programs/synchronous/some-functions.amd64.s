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
# expect: error row/cfa-matches-truth at 0x401016..0x401019 in f1
#
# case: only prologues
# check: execute sync-tables=error
# link:
# with functions: late_prologue f0, f1; late_prologue f1, f2; late_prologue f2, f3; late_prologue f3, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x401001..0x401004 in f0
# expect: error row/cfa-matches-truth at 0x401016..0x401019 in f1
# expect: error row/cfa-matches-truth at 0x40102b..0x40102e in f2
# expect: error row/cfa-matches-truth at 0x401040..0x401043 in f3
#
# case: two of four
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; late f1, f2; late f2, f3; right f3, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x401016..0x401019 and 1 more ranges in f1
# expect: error row/cfa-matches-truth at 0x40102b..0x40102e and 1 more ranges in f2
#
# case: epilogues of four in eleven
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, f4; right f4, f5; right f5, f6; late_epilogue f6, f7; late_epilogue f7, f8; late_epilogue f8, f9; late_epilogue f9, f10; right f10, leaf
# expect: error, exited 0
# expect: error row/cfa-matches-truth at 0x401092..0x401093 in f6
# expect: error row/cfa-matches-truth at 0x4010a7..0x4010a8 in f7
# expect: error row/cfa-matches-truth at 0x4010bc..0x4010bd in f8
# expect: error row/cfa-matches-truth at 0x4010d1..0x4010d2 in f9
#
# case: all right
# check: execute sync-tables=error
# link:
# with functions: right f0, f1; right f1, f2; right f2, f3; right f3, leaf
# expect: clean, exited 0
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
