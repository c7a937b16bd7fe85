/* clang: rbp is popped, its rule is kept, and calls of outlined functions overwrite the slot. */
volatile long sink;
__attribute__((noinline)) void empty(void **p, int a) { }
__attribute__((noinline)) void words(void **p, int a) { volatile int v[4]; sink = v[a & 3]; }
__attribute__((noinline)) void lands(int a) { void *p[5]; if (__builtin_setjmp(p) == 0) words(p, a); }
__attribute__((noinline)) int test(void) { empty(0, 0); lands(1); return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
