# Only another caller is a convention of Go, whose unwinder ends a walk at `runtime.mstart`,
# which is called, and knows where `runtime.mcall` left the stack of the goroutine.
# check: execute
# link:
#
# case: runtime.mstart
# with name: runtime.mstart
# with body: .cfi_undefined rip; nop; ret
# expect: undecided, exited 0
# expect: undecided go-stack-switch at 0x40100e..0x401010: 2 answers
#
# case: runtime.mstart.abi0
# with name: runtime.mstart.abi0
# with body: .cfi_undefined rip; nop; ret
# expect: undecided, exited 0
# expect: undecided go-stack-switch at 0x40100e..0x401010: 2 answers
#
# case: runtime.mstart1
# with name: runtime.mstart1
# with body: .cfi_undefined rip; nop; ret
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x40100e..0x401010
#
# case: mstart
# with name: mstart
# with body: .cfi_undefined rip; nop; ret
# expect: error, exited 0
# expect: error eh-frame/ra-matches-truth at 0x40100e..0x401010
#
# case: a wrong CFA
# with name: runtime.mstart
# with body: .cfi_adjust_cfa_offset 8; nop; ret
# expect: error, exited 0
# expect: error eh-frame/cfa-matches-truth at 0x40100e..0x401010
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call {name}
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
    .type {name}, @function
{name}: .cfi_startproc
    {body}
    .cfi_endproc
    .size {name}, .-{name}
