/* gcc: no row for the return address while r14 is on the stack around the call of _mcount. */
__attribute__((noipa)) int test(void) { return 0; }
asm (".text\n.globl _mcount\n.type _mcount, @function\n_mcount:\n.cfi_startproc\nbr %r14\n.cfi_endproc\n.size _mcount, .-_mcount\n");
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
