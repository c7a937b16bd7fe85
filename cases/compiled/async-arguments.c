/* clang: a tail call leaves the arguments on the stack as they were. */
#define ASYNC __attribute__((noinline, swiftasynccall))
volatile long sink;
ASYNC void more(void *c, long a, long b, long d, long e, long f, long g, long h) { sink = h; }
ASYNC void few(void *c, long a, long b, long d, long e, long f, long g, long h) { return more(c, a, 1, 2, 3, 4, 5, h + 6); }
__attribute__((noinline)) int test(void) { few(0, 1, 2, 3, 4, 5, 6, 7); return sink - 13; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
