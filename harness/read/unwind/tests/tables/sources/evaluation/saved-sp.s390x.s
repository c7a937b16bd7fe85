# `stmg %r6,%r15,48(%r15)` puts r15 at 120(%r15), which is CFA - 40: SP is restored from there.
# show: callers
# memory: 70000478=70000500
# expect: 0x1000..0x1100 cfa=r15+160 ra=same fp=same
# expect: caller: cfa sp+160 ra r14 sp sp+256 fp sp+512
    .include "cfi.inc"
    simple
    offset 15, 5
    done
