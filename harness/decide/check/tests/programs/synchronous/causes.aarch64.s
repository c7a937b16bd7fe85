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
# expect: error, 32 of 32 reached
# expect: error row/cfa-matches-truth at .text+0x4..0xc and 1 more ranges
# expect: error row/cfa-matches-truth at .text+0x20..0x28 and 1 more ranges
# expect: error row/cfa-matches-truth at .text+0x40..0x48 and 1 more ranges
# expect: error row/cfa-matches-truth at .text+0x64..0x6c and 1 more ranges
# expect: cause aarch64 compiler: repair: insert .cfi_adjust_cfa_offset N after stp FP, RA, [SP, #-N]! after `CFA by SP, nothing saved`
# expect: cause aarch64 compiler: repair: insert .cfi_def_cfa SP, N after ldp FP, RA, [SP], #N after `CFA by FP, FP and RA saved`
# expect: cause aarch64 compiler: repair: insert .cfi_restore FP after ldp FP, RA, [SP], #N after `CFA by FP, FP and RA saved`
# expect: cause aarch64 compiler: repair: insert .cfi_restore RA after ldp FP, RA, [SP], #N after `CFA by FP, FP and RA saved`
#
# case: error
# check: explore causes sync-tables=error
# with functions: late f0, f1; late f1, f2; code_after f2, f3; late f3, leaf
# expect: error, 32 of 32 reached
# expect: error eh-frame/synchronous at .text+0x4..0xc and 7 more ranges
# expect: cause aarch64 compiler: repair: insert .cfi_adjust_cfa_offset N after stp FP, RA, [SP, #-N]! after `CFA by SP, nothing saved`
# expect: cause aarch64 compiler: repair: insert .cfi_def_cfa SP, N after ldp FP, RA, [SP], #N after `CFA by FP, FP and RA saved`
# expect: cause aarch64 compiler: repair: insert .cfi_restore FP after ldp FP, RA, [SP], #N after `CFA by FP, FP and RA saved`
# expect: cause aarch64 compiler: repair: insert .cfi_restore RA after ldp FP, RA, [SP], #N after `CFA by FP, FP and RA saved`
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
