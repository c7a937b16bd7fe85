// .cfi_val_encoded_addr says of a register that SFrame does not track that it holds the address of a symbol.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	adr x19, marker // what parks says of it
	mov w0, #6
	bl parks
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type parks, %function
parks:
	.cfi_startproc
	.cfi_val_encoded_addr x19, 0x1b, marker
	mov w19, w0
	add w0, w0, w19
	adr x19, marker
	.cfi_restore x19
	ret
	.cfi_endproc
	.size parks, .-parks

	.type marker, %function
marker:
	.cfi_startproc
	ret
	.cfi_endproc
	.size marker, .-marker

	.section .note.GNU-stack,"",%progbits
