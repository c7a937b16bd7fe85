/* clang: FP is loaded before SP, and the CFA is FP's. */
void *place[5];
__attribute__((noinline)) void jump(void) { __builtin_longjmp(place, 1); }
__attribute__((noinline)) void hop(void) { volatile char v[64]; v[0] = 0; jump(); v[1] = 0; }
__attribute__((noinline)) int test(void) { if (__builtin_setjmp(place) == 0) hop(); return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined rip\nxorl %ebp, %ebp\ncall test\nmovl %eax, %edi\nmovl $60, %eax\nsyscall\nhlt\n"
     ".cfi_endproc\n.size _start, .-_start\n");
