//! Calls that make no frame: what they push is dropped, popped as data, or returned through.

use witness::{Branch, branches};

use super::Survey;

impl Survey {
    /// Returns true if a call that leads there makes no frame: code that drops the return address,
    /// or returns through another.
    pub(in crate::explore) fn discards(&self, target: u64) -> bool {
        self.extent_of(target).is_some() && self.returns_elsewhere(target)
    }

    /// Returns true if a call leads into the function that it is in, where the return address is
    /// popped into a register: it is data.
    pub(in crate::explore) fn pops(&self, call: u64, target: u64) -> bool {
        let is_own = self.extent_of(target).is_some_and(|extent| extent.start != target && extent.contains(&call));
        let code = || self.bytes(target).filter(|_| !self.abi.facts().link_register);
        // Not of RSP (0x5c): Intel SDM volume 2, POP.
        is_own && matches!(code(), Some([0x58..=0x5b | 0x5d..=0x5f, ..] | [0x41, 0x58..=0x5f, ..]))
    }

    /// Returns true if a return address is written over, and returned through, by the code there,
    /// in which nothing moves SP.
    pub(in crate::explore) fn returns_elsewhere(&self, pc: u64) -> bool {
        self.branch(pc) == Some(Branch::Discards)
    }

    /// Returns true if a call that leads there is an indirect call: a retpoline within a function.
    pub(in crate::explore) fn is_retpoline(&self, target: u64) -> bool {
        self.extent_of(target).is_some_and(|extent| extent.start != target)
            && self.branch(target) == Some(Branch::Retpoline)
    }

    fn branch(&self, pc: u64) -> Option<Branch> {
        let code = self.bytes(pc).filter(|_| !self.abi.facts().link_register)?;
        Some(branches(self.abi)(code))
    }
}
