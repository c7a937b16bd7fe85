/* Time of one binary search over the starts of functions, in the machine's byte order and in the other. Prints a line for each number of
   functions: the number, then ns for descriptors of V2 (20 bytes, 32-bit starts from their own field), of V3 (16 bytes, 64-bit starts), each
   also in the other order; for an array of 32-bit starts; for `.eh_frame_hdr` (8 bytes, 32-bit starts from the section); and for a concatenation of
   tables of V3 with twenty functions each, whose headers are read until the right one. The least of nine runs of 200,000 searches (of a
   concatenation 2,000) at random addresses of functions of 64 bytes.
   `run COMMAND...`: executes a command and all processes that it leaves, and prints their processor time in seconds, the peak memory of one in
   KiB, and the command's exit status (128 and more: a signal). */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEARCHES = 200000, RUNS = 9, CODE = 64 };
static unsigned char *table;
static uint32_t random_state = 1;

static uint32_t draw(void) {
  random_state ^= random_state << 13, random_state ^= random_state >> 17, random_state ^= random_state << 5;
  return random_state;
}

/* Layouts: bytes of an entry, of a start; the start is relative to its own field, or to the table; in the other byte order. */
#define LAYOUT(name, entry, type, swap, is_own_field)                                                  \
  static void name##_fill(int64_t count) {                                                             \
    for (int64_t i = 0; i < count; i++) {                                                              \
      type start = (type)(i * CODE - (is_own_field ? i * entry : 0));                                  \
      start = swap(start), memcpy(table + i * entry, &start, sizeof start);                            \
    }                                                                                                  \
  }                                                                                                    \
  static int64_t name##_find(int64_t count, int64_t pc) {                                              \
    int64_t low = 0, high = count;                                                                     \
    while (low < high) {                                                                               \
      int64_t middle = (low + high) / 2;                                                               \
      type start;                                                                                      \
      memcpy(&start, table + middle * entry, sizeof start), start = swap(start);                       \
      if (start + (is_own_field ? middle * entry : 0) <= pc) low = middle + 1; else high = middle;     \
    }                                                                                                  \
    return low - 1;                                                                                    \
  }
#define KEEP(x) (x)
#define SWAP32(x) ((int32_t)__builtin_bswap32((uint32_t)(x)))
#define SWAP64(x) ((int64_t)__builtin_bswap64((uint64_t)(x)))
LAYOUT(v2, 20, int32_t, KEEP, 1)
LAYOUT(v2_foreign, 20, int32_t, SWAP32, 1)
LAYOUT(v3, 16, int64_t, KEEP, 1)
LAYOUT(v3_foreign, 16, int64_t, SWAP64, 1)
LAYOUT(index, 4, int32_t, KEEP, 0)
LAYOUT(hdr, 8, int32_t, KEEP, 0)

/* Tables of 20 descriptors after a header of 28 bytes: the first descriptor of each tells whether the next table is the right one. */
enum { EACH = 20, TABLE = 28 + EACH * 16 };
static void tables_fill(int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    int64_t at = i / EACH * TABLE + 28 + i % EACH * 16, start = i * CODE - at;
    memcpy(table + at, &start, sizeof start);
  }
}
static int64_t tables_find(int64_t count, int64_t pc) {
  int64_t first = 0, start;
  for (int64_t next = EACH; next < count; first = next, next += EACH) {
    int64_t at = next / EACH * TABLE + 28;
    memcpy(&start, table + at, sizeof start);
    if (start + at > pc) break;
  }
  int64_t low = first, high = first + EACH < count ? first + EACH : count;
  while (low < high) {
    int64_t middle = (low + high) / 2, at = middle / EACH * TABLE + 28 + middle % EACH * 16;
    memcpy(&start, table + at, sizeof start);
    if (start + at <= pc) low = middle + 1; else high = middle;
  }
  return low - 1;
}

static const struct { void (*fill)(int64_t); int64_t (*find)(int64_t, int64_t); } layouts[] = {
  {v2_fill, v2_find}, {v2_foreign_fill, v2_foreign_find}, {v3_fill, v3_find}, {v3_foreign_fill, v3_foreign_find},
  {index_fill, index_find}, {hdr_fill, hdr_find}, {tables_fill, tables_find}};

static double measure(int which, int64_t count, const int64_t *pcs) {
  struct timespec from, to;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  int searches = layouts[which].find == tables_find ? SEARCHES / 100 : SEARCHES;
  for (int i = 0; i < searches; i++)
    if (layouts[which].find(count, pcs[i]) != pcs[i] / CODE) abort();
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / searches;
}

static int run(char **command) {
  int status, of_command = 1;
  struct rusage used;
  /* Orphans become children of this process, so that they are waited for. */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t first = fork(), ended;
  if (first == 0) execvp(command[0], command), _exit(127);
  while ((ended = wait(&status)) > 0)
    if (ended == first) of_command = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  getrusage(RUSAGE_CHILDREN, &used);
  double seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  printf("\n%.4f %ld %d\n", seconds, used.ru_maxrss, of_command);
  return 0;
}

int main(int count_of_words, char **words) {
  if (count_of_words > 2 && !strcmp(words[1], "run")) return run(words + 2);
  static int64_t pcs[SEARCHES];
  for (int64_t count = 1000; count <= 1000000; count *= 10) {
    table = calloc((size_t)count, 24);
    if (!table) return 1;
    for (int i = 0; i < SEARCHES; i++) pcs[i] = draw() % (count * CODE);
    printf("%lld", (long long)count);
    for (int which = 0; which < 7; which++) {
      double best = 1e9;
      layouts[which].fill(count);
      for (int run = 0; run < RUNS; run++) {
        double one = measure(which, count, pcs);
        if (one < best) best = one;
      }
      printf(" %.1f", best);
    }
    puts("");
    free(table);
  }
}
