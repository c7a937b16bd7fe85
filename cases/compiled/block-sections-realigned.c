/* clang: the FDE of a block section has the first CFA of a realigned function, r10, and not the later expression. */
__attribute__((noinline)) int leaf(char *p, int a) { *(volatile char *)p = 0; return a; }
__attribute__((noinline)) int realigned(int a)
{
    char v[a + 1] __attribute__((aligned(32)));
    asm volatile ("" : "+r" (a) : : "rbx");
    void *place[5];
    if (__builtin_setjmp(place) == 0)
        return leaf(v, a);
    return leaf(v, a + 1);
}
__attribute__((noinline)) int test(void) { return realigned(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
