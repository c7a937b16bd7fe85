/* gcc: `.cfi_def_cfa_offset 16` in an inline thunk, whatever the frame is; it holds until the function ends. */
__attribute__((noipa)) int leaf(int a) { return a + 1; }
__attribute__((noipa)) int choose(int a, int c)
{
    static const void *const to[] = { &&one, &&two };
    int b = leaf(a), d = leaf(c);
    goto *to[a & 1];
one: b = leaf(b);
two: return leaf(b) + a + c + d;
}
__attribute__((noipa)) int test(void) { return choose(0, 0) - 4 + choose(1, 0) - 5; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
