/* What adapters in C share: the line protocol, a section in front of a page that cannot be read, and where a crash was. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Exit statuses of the protocol (ci/README.md). */
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

/* A reader behind the line protocol (ci/README.md). `take` reads the section that a line names, and says what came of it; what it stores is
   added to each PC before `answer`, which is asked where the section was read, prints a line for it. Its functions begin with `prefix`. */
static int serve(int count, char **words, const char *version, const char *prefix,
                 const char *(*take)(const char *line, uint64_t *moved), void (*answer)(uint64_t at))
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
  char line[8192];
  while (fgets(line, sizeof line, stdin) != NULL)
    {
      if (strncmp(line, "section ", 8) == 0)
        {
          /* What came before is told, whatever this one does. */
          fflush(stdout);
          const char *said = take(line, &moved);
          is_read = strcmp(said, "read") == 0;
          printf("%s\n", said);
        }
      else if (is_read)
        answer(strtoull(line, NULL, 16) + moved);
      else
        printf("err\n");
    }
  return ANSWERED;
}
