__attribute__((noinline)) int callee(int a)
{
    __asm__("");
    return a;
}
__attribute__((noinline)) int early(int a)
{
    if (__builtin_expect(a > 60, 0))
        return callee(a) + 1;
    return a + 1;
}
int test(void) { return early(1) + early(61); }
