/* Runs the vectors through a reader. MIT-0.

   cc -g -fsanitize=address sframe_run.c sframe_vectors.c my_reader.c
   ./a.out [TEXT]     only vectors whose id contains TEXT

   Prints wrong answers folded by what they have in common, each with the
   smallest section that shows it; of a crash, the section. Exit status: 0
   none, 1 some. */
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
crashed (int number)
{
  static const char words[] = "crash in ";
  (void) !write (2, words, sizeof words - 1);
  (void) !write (2, at_work, strlen (at_work));
  (void) !write (2, "\n", 1);
  signal (number, SIG_DFL);
  raise (number);
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
  const char *text = count > 1 ? words[1] : "";
  size_t sections = 0;
  signal (SIGSEGV, crashed);
  signal (SIGBUS, crashed);
  signal (SIGFPE, crashed);
  for (size_t at = 0; at < sframe_vectors_count; at++)
    {
      const struct sframe_vector *vector = &sframe_vectors[at];
      if (!strstr (vector->id, text))
        continue;
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
    }
  for (size_t at = 0; at < kinds_count; at++)
    {
      const struct kind *kind = &kinds[at];
      printf ("%zu answers: %s\n  %s at 0x%llx: %s, expected %s\n", kind->answers, kind->what, kind->vector->id,
              (unsigned long long) kind->answer->pc, kind->got, kind->answer->line[0] ? kind->answer->line : "none");
    }
  printf ("%zu sections, %zu answers, %zu wrong\n", sections, judged, wrong);
  return wrong > 0;
}
