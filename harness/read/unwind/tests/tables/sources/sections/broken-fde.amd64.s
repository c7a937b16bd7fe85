# A broken FDE breaks no other.
# show: lookups
#
# case: unknown opcode
# with broken: .byte 0x3f
# expect: broken: .eh_frame+0x30: unknown call frame instruction: 0x3f, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: restore_state alone
# with broken: restore_state
# expect: broken: .eh_frame+0x30: DW_CFA_restore_state without DW_CFA_remember_state, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: offset of an expression
# with broken: def_cfa_expression; breg 7, 8; value; def_cfa_offset 8
# expect: broken: .eh_frame+0x30: a change of one part of a CFA that is not register and offset, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: register that no table has
# with broken: offset_extended 0x10000, 1
# expect: broken: .eh_frame+0x30: unsupported register: 0x10000, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: expression past the entry
# with broken: .byte 0x0f; .uleb128 0x4000
# expect: broken: .eh_frame+0x30: unexpected end of input, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
#
# case: offset that leaves 64 bits
# with broken: offset_extended 6, 0x7fffffffffffffff
# expect: broken: .eh_frame+0x30: an offset that leaves 64 bits, function 0x2000
# expect: at 0xfff: no FDE covers the address
# expect: at 0x1000: row from 0x1000
# expect: at 0x100f: row from 0x1000
# expect: at 0x1010: no FDE covers the address
# expect: after a call, at 0x1000: no FDE covers the address
# expect: after a call, at 0x1010: row from 0x1000
# expect: at 0x1fff: no FDE covers the address
# expect: at 0x2000: no row covers the address
# expect: at 0x200f: no row covers the address
# expect: at 0x2010: no FDE covers the address
# expect: after a call, at 0x2000: no FDE covers the address
# expect: after a call, at 0x2010: no row covers the address
# expect: at 0x2fff: no FDE covers the address
# expect: at 0x3000: row from 0x3000
# expect: at 0x300f: row from 0x3000
# expect: at 0x3010: no FDE covers the address
# expect: after a call, at 0x3000: no FDE covers the address
# expect: after a call, at 0x3010: row from 0x3000
# expect: 0x1000..0x1010 cfa=rsp+8 ra=[cfa-8] fp=same
# expect: 0x3000..0x3010 cfa=rsp+8 ra=[cfa-8] fp=same
    .include "cfi.inc"
    eh_frame
    cie
    initial
    done
    fde 0x1000, 16
    done
    fde 0x2000, 16
    advance 4
    def_cfa_offset 16
    {broken}
    done
    fde 0x3000, 16
    done
