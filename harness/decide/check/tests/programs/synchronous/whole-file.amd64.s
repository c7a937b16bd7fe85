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
# expect: error row/cfa-matches-truth at 0x401001..0x401004 in f0
# expect: error row/cfa-matches-truth at 0x401016..0x401019 and 1 more ranges in f1
# expect: error row/cfa-matches-truth at 0x40102b..0x40102e and 1 more ranges in f2
# expect: error row/cfa-matches-truth at 0x401040..0x401043 and 1 more ranges in f3
# expect: error row/ra-matches-truth at 0x401014..0x401015 in f0
#
# case: all listed, explored
# check: explore sync-tables=listed
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, 37 of 37 reached
# expect: error row/cfa-matches-truth at .text+0x1..0x4 and 1 more ranges in f0
# expect: error row/cfa-matches-truth at .text+0x16..0x19 and 1 more ranges in f1
# expect: error row/cfa-matches-truth at .text+0x2b..0x2e and 1 more ranges in f2
# expect: error row/cfa-matches-truth at .text+0x40..0x43 and 1 more ranges in f3
#
# case: an error, executed
# check: execute sync-tables=error
# link:
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, exited 0
# expect: error eh-frame/synchronous at 0x401001..0x401004 and 7 more ranges in .eh_frame
#
# case: an error, explored
# check: explore sync-tables=error
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: error, 37 of 37 reached
# expect: error eh-frame/synchronous at .text+0x1..0x4 and 7 more ranges in .eh_frame
#
# case: a note, executed
# check: execute sync-tables=note
# link:
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: clean, exited 0
# expect: info eh-frame/synchronous at 0x401001..0x401004 and 7 more ranges in .eh_frame
#
# case: a note, explored
# check: explore sync-tables=note
# with functions: late f0, f1; late f1, f2; late f2, f3; late f3, leaf
# expect: clean, 37 of 37 reached
# expect: info eh-frame/synchronous at .text+0x1..0x4 and 7 more ranges in .eh_frame
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
