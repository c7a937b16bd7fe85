# A function whose instructions are noise.
# show: broken
# damage: noise
#
# case: amd64
# target: amd64
#
# case: aarch64
# target: aarch64
#
# case: aarch64be
# target: aarch64be
#
# case: s390x
# target: s390x
    .include "cfi.inc"
    simple
    .skip 200
    .balign 8
9:
