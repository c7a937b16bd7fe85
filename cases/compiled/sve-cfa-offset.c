/* gcc: `.cfi_def_cfa_offset` after `addvl sp, sp`, while the CFA is an expression. */
__attribute__((noipa)) int leaf(int a) { return a; }
__attribute__((noipa)) int framed(int a)
{
    __SVInt32_t v;
    asm volatile ("dup %0.s, #1" : "=w" (v));
    a = leaf(a);
    asm volatile ("" : : "w" (v));
    return a;
}
__attribute__((noipa)) int test(void) { return framed(0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
