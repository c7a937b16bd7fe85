/* gcc: `.cfi_def_cfa_offset 16` in an inline thunk where the CFA is an expression. */
__attribute__((noipa)) int leaf(void *p) { return *(volatile char *)p = 0; }
__attribute__((noipa)) int realigned(int size, int a)
{
    static const void *const to[] = { &&one, &&two };
    char v[64] __attribute__((aligned(64)));
    leaf(v);
    leaf(__builtin_alloca(size));
    goto *to[a & 1];
one: leaf(v);
two: return leaf(v);
}
__attribute__((noipa)) int test(void) { return realigned(40, 0) + realigned(40, 1); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
