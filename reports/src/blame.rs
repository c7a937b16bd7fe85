//! Who is at fault, by which voice is wrong and where it first goes wrong.

use std::fmt;

use model::{Answer, Fault};

use crate::verdict::Verdict;

/// The tool whose output is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Blame {
    /// The compiler, or hand-written CFI: both tables are made from the same wrong directives.
    Compiler,
    /// The assembler made a wrong table from right directives.
    Assembler,
    /// The linker wrote or changed the table.
    Linker,
    /// strip, objcopy, or another tool that copies a linked file.
    PostProcessor,
    /// A linked file without its objects: one of the two.
    AssemblerOrLinker,
    /// The `.eh_frame` path, or this harness.
    EhFrame,
    /// A reader of tables.
    Consumer,
    /// The values do not tell.
    Undetermined,
}

/// Who could have made a table wrong at some place, as far as the file shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An object file: the assembler wrote it.
    Object,
    /// A linked file: the assembler or the linker.
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

/// The answers of both tables for one frame and how they were judged. A table that the file lacks has no voice.
#[derive(Clone, Copy, Debug)]
pub struct Voices {
    /// SFrame's verdict.
    pub sframe: Option<Verdict>,
    /// `.eh_frame`'s verdict.
    pub eh_frame: Option<Verdict>,
    /// The two answers are the same, value for value.
    pub alike: bool,
}

/// Which table a finding is about, and who is blamed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The table that is wrong.
    pub table: Table,
    /// Who is blamed.
    pub blame: Blame,
    /// The verdict that is charged.
    pub verdict: Verdict,
}

/// A table of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    /// `.sframe`.
    Sframe,
    /// `.eh_frame` or `.debug_frame`.
    EhFrame,
}

/// True when the two tables answered the same, also where both faulted.
pub fn alike(sframe: &Result<Answer, Fault>, eh_frame: &Result<Answer, Fault>) -> bool {
    match (sframe, eh_frame) {
        (Ok(Answer::Caller(a)), Ok(Answer::Caller(b))) => {
            (a.cfa, a.ra, a.fp, a.signed_by) == (b.cfa, b.ra, b.fp, b.signed_by)
        }
        (a, b) => a == b,
    }
}

/// Charges what is wrong in one frame: none, one or two findings (design, section 5).
pub fn charges(voices: &Voices, origin: Origin) -> [Option<Charge>; 2] {
    let charge = |table, blame, verdict| Some(Charge { table, blame, verdict });
    let wrong = |verdict: Option<Verdict>| verdict.filter(|verdict| matches!(verdict, Verdict::Wrong(_)));
    match (wrong(voices.sframe), wrong(voices.eh_frame)) {
        (None, None) => [None, None],
        (Some(verdict), None) => {
            let blame = match voices.eh_frame {
                Some(Verdict::Agree) => origin.blame(),
                _ => Blame::Undetermined,
            };
            [charge(Table::Sframe, blame, verdict), None]
        }
        (None, Some(verdict)) => {
            // Both tables are made from the same directives: where .sframe is right they were right. Where it has no say
            // (no descriptor: the producer refused the function), the directives are the first suspect.
            let blame = match voices.sframe {
                Some(Verdict::Agree) => Blame::EhFrame,
                Some(Verdict::Missing) | None => Blame::Compiler,
                _ => Blame::Undetermined,
            };
            [charge(Table::EhFrame, blame, verdict), None]
        }
        (Some(verdict), Some(_)) if voices.alike => {
            // Code that the linker made has no directives: both tables are its own.
            let blame = if origin == Origin::LinkerMade { Blame::Linker } else { Blame::Compiler };
            [charge(Table::Sframe, blame, verdict), None]
        }
        (Some(sframe), Some(eh_frame)) => {
            [charge(Table::EhFrame, Blame::Compiler, eh_frame), charge(Table::Sframe, origin.blame(), sframe)]
        }
    }
}

impl Blame {
    /// The name in JSON and in the ledger.
    pub const fn name(self) -> &'static str {
        match self {
            Blame::Compiler => "compiler",
            Blame::Assembler => "assembler",
            Blame::Linker => "linker",
            Blame::PostProcessor => "post-processor",
            Blame::AssemblerOrLinker => "assembler-or-linker",
            Blame::EhFrame => "eh-frame",
            Blame::Consumer => "consumer",
            Blame::Undetermined => "undetermined",
        }
    }
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
