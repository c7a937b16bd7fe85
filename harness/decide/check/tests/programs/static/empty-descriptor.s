# Directives around no code make a descriptor that covers none: a warning, also where the code after
# it runs. No tool lost a range.
# check: execute
# as: --gsframe
# ignore: header/obsolete-version
#
# case: amd64
# target: amd64
# link:
# with code: mov $60, %eax; xor %edi, %edi; syscall
# with size:
# expect: undecided, exited 0
# expect: warning elf/section-type
# expect: warning fde/empty-function at 0x401000..0x401000
# expect: undecided nothing-judged
# expect: undecided unreached
#
# case: amd64, with a size
# target: amd64
# link:
# with code: mov $60, %eax; xor %edi, %edi; syscall
# with size: .type _start, %function; .size _start, . - _start
# expect: undecided, exited 0
# expect: warning elf/section-type
# expect: warning fde/empty-function at 0x401000..0x401000
# expect: undecided nothing-judged
# expect: undecided unreached
#
# case: aarch64
# target: aarch64
# also: aarch64be
# link:
# with code: mov x8, 93; mov x0, 0; svc 0
# with size: .type _start, %function; .size _start, . - _start
# expect: undecided, exited 0
# expect: warning elf/section-type
# expect: warning fde/empty-function at 0x4000b0..0x4000b0
# expect: undecided nothing-judged
# expect: undecided unreached
    .globl _start
_start:
    .cfi_startproc
    .cfi_endproc
    {code}
    {size}
