/* clang: arguments are dropped by two pops, and one directive follows the second. */
__attribute__((noinline)) int sum(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g + h; }
__attribute__((noinline)) int test(void) { return sum(1, 2, 3, 4, 5, 6, 7, 8) - 36; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
