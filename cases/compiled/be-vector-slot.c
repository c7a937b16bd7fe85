/* clang: of a whole q register on a big-endian target, the slot of the high half in place of the d register. */
__attribute__((noinline, aarch64_vector_pcs)) int keeps(int value) { asm volatile ("fmov d8, #1.0" ::: "v8"); return value; }
__attribute__((noinline)) int test(void) { return keeps(0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nfmov d8, #2.0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
