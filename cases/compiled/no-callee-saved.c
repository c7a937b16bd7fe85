/* gcc 14: rbp is overwritten unsaved, and no row says so. */
__attribute__((noipa)) int use(int a, int b) { return a + b; }
__attribute__((noipa, no_callee_saved_registers)) int lose(int a, int b, int c, int d)
{
    int e = use(a, b), f = use(c, d), g = use(a, c), h = use(b, d);
    return e + f + g + h + use(a, d);
}
__attribute__((noipa)) int test(void) { return lose(1, 2, 3, 4) - 25; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
