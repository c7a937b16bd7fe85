# hand() and hand_too(), and a .sframe section of two concatenated tables, as -r writes it if it does not merge.
	.macro function name
	.section .text.\name,"ax",@progbits
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	movl $1, %eax
	ret
	.cfi_endproc
	.size \name, .-\name
	.endm

	.macro table name, size
	.balign 8
	.short 0xdee2
	.byte SFRAME_VERSION
	.byte 4 * SFRAME_PCREL
	.byte 3
	.byte 0, -8, 0
	.long 1, 1, .Lrows_end\@ - .Lrows\@, 0, .Lrows\@ - .Ltable\@
.Ltable\@:
	.if SFRAME_VERSION == 3
	.quad \name - .
	.long \size, 0
	.else
	.long \name - .
	.long \size, 0, 1
	.byte 0
	.if SFRAME_VERSION == 2
	.byte 0
	.short 0
	.endif
	.endif
.Lrows\@:
	.if SFRAME_VERSION == 3
	.short 1
	.byte 0, 0, 0
	.endif
	.byte 0, 3, 8
.Lrows_end\@:
	.endm

	function hand
	function hand_too

	.ifndef CONTROL
	.if SFRAME_PCREL
	.section .sframe,"a",@0x6ffffff4
	.else
	.section .sframe,"a",@progbits
	.endif
	table hand, 6
	table hand_too, 6
	.endif

	.section .note.GNU-stack,"",@progbits
