// Objects whose destructors are called at each way out of a block.
#define KEEP __attribute__((noinline))

volatile int seed = 3;

struct Guard {
  int *count, step;
  KEEP Guard(int *count, int step) : count(count), step(step) { *count += step; }
  KEEP ~Guard() { *count -= 2 * step; }
};

KEEP int scoped(int *count, int a) {
  Guard outer(count, a);
  for (int i = 0; i < a; i++) {
    Guard inner(count, i);
    if (i == seed) return *count;
    if (i & 1) continue;
    *count += 7;
  }
  return *count * 2;
}

extern "C" int test() {
  int count = 100;
  int early = scoped(&count, 5), late = scoped(&count, 2);
  return early + late + count;
}
