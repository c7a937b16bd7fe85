/* clang: the quoted name of a vectorcall function with a relocation is not what gas reads. */
__attribute__((noinline, vectorcall)) long f(long a, long b) { return a + b; }
__attribute__((noinline)) int test(void) { return f(1, 2) - 3; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
