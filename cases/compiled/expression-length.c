/* clang: a save slot below rbp-64 of a frame realigned through r10 has an expression of 3 bytes, whose length is written as 2. */
__attribute__((noinline)) unsigned touch(volatile unsigned *p, unsigned x) { *p = x; return *p + 1; }
__attribute__((noinline, no_caller_saved_registers, target("general-regs-only"))) unsigned realigned(unsigned x)
{
    unsigned last = x & 31;
    unsigned v[last + 1] __attribute__((aligned(32)));
    x += touch(v, x);
    asm volatile ("" : "+r" (x) : : "rbx", "r14");
    return x;
}
__attribute__((noinline)) int test(void) { return realigned(3) != 7; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
