/* gcc: after the epilogue's pop of rbp, its rule still reads through rbp. */
__attribute__((noipa)) void leaf(void *p) { *(volatile char *)p = 0; }
__attribute__((noipa)) int realigned(int size)
{
    char v[64] __attribute__((aligned(64)));
    leaf(v);
    leaf(__builtin_alloca(size));
    return v[0];
}
__attribute__((noipa)) int many(int a, ...) { return 0; }
__attribute__((noipa)) int last(int a) { return a; }
__attribute__((noipa)) int argument_pointer_in_r13(int a)
{
    {
        char v[64] __attribute__((aligned(64)));
        leaf(v);
    }
    return last(many(a, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}
__attribute__((noipa)) int test(void) { return realigned(40) + argument_pointer_in_r13(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
