/* clang: FP is loaded before SP, and the CFA is FP's. */
void *place[5];
__attribute__((noinline)) void jump(void) { __builtin_longjmp(place, 1); }
__attribute__((noinline)) void hop(void) { volatile char v[64]; v[0] = 0; jump(); v[1] = 0; }
__attribute__((noinline)) int test(void) { if (__builtin_setjmp(place) == 0) hop(); return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
