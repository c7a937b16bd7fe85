/* clang: the call that fetches VG for its slot overwrites x30, and the CFI of x30 comes after it. */
asm (".arch armv8-a+sme\n.text\n__arm_get_current_vg:\n.cfi_startproc\nmov x0, #4\nret\n.cfi_endproc\n");
__arm_locally_streaming int streams(int value) { return value + 1; }
__attribute__((noinline)) int test(void) { return 0; }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
