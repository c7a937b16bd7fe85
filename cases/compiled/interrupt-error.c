/* clang: a handler with an error code pushes a word for alignment, without a directive. */
struct frame { unsigned long ip, cs, flags, sp, ss; };
volatile unsigned long sink;
__attribute__((interrupt, target("general-regs-only"))) void handler(struct frame *f, unsigned long error) { sink = error; }
__attribute__((noinline)) int test(void) { return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
