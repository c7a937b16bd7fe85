# .cfi_val_encoded_addr says of a register that SFrame does not track that it holds the address of a symbol.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	larl %r10, marker # what parks says of it
	lghi %r2, 6
	brasl %r14, parks
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type parks, @function
parks:
	.cfi_startproc
	.cfi_val_encoded_addr %r10, 0x1b, marker
	lgr %r10, %r2
	agr %r2, %r10
	larl %r10, marker
	.cfi_restore %r10
	br %r14
	.cfi_endproc
	.size parks, .-parks

	.type marker, @function
marker:
	.cfi_startproc
	br %r14
	.cfi_endproc
	.size marker, .-marker

	.section .note.GNU-stack,"",@progbits
