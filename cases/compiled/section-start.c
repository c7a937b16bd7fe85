/* clang: the section of the early return begins with rbp in a slot, and nothing has pushed it. */
__attribute__((noinline, noreturn)) void die(void) { __builtin_trap(); }
__attribute__((noinline)) int turn(int x)
{
    if (!x)
        return 0;
    asm volatile ("" ::: "rbp");
    die();
}
__attribute__((noinline)) int test(void) { return turn(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
