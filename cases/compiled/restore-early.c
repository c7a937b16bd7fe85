/* gcc: directives restore x29 and x30 before the instruction that loads them. */
__attribute__((noipa)) int leaf(char *p, int a) { *(volatile char *)p = 0; return a; }
__attribute__((noipa)) int framed(int a)
{
    int b = a;
    { char v[a] __attribute__((aligned(32))); b += leaf(v, a); }
    char w[65536] __attribute__((aligned(32)));
    return leaf(w, a) + b;
}
__attribute__((noipa)) int test(void) { return framed(16) - 48; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
