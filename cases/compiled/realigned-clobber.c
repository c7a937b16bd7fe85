/* clang: the CFA around an asm that clobbers rbp is computed as if nothing were realigned. */
__attribute__((noinline)) void leaf(void *p) { *(volatile char *)p = 0; }
__attribute__((noinline)) int realigned(int size)
{
    char v[64] __attribute__((aligned(64)));
    leaf(v);
    leaf(__builtin_alloca(size));
    asm volatile ("" ::: "rbx", "rbp");
    return v[0];
}
__attribute__((noinline)) int test(void) { return realigned(40); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
