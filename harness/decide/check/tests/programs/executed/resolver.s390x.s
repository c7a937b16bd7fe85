# A resolver that counts without what its stub pushed is one error. An example is AArch64's
# `_dl_runtime_resolve` in a lazily bound program.
# check: execute
# link:
#
# case: right
# with entry: 176
# expect: clean, exited 0
#
# case: 16 too low
# with entry: 160
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x1000096..0x10000ac
    .globl _start
_start: .cfi_startproc
    .cfi_undefined r14
    aghi %r15, -160
    .cfi_adjust_cfa_offset 160
    brasl %r14, stub
    lghi %r2, 0
    lghi %r1, 1
    svc 0
    .cfi_endproc
stub:
    aghi %r15, -16
    jg resolver
resolver: .cfi_startproc
    .cfi_def_cfa_offset {entry}
    aghi %r15, -16
    .cfi_adjust_cfa_offset 16
    lghi %r1, 0
    aghi %r15, 16
    .cfi_adjust_cfa_offset -16
    aghi %r15, 16
    .cfi_adjust_cfa_offset -16
    jg target
    .cfi_endproc
target: .cfi_startproc
    br %r14
    .cfi_endproc
