// Frames of 40,000 and 300,000 bytes: CFA and save offsets need two and four bytes.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #7
	bl frame_40k
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type frame_40k, %function
frame_40k:
	.cfi_startproc
	sub sp, sp, #40960 // 10 << 12, a form every assembler encodes
	.cfi_def_cfa_offset 40960
	str x30, [sp] // RA 40,960 bytes below the CFA
	.cfi_offset x30, -40960
	str w0, [sp, #8]
	bl frame_300k
	ldr w1, [sp, #8]
	add w0, w0, w1
	ldr x30, [sp]
	.cfi_restore x30
	add sp, sp, #40960
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size frame_40k, .-frame_40k

	.type frame_300k, %function
frame_300k:
	.cfi_startproc
	sub sp, sp, #303104
	.cfi_def_cfa_offset 303104
	stp x29, x30, [sp, #16]
	.cfi_offset x29, -303088
	.cfi_offset x30, -303080
	mov w29, w0
	bl leaf
	add w0, w0, w29
	ldp x29, x30, [sp, #16]
	.cfi_restore x29
	.cfi_restore x30
	add sp, sp, #303104
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size frame_300k, .-frame_300k

	.type leaf, %function
leaf:
	.cfi_startproc
	sub w0, w0, #2
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",%progbits
