/* gcc: the argument pointer is popped into another register than the CFA names. */
__attribute__((noipa)) int leaf(volatile int *p) { return *p = 0; }
__attribute__((noipa, force_align_arg_pointer)) int realigned(int a, int b, int c, int d, int e, int f, int g, int h)
{
    int x = a + b * 3 + c * 5 + d * 7 + e * 9 + f * 11 + g * 13 + h * 15;
    int v[(x & 31) + 1];
    return leaf(v + (x & 31)) + x;
}
__attribute__((noipa)) int test(void) { return realigned(0, 0, 0, 0, 0, 0, 0, 0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
