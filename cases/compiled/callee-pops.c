/* clang: the callee drops its arguments; no directive follows the call. */
#define ASYNC __attribute__((noinline, swiftasynccall))
volatile long sink;
ASYNC void more(void *c, long a, long b, long d, long e, long f, long g, long h) { sink = h; }
__attribute__((noinline)) int test(void) { more(0, 1, 2, 3, 4, 5, 6, 7); return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
