//! The writers' facts about a target, each written once.

use types::{Reg, SframeVersion};

use crate::sframe::Layout;

/// The writers' data of a target.
#[derive(Debug)]
pub(crate) struct Target {
    /// `sfh_abi_arch` (SFrame, "SFrame ABI/arch Identifier").
    pub(crate) sframe_id: u8,
    /// The first version of SFrame that supports the target.
    pub(crate) since: SframeVersion,
    /// `sfh_cfa_fixed_ra_offset`; 0 if rows give the return address (SFrame, "SFrame
    /// ABI/arch-specific Definition").
    pub(crate) fixed_ra: i8,
    /// Index of the return address among the words of a default row.
    pub(crate) ra_word: Option<usize>,
    /// Scale of CFA offsets: an offset is the stored word times the scale plus the bias.
    pub(crate) cfa_scale: i64,
    /// Bias of CFA offsets, in bytes.
    pub(crate) cfa_bias: i64,
    /// A word of 0 means that the register is not saved.
    pub(crate) zero_is_unsaved: bool,
    /// Default rows name registers by odd words, in versions that support it.
    pub(crate) odd_words: bool,
    /// Two registers that can hold the CFA or a saved register, the second with the highest number
    /// that a control word can name; `None` if the target has no flexible rows.
    pub(crate) flex_registers: Option<(Reg, Reg)>,
    /// Return addresses may be signed.
    pub(crate) signs: bool,
    /// Functions may align SP and load the CFA from memory.
    pub(crate) realigns: bool,
    /// Functions without calls may keep return address and FP in other registers.
    pub(crate) parks_in_registers: bool,
    /// Size in bytes of a PLT slot, if linkers describe PLTs.
    pub(crate) plt_slot: Option<u8>,
    /// Code alignment factor of CIEs.
    pub(crate) code_alignment: u64,
    /// `sh_type` of `.eh_frame`.
    pub(crate) eh_frame_type: u32,
    /// Size in bytes of a word of `.hash`.
    pub(crate) hash_word: usize,
    /// Relocations for a place-relative address of 4 and of 8 bytes.
    pub(crate) pc_relative: [RelocationName; 2],
    /// The kernel's signal frame.
    pub(crate) signal: SignalFrame,
    /// DWARF number of the last register that may hold an address.
    pub(crate) last_holder: u8,
    /// Size in bytes of the code after the body of
    /// [`Functions::framed`](crate::code::Functions::framed): the epilogue.
    pub(crate) epilogue: usize,
    /// Frames of vectors: offsets from the CFA of RA (if saved), FP and SP.
    pub(crate) vector_frame: (Option<i64>, i64, i64),
    /// Number of the target in the seeds of programs: never change an existing one.
    pub(crate) seed: u8,
}

/// A relocation type: its number, and its name in assembly.
pub(crate) type RelocationName = (u32, &'static str);

/// Locations of the registers that the kernel saved for a signal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignalFrame {
    /// Offset from SP of the first register of each run; each further one is saved 8 bytes higher.
    pub(crate) runs: &'static [(i64, &'static [u16])],
    /// Column of the return address.
    pub(crate) return_column: Reg,
}

impl Target {
    /// Returns true if the version supports the target.
    pub(crate) fn is_in(&self, version: SframeVersion) -> bool {
        self.since <= version
    }

    /// The stored form of a CFA offset; `None` if it is not exact.
    pub(crate) fn stored_cfa(&self, offset: i64) -> Option<i64> {
        let distance = offset.checked_sub(self.cfa_bias)?;
        (distance % self.cfa_scale == 0).then_some(distance / self.cfa_scale)
    }

    /// Returns true if default rows of the layout name registers by odd words.
    pub(crate) fn has_odd_words(&self, layout: Layout) -> bool {
        self.odd_words && layout.has_odd_words()
    }

    /// Returns true if the layout has flexible rows for the target.
    pub(crate) fn has_flex(&self, layout: Layout) -> bool {
        self.flex_registers.is_some() && layout.has_flex()
    }
}
