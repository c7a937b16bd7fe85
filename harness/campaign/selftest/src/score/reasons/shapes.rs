//! Code whose answers are undecided, a shape for each cause.

use types::{Abi, UndecidedCause, UndecidedReason};

/// How the code of a shape is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As a program: `_start` calls each copy.
    Run,
    /// By exploration, without inputs.
    Explore,
}

/// Code that a cause of undecided answers covers. Words in capitals are replaced by
/// [`words`](super::words::words) of the target, `%` by the number of the copy; the row of an
/// instruction after `@` is made wrong in each copy except the first.
pub(super) struct Shape {
    pub(super) why: UndecidedReason,
    pub(super) way: Way,
    pub(super) on: &'static [Abi],
    pub(super) source: &'static str,
}

const fn shape(why: UndecidedCause, way: Way, source: &'static str) -> Shape {
    Shape { why: UndecidedReason::Answers(why), way, on: &Abi::ALL, source }
}

pub(super) const SHAPES: [Shape; 15] = [
    shape(
        UndecidedCause::OtherStack,
        Way::Run,
        "f%: .cfi_startproc\nkeep\n.cfi_def_cfa KEPT, ENTRY\nother\n@nothing\ntake\nback\n.cfi_endproc",
    ),
    // A longjmp out of `h` to the frame of `f`.
    shape(
        UndecidedCause::Abandoned,
        Way::Run,
        "f%: .cfi_startproc\nenter\n.cfi_def_cfa HELD, ENTRY\naddress l%\ndown\ncalls h%\nl%: leave\n.cfi_endproc
         h%: .cfi_startproc\ndrop\n@nothing\nland\n.cfi_endproc",
    ),
    // A row of `h` describes the return of `s`, and control continues at the instruction after
    // that.
    shape(
        UndecidedCause::Leaving,
        Way::Run,
        "f%: .cfi_startproc\nenter\n.cfi_def_cfa HELD, ENTRY\naddress l%\ncalls s%\nl%: nothing\ndown\ncalls h%\nleave\n.cfi_endproc
         h%: .cfi_startproc\n.cfi_def_cfa HELD, LANDED\n.cfi_register RA, TARGET\n@nothing\n.cfi_def_cfa SP, ENTRY\n.cfi_restore RA
         back\n.cfi_endproc
         s%: .cfi_startproc\nback\n.cfi_endproc",
    ),
    shape(UndecidedCause::Overwritten, Way::Run, "f%: .cfi_startproc\nSMASHED\ndrop\nland\n.cfi_endproc"),
    // A jump to `g` with SP lowered; neither row has the SP that `g` returns with.
    shape(
        UndecidedCause::Lowered,
        Way::Run,
        "f%: .cfi_startproc\nenter\n.cfi_def_cfa HELD, ENTRY\naddress l%\ndown\ncalls s%\nl%: leave\n.cfi_endproc
         s%: lower\njump g%
         g%: .cfi_startproc\n@nothing\ndrop\nland\n.cfi_endproc",
    ),
    shape(
        UndecidedCause::OwnConvention,
        Way::Explore,
        ".globl f%\nf%: .cfi_startproc\n.cfi_return_column HOLDER\nnothing\n@nothing\n@nothing\ngo\n.cfi_endproc",
    ),
    // A function of a module of OCaml, and one of Go's runtime, at which Go's own walk ends.
    shape(
        UndecidedCause::OcamlRegisters,
        Way::Run,
        ".type camlF%, TYPE\nf%: camlF%: .cfi_startproc\nLOSE_FP\n@nothing\n@nothing\nback\n.cfi_endproc\n.size camlF%, .-camlF%",
    ),
    shape(
        UndecidedCause::GoStackSwitch,
        Way::Run,
        ".type runtime.mcall.%, TYPE\nf%: runtime.mcall.%: .cfi_startproc\nnothing\n.cfi_undefined RA\n@nothing\n.cfi_restore RA\nback\n.cfi_endproc
         .size runtime.mcall.%, .-runtime.mcall.%",
    ),
    shape(UndecidedCause::HandedFrame, Way::Explore, "f%: .cfi_startproc\nHANDED\nback\n.cfi_endproc"),
    shape(UndecidedCause::MayBegin, Way::Explore, "f%: .cfi_startproc\nnothing\n@nothing\n@nothing\n1: jump 1b\n.cfi_endproc"),
    shape(UndecidedCause::UnknownFp, Way::Explore, ".globl f%\nf%: .cfi_startproc\nTWO_FPS\n.cfi_endproc"),
    shape(UndecidedCause::MadeUp, Way::Explore, ".globl f%\nf%: .cfi_startproc\nSHIFTED\nback\n.cfi_endproc"),
    // It returns with SP lower than at its call.
    shape(
        UndecidedCause::Unconfirmed,
        Way::Explore,
        "f%: .cfi_startproc\ndown\n.cfi_def_cfa_offset LOW\n@nothing\n@nothing\nback\n.cfi_endproc",
    ),
    // Readers look up one byte before the restorer. The kernel's frame is above, with rbp at 120,
    // rsp at 160.
    Shape {
        why: UndecidedReason::Answers(UndecidedCause::Unmarked),
        way: Way::Run,
        on: &[Abi::Amd64],
        source: "f%: .cfi_startproc\naddress a%\nSIGNAL\nback\n.cfi_endproc
                 .cfi_startproc\nINTERRUPTED\n@nothing\nr%: RESUME\n.cfi_endproc
                 h%: .cfi_startproc\nback\n.cfi_endproc\n.data\n.balign 8\na%: .quad h%, 0x4000004, r%, 0\n.text",
    },
    // DW_OP_GNU_push_tls_address: other readers may support it.
    shape(
        UndecidedCause::Refused,
        Way::Run,
        "f%: .cfi_startproc\nnothing\n.cfi_escape 0x0f,1,0xe0\n@nothing\n.cfi_def_cfa SP, ENTRY\nback\n.cfi_endproc",
    ),
];
