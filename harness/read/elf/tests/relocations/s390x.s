# Each relocation of code between sections, and those of data that tables of jumps are made of.
	.text
	.globl	here
start:
	jg	cold+4
	brasl	%r14,cold@PLT
	jne	cold
	bras	%r14,cold@PLT
	larl	%r1,table
	lgrl	%r2,literal
	brct	%r3,cold
	cgrjne	%r1,%r2,cold
	bprp	1,here@PLT,there
	bprp	1,here,there@PLT
here:
	br	%r14
	.section .text.unlikely,"ax",@progbits
	nopr
cold:
	nopr
	jg	start
	br	%r14
there:
	br	%r14
	.section .rodata,"a",@progbits
	.long	1
table:
	.long	cold-.
	.quad	cold-.
	.short	0
	.short	0
	.long	start
	.quad	start+4
	.long	start@PLT-.
	.balign	8
literal:
	.quad	0
