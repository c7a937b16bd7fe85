// A function has a personality routine and a language-specific data area, as C++ functions do: nothing that a stack
// trace needs.
	.text
	.globl _start
	.type _start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov x29, #0
	mov w0, #6
	bl outer
	mov x8, #93
	svc #0
	.cfi_endproc
	.size _start, .-_start

	.type outer, %function
outer:
	.cfi_startproc
	.cfi_personality 0x1b, personality
	.cfi_lsda 0x1b, table
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	bl leaf
	add w0, w0, #1
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa sp, 0
	ret
	.cfi_endproc
	.size outer, .-outer

	.type leaf, %function
leaf:
	.cfi_startproc
	add w0, w0, #4
	ret
	.cfi_endproc
	.size leaf, .-leaf

	.type personality, %function
personality:
	.cfi_startproc
	ret
	.cfi_endproc
	.size personality, .-personality
	.section .gcc_except_table,"a",%progbits
	.p2align 2
table:
	.byte 0xff
	.byte 0xff
	.byte 1
	.uleb128 0

	.section .note.GNU-stack,"",%progbits
