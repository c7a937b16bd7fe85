/* clang: `__builtin_dwarf_cfa` is the frame pointer; assembly describes its push from it. */
__attribute__((noinline)) int push(int a)
{
#ifdef __s390x__
    register void *cfa asm ("r9") = __builtin_dwarf_cfa();
    asm volatile (".cfi_remember_state\n.cfi_def_cfa %%r9, 0\naghi %%r15, -16\naghi %%r15, 16\n.cfi_restore_state" : : "r" (cfa));
#else
    register void *cfa asm ("x19") = __builtin_dwarf_cfa();
    asm volatile (".cfi_remember_state\n.cfi_def_cfa x19, 0\nsub sp, sp, #16\nadd sp, sp, #16\n.cfi_restore_state" : : "r" (cfa));
#endif
    return a;
}
__attribute__((noinline)) int test(void) { return push(0); }
#ifdef __s390x__
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
#else
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
#endif
     ".cfi_endproc\n.size _start, .-_start\n");
