//! Attribution of a wrong table to a tool, by which of the two tables is wrong and in which field
//! first.

use results::{Blame, Source};
use types::{Answer, Caller, Fault, Field, Verdict};

use crate::compare::Shared;

/// The tools that could have written the table for an address, as far as the file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An object file that shows no linker: the assembler wrote it.
    Object,
    /// A linked file, or an object that shows that `ld -r` made it: the assembler or the linker.
    Linked,
    /// Code that the linker itself made (PLT).
    LinkerMade,
    /// A linked file in which a tool moved code afterwards.
    Rewritten,
}

impl Origin {
    /// The tool to blame for a table at this origin.
    pub const fn blame(self) -> Blame {
        match self {
            Origin::Object => Blame::Assembler,
            Origin::Linked => Blame::AssemblerOrLinker,
            Origin::LinkerMade => Blame::Linker,
            Origin::Rewritten => Blame::PostProcessor,
        }
    }
}

/// Verdicts on both tables' answers for one frame; `None` for a table that the file lacks.
#[derive(Clone, Copy, Debug)]
pub struct Verdicts {
    /// Verdict on the answer of `.sframe`.
    pub sframe: Option<Verdict>,
    /// Verdict on the answer of `.eh_frame`.
    pub eh_frame: Option<Verdict>,
    /// True if the two answers are equal in all values.
    pub alike: bool,
    /// The fields that both rows give by the same rule.
    pub shared: Shared,
}

/// A wrong table, and the tool that is blamed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The table that is wrong.
    pub table: Table,
    /// The tool to blame.
    pub blame: Blame,
    /// The verdict that is reported.
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
    pub const ALL: [Table; 2] = [Table::Sframe, Table::EhFrame];

    pub const fn other(self) -> Table {
        match self {
            Table::Sframe => Table::EhFrame,
            Table::EhFrame => Table::Sframe,
        }
    }

    /// The table as the source of a row.
    pub const fn source(self) -> Source {
        match self {
            Table::Sframe => Source::Sframe,
            Table::EhFrame => Source::EhFrame,
        }
    }

    /// Name of the table's section; `.debug_frame` counts as `.eh_frame` if it replaces it.
    pub const fn section(self) -> &'static str {
        match self {
            Table::Sframe => ".sframe",
            Table::EhFrame => ".eh_frame",
        }
    }
}

/// Returns true if the two tables gave the same answer, or both a fault.
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

/// Attributes the errors of one frame: returns none, one or two charges.
///
/// If both rows have the same rule for a value, the directives also have it and are blamed,
/// whatever the answers were. Answers can differ nevertheless: `.eh_frame` has more rules (the
/// caller's SP, every saved register), so it may fault or differ where `.sframe` does not, and vice
/// versa.
pub fn charges(verdicts: &Verdicts, origin: Origin) -> [Option<Charge>; 2] {
    let charge = |table, blame, (verdict, _)| Some(Charge { table, blame, verdict });
    // Code that the linker made has no directives: the linker wrote both tables.
    let directives = if origin == Origin::LinkerMade { Blame::Linker } else { Blame::Compiler };
    // Without a second table a tool that moved the code is the first suspect.
    let alone_in_file = match origin {
        Origin::Rewritten => Blame::PostProcessor,
        Origin::Object | Origin::Linked | Origin::LinkerMade => directives,
    };
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
            // Both tables are made from the same directives. If `.sframe` is right, so were the
            // directives, unless it is right by the same rule: then a rule that `.sframe` does not
            // have is wrong. If it has no row (no descriptor: the producer refused the function),
            // the directives are the first suspect.
            let blame = match (verdicts.sframe, verdicts.shared.has(eh_frame.1)) {
                (Some(Verdict::Undecided(_)), true) => return [None, None],
                (Some(Verdict::Missing) | None, _) => alone_in_file,
                (Some(_), true) => directives,
                (Some(Verdict::Agree), false) => alone(Table::EhFrame, origin),
                (Some(_), false) => Blame::Undetermined,
            };
            [charge(Table::EhFrame, blame, eh_frame), None]
        }
        (Some(sframe), Some(_)) if verdicts.alike => [charge(Table::Sframe, directives, sframe), None],
        (Some(sframe), Some(eh_frame)) if verdicts.shared.has(sframe.1) => {
            // An earlier wrong field of `.eh_frame` alone is a separate finding; fields after the
            // shared one are hidden by it.
            let apart = eh_frame.1 < sframe.1 && !verdicts.shared.has(eh_frame.1);
            let other = if apart { charge(Table::EhFrame, Blame::Compiler, eh_frame) } else { None };
            [charge(Table::Sframe, directives, sframe), other]
        }
        (Some(sframe), Some(eh_frame)) => {
            // `.sframe`, made from the same directives, is right in the field that is wrong first.
            let blame = if eh_frame.1 < sframe.1 { alone(Table::EhFrame, origin) } else { Blame::Compiler };
            [charge(Table::EhFrame, blame, eh_frame), charge(Table::Sframe, origin.blame(), sframe)]
        }
    }
}

/// The tool to blame for a table that is wrong while the other, made from the same directives, is
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
