/* gcc: a function that calls others has no frame pointer if it has options of its own. */
long frame(void);
asm (".text\nframe:\n.cfi_startproc\nmovq %rbp, %rax\nret\n.cfi_endproc\n");
__attribute__((noipa, target("avx"))) long own(void) { return frame() + 1; }
__attribute__((noipa)) int test(void) { return own() == frame() + 1; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
