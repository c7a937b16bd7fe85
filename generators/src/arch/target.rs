//! What the writers know of a target, each fact once.

use types::{Reg, SframeVersion};

use crate::sframe::Layout;

/// How the tables of a target are written.
#[derive(Debug)]
pub(crate) struct Target {
    /// `sfh_abi_arch` (SFrame, "SFrame ABI/arch Identifier").
    pub(crate) sframe_id: u8,
    /// The first version of SFrame that has the target.
    pub(crate) since: SframeVersion,
    /// `sfh_cfa_fixed_ra_offset`; 0 where rows give the return address (SFrame, "SFrame
    /// ABI/arch-specific Definition").
    pub(crate) fixed_ra: i8,
    /// Index of the return address among the words of a default row.
    pub(crate) ra_word: Option<usize>,
    /// Index of FP among the words of a default row: the last that there can be.
    pub(crate) fp_word: usize,
    /// A CFA offset is the stored word times the scale plus the bias.
    pub(crate) cfa_scale: i64,
    /// Bytes.
    pub(crate) cfa_bias: i64,
    /// A word of 0 means that the register is not saved.
    pub(crate) zero_is_unsaved: bool,
    /// Default rows name registers by odd words, where the version does.
    pub(crate) odd_words: bool,
    /// Two registers in which the CFA or a saved register can be, the second the last that a
    /// control word can name; `None` if the target has no flexible rows.
    pub(crate) flex_registers: Option<(Reg, Reg)>,
    /// Return addresses can be signed.
    pub(crate) signs: bool,
    /// Functions can align SP and find the CFA in memory.
    pub(crate) realigns: bool,
    /// Functions that make no call can keep return address and FP in other registers.
    pub(crate) parks_in_registers: bool,
    /// Bytes of a slot of a procedure linkage table, where linkers describe those tables.
    pub(crate) plt_slot: Option<u8>,
    /// Code alignment factor of CIEs.
    pub(crate) code_alignment: u64,
    /// `sh_type` of `.eh_frame`.
    pub(crate) eh_frame_type: u32,
    /// Bytes of a word of `.hash`.
    pub(crate) hash_word: usize,
    /// Relocations that put a place-relative address into 4 and into 8 bytes.
    pub(crate) pc_relative: [RelocationName; 2],
    /// What the kernel saved for a signal.
    pub(crate) signal: SignalFrame,
    /// DWARF number of the last register that can hold an address.
    pub(crate) last_holder: u8,
    /// Bytes after the body of [`Functions::framed`](crate::code::Functions::framed): its epilogue.
    pub(crate) epilogue: usize,
    /// Row of [`Functions::saved_cfa`](crate::code::Functions::saved_cfa) that has no default form.
    pub(crate) saved_cfa_row: Option<usize>,
    /// Frames of vectors: distances of RA (where it is saved), of FP and of SP from the CFA.
    pub(crate) vector_frame: (Option<i64>, i64, i64),
    /// Other values of [`Target::fixed_ra`], as planted bugs.
    pub(crate) wrong_fixed_ra: &'static [(&'static str, i8)],
    /// Number of the target in the seeds of programs: never change one.
    pub(crate) seed: u8,
}

/// A relocation type: its number, and its name in assembly.
pub(crate) type RelocationName = (u32, &'static str);

/// Where the kernel saved the registers for a signal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignalFrame {
    /// Distance of the first of some registers from SP; each is saved 8 bytes after the one before.
    pub(crate) runs: &'static [(i64, &'static [u16])],
    /// Column of the return address.
    pub(crate) return_column: Reg,
}

impl Target {
    /// Returns true if the version has the target.
    pub(crate) fn is_in(&self, version: SframeVersion) -> bool {
        self.since <= version
    }

    /// The stored form of a CFA offset, if it loses nothing.
    pub(crate) fn stored_cfa(&self, offset: i64) -> Option<i64> {
        let distance = offset.checked_sub(self.cfa_bias)?;
        (distance % self.cfa_scale == 0).then_some(distance / self.cfa_scale)
    }

    /// 8 bytes of a CFA offset as stored.
    pub(crate) fn cfa_step(&self) -> i32 {
        (8 / self.cfa_scale) as i32
    }

    /// Default rows name registers by odd words in that layout.
    pub(crate) fn has_odd_words(&self, layout: Layout) -> bool {
        self.odd_words && layout.has_odd_words()
    }

    /// There are flexible rows in that layout.
    pub(crate) fn has_flex(&self, layout: Layout) -> bool {
        self.flex_registers.is_some() && layout.has_flex()
    }
}
