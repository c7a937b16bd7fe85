/* gcc: after the epilogue's pop of rbp, its rule still reads through rbp. */
__attribute__((noipa)) void leaf(void *p) { *(volatile char *)p = 0; }
__attribute__((noipa)) int realigned(int size)
{
    char v[64] __attribute__((aligned(64)));
    leaf(v);
    leaf(__builtin_alloca(size));
    return v[0];
}
__attribute__((noipa)) int test(void) { return realigned(40); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
