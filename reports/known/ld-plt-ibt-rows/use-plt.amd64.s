use_plt:
	.cfi_startproc
	call one@plt
	call two@plt
	ret
	.cfi_endproc
