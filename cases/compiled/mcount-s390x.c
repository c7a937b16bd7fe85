/* clang: the call of mcount overwrites r14, whose copy at 8(%r15) no directive names. */
int __attribute__((noinline)) twice(int x) { asm volatile ("" : "+r" (x)); return x + x; }
int __attribute__((noinline)) once(int x) { return twice(x) + 1; }
int test(void) { return once(4) - 9; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n"
     ".globl mcount\n.type mcount, @function\nmcount:\n.cfi_startproc\nbr %r14\n.cfi_endproc\n.size mcount, .-mcount\n");
