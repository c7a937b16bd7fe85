# one() is 3 and does its work in a cold part elsewhere; dead() is called by nobody, and has a cold part too.
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	jmp one.cold
.Lback:
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size one, .-one

	.section .text.unlikely.one,"ax",@progbits
	.type one.cold, @function
one.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call one_leaf
	addl $1, %eax
	jmp .Lback
	.cfi_endproc
	.size one.cold, .-one.cold

	.section .text.leaf,"ax",@progbits
	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .text.dead,"ax",@progbits
	.globl dead
	.type dead, @function
dead:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	jmp dead.cold
.Lalive:
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size dead, .-dead

	.section .text.unlikely.dead,"ax",@progbits
	.type dead.cold, @function
dead.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	addl $1, %eax
	jmp .Lalive
	.cfi_endproc
	.size dead.cold, .-dead.cold

	.section .note.GNU-stack,"",@progbits
