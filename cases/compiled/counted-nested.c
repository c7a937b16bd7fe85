/* gcc: the static chain is pushed around the call of mcount, without a directive. */
__attribute__((noipa)) int through(int (*f)(int), int a) { return f(a); }
__attribute__((noipa)) int leaf(int a) { return a; }
__attribute__((noipa)) int outer(int a) { int inner(int b) { return leaf(a) - b; } return through(inner, a); }
__attribute__((noipa)) int test(void) { return outer(1); }
void __clear_cache(void *begin, void *end) { }
asm (".text\n.globl mcount, __fentry__\n.type mcount, @function\n.type __fentry__, @function\nmcount:\n__fentry__:\n"
     ".cfi_startproc\nret\n.cfi_endproc\n.size mcount, .-mcount\n");
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
