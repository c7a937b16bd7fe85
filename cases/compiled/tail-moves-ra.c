/* clang: a tail call with arguments on the stack moves the return address down; no directive follows. */
#define ASYNC __attribute__((noinline, swiftasynccall))
volatile long sink;
ASYNC void more(void *c, long a, long b, long d, long e, long f, long g, long h) { sink = h; }
ASYNC void few(void *c, long a) { sink = a; return more(c, a, 1, 2, 3, 4, 5, 6); }
__attribute__((noinline)) int test(void) { few(0, 1); return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
