//! The kind of a branch, as far as the shadow stack needs it. The encodings are in the files of the
//! architectures.

/// The kind of an instruction that transferred control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// A branch to an address that is encoded in the instruction: within a function, or to another
    /// one whose address is known at link time. A longjmp and a throw use a stored address instead.
    Relative,
    /// A return instruction: the target is the return address that a call saved.
    Return,
    /// The start of code that drops the return address that a call has just pushed, or returns
    /// through another value in its place: retpolines and return thunks. A call of this code makes
    /// no frame.
    Discards,
    /// The start of code that pops the return address into a register (AMD64). A call of the next
    /// instruction reads its own address so.
    Pops,
    /// The start of a stub that jumps to the address in a register with SP unchanged: a retpoline,
    /// through the return address of a call of its own; `mov x16, xN; br x16` on AArch64. A call of
    /// a stub within a function is an indirect call.
    Retpoline,
    /// A branch to an address in a register or in memory that writes no link register: a computed
    /// goto or a tail call. On AMD64 these are [`Branch::Other`].
    Indirect,
    /// The execution of the instruction at this distance in bytes, unchanged (s390x EXRL).
    Executes(i64),
    /// Other: a call, an indirect branch of AMD64, or no branch.
    Other,
}

impl Branch {
    /// Returns true if the instruction may write its return address into the link register.
    pub fn may_link(self) -> bool {
        matches!(self, Branch::Other | Branch::Discards | Branch::Pops)
    }
}
