/* clang: no code for __builtin_eh_return, so that the next function is entered. */
int done;
__attribute__((noinline)) int leave(int zero)
{
    if (!done++)
        __builtin_eh_return(0, __builtin_return_address(0));
    return zero + 2;
}
__attribute__((noinline)) int next(void) { return 1; }
__attribute__((noinline)) int test(void) { return leave(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
