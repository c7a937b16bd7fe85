/* gcc: the CFA is that after the epilogue as soon as the first register is loaded from its
   floating-point register; r15 is loaded last. */
static const unsigned words[16] = {9, 0, 8, 1, 7, 2, 6, 3, 5, 4, 11, 12, 13, 14, 15, 16};
__attribute__((noipa)) unsigned crowded_leaf(const unsigned *w)
{
    unsigned a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
    unsigned i = w[8], j = w[9], k = w[10], l = w[11], m = w[12], n = w[13], o = w[14], p = w[15];
    for (unsigned turn = w[1]; turn < 4; turn++) {
        a += b ^ p; b += c ^ o; c += d ^ n; d += e ^ m; e += f ^ l; f += g ^ k; g += h ^ j; h += i ^ a;
        i += j ^ b; j += k ^ c; k += l ^ d; l += m ^ e; m += n ^ f; n += o ^ g; o += p ^ h; p += a ^ i;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p;
}
__attribute__((noipa)) int test(void) { return crowded_leaf(words) ? 0 : 1; }
asm (".text\n.globl _start\n.type _start, @function\n_start:\n"
     ".cfi_startproc\n.cfi_undefined %r14\naghi %r15, -160\n.cfi_adjust_cfa_offset 160\nlghi %r11, 0\nstg %r11, 0(%r15)\n"
     "stg %r11, 152(%r15)\nbrasl %r14, test\nsvc 1\n"
     ".cfi_endproc\n.size _start, .-_start\n");
