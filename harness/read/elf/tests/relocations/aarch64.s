// Each relocation of code between sections, and those of data that tables of jumps are made of.
	.text
start:
	b	cold+4
	bl	cold
	b.ne	cold
	cbz	x0, cold+8
	tbnz	x1, #33, cold
	ldr	x2, literal
	adr	x3, literal+1
	adrp	x4, table
	add	x4, x4, #:lo12:table+3
	ldrb	w5, [x4, #:lo12:bytes+1]
	ldrh	w5, [x4, #:lo12:bytes+2]
	ldr	w5, [x4, #:lo12:bytes+4]
	ldr	x5, [x4, #:lo12:bytes+8]
	ldr	q5, [x4, #:lo12:bytes+16]
	movz	x6, #:abs_g3:table
	movk	x6, #:abs_g2_nc:table
	movk	x6, #:abs_g1_nc:table
	movk	x6, #:abs_g0_nc:table
	ret
	.section .text.unlikely,"ax",%progbits
	nop
cold:
	nop
	adrp	x7, start
	b	start
	ret
	.data
	.balign	16
bytes:
	.skip	32
	.section .rodata,"a",%progbits
	.word	1
table:
	.word	cold - .
	.xword	cold - .
	.hword	bytes - .
	.balign	4
	.word	start
	.xword	start+4
literal:
	.xword	0
