// Closures by value and by reference, called through a template, and through a pointer to a function.
#define KEEP __attribute__((noinline))

volatile int seed = 3;

template <typename F> KEEP int twice(F f, int a) { return f(a) + f(a + 1); }

KEEP int plain(int (*f)(int), int a) { return f(a) - 1; }

KEEP int by_value(int a) {
  int b = a + seed;
  return twice([b](int c) { return b * c; }, a);
}

KEEP int by_reference(int a) {
  int sum = 0;
  twice([&sum](int c) { return sum += c; }, a);
  return sum;
}

extern "C" int test() { return by_value(seed) + by_reference(seed) + plain([](int c) { return c * 2; }, seed); }
