/* Runs the vectors through a reader. MIT-0.

   cc -g -fsanitize=address sframe_run.c sframe_vectors.c my_reader.c
   ./a.out [-x FILE] [TEXT]

   With TEXT only vectors whose id contains it. -x FILE leaves out vectors; a
   line is an id, or '*' and a part of ids. Lines that begin with '#' are
   comments.

   Prints wrong answers folded by what they have in common, each with the
   smallest section that shows it; of a crash, an abort or an exit of the
   reader, the vector. Exit status: 0 none, 1 some, 2 a bad option. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sframe_vectors.h"

enum { MOST_KINDS = 64, LINE = 128 };

struct kind {
  char what[LINE];
  size_t answers, smallest;
  const struct sframe_vector *vector;
  const struct sframe_answer *answer;
  char got[LINE];
};

static struct kind kinds[MOST_KINDS];
static size_t kinds_count, wrong, judged;
static const char *volatile at_work = "";

static void
print_vector (void)
{
  static const char words[] = "ended in ";
  if (!*at_work)
    return;
  (void) !write (2, words, sizeof words - 1);
  (void) !write (2, at_work, strlen (at_work));
  (void) !write (2, "\n", 1);
  at_work = "";
}

static void
crashed (int number)
{
  print_vector ();
  signal (number, SIG_DFL);
  raise (number);
}

/* A sanitizer ends the process without a signal. */
extern void __sanitizer_set_death_callback (void (*callback) (void)) __attribute__ ((weak));

static char *excluded;

static int
read_excluded (const char *path)
{
  FILE *file = fopen (path, "rb");
  long size;
  if (!file || fseek (file, 0, SEEK_END) != 0 || (size = ftell (file)) < 0)
    return 0;
  rewind (file);
  excluded = calloc ((size_t) size + 1, 1);
  int is_read = excluded && fread (excluded, 1, (size_t) size, file) == (size_t) size;
  fclose (file);
  return is_read;
}

static int
is_excluded (const char *id)
{
  char part[LINE];
  for (const char *line = excluded; line && *line;)
    {
      size_t size = strcspn (line, "\r\n");
      snprintf (part, sizeof part, "%.*s", (int) (size < LINE ? size : LINE - 1), line);
      if (size > 0 && *part != '#' && (*part == '*' ? strstr (id, part + 1) != NULL : strcmp (id, part) == 0))
        return 1;
      line += size + strspn (line + size, "\r\n");
    }
  return 0;
}

static int
is_one_of (const char *got, const char *lines)
{
  size_t length = strlen (got);
  for (;;)
    {
      const char *end = strstr (lines, " | ");
      size_t size = end ? (size_t) (end - lines) : strlen (lines);
      if (size == length && memcmp (got, lines, size) == 0)
        return 1;
      if (!end)
        return 0;
      lines = end + 3;
    }
}

static int
is_right (const struct sframe_answer *answer, const char *got)
{
  int nothing = strcmp (got, "none") == 0 || strcmp (got, "err") == 0;
  switch (answer->expect)
    {
    case SFRAME_ROW: return strcmp (got, answer->line) == 0;
    case SFRAME_NONE: return strcmp (got, "none") == 0;
    case SFRAME_REFUSE: return nothing;
    case SFRAME_ROW_OR_REFUSE: return nothing || strcmp (got, answer->line) == 0;
    case SFRAME_ONE_OF: return nothing || is_one_of (got, answer->line);
    case SFRAME_ANYTHING: return 1;
    }
  return 0;
}

/* What a wrong answer has in common with others: a neighbour's row is a
   look-up that is off by one, whatever the rows are. */
static void
name (const struct sframe_vector *vector, const struct sframe_answer *answer, const char *got, char *what)
{
  static const char *const expected[] = { "a row", "none", "nothing", "a row or nothing", "one of several", "any" };
  size_t at = (size_t) (answer - vector->answers);
  const char *is = strcmp (got, "none") == 0 ? "none" : strcmp (got, "err") == 0 ? "err" : "another row";
  for (size_t other = 0; other < vector->count; other++)
    if (other != at && vector->answers[other].expect == SFRAME_ROW && strcmp (vector->answers[other].line, got) == 0)
      is = "the row of another PC";
  if (strcmp (got, "refused") == 0)
    is = "the section refused";
  snprintf (what, LINE, "%s, expected %s", is, expected[answer->expect]);
}

static void
keep (const struct sframe_vector *vector, const struct sframe_answer *answer, const char *got)
{
  char what[LINE];
  size_t at = 0;
  name (vector, answer, got, what);
  while (at < kinds_count && strcmp (kinds[at].what, what) != 0)
    at++;
  wrong++;
  if (at == MOST_KINDS)
    return;
  struct kind *kind = &kinds[at];
  kinds_count += at == kinds_count;
  kind->answers++;
  if (kind->answers == 1 || vector->size < kind->smallest)
    {
      memcpy (kind->what, what, sizeof what);
      kind->smallest = vector->size;
      kind->vector = vector;
      kind->answer = answer;
      snprintf (kind->got, sizeof kind->got, "%s", got);
    }
}

int
main (int count, char **words)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
  const char *text = "";
  size_t sections = 0, left_out = 0;
  for (int at = 1; at < count; at++)
    if (strcmp (words[at], "-x") != 0)
      text = words[at];
    else if (++at == count || !read_excluded (words[at]))
      {
        fprintf (stderr, "-x: %s cannot be read\n", at == count ? "no file" : words[at]);
        return 2;
      }
  for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++)
    signal (numbers[at], crashed);
  atexit (print_vector);
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback (print_vector);
  for (size_t at = 0; at < sframe_vectors_count; at++)
    {
      const struct sframe_vector *vector = &sframe_vectors[at];
      if (!strstr (vector->id, text))
        continue;
      if (is_excluded (vector->id))
        {
          left_out++;
          continue;
        }
      sections++;
      at_work = vector->id;
      unsigned char *bytes = malloc (vector->size ? vector->size : 1);
      if (!bytes)
        return 2;
      memcpy (bytes, vector->bytes, vector->size);
      int open = reader_open (vector, bytes);
      for (size_t number = 0; number < vector->count; number++)
        {
          const struct sframe_answer *answer = &vector->answers[number];
          char got[LINE] = "refused";
          int refusable = answer->expect != SFRAME_ROW && answer->expect != SFRAME_NONE;
          if (open)
            reader_answer (answer->pc, got, sizeof got);
          judged++;
          if (open ? !is_right (answer, got) : !refusable)
            keep (vector, answer, got);
        }
      free (bytes);
      at_work = "";
    }
  for (size_t at = 0; at < kinds_count; at++)
    {
      const struct kind *kind = &kinds[at];
      printf ("%zu answers: %s\n  %s at 0x%llx: %s, expected %s\n", kind->answers, kind->what, kind->vector->id,
              (unsigned long long) kind->answer->pc, kind->got, kind->answer->line[0] ? kind->answer->line : "none");
    }
  printf ("%zu sections, %zu answers, %zu wrong\n", sections, judged, wrong);
  if (left_out > 0)
    printf ("%zu sections left out by -x\n", left_out);
  return wrong > 0;
}
