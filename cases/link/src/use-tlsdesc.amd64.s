# use_plt() calls one(); of_thread(), which does not run, asks for a thread's variable by a descriptor: a lazy PLT gets an entry for it.
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
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size use_plt, .-use_plt

	.globl of_thread
	.type of_thread, @function
of_thread:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	leaq variable@TLSDESC(%rip), %rax
	call *variable@TLSCALL(%rax)
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size of_thread, .-of_thread

	.section .tbss,"awT",@nobits
	.globl variable
	.type variable, @tls_object
variable:
	.zero 4
	.size variable, 4

	.section .note.GNU-stack,"",@progbits
