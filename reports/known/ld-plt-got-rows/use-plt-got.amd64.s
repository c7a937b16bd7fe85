use_plt:
	.cfi_startproc
	movq one@GOTPCREL(%rip), %rax
	call one@plt
	ret
	.cfi_endproc
