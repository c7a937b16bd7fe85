__attribute__((noipa)) int touch(volatile char *at) { return at[0] = 1; }
__attribute__((noipa)) int realigned(int size)
{
    _Alignas(64) volatile char aligned[64];
    return touch(aligned) + touch(__builtin_alloca(size));
}
int test(void) { return realigned(40); }
