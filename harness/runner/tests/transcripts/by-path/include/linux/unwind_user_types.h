/* A stand-in: the names that an adapter of the kernel's reader uses. */
#include <linux/types.h>

#define UNWIND_USER_RULE_DEREF BIT(31)
enum { UNWIND_USER_CFA_RULE_SP_OFFSET, UNWIND_USER_CFA_RULE_FP_OFFSET, UNWIND_USER_CFA_RULE_REG_OFFSET };
enum { UNWIND_USER_RULE_RETAIN, UNWIND_USER_RULE_CFA_OFFSET, UNWIND_USER_RULE_REG_OFFSET };
struct unwind_user_cfa_rule_data { unsigned rule; s32 offset; unsigned regnum; };
struct unwind_user_rule_data { unsigned rule; s32 offset; unsigned regnum; };
struct unwind_user_frame { struct unwind_user_cfa_rule_data cfa; struct unwind_user_rule_data ra, fp; bool outermost; };
