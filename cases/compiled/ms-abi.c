/* clang: a directive after the saves of xmm registers, whose instruction is before them. */
__attribute__((noinline)) int leaf(int a) { asm volatile (""); return a; }
__attribute__((noinline, ms_abi)) int other(int a) { return leaf(a) + leaf(a); }
__attribute__((noinline)) int test(void) { return other(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
