/* clang: SP is raised to reach the saved registers of a large frame; no directive follows. */
__attribute__((noinline)) void leaf(void *p) { *(volatile char *)p = 0; }
__attribute__((noinline)) int far(int a)
{
    char v[1100000];
    leaf(v);
    return a;
}
__attribute__((noinline)) int test(void) { return far(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
