# use_plt() calls one() and two() the way code of a shared object calls what another file may override.
	.text
	.globl use_plt
	.type use_plt, @function
use_plt:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	call one@plt
	movl %eax, %ebx
	call two@plt
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size use_plt, .-use_plt

	.section .note.GNU-stack,"",@progbits
