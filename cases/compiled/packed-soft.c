/* gcc: f8 to f15 are saved over the slots of r6 to r13, in spite of soft float. */
__attribute__((noipa)) void leap(void **place) { __builtin_longjmp(place, 1); }
__attribute__((noipa)) void land(void)
{
    void *place[5];
    if (__builtin_setjmp(place) == 0)
        leap(place);
}
__attribute__((noipa)) int keep(int a) { land(); return a; }
__attribute__((noipa)) int test(void) { return keep(5) - 5; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
