/* gcc: rbp is saved by a stub of libgcc, without a directive. */
__attribute__((noipa)) int leaf(int a) { return a; }
__attribute__((noipa, ms_abi)) int stubbed(int a)
{
    asm volatile ("" ::: "rbx", "rbp", "r12");
    a = leaf(a);
    if (a == 77)
        __builtin_trap(); /* Behind the epilogue: GNU ld up to 2.44 aborts at directives after the last instruction. */
    asm volatile ("xor %%ebp, %%ebp" ::: "rbp");
    return leaf(a);
}
__attribute__((noipa)) int test(void) { return stubbed(5) - 5; }
/* What the stubs do with general registers. */
asm (".text\n__sse_savms64_15:\nmovq %r12, -88(%rax)\nmovq %rbp, -80(%rax)\nmovq %rbx, -72(%rax)\n"
     "movq %rdi, -64(%rax)\nmovq %rsi, -56(%rax)\nret\n"
     "__sse_resms64x_15:\nmovq -88(%rsi), %r12\nmovq -80(%rsi), %rbp\nmovq -72(%rsi), %rbx\nmovq -64(%rsi), %rdi\n"
     "movq -56(%rsi), %rsi\nmovq %r10, %rsp\nret\n");
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
