	.section .text.inl,"axG",@progbits,inl,comdat
inl:
	.cfi_startproc
	nop
	.cfi_endproc
