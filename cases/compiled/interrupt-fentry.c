/* gcc: the call of __fentry__ comes before the directive that counts the error code. */
volatile unsigned long sink;
__attribute__((interrupt, target("general-regs-only"))) void handler(void *frame, unsigned long error) { sink = error; }
__attribute__((noinline)) int test(void) { return 0; }
asm (".text\n.globl __fentry__\n.type __fentry__, @function\n__fentry__:\n.cfi_startproc\nret\n.cfi_endproc\n.size __fentry__, .-__fentry__\n"
     ".globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
