//! The producer that is blamed.

use std::fmt;

/// The tool whose output is wrong.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Blame {
    /// The compiler, or hand-written CFI: both tables are made from the same wrong directives.
    Compiler,
    /// The assembler made a wrong table from correct directives.
    Assembler,
    /// The linker wrote or changed the table.
    Linker,
    /// strip, objcopy, or another tool that copies a linked file.
    PostProcessor,
    /// The assembler or the linker: a linked file without its objects does not show which.
    AssemblerOrLinker,
    /// The part of the tool that writes `.eh_frame`, or this harness.
    EhFrame,
    /// A reader of tables.
    Consumer,
    /// The values do not show which tool.
    Undetermined,
}

impl Blame {
    /// Name in JSON and in the ledger.
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
