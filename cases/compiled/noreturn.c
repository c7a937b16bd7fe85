/* gcc: a function that does not return saves no r11, and its rule is that nothing changed it. */
volatile int sink;
__attribute__((noipa, noreturn)) void die(int a) { sink = a; __builtin_trap(); }
__attribute__((noipa)) int test(void) { if (sink) die(1); return 0; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
