/* Every register that must survive a call is in use: pushed or stored one by one, some of them only for an assembler statement. A leaf that
   runs out of registers saves them too, on s390x perhaps in floating point registers, and the return address with them. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 3;

KEEP int leaf(int a) { return a + 7; }

KEEP int all_live(int a, int b, int c, int d, int e)
{
    int p = leaf(a), q = leaf(b), r = leaf(c), s = leaf(d), t = leaf(e), u = leaf(a + b), v = leaf(c + d), w = leaf(e + a);
    int x = leaf(p), y = leaf(q), z = leaf(r);
    return leaf(p) + q * r + s * leaf(t) + u * v - w * leaf(x) + y * z + a * b + c * d - e + x * s + t * w;
}

/* No call, and more values than registers. */
KEEP unsigned crowded_leaf(const unsigned *w)
{
    unsigned a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
    unsigned i = w[8], j = w[9], k = w[10], l = w[11], m = w[12], n = w[13], o = w[14], p = w[15];
    for (unsigned turn = w[1]; turn < 4; turn++) {
        a += b ^ p; b += c ^ o; c += d ^ n; d += e ^ m; e += f ^ l; f += g ^ k; g += h ^ j; h += i ^ a;
        i += j ^ b; j += k ^ c; k += l ^ d; l += m ^ e; m += n ^ f; n += o ^ g; o += p ^ h; p += a ^ i;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ p;
}

/* The statement overwrites what the function must give back as it was. */
KEEP int overwrites(int a)
{
    int sum = leaf(a);
#if defined(__x86_64__)
    __asm__ volatile("xorl %%ebx, %%ebx\n\tmovl %%ebx, %%r12d\n\tmovl %%ebx, %%r15d" : : : "rbx", "r12", "r13", "r14", "r15");
#elif defined(__aarch64__)
    __asm__ volatile("mov x19, #1\n\tmov x20, #2\n\tmov x28, #3" : : : "x19", "x20", "x21", "x23", "x28");
#else
    __asm__ volatile("lghi %%r6, 1\n\tlghi %%r9, 2" : : : "r6", "r7", "r8", "r9", "r10");
#endif
    return sum + a;
}

/* A leaf whose return address does not stay where it came in. */
KEEP int loses_its_link(int a)
{
#if defined(__x86_64__)
    __asm__ volatile("xorl %%r14d, %%r14d" : : : "r14");
#elif defined(__aarch64__)
    __asm__ volatile("mov x30, #0" : : : "x30");
#else
    __asm__ volatile("lghi %%r14, 0" : : : "r14");
#endif
    return a + 1;
}

static const unsigned words[16] = {9, 0, 8, 1, 7, 2, 6, 3, 5, 4, 11, 12, 13, 14, 15, 16};

int test(void)
{
    return all_live(seed, 1, 2, 3, 4) + (int)crowded_leaf(words) + overwrites(seed) + loses_its_link(seed);
}
