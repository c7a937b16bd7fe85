/* clang: `.cfi_restore z8` names another register than the rule of the slot, which is v8's. */
asm (".arch armv8.2-a+sve");
__attribute__((noinline)) int keeps(__SVInt8_t vector, int value) { (void)vector; asm volatile ("" ::: "z8"); return value; }
__attribute__((noinline)) int test(void) { __SVInt8_t zero; asm volatile ("dup %0.b, #0" : "=w" (zero)); return keeps(zero, 0); }
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
