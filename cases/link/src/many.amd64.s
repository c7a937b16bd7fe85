# one() is 3, and a hundred functions like those that compilers make of getters and small wrappers; the first is called; LARGE adds
# that many more and one of 301 rows.
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call many0
	addl $1, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size one, .-one

	.macro small
	.type many\@, @function
many\@:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movl $2, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size many\@, .-many\@
	.endm

	.rept 100
	small
	.endr

	.ifdef LARGE
	.rept LARGE
	small
	.endr
	.type rows, @function
rows:
	.cfi_startproc
	.rept 150
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	popq %rbx
	.cfi_adjust_cfa_offset -8
	.endr
	ret
	.cfi_endproc
	.size rows, .-rows
	.endif

	.section .note.GNU-stack,"",@progbits
