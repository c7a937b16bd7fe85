# A longjmp is decided by where it lands, if its row leads there.
# check: execute
# link:
# show: notes
#
# case: leads there
# with row: .cfi_def_cfa rbx,0; .cfi_register rip,r12
# expect: clean, exited 0
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note ran 13 instructions: exited with status 0
# expect: note answers that later control flow showed to be right: 2 abandoned-frame
#
# case: of the frame before
# with row:
# expect: clean, exited 0
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note ran 13 instructions: exited with status 0
# expect: note 2 answers in f not judged: a longjmp had left the frame, and no row describes where control landed
#
# case: another CFA
# with row: .cfi_def_cfa rbx,8; .cfi_register rip,r12
# expect: undecided, exited 0
# expect: undecided abandoned-frame at 0x401024..0x40102f: 2 answers
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note ran 13 instructions: exited with status 0
#
# case: another return address
# with row: .cfi_def_cfa rbx,0; .cfi_register rip,r13
# expect: undecided, exited 0
# expect: undecided abandoned-frame at 0x401024..0x40102f: 2 answers
# expect: note no .sframe section: .eh_frame is judged alone
# expect: note ran 13 instructions: exited with status 0
    .globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call f
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
    .type f, @function
f:  .cfi_startproc
    mov %rsp,%rbx
    lea 1f(%rip),%r12
    call g
1:  ret
    .cfi_endproc
g:  .cfi_startproc
    call h
    ret
    .cfi_endproc
h:  .cfi_startproc
    sub $24,%rsp
    .cfi_adjust_cfa_offset 24
    mov %rbx,%rsp
    {row}
    nop
    jmp *%r12
    .cfi_endproc
    .size f, .-f
