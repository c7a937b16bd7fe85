/* A stand-in: the entry points of the kernel's reader. */
#include <linux/unwind_user_types.h>

struct sframe_section { struct rcu_head rcu; unsigned long start, end; };
extern void sframe_free_mm(struct mm_struct *mm);
extern int sframe_add_section(unsigned long sframe_start, unsigned long sframe_end, unsigned long text_start, unsigned long text_end);
extern int sframe_find(unsigned long ip, struct unwind_user_frame *frame);
