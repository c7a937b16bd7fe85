# The x87 computes in extended precision: the psABI's control word rounds to 64 bits of mantissa; 24
# would leave the low bytes of a double zero. The square of pi is 0x4023bd3cc9be45de.
# link: -Ttext=0x400000
# show: end
# expect: exit 222, after 8 steps with up to 0 frames
    fldpi
    fldpi
    fmulp
    sub $8, %rsp
    fstpl (%rsp)
    mov (%rsp), %rdi
    mov $60, %eax
    syscall
