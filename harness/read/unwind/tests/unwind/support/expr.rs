//! DWARF expression operations by name (DWARF 5, table 7.9).

use super::asm::Asm;

/// Writes operations of a DWARF expression.
pub(crate) struct Expr<'a>(pub(crate) &'a mut Asm);

impl Expr<'_> {
    /// Ends a chain of calls where a unit value is expected.
    pub(crate) fn end(&mut self) {}

    pub(crate) fn op(&mut self, code: u8) -> &mut Self {
        self.0.u8(code);
        self
    }

    /// `DW_OP_breg0` to `31`.
    pub(crate) fn breg(&mut self, reg: u8, offset: i64) -> &mut Self {
        assert!(reg < 32);
        self.0.u8(0x70 + reg).sleb(offset);
        self
    }

    pub(crate) fn bregx(&mut self, reg: u64, offset: i64) -> &mut Self {
        self.0.u8(0x92).uleb(reg).sleb(offset);
        self
    }

    /// `DW_OP_lit0` to `31`.
    pub(crate) fn lit(&mut self, value: u8) -> &mut Self {
        assert!(value < 32);
        self.op(0x30 + value)
    }

    pub(crate) fn consts(&mut self, value: i64) -> &mut Self {
        self.0.u8(0x11).sleb(value);
        self
    }

    pub(crate) fn const8u(&mut self, value: u64) -> &mut Self {
        self.0.u8(0x0e).u64(value);
        self
    }

    pub(crate) fn deref(&mut self) -> &mut Self {
        self.op(0x06)
    }

    pub(crate) fn deref_size(&mut self, size: u8) -> &mut Self {
        self.op(0x94).op(size)
    }

    pub(crate) fn dup(&mut self) -> &mut Self {
        self.op(0x12)
    }

    pub(crate) fn drop(&mut self) -> &mut Self {
        self.op(0x13)
    }

    pub(crate) fn over(&mut self) -> &mut Self {
        self.op(0x14)
    }

    pub(crate) fn pick(&mut self, index: u8) -> &mut Self {
        self.op(0x15).op(index)
    }

    pub(crate) fn swap(&mut self) -> &mut Self {
        self.op(0x16)
    }

    pub(crate) fn rot(&mut self) -> &mut Self {
        self.op(0x17)
    }

    pub(crate) fn and(&mut self) -> &mut Self {
        self.op(0x1a)
    }

    pub(crate) fn minus(&mut self) -> &mut Self {
        self.op(0x1c)
    }

    pub(crate) fn plus(&mut self) -> &mut Self {
        self.op(0x22)
    }

    pub(crate) fn plus_uconst(&mut self, value: u64) -> &mut Self {
        self.0.u8(0x23).uleb(value);
        self
    }

    pub(crate) fn shl(&mut self) -> &mut Self {
        self.op(0x24)
    }

    pub(crate) fn ge(&mut self) -> &mut Self {
        self.op(0x2a)
    }

    /// `DW_OP_skip`: bytes from the end of the operation.
    pub(crate) fn skip(&mut self, distance: i16) -> &mut Self {
        self.0.u8(0x2f).u16(distance.cast_unsigned());
        self
    }

    /// `DW_OP_bra`: bytes from the end of the operation.
    pub(crate) fn bra(&mut self, distance: i16) -> &mut Self {
        self.0.u8(0x28).u16(distance.cast_unsigned());
        self
    }

    /// CFA of a lazy PLT as GNU ld and lld describe it: after the push in the last 5 bytes of an
    /// entry the CFA is 8 further.
    pub(crate) fn plt(&mut self) -> &mut Self {
        self.breg(7, 8).breg(16, 0).lit(15).and().lit(11).ge().lit(3).shl().plus()
    }
}
