/* What adapters in C share: the line protocol, walking stacks by the rows that a reader gives, a section in front of a page that cannot be
   read, and where a crash was. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Exit statuses of the protocol (ci/readers.md). */
enum { ANSWERED = 0, USAGE = 2 };

static char *read_guarded(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    exit(USAGE);
  *size = ftell(file);
  rewind(file);
  size_t page = sysconf(_SC_PAGESIZE), room = (*size + page - 1) / page * page;
  char *pages = (char *) mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == (char *) MAP_FAILED || mprotect(pages + room, page, PROT_NONE) != 0)
    exit(USAGE);
  char *bytes = pages + room - *size;
  if (fread(bytes, 1, *size, file) != *size)
    exit(USAGE);
  fclose(file);
  return bytes;
}

static void release_guarded(char *bytes, size_t size)
{
  size_t page = sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
  munmap(bytes + size - room, room + page);
}

/* What the names of the reader's functions begin with. */
static const char *reader;

/* Says where it crashes, the innermost named function first: what is exported is named, static functions are not. */
static void crashed(int signal)
{
  void *frames[16];
  int count = backtrace(frames, 16);
  for (int i = 0; i < count; i++)
    {
      Dl_info found;
      if (dladdr(frames[i], &found) != 0 && found.dli_sname != NULL && strncmp(found.dli_sname, reader, strlen(reader)) == 0)
        fprintf(stderr, "at %s\n", found.dli_sname);
    }
  raise(signal);
}

static void watch_crashes(const char *prefix)
{
  static const int signals[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE };
  static char stack[1 << 16];
  void *first[1];
  stack_t apart;
  struct sigaction action;
  memset(&apart, 0, sizeof apart);
  memset(&action, 0, sizeof action);
  apart.ss_sp = stack;
  apart.ss_size = sizeof stack;
  action.sa_handler = crashed;
  action.sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER;
  reader = prefix;
  /* Loads what it needs while memory is sound. */
  backtrace(first, 1);
  sigaltstack(&apart, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}

/* Where a value is: SAME register as before, the sum BASE + offset itself, or loaded from there. A base is a register's DWARF number, or CFA. */
enum { SAME = -2, CFA = -1 };
struct place { int base, loaded; int32_t offset; };

/* What a reader says of an address. `key` is that of a signed return address, 'a' or 'b', or 0. */
enum kind { ROW, OUTER, NONE, ERR };
struct row { enum kind is; struct place cfa, ra, fp; char key; int signal; };

static const struct place same = { SAME, 0, 0 };

static struct place at_cfa(int32_t offset)
{
  struct place slot = { CFA, 1, offset };
  return slot;
}

/* An answer without a row. */
static struct row only(enum kind is)
{
  struct row row;
  memset(&row, 0, sizeof row);
  row.is = is;
  return row;
}

/* DWARF numbers of SP, FP and the register that holds the return address (none on AMD64), and a caller's SP less the CFA. */
struct target { const char *name; int sp, fp, link, caller_sp; };
static const struct target targets[] = {
  { "amd64", 7, 6, SAME, 0 }, { "aarch64-le", 31, 29, 30, 0 }, { "aarch64-be", 31, 29, 30, 0 }, { "s390x", 15, 11, 14, -160 },
};
static const struct target *target = targets;

static void print_place(struct place place, int is_cfa)
{
  char base[16];
  if (place.base == SAME)
    {
      printf("same");
      return;
    }
  snprintf(base, sizeof base, "r%d", place.base);
  const char *name = place.base == CFA ? "cfa" : place.base == target->sp ? "sp" : place.base == target->fp ? "fp" : base;
  if (place.base == CFA && !is_cfa)
    printf(place.loaded ? "%s%+" PRId32 : "=%s%+" PRId32, name, place.offset);
  else
    printf(place.loaded ? "[%s%+" PRId32 "]" : "%s%+" PRId32, name, place.offset);
}

static void print_row(const struct row *row)
{
  if (row->is == NONE || row->is == ERR)
    printf(row->is == NONE ? "none" : "err");
  else if (row->is == OUTER)
    printf("outer");
  else
    {
      print_place(row->cfa, 1);
      putchar(' ');
      print_place(row->ra, 0);
      putchar(' ');
      print_place(row->fp, 0);
      if (row->key != 0)
        printf(" signed-%c", row->key);
    }
  printf(row->signal ? " signal\n" : "\n");
}

/* Registers and memory of a question. */
enum { REGISTERS = 33, WORDS = 4096 };
struct machine
{
  int known[REGISTERS];
  uint64_t registers[REGISTERS];
  size_t words;
  struct { uint64_t address, value; } memory[WORDS];
};

static int load(const struct machine *machine, uint64_t address, uint64_t *value)
{
  for (size_t i = 0; i < machine->words; i++)
    if (machine->memory[i].address == address)
      {
        *value = machine->memory[i].value;
        return 1;
      }
  return 0;
}

/* The value at a place; 0 where what it needs is not known. SAME is the register of that number. */
static int evaluate(const struct machine *machine, struct place place, uint64_t cfa, int same_as, uint64_t *value)
{
  int base = place.base == SAME ? same_as : place.base;
  if (base != CFA && (base < 0 || base >= REGISTERS || !machine->known[base]))
    return 0;
  *value = (base == CFA ? cfa : machine->registers[base]) + (int64_t) place.offset;
  return !place.loaded || load(machine, *value, value);
}

/* The PC of a question, whose registers and memory go into `machine`. */
static uint64_t parse_question(char *question, struct machine *machine)
{
  char *next;
  memset(machine->known, 0, sizeof machine->known);
  machine->words = 0;
  uint64_t pc = strtoull(question, &next, 16);
  for (char *word = strtok(next, " \n"); word != NULL; word = strtok(NULL, " \n"))
    {
      char *equals;
      uint64_t name = strtoull(word + 1, &equals, word[0] == '@' ? 16 : 10), value = strtoull(equals + 1, NULL, 16);
      if (word[0] == '@' && machine->words < WORDS)
        {
          machine->memory[machine->words].address = name;
          machine->memory[machine->words++].value = value;
        }
      else if (word[0] == 'r' && name < REGISTERS)
        {
          machine->known[name] = 1;
          machine->registers[name] = value;
        }
    }
  return pc;
}

/* The questions since a section, for `time`. */
struct question { uint64_t pc; struct machine *machine; };
static struct { struct question *all; size_t count, room; } questions;

/* Keeps a question, with as much memory as it has words. */
static void keep_question(uint64_t pc, const struct machine *machine)
{
  size_t size = offsetof(struct machine, memory) + machine->words * sizeof *machine->memory;
  if (questions.count == questions.room)
    {
      questions.room = questions.room * 2 + 64;
      questions.all = (struct question *) realloc(questions.all, questions.room * sizeof *questions.all);
    }
  struct machine *kept = (struct machine *) malloc(size);
  if (questions.all == NULL || kept == NULL)
    exit(USAGE);
  memcpy(kept, machine, size);
  questions.all[questions.count].pc = pc;
  questions.all[questions.count++].machine = kept;
}

static void forget_questions(void)
{
  while (questions.count > 0)
    free(questions.all[--questions.count].machine);
}

/* Prints the processor time of the fastest of `passes` over the questions that were kept. */
static void print_time(unsigned long passes, void (*step)(const struct question *))
{
  uint64_t best = UINT64_MAX;
  while (passes-- > 0)
    {
      struct timespec began, ended;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began);
      for (size_t i = 0; i < questions.count; i++)
        step(&questions.all[i]);
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
      uint64_t took = (ended.tv_sec - began.tv_sec) * UINT64_C(1000000000) + ended.tv_nsec - began.tv_nsec;
      best = took < best ? took : best;
    }
  printf("time %" PRIu64 "\n", best);
}

/* Where each caller goes on, of `chain MOST PC rN=... @ADDRESS=...`. What moves PCs to where the section was loaded is `moved`. */
static void walk(char *question, uint64_t moved, struct row (*look)(uint64_t at))
{
  static struct machine machine;
  char *next;
  unsigned long most = strtoul(question + strlen("chain "), &next, 10);
  uint64_t pc = parse_question(next, &machine);
  printf("chain");
  for (int is_call = 0; most-- > 0;)
    {
      struct row row = look(pc - is_call + moved);
      uint64_t cfa, ra, fp = 0;
      if (row.is != ROW || !evaluate(&machine, row.cfa, 0, SAME, &cfa) || !evaluate(&machine, row.ra, cfa, target->link, &ra))
        break;
      int knows_fp = evaluate(&machine, row.fp, cfa, target->fp, &fp);
      /* The upper bytes of a signed address hold its signature, which not every reader tells; user memory ends below them. */
      pc = target->link == 30 ? ra & ((UINT64_C(1) << 48) - 1) : ra;
      printf(" 0x%" PRIx64, pc);
      /* A caller's other registers are not known. */
      memset(machine.known, 0, sizeof machine.known);
      machine.known[target->sp] = 1;
      machine.registers[target->sp] = cfa + target->caller_sp;
      machine.known[target->fp] = knows_fp;
      machine.registers[target->fp] = fp;
      is_call = !row.signal;
    }
  printf("\n");
}

/* What a step looks rows up with, and what moves PCs to where the section was loaded. */
static struct row (*look_up)(uint64_t at);
static uint64_t loaded_at;
/* True while time is measured. */
static int is_timed;

/* A step to the caller: a row, and the values of its rules. */
static void step_by_row(const struct question *question)
{
  static volatile uint64_t sum;
  struct row row = look_up(question->pc + loaded_at);
  uint64_t cfa, ra, fp;
  if (row.is != ROW || !evaluate(question->machine, row.cfa, 0, SAME, &cfa) || !evaluate(question->machine, row.ra, cfa, target->link, &ra))
    return;
  sum += ra + (evaluate(question->machine, row.fp, cfa, target->fp, &fp) ? fp : 0);
}

/* A reader behind the line protocol (ci/readers.md). `take` reads the section that a line names, and says what came of it; what it stores is
   added to each PC before `look`, which is asked where the section was read, and says what holds there. Its functions begin with `prefix`. */
static int serve(int count, char **words, const char *version, const char *prefix,
                 const char *(*take)(const char *line, uint64_t *moved), struct row (*look)(uint64_t at))
{
  if (count == 2 && strcmp(words[1], "--version") == 0)
    {
      printf("%s\n", version);
      return 0;
    }
  if (count != 2 || strcmp(words[1], "sframe-answers-2") != 0)
    return USAGE;
  watch_crashes(prefix);
  uint64_t moved = 0;
  int is_read = 0;
  static struct machine machine;
  look_up = look;
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0)
    {
      if (strncmp(line, "section ", 8) == 0)
        {
          const char *abi = strrchr(line, ' ') + 1;
          for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
            if (strncmp(abi, targets[i].name, strlen(targets[i].name)) == 0)
              target = &targets[i];
          /* What came before is told, whatever this one does. */
          fflush(stdout);
          forget_questions();
          const char *said = take(line, &moved);
          loaded_at = moved;
          is_read = strcmp(said, "read") == 0;
          printf("%s\n", said);
        }
      else if (!is_read)
        printf("err\n");
      else if (strncmp(line, "chain ", 6) == 0)
        walk(line, moved, look);
      else if (strncmp(line, "time ", 5) == 0)
        {
          is_timed = 1;
          print_time(strtoul(line + 5, NULL, 10), step_by_row);
          is_timed = 0;
        }
      else
        {
          uint64_t pc = parse_question(line, &machine);
          struct row row = look(pc + moved);
          print_row(&row);
          keep_question(pc, &machine);
        }
    }
  free(line);
  return ANSWERED;
}
