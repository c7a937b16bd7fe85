/* Test vectors for readers of SFrame. Made by sframe-conformance; MIT-0.

   A vector is the bytes of one .sframe section, its place in memory, and what
   is expected for each PC. Its code does not exist and is not needed. */
#ifndef SFRAME_VECTORS_H
#define SFRAME_VECTORS_H

#include <stddef.h>
#include <stdint.h>

enum sframe_expect {
  SFRAME_ROW,           /* this row */
  SFRAME_NONE,          /* nothing describes the PC: "none" */
  SFRAME_REFUSE,        /* "none" or "err", or the section is refused */
  SFRAME_ROW_OR_REFUSE, /* either of the two */
  SFRAME_ONE_OF,        /* one of several, " | " between */
  SFRAME_ANYTHING       /* any answer: it must return */
};

struct sframe_answer {
  uint64_t pc;
  enum sframe_expect expect;
  /* "CFA RA FP", then " signed-a" or " signed-b", and " signal"; or "outer".
     CFA: "sp+16", "fp+16", "r10+0", or "[fp-8]" if it is loaded from there.
     RA and FP: "same"; "cfa-8", loaded from CFA-8; "=cfa-8", that sum itself;
     "r17+0"; "[r6+8]", loaded from there. */
  const char *line;
};

struct sframe_vector {
  const char *id;      /* CLASS/VERSION-ABI/NAME */
  const char *version; /* v1, v2, v2e1 (version 2, errata 1), v3 */
  const char *abi;     /* amd64, aarch64-le, aarch64-be, s390x */
  int big_endian;
  int sorted;          /* its functions are in order of their addresses */
  const unsigned char *bytes;
  size_t size;
  uint64_t address;    /* of the section's first byte */
  uint64_t text_start, text_end;
  const struct sframe_answer *answers;
  size_t count;
};

extern const struct sframe_vector sframe_vectors[];
extern const size_t sframe_vectors_count;

/* Yours. */

/* Returns 0 if the reader refuses the section. The bytes are in a block of
   their own size: a reader that reads past them is found by -fsanitize=address. */
int reader_open (const struct sframe_vector *vector, const unsigned char *bytes);
/* Writes its answer for a PC of the section opened last: a row as above,
   "none", or "err" if what describes the PC cannot be read. */
void reader_answer (uint64_t pc, char *line, size_t size);

#endif
