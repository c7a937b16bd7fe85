/* gcc: after the load of r5 the CFA is that after the epilogue, and r15 is loaded later. */
__attribute__((noipa)) int sum(int count, ...)
{
    int total = 0;
    __builtin_va_list list;
    __builtin_va_start(list, count);
    while (count--)
        total = total * 3 + __builtin_va_arg(list, int);
    return total;
}
__attribute__((noipa)) int test(void) { return sum(1, 0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
