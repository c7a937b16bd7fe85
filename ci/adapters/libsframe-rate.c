/* How fast libsframe of GNU binutils reads: a yardstick of ci/ratios, by the library's own interface. Built by ci/consumers as libsframe.c is.

   usage: rate decode FILE ADDRESS                  every function and every row of the section, loaded there
          rate look FILE ADDRESS LOW SIZE COUNT     the rows of COUNT random addresses from LOW to LOW + SIZE
   FILE is the section's bytes. Prints the nanoseconds of processor time of ten times decoding it, the fastest of three, or of all look-ups; and the sum
   of what was read: simple-frame and
   the harness have the same for the same bytes (harness/runner/benches/ratios/tables.rs says of what).
   exit: 0 done; 1 the library refuses the section; 2 bad usage */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sframe.h"
#include "sframe-api.h"

enum { PASSES = 3, ROUNDS = 10, ABSENT = 1 };

#if API >= 3
#define OF_ROW(what, row, error) what(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#else
#define OF_ROW(what, row, error) what(decoder, row, error)
#endif

static uint64_t nanoseconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* What a row says, as one number. Where the header has RA at a fixed offset, that is what it is. */
static uint64_t said(sframe_decoder_ctx *decoder, sframe_frame_row_entry *row, int fixed_ra)
{
  int error = 0;
  uint64_t sum = row->fre_start_addr;
  sum = sum * 31 + (sframe_fre_get_base_reg_id(row, &error) == SFRAME_BASE_REG_SP);
  sum = sum * 31 + (uint64_t) (int64_t) OF_ROW(sframe_fre_get_cfa_offset, row, &error);
  int64_t ra = fixed_ra;
  if (fixed_ra == 0)
    {
      error = 0;
      ra = OF_ROW(sframe_fre_get_ra_offset, row, &error);
      if (error != 0)
        ra = ABSENT;
    }
  sum = sum * 31 + (uint64_t) ra;
  error = 0;
  int64_t fp = OF_ROW(sframe_fre_get_fp_offset, row, &error);
  return sum * 31 + (uint64_t) (error != 0 ? ABSENT : fp);
}

static uint64_t decode(sframe_decoder_ctx *decoder, uint64_t address)
{
  uint64_t sum = 0;
  int fixed_ra = sframe_decoder_get_fixed_ra_offset(decoder);
#if API >= 3
  int from_field = (sframe_decoder_get_flags(decoder) & SFRAME_F_FDE_FUNC_START_PCREL) != 0;
#endif
  for (uint32_t i = 0; i < sframe_decoder_get_num_fidx(decoder); i++)
    {
      uint32_t rows, size;
      unsigned char info;
      int error = 0;
#if API >= 3
      int64_t start;
      unsigned char info2;
      uint8_t block;
      if (sframe_decoder_get_funcdesc_v3(decoder, i, &rows, &size, &start, &info, &info2, &block) != 0)
        exit(1);
      if (from_field)
        start += sframe_decoder_get_offsetof_fde_start_addr(decoder, i, &error);
#else
      int32_t start;
      if (sframe_decoder_get_funcdesc(decoder, i, &rows, &size, &start, &info) != 0)
        exit(1);
#endif
      sum += (address + (uint64_t) start) * 31 + size;
      for (uint32_t row = 0; row < rows; row++)
        {
          sframe_frame_row_entry found;
          if ((error = sframe_decoder_get_fre(decoder, i, row, &found)) != 0)
            exit(1);
          sum += said(decoder, &found, fixed_ra);
        }
    }
  return sum;
}

static uint64_t look(sframe_decoder_ctx *decoder, uint64_t low, uint64_t size, uint64_t count)
{
  uint64_t sum = 0, state = 1;
  int fixed_ra = sframe_decoder_get_fixed_ra_offset(decoder);
  while (count-- > 0)
    {
      /* xorshift64*. */
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      uint64_t pc = low + ((state * 0x2545f4914f6cdd1d >> 32) * size >> 32);
      sframe_frame_row_entry found;
      if (sframe_find_fre(decoder, (int64_t) pc, &found) == 0)
        sum += said(decoder, &found, fixed_ra);
    }
  return sum;
}

static char *contents(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    exit(2);
  *size = (size_t) ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  if (bytes == NULL || fread(bytes, 1, *size, file) != *size)
    exit(2);
  fclose(file);
  return bytes;
}

int main(int count, char **words)
{
  int looks = count == 7 && strcmp(words[1], "look") == 0;
  if (!looks && !(count == 4 && strcmp(words[1], "decode") == 0))
    return 2;
  size_t size;
  char *bytes = contents(words[2], &size);
  uint64_t address = strtoull(words[3], NULL, 0), best = UINT64_MAX, sum = 0;
  for (int pass = 0; pass < (looks ? 1 : PASSES); pass++)
    {
      uint64_t begun = nanoseconds();
      for (int round = 0; round < (looks ? 1 : ROUNDS); round++)
        {
          int error = 0;
          sframe_decoder_ctx *decoder = sframe_decode(bytes, size, &error);
          if (decoder == NULL)
            return 1;
          if (looks)
            {
              /* A reader reads a section once and looks up often. */
              begun = nanoseconds();
              sum = look(decoder, strtoull(words[4], NULL, 0) - address, strtoull(words[5], NULL, 0), strtoull(words[6], NULL, 0));
            }
          else
            sum = decode(decoder, address);
          sframe_decoder_free(&decoder);
        }
      uint64_t passed = nanoseconds() - begun;
      best = passed < best ? passed : best;
    }
  printf("%" PRIu64 " %" PRIx64 "\n", best, sum);
  return 0;
}
