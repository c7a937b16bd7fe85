//! What kind of branch an instruction is, as far as the shadow stack has to know. The encodings
//! are in the files of the architectures.

/// How an instruction that transferred control did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// To an address that is encoded in the instruction: within a function, or to another one
    /// whose place is known when the program is linked. A longjmp and a throw go to an address that
    /// was stored.
    Relative,
    /// A return instruction: the address comes from where a call put it.
    Return,
    /// The code that begins here drops the return address that a call has just pushed, or returns
    /// through another in its place: retpolines and return thunks. A call that leads to it makes no
    /// frame.
    Discards,
    /// The code that begins here goes to the address in a register, through the return address of a
    /// call of its own, with SP as it is here: a retpoline. A call that leads to it within a
    /// function is an indirect call.
    Retpoline,
    /// None of these: an indirect branch, a call, or no branch at all.
    Other,
}
