/* @TITLE@
   cc repro.c -lsframe; prints the CFA of the row that is found, or "none". Expected: @WANT@ */
#include <stdio.h>
#include <sframe.h>
#include <sframe-api.h>

/* From binutils 2.46 on with the type of the function. */
#ifdef SFRAME_VERSION_3
# define CFA_OFFSET(fre) sframe_fre_get_cfa_offset (ctx, fre, 0, &err)
#else
# define CFA_OFFSET(fre) sframe_fre_get_cfa_offset (ctx, fre, &err)
#endif

_Alignas (8) @SECTION@
int main (void)
{
  int err = 0;
  sframe_decoder_ctx *ctx = sframe_decode ((const char *) section, sizeof section, &err);
  if (ctx == NULL)
    {
      printf ("sframe_decode: %s\n", sframe_errmsg (err));
      return 1;
    }
  puts ("sframe_decode: no error");
@LOOK@  sframe_decoder_free (&ctx);
  return 0;
}
