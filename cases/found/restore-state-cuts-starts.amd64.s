# The CFA's offset changes at 0x101 and at 0x102, where a state of address 1 is restored.
	.text
	.type f, %function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	.skip 256
	.cfi_def_cfa_offset 24
	nop
	.cfi_def_cfa_offset 32
	.cfi_restore_state
	nop
	.cfi_endproc
	.size f, .-f
