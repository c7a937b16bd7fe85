# use_plt() calls one() through its GOT entry and through the PLT: the linker makes it an entry of .plt.got.
	.text
	.globl use_plt
	.type use_plt, @function
use_plt:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	movq one@GOTPCREL(%rip), %rax
	call *%rax
	movl %eax, %ebx
	call one@plt
	addl %ebx, %eax
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size use_plt, .-use_plt

	.section .note.GNU-stack,"",@progbits
