/* clang: rbp is saved around the asm, by push and pop; the expression of the CFA reads what was pushed, also after SP has moved. */
__attribute__((noinline)) int leaf(int a) { return a; }
__attribute__((noinline)) int test(void)
{
    asm volatile ("" ::: "rbp");
    return leaf(0);
}
__attribute__((noinline)) unsigned one(unsigned a)
{
    asm volatile ("" : "+r" (a) : : "r13", "rbp");
    return a;
}
__attribute__((noinline)) unsigned set(volatile unsigned *p, unsigned long mask, unsigned x) { return *p = x; }
__attribute__((noinline, preserve_all)) void two(unsigned a)
{
    unsigned v[(a & 31) + 1] __attribute__((aligned(32)));
    a += set(v, 31, a) * 3;
    asm volatile ("" : "+r" (a) : : "rbx", "rbp");
}
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
