# Only AArch64 signs return addresses.
# show: lookups
#
# case: amd64
# target: amd64
# expect: broken: .eh_frame+0x18: unknown call frame instruction: 0x2d, function 0x1000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: no row covers the address
# expect: at 0x10ff: no row covers the address
# expect: at 0x1100: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1100: no row covers the address
#
# case: s390x
# target: s390x
# expect: broken: .eh_frame+0x18: unknown call frame instruction: 0x2d, function 0x1000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: no row covers the address
# expect: at 0x10ff: no row covers the address
# expect: at 0x1100: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1100: no row covers the address
    .include "cfi.inc"
    simple
    advance 1
    negate_ra_state
    done
