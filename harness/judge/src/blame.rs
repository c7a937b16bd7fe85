//! Who is at fault, by which table is wrong and where it first goes wrong.

use results::Blame;
use types::{Answer, Caller, Fault, Field, Verdict};

use crate::compare::Shared;

/// Who could have made a table wrong at some place, as far as the file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An object file that shows no linker: the assembler wrote it.
    Object,
    /// A linked file, or an object that shows that `ld -r` made it: the assembler or the linker.
    Linked,
    /// Code that the linker itself made (PLT).
    LinkerMade,
}

impl Origin {
    /// The tool to blame for a table at this origin.
    pub const fn blame(self) -> Blame {
        match self {
            Origin::Object => Blame::Assembler,
            Origin::Linked => Blame::AssemblerOrLinker,
            Origin::LinkerMade => Blame::Linker,
        }
    }
}

/// The answers of both tables for one frame and how they were judged. A table that the file lacks
/// has none.
#[derive(Clone, Copy, Debug)]
pub struct Verdicts {
    /// Of `.sframe`'s answer.
    pub sframe: Option<Verdict>,
    /// Of `.eh_frame`'s answer.
    pub eh_frame: Option<Verdict>,
    /// The two answers are the same, value for value.
    pub alike: bool,
    /// What the two rows give by the same rule.
    pub shared: Shared,
}

/// Which table a finding is about, and who is blamed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The table that is wrong.
    pub table: Table,
    /// The tool at fault.
    pub blame: Blame,
    /// The verdict that is charged.
    pub verdict: Verdict,
}

/// A table of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    /// The section `.sframe`.
    Sframe,
    /// The section `.eh_frame`, or `.debug_frame` if there is no `.eh_frame`.
    EhFrame,
}

impl Table {
    /// The name of its section; `.debug_frame` counts as `.eh_frame` if it replaces it.
    pub const fn section(self) -> &'static str {
        match self {
            Table::Sframe => ".sframe",
            Table::EhFrame => ".eh_frame",
        }
    }
}

/// Returns true if the two tables answered the same, also where both faulted.
pub fn alike(sframe: &Result<Answer, Fault>, eh_frame: &Result<Answer, Fault>) -> bool {
    match (sframe, eh_frame) {
        (Ok(Answer::Caller(a)), Ok(Answer::Caller(b))) => {
            let values = |caller: &Caller| {
                (caller.cfa, caller.ra, caller.fp, caller.sp, caller.signed_by, caller.signed_with_pc)
            };
            values(a) == values(b)
        }
        (a, b) => a == b,
    }
}

/// Attributes what is wrong in one frame: returns none, one or two findings.
///
/// If both rows have the same rule for a value, the directives have it too, and the blame is
/// theirs, whatever the tables answered: `.eh_frame` has more rules (the caller's SP, every
/// saved register), so that it may fault, or answer otherwise, where `.sframe` does not, and the
/// other way round.
pub fn charges(verdicts: &Verdicts, origin: Origin) -> [Option<Charge>; 2] {
    let charge = |table, blame, (verdict, _)| Some(Charge { table, blame, verdict });
    // Code that the linker made has no directives: both tables are its own.
    let directives = if origin == Origin::LinkerMade { Blame::Linker } else { Blame::Compiler };
    match (wrong(verdicts.sframe), wrong(verdicts.eh_frame)) {
        (None, None) => [None, None],
        (Some(sframe), None) => {
            let blame = match (verdicts.eh_frame, verdicts.shared.has(sframe.1)) {
                (Some(Verdict::Undecided(_)), true) => return [None, None],
                (Some(Verdict::Agree), _) => alone(Table::Sframe, origin),
                (None, _) | (_, false) if origin == Origin::LinkerMade => Blame::Linker,
                (None, _) | (_, false) => Blame::Undetermined,
                (Some(_), true) => directives,
            };
            [charge(Table::Sframe, blame, sframe), None]
        }
        (None, Some(eh_frame)) => {
            // Both tables are made from the same directives: where .sframe is right they were
            // right, unless it is right by the same rule: then one of those that it does not have
            // is wrong. Where it has no row (no descriptor: the producer refused the function), the
            // directives are the first suspect.
            let blame = match (verdicts.sframe, verdicts.shared.has(eh_frame.1)) {
                (Some(Verdict::Undecided(_)), true) => return [None, None],
                (Some(Verdict::Missing) | None, _) => Blame::Compiler,
                (Some(_), true) => directives,
                (Some(Verdict::Agree), false) => alone(Table::EhFrame, origin),
                (Some(_), false) => Blame::Undetermined,
            };
            [charge(Table::EhFrame, blame, eh_frame), None]
        }
        (Some(sframe), Some(_)) if verdicts.alike => [charge(Table::Sframe, directives, sframe), None],
        (Some(sframe), Some(eh_frame)) if verdicts.shared.has(sframe.1) => {
            // An earlier field of .eh_frame alone is a finding of its own; what comes after the
            // shared field is hidden by it.
            let apart = eh_frame.1 < sframe.1 && !verdicts.shared.has(eh_frame.1);
            let other = if apart { charge(Table::EhFrame, Blame::Compiler, eh_frame) } else { None };
            [charge(Table::Sframe, directives, sframe), other]
        }
        (Some(sframe), Some(eh_frame)) => {
            [charge(Table::EhFrame, Blame::Compiler, eh_frame), charge(Table::Sframe, origin.blame(), sframe)]
        }
    }
}

/// Who is to blame for a table that is wrong where the other, made from the same directives, is
/// right.
pub const fn alone(wrong: Table, origin: Origin) -> Blame {
    match wrong {
        Table::Sframe => origin.blame(),
        Table::EhFrame => Blame::EhFrame,
    }
}

fn wrong(verdict: Option<Verdict>) -> Option<(Verdict, Field)> {
    match verdict? {
        found @ Verdict::Wrong(field) => Some((found, field)),
        Verdict::Agree | Verdict::Missing | Verdict::Refused(_) | Verdict::Undecided(_) => None,
    }
}
