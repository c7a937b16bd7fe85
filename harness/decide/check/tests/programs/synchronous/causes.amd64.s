# The one finding of synchronous tables has the causes of all: a ledger that does not list one
# of the causes does not list the finding.
# check: execute
# as: --gsframe
# ignore: elf/section-type header/obsolete-version
# show: causes
#
# case: listed
# check: explore causes sync-tables=listed
# with functions: late f0, f1; late f1, f2; code_after f2, f3; late f3, leaf
# expect: error, 41 of 41 reached
# expect: error row/cfa-matches-truth at .text+0x1..0x4 and 1 more ranges
# expect: error row/cfa-matches-truth at .text+0x16..0x19 and 1 more ranges
# expect: error row/cfa-matches-truth at .text+0x2f..0x32 and 1 more ranges
# expect: error row/cfa-matches-truth at .text+0x48..0x4b and 1 more ranges
# expect: cause amd64 compiler: repair: insert .cfi_adjust_cfa_offset N after push FP after `CFA by SP, RA saved`
# expect: cause amd64 compiler: repair: insert .cfi_def_cfa SP, N after pop FP after `CFA by FP, FP and RA saved`
# expect: cause amd64 compiler: repair: insert .cfi_restore FP after pop FP after `CFA by FP, FP and RA saved`
#
# case: error
# check: explore causes sync-tables=error
# with functions: late f0, f1; late f1, f2; code_after f2, f3; late f3, leaf
# expect: error, 41 of 41 reached
# expect: error eh-frame/synchronous at .text+0x1..0x4 and 7 more ranges
# expect: cause amd64 compiler: repair: insert .cfi_adjust_cfa_offset N after push FP after `CFA by SP, RA saved`
# expect: cause amd64 compiler: repair: insert .cfi_def_cfa SP, N after pop FP after `CFA by FP, FP and RA saved`
# expect: cause amd64 compiler: repair: insert .cfi_restore FP after pop FP after `CFA by FP, FP and RA saved`
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
