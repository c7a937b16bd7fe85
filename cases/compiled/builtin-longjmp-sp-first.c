/* gcc: SP is loaded before FP, and the CFA stays FP's: the frame is below SP then. */
static void *place[5];
__attribute__((noinline)) void hop(void) { __builtin_longjmp(place, 1); }
__attribute__((noinline)) int test(void) { if (__builtin_setjmp(place) == 0) hop(); return 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
