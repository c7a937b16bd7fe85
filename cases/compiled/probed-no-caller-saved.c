/* gcc, clang: the prologue probes the frame through r11, which the function has to keep. */
__attribute__((noinline, no_caller_saved_registers, target("general-regs-only"))) void keep(void)
{
    char frame[70000];
    asm volatile ("" :: "r"(frame) : "memory");
}
__attribute__((noinline)) int test(void)
{
    register long r11 asm ("r11") = 7;
    asm volatile ("" : "+r"(r11));
    keep();
    asm volatile ("" : "+r"(r11));
    return r11 - 7;
}
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
