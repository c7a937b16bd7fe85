# Each relocation of code between sections, and those of data that tables of jumps are made of.
	.text
start:
	jmp	cold+4
	call	cold@PLT
	jne	cold
	lea	table(%rip),%rdx
	mov	$table,%edi
	movabs	$table,%rdi
	cmpl	$7,literal(%rip)
	ret
	.section .text.unlikely,"ax",@progbits
	nop
cold:
	nop
	jmp	start
	ret
	.section .rodata,"a",@progbits
	.long	1
table:
	.long	cold-.
	.quad	cold-.
	.value	cold-.
	.value	0
	.long	start
	.quad	start+4
literal:
	.quad	0
