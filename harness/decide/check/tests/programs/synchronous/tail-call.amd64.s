# An epilogue may end in a tail call of the function itself, as in Swift's libraries: the frame
# is released before the jump to its start.
# check: execute
# as: --gsframe
# ignore: elf/section-type header/obsolete-version
# show: functions
#
# case: again
# check: explore sync-tables=error
# with functions: again f0, f1; again f1, f2; again f2, f3; again f3, leaf
# expect: error, 61 of 61 reached
# expect: error eh-frame/synchronous at .text+0x1..0x4 and 11 more ranges in .eh_frame
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
