/* clang: no directive after the instruction that restores r15. */
volatile int sink;
__attribute__((noinline)) int leaf(int a) { return a; }
__attribute__((noinline)) int leafy(int a) { volatile int v[100]; v[a] = a; return v[a]; }
__attribute__((noinline)) int last(int a) { sink = a; return leaf(a); }
__attribute__((noinline)) int variable(int a) { volatile char v[a + 1]; v[a] = 0; return leaf(v[a]); }
__attribute__((noinline)) int test(void) { return leaf(0) + leafy(0) + last(0) + variable(3); }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
