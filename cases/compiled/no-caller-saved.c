/* clang: the register of the result is restored with those that the attribute keeps. */
__attribute__((noinline)) int leaf(int a) { return a; }
__attribute__((noinline, no_caller_saved_registers, target("general-regs-only"))) int keep(int a) { return leaf(a); }
__attribute__((noinline)) int test(void) { return keep(5) - 5; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
