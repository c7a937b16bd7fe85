/* clang: eight zeros are pushed on the x87 stack, which holds the result, and popped again. */
__attribute__((noinline)) long double twice(long double a) { return a + a; }
__attribute__((noinline)) int test(void) { return twice(2) != 4; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
