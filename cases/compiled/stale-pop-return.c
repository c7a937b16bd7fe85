/* gcc: rbp is popped and its rule kept, and the call of __return__ overwrites the slot. */
__attribute__((noipa)) int leaf(char *p, int a) { *(volatile char *)p = 0; return a; }
__attribute__((noipa)) int framed(int a) { char v[a + 1]; return leaf(v, a) + v[0]; }
__attribute__((noipa)) int test(void) { return framed(0); }
asm (".text\n.globl __fentry__, __return__\n__fentry__:\n__return__:\n.cfi_startproc\nret\n.cfi_endproc\n"
     ".globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
