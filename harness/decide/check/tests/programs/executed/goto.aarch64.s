# A computed goto is no call although the link register has the next address when it jumps: it
# stays in its function with the same SP, and writes no link register. Interpreters of bytecode
# jump so where the compiler uses the link register for something else.
# check: execute
# also: aarch64be
# link:
# expect: clean, exited 5
	.text
	.globl _start
	.type _start,%function
_start:	.cfi_startproc
	.cfi_undefined x30
	bl test
	mov x8,#93
	svc #0
	.cfi_endproc
	.size _start,.-_start
	.type test,%function
test:	.cfi_startproc
	stp x29,x30,[sp,-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29,-16
	.cfi_offset x30,-8
	mov x29,sp
	mov x11,#0
	adr x30,.L2
	br x30
.Ld:	br x1
.L2:	add x11,x11,#1
	adr x1,.L3
	cmp x11,#2
	b.eq .Lend
	b .Ld
.L3:	nop
	adr x5,.L2
	br x5
.Lend:	mov x0,#5
	ldp x29,x30,[sp],16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size test,.-test
