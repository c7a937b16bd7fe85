/* gcc: r15 is popped and its rule kept, and the call of an inline return thunk overwrites the slot. */
__attribute__((noipa, function_return("thunk-inline"))) int leaf(int a) { asm volatile ("" : "+r" (a) : : "r15"); return a; }
__attribute__((noipa)) int test(void) { return leaf(0); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
