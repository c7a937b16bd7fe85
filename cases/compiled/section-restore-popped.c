/* clang, for gas: after a pop in a block section `.cfi_restore` gives the rule of its first row. */
volatile int input = 16;
__attribute__((noinline)) int touch(volatile int *p, int a) { *p = a; return *p; }
__attribute__((noinline)) int late(int a)
{
    if (a & 16)
        return a + 2;
    int v[1];
    a += touch(v, a) * 3;
    a ^= touch(v, a + 1);
    return a;
}
__attribute__((noinline)) int test(void) { return late(input) - 18; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
