// A recursive variadic template, and members that are called through pointers.
#define KEEP __attribute__((noinline))

volatile int seed = 3;

KEEP int sum() { return seed; }
template <typename... Rest> KEEP int sum(int first, Rest... rest) { return first * 2 + sum(rest...); }

struct Pair {
  int left, right;
  KEEP int add(int a) { return left + a; }
  KEEP int mul(int a) { return right * a; }
};

KEEP int apply(Pair *pair, int (Pair::*member)(int), int a) { return (pair->*member)(a) + 1; }

extern "C" int test() {
  Pair pair = {seed, 4};
  return sum(1, 2, 3, 4, 5, 6, 7, 8, 9) + apply(&pair, &Pair::add, 5) + apply(&pair, &Pair::mul, seed);
}
