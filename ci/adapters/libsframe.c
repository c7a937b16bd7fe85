/* libsframe of GNU binutils behind the line protocol of readers under test (ci/readers.md): the reference adapter in C.

   Built by ci/consumers, against the headers of the library that it is linked with:
   API    2 up to binutils 2.45; 3 from 2.46, where accessors take the type of a function
   VERSION   the library's, as text

   The section ends where a page ends and the next page cannot be read, so that a read past it is a crash. */

#include "adapter.h"
#include <errno.h>

#include "sframe.h"
#include "sframe-api.h"

/* sfh_abi_arch of s390x; older headers do not name it. */
enum { S390X = 4 };

static sframe_decoder_ctx *decoder;
static unsigned char abi, version;

/* A word of a default row: a slot, or on s390x before V3 a register. */
static struct place slot(int32_t offset)
{
  struct place place = { (int) ((unsigned) offset >> 1), 0, 0 };
  return abi == S390X && version == 2 && (offset & 1) ? place : at_cfa(offset);
}

#if API >= 3
/* A control word and an offset. */
static struct place pair(uint32_t control, int32_t offset)
{
  struct place place = { control & 1 ? (int) (control >> 3) : CFA, (control & 2) != 0, offset };
  return place;
}

/* A flexible row: the library gives offsets, of control words only their bits. */
static struct row flex(const sframe_frame_row_entry *found)
{
  int error = 0, count = found->fre_info >> 1 & 15, at = 2;
  uint32_t control = sframe_get_fre_udata(found, 0, &error);
  struct row row = only(ROW);
  row.cfa = pair(control, sframe_fre_get_cfa_offset(decoder, found, SFRAME_FDE_TYPE_FLEX, &error));
  /* A CFA counts from a register. */
  if (error != 0 || !(control & 1))
    return only(ERR);
  int32_t offset = sframe_fre_get_ra_offset(decoder, found, SFRAME_FDE_TYPE_FLEX, &error);
  row.ra = error != 0 ? same : at_cfa(offset);
  if (at < count && (control = sframe_get_fre_udata(found, at++, &error)) != 0)
    row.ra = pair(control, offset), at++;
  offset = sframe_fre_get_fp_offset(decoder, found, SFRAME_FDE_TYPE_FLEX, &error);
  row.fp = error != 0 ? same : at + 1 < count ? pair(sframe_get_fre_udata(found, at, &error), offset) : at_cfa(offset);
  return row;
}

static int has_row(uint32_t function, uint32_t rows, const sframe_frame_row_entry *row)
{
  for (uint32_t i = 0; i < rows; i++)
    {
      sframe_frame_row_entry other;
      memset(&other, 0, sizeof other);
      if (sframe_decoder_get_fre(decoder, function, i, &other) == 0 && other.fre_start_addr == row->fre_start_addr
          && other.fre_info == row->fre_info && memcmp(other.fre_datawords, row->fre_datawords, sizeof row->fre_datawords) == 0)
        return 1;
    }
  return 0;
}

/* The library finds a row without saying of which function. Here it is the one that has the row and covers the address: by the flag that says
   what starts count from, else from their field, as the look-up of some versions has it whatever the flag says. */
static unsigned type_at(int64_t at, const sframe_frame_row_entry *row)
{
  int flag = sframe_decoder_get_flags(decoder) & SFRAME_F_FDE_FUNC_START_PCREL;
  for (int from_field = flag != 0; from_field <= 1; from_field++)
    for (uint32_t i = 0; i < sframe_decoder_get_num_fidx(decoder); i++)
      {
        uint32_t rows, size;
        int64_t start;
        unsigned char info, info2;
        uint8_t block;
        int error = 0;
        if (sframe_decoder_get_funcdesc_v3(decoder, i, &rows, &size, &start, &info, &info2, &block) != 0)
          continue;
        if (from_field)
          start += sframe_decoder_get_offsetof_fde_start_addr(decoder, i, &error);
        if (start <= at && at < start + size && has_row(i, rows, row))
          return info2 & 31;
      }
  return 0;
}
#define CFA_OF(row, error) sframe_fre_get_cfa_offset(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#define RA_OF(row, error) sframe_fre_get_ra_offset(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#define FP_OF(row, error) sframe_fre_get_fp_offset(decoder, row, SFRAME_FDE_TYPE_DEFAULT, error)
#else
#define CFA_OF(row, error) sframe_fre_get_cfa_offset(decoder, row, error)
#define RA_OF(row, error) sframe_fre_get_ra_offset(decoder, row, error)
#define FP_OF(row, error) sframe_fre_get_fp_offset(decoder, row, error)
#endif

static struct row look(uint64_t pc)
{
  int64_t at = (int64_t) pc;
  sframe_frame_row_entry found;
  memset(&found, 0, sizeof found);
  /* The interface took 32 bits. */
  if ((API < 3 && at != (int32_t) at) || sframe_find_fre(decoder, at, &found) != 0)
    return only(NONE);
  int error = 0, fixed_ra = sframe_decoder_get_fixed_ra_offset(decoder);
  struct place ra = fixed_ra != 0 ? at_cfa(fixed_ra) : same;
#if API >= 3
  if (sframe_fre_get_ra_undefined_p(decoder, &found, &error))
    return only(OUTER);
  /* A search through all functions for what the look-up does not say is no part of the library's time. */
  if (version == 3 && !is_timed && type_at(at, &found) == SFRAME_FDE_TYPE_FLEX)
    return flex(&found);
#endif
  struct row row = only(ROW);
  row.cfa.base = sframe_fre_get_base_reg_id(&found, &error) == SFRAME_BASE_REG_SP ? target->sp : target->fp;
  row.cfa.offset = CFA_OF(&found, &error);
  if (error != 0)
    return only(ERR);
  int32_t offset = RA_OF(&found, &error);
  row.ra = fixed_ra != 0 || error != 0 || (abi == S390X && offset == 0) ? ra : slot(offset);
  error = 0;
  offset = FP_OF(&found, &error);
  row.fp = error != 0 ? same : slot(offset);
  error = 0;
  if ((abi == 1 || abi == 2) && sframe_fre_get_ra_mangled_p(decoder, &found, &error))
    row.key = 'a';
  return row;
}

/* "section FILE ADDRESS TEXT_START TEXT_END ORDER ABI": the answer for the section, and where it is loaded. */
static const char *take(const char *line, uint64_t *moved)
{
  static char *bytes;
  static size_t size;
  uint64_t address;
  char path[4096];
  int error = 0;
  if (decoder != NULL)
    sframe_decoder_free(&decoder);
  decoder = NULL;
  if (bytes != NULL)
    release_guarded(bytes, size);
  if (sscanf(line, "section %4095s %" SCNx64, path, &address) != 2)
    exit(USAGE);
  bytes = read_guarded(path, &size);
  *moved = -address;
  /* The library's own error says "no memory" of much that is something else. */
  errno = 0;
  decoder = sframe_decode(bytes, size, &error);
  if (decoder == NULL)
    return errno == ENOMEM ? "out-of-memory" : "refused";
  abi = sframe_decoder_get_abi_arch(decoder);
  version = bytes[2];
  return "read";
}

int main(int count, char **words)
{
  return serve(count, words, "libsframe " VERSION, "sframe_", take, look);
}
