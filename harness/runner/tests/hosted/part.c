/* An object that the loader maps. Compiled with BAD, its CFI has a CFA 16 bytes off. */
long part(int number)
{
    volatile long kept = number;
#ifdef BAD
    asm volatile(".cfi_adjust_cfa_offset 16");
#endif
    return kept <= 1 ? 1 : kept * part(number - 1);
}
