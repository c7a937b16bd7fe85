/* gcc: `__builtin_dwarf_cfa` is of the realigned copy of the frame; assembly describes its push from it. */
__attribute__((noipa)) int leaf(char *p, int a) { *(volatile char *)p = 0; return a; }
__attribute__((noipa, force_align_arg_pointer)) int push(int a)
{
    char v[a + 1];
    leaf(v, a);
    register void *cfa asm ("r12") = __builtin_dwarf_cfa();
    asm volatile (".cfi_remember_state\n.cfi_def_cfa %%r12, 0\npushq %%r12\npopq %%r12\n.cfi_restore_state" : : "r" (cfa));
    return leaf(v, a);
}
__attribute__((noipa)) int test(void) { return push(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
