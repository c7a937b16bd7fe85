//! Assembler for bytes in either order, with length fields that are patched when the measured part
//! is complete, and CFI instructions by name.

use types::{Abi, ByteOrder};

use super::expr::Expr;

/// Writes call frame instructions.
#[derive(Clone, Debug)]
pub(crate) struct Asm {
    pub(crate) bytes: Vec<u8>,
    pub(crate) order: ByteOrder,
}

impl Asm {
    pub(crate) fn new(abi: Abi) -> Self {
        Asm { bytes: Vec::new(), order: abi.facts().order }
    }

    pub(crate) fn here(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(crate) fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    pub(crate) fn u16(&mut self, value: u16) -> &mut Self {
        match self.order {
            ByteOrder::Little => self.raw(&value.to_le_bytes()),
            ByteOrder::Big => self.raw(&value.to_be_bytes()),
        }
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        match self.order {
            ByteOrder::Little => self.raw(&value.to_le_bytes()),
            ByteOrder::Big => self.raw(&value.to_be_bytes()),
        }
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        match self.order {
            ByteOrder::Little => self.raw(&value.to_le_bytes()),
            ByteOrder::Big => self.raw(&value.to_be_bytes()),
        }
    }

    pub(crate) fn uleb(&mut self, mut value: u64) -> &mut Self {
        while value >= 0x80 {
            self.u8(value as u8 | 0x80);
            value >>= 7;
        }
        self.u8(value as u8)
    }

    pub(crate) fn sleb(&mut self, mut value: i64) -> &mut Self {
        while !(-0x40..0x40).contains(&value) {
            self.u8(value as u8 & 0x7f | 0x80);
            value >>= 7;
        }
        self.u8(value as u8 & 0x7f)
    }

    /// A 32-bit length of the bytes that `write` appends.
    pub(crate) fn measured32(&mut self, write: impl FnOnce(&mut Asm)) -> &mut Self {
        let at = self.here();
        self.u32(0);
        write(self);
        let length = (self.here() - at - 4) as u32;
        self.patch(at, |asm| asm.u32(length).end())
    }

    /// A 64-bit DWARF length of the bytes that `write` appends: escape and eight bytes.
    pub(crate) fn measured64(&mut self, write: impl FnOnce(&mut Asm)) -> &mut Self {
        self.u32(0xffff_ffff);
        let at = self.here();
        self.u64(0);
        write(self);
        let length = (self.here() - at - 8) as u64;
        self.patch(at, |asm| asm.u64(length).end())
    }

    /// A block preceded by its length as ULEB128.
    pub(crate) fn block(&mut self, write: impl FnOnce(&mut Asm)) -> &mut Self {
        let mut inner = Asm { bytes: Vec::new(), order: self.order };
        write(&mut inner);
        self.uleb(inner.bytes.len() as u64).raw(&inner.bytes)
    }

    /// Ends a chain of calls where a unit value is expected.
    pub(crate) fn end(&mut self) {}

    fn patch(&mut self, at: usize, write: impl FnOnce(&mut Asm)) -> &mut Self {
        let mut field = Asm { bytes: Vec::new(), order: self.order };
        write(&mut field);
        self.bytes[at..at + field.bytes.len()].copy_from_slice(&field.bytes);
        self
    }
}

/// CFI instructions (DWARF 5, table 7.29). Offsets named `factored` are multiplied by the CIE's
/// data alignment.
impl Asm {
    pub(crate) fn nop(&mut self) -> &mut Self {
        self.u8(0x00)
    }

    /// `DW_CFA_advance_loc`: up to 63 code units.
    pub(crate) fn advance(&mut self, units: u8) -> &mut Self {
        assert!(units < 0x40);
        self.u8(0x40 | units)
    }

    pub(crate) fn advance1(&mut self, units: u8) -> &mut Self {
        self.u8(0x02).u8(units)
    }

    pub(crate) fn advance2(&mut self, units: u16) -> &mut Self {
        self.u8(0x03).u16(units)
    }

    pub(crate) fn advance4(&mut self, units: u32) -> &mut Self {
        self.u8(0x04).u32(units)
    }

    /// `DW_CFA_set_loc` with an absolute address.
    pub(crate) fn set_loc(&mut self, address: u64) -> &mut Self {
        self.u8(0x01).u64(address)
    }

    pub(crate) fn def_cfa(&mut self, reg: u64, offset: u64) -> &mut Self {
        self.u8(0x0c).uleb(reg).uleb(offset)
    }

    pub(crate) fn def_cfa_sf(&mut self, reg: u64, factored: i64) -> &mut Self {
        self.u8(0x12).uleb(reg).sleb(factored)
    }

    pub(crate) fn def_cfa_register(&mut self, reg: u64) -> &mut Self {
        self.u8(0x0d).uleb(reg)
    }

    pub(crate) fn def_cfa_offset(&mut self, offset: u64) -> &mut Self {
        self.u8(0x0e).uleb(offset)
    }

    pub(crate) fn def_cfa_offset_sf(&mut self, factored: i64) -> &mut Self {
        self.u8(0x13).sleb(factored)
    }

    pub(crate) fn def_cfa_expression(&mut self, write: impl FnOnce(&mut Expr<'_>)) -> &mut Self {
        self.u8(0x0f).block(|asm| write(&mut Expr(asm)))
    }

    /// `DW_CFA_offset`: registers up to 63.
    pub(crate) fn offset(&mut self, reg: u8, factored: u64) -> &mut Self {
        assert!(reg < 0x40);
        self.u8(0x80 | reg).uleb(factored)
    }

    pub(crate) fn offset_extended(&mut self, reg: u64, factored: u64) -> &mut Self {
        self.u8(0x05).uleb(reg).uleb(factored)
    }

    pub(crate) fn offset_extended_sf(&mut self, reg: u64, factored: i64) -> &mut Self {
        self.u8(0x11).uleb(reg).sleb(factored)
    }

    pub(crate) fn val_offset(&mut self, reg: u64, factored: u64) -> &mut Self {
        self.u8(0x14).uleb(reg).uleb(factored)
    }

    pub(crate) fn val_offset_sf(&mut self, reg: u64, factored: i64) -> &mut Self {
        self.u8(0x15).uleb(reg).sleb(factored)
    }

    /// `DW_CFA_register`: `reg`'s value is in `holder`.
    pub(crate) fn register(&mut self, reg: u64, holder: u64) -> &mut Self {
        self.u8(0x09).uleb(reg).uleb(holder)
    }

    pub(crate) fn expression(&mut self, reg: u64, write: impl FnOnce(&mut Expr<'_>)) -> &mut Self {
        self.u8(0x10).uleb(reg).block(|asm| write(&mut Expr(asm)))
    }

    pub(crate) fn val_expression(&mut self, reg: u64, write: impl FnOnce(&mut Expr<'_>)) -> &mut Self {
        self.u8(0x16).uleb(reg).block(|asm| write(&mut Expr(asm)))
    }

    pub(crate) fn same_value(&mut self, reg: u64) -> &mut Self {
        self.u8(0x08).uleb(reg)
    }

    pub(crate) fn undefined(&mut self, reg: u64) -> &mut Self {
        self.u8(0x07).uleb(reg)
    }

    /// `DW_CFA_restore`: registers up to 63.
    pub(crate) fn restore(&mut self, reg: u8) -> &mut Self {
        assert!(reg < 0x40);
        self.u8(0xc0 | reg)
    }

    pub(crate) fn restore_extended(&mut self, reg: u64) -> &mut Self {
        self.u8(0x06).uleb(reg)
    }

    pub(crate) fn remember_state(&mut self) -> &mut Self {
        self.u8(0x0a)
    }

    pub(crate) fn restore_state(&mut self) -> &mut Self {
        self.u8(0x0b)
    }

    /// `DW_CFA_GNU_args_size` (LSB 5.0 core, 10.5.2).
    pub(crate) fn args_size(&mut self, size: u64) -> &mut Self {
        self.u8(0x2e).uleb(size)
    }

    /// `DW_CFA_AARCH64_negate_ra_state` (DWARF for the Arm 64-bit Architecture 2025Q4, 4.4).
    pub(crate) fn negate_ra_state(&mut self) -> &mut Self {
        self.u8(0x2d)
    }

    /// `DW_CFA_AARCH64_negate_ra_state_with_pc` (same table).
    pub(crate) fn negate_ra_state_with_pc(&mut self) -> &mut Self {
        self.u8(0x2c)
    }

    /// `DW_CFA_AARCH64_set_ra_state` (same table): state, and distance to the signing instruction
    /// in code units.
    pub(crate) fn set_ra_state(&mut self, state: u64, distance: i64) -> &mut Self {
        self.u8(0x2b).uleb(state).sleb(distance)
    }
}
