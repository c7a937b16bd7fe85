//! A row as a direct comparison with the true frame: the values that must be at certain locations
//! for the row to be right. It holds exactly if unwinding by the row gives an answer that
//! [`crate::verdict::judge`] agrees with. Rows of another form, and values near the ends of
//! the address space, are judged in full instead.

use types::{AbiFacts, CfaRule, Frame, LeftBy, PacKey, Stack, UnwindRow, ValueRule};

/// Conditions for a row to be right about a frame that was left by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    /// True if the CFA is based on FP, false if on SP.
    cfa_from_fp: bool,
    cfa: i32,
    ra: Home,
    fp: Home,
    /// Offset of the caller's SP; `None`: it is at the CFA.
    sp: Option<i32>,
    signed_by: Option<PacKey>,
}

/// Location of a value of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Its own register.
    Own,
    /// The word at this offset from the CFA.
    Slot(i32),
}

/// Registers that rows are checked with. A caller's frame has no link register, since it has been
/// overwritten.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers {
    pub(crate) sp: u64,
    pub(crate) fp: u64,
    pub(crate) link: Option<u64>,
}

/// Maximum number of stack words that a check compares.
pub(crate) const SLOTS: usize = 3;

/// Minimum distance of the CFA from both ends of the address space. Offsets have 32 bits, so that
/// no sum overflows.
const FAR: u64 = 1 << 32;

/// Returns true if a CFA is at least [`FAR`] from both ends.
#[inline(always)]
fn is_far(cfa: u64) -> bool {
    cfa.wrapping_sub(FAR) < 1 << 63
}

impl Check {
    /// The check for a row. `own_convention`: its function has the return address in another
    /// register than the ABI's.
    pub(crate) fn new(facts: &AbiFacts, row: &UnwindRow, own_convention: bool) -> Option<Check> {
        let near = |offset: i64| i32::try_from(offset).ok();
        let home = |rule| match rule {
            ValueRule::SameValue => Some(Home::Own),
            ValueRule::AtCfa(offset) => near(offset).map(Home::Slot),
            _ => None,
        };
        let CfaRule::Register { reg, offset } = row.cfa else { return None };
        if row.signal || row.signed_with_pc || own_convention || (reg != facts.sp && reg != facts.fp) {
            return None;
        }
        let ra = home(row.ra).filter(|home| facts.link_register || *home != Home::Own)?;
        let sp = match row.sp {
            None => None,
            Some(ValueRule::CfaPlus(offset)) if offset == facts.caller_sp_minus_cfa => None,
            Some(ValueRule::AtCfa(offset)) => Some(near(offset)?),
            Some(_) => return None,
        };
        let signed_by = row.signed.then_some(row.key);
        Some(Check { cfa_from_fp: reg == facts.fp, cfa: near(offset)?, ra, fp: home(row.fp)?, sp, signed_by })
    }

    /// Returns true if the row is right. `word` returns whether the stack has a word at an address.
    #[inline(always)]
    pub(crate) fn holds(
        &self,
        facts: &AbiFacts,
        registers: Registers,
        frame: &Frame,
        word: impl FnMut(u64, u64) -> bool,
    ) -> bool {
        if self.signed_by != frame.signed_by || frame.signed_with_pc || frame.left_by != LeftBy::Call {
            return false;
        }
        match self.signed_by {
            None => self.leads_to(facts, registers, frame, frame.ra.0, word),
            Some(_) => {
                frame.raw_ra & facts.address_mask == frame.ra.0
                    && self.leads_to(facts, registers, frame, frame.raw_ra, word)
            }
        }
    }

    /// Returns true if the conditions that do not depend on signing hold. `ra`: the return address
    /// as stored.
    #[inline(always)]
    fn leads_to(
        &self,
        facts: &AbiFacts,
        registers: Registers,
        frame: &Frame,
        ra: u64,
        mut word: impl FnMut(u64, u64) -> bool,
    ) -> bool {
        let cfa = frame.cfa;
        let base = if self.cfa_from_fp { registers.fp } else { registers.sp };
        let mut slot = |offset: i32, value| word(cfa.wrapping_add_signed(offset.into()), value);
        base.wrapping_add_signed(self.cfa.into()) == cfa
            && is_far(cfa)
            && match self.ra {
                Home::Own => registers.link == Some(ra),
                Home::Slot(offset) => slot(offset, ra),
            }
            && match self.fp {
                Home::Own => registers.fp == frame.fp,
                Home::Slot(offset) => slot(offset, frame.fp),
            }
            && match self.sp {
                None => true,
                Some(offset) => slot(offset, cfa.wrapping_add_signed(facts.caller_sp_minus_cfa)),
            }
    }
}

/// Returns true if live stack has a word at an address. False if the word is not at hand: such a
/// step is judged in full.
#[inline(always)]
pub(crate) fn has(stack: &Stack<'_>, address: u64, word: u64) -> bool {
    address >= stack.live_from && stack.at_hand(address) == Some(word)
}
