/* gcc 14: the even and the odd elements of a vector are interleaved in the order of little-endian lanes. */
typedef unsigned v4 __attribute__((vector_size(16)));
__attribute__((noipa)) v4 make(unsigned a, unsigned b, unsigned c, unsigned d) { return (v4){a, b, c, d}; }
int test(void)
{
    v4 made = make(1, 2, 3, 4);
    return made[0] != 1 || made[1] != 2 || made[2] != 3 || made[3] != 4;
}
asm (".text\n.globl _start\n.type _start, %function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined x30\nmov x29, #0\nbl test\nmov x8, #93\nsvc #0\n"
     ".cfi_endproc\n.size _start, .-_start\n");
