/* gcc: a computed goto jumps to a thunk, whose CFA is that of a called function. */
__attribute__((noipa)) int leaf(int a) { return a + 1; }
__attribute__((noipa)) int choose(int a)
{
    static const void *const to[] = { &&one, &&two };
    int b = leaf(a);
    goto *to[a & 1];
one: b = leaf(b);
two: return leaf(b) + a;
}
__attribute__((noipa)) int test(void) { return choose(0) - 3 + choose(1) - 4; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
