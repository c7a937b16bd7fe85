# Bytes of an escape are symbols that are defined later: an assembler that takes them for 0 writes wrong rows.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	xorl %ebp, %ebp
	movl $6, %edi
	call before
	movl %eax, %edi
	movl $60, %eax
	syscall
	.cfi_endproc
	.size _start, .-_start

	.type before, @function
before:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	leaq -16(%rsp), %rbp # what value's escape gives: CFA-16
	call cfa_in_memory
	movl %eax, %edi
	call fp_saved
	movl %eax, %edi
	call fp_in_slot
	movl %eax, %edi
	call value
	movl %eax, %edi
	call state
	movl %eax, %edi
	call state_by_byte
	movl %eax, %edi
	call after
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size before, .-before

	.type cfa_in_memory, @function
cfa_in_memory:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	leaq 16(%rsp), %rax
	pushq %rax
	.cfi_remember_state
	.cfi_escape 0x0f, 0x03, 0x76, minus_8, 0x06 # CFA = [rbp-8]
	leal 1(%rdi), %eax
	popq %rcx
	.cfi_restore_state
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size cfa_in_memory, .-cfa_in_memory

	.type fp_saved, @function
fp_saved:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register rbp
	pushq (%rbp)
	movq $0, (%rbp)
	.cfi_escape 0x10, 0x06, 0x02, 0x76, minus_8 # FP = [rbp-8]
	leal 1(%rdi), %eax
	popq (%rbp)
	.cfi_offset rbp, -16
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size fp_saved, .-fp_saved

	.type fp_in_slot, @function
fp_in_slot:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_escape 0x10, fp, 0x02, 0x77, 0x00 # FP = [rsp]
	xorl %ebp, %ebp
	leal 1(%rdi), %eax
	popq %rbp
	.cfi_restore rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size fp_in_slot, .-fp_in_slot

	.type value, @function
value:
	.cfi_startproc
	.cfi_escape 0x14, fp, 0x02 # FP = CFA-16
	movl $4, %ebp
	leal (%rdi,%rbp), %eax
	leaq -8(%rsp), %rbp
	.cfi_restore rbp
	ret
	.cfi_endproc
	.size value, .-value

	.type state, @function
state:
	.cfi_startproc
	.cfi_remember_state
	pushq %rbx
	.cfi_def_cfa_offset 16
	leal 1(%rdi), %eax
	popq %rbx
	.cfi_escape 0x00, restore_state
	ret
	.cfi_endproc
	.size state, .-state

	.type state_by_byte, @function
state_by_byte:
	.cfi_startproc
	.cfi_remember_state
	pushq %rbx
	.cfi_def_cfa_offset 16
	leal 1(%rdi), %eax
	popq %rbx
	.cfi_escape 0x00, 0x0b # DW_CFA_restore_state
	ret
	.cfi_endproc
	.size state_by_byte, .-state_by_byte

	.type after, @function
after:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	leal 3(%rdi), %eax
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size after, .-after

	.set minus_8, 0x78
	.set fp, 6
	.set restore_state, 0x0b

	.section .note.GNU-stack,"",@progbits
