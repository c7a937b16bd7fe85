//! The assembler of a source.

use std::path::PathBuf;

use crate::assembled::Assembler;

#[derive(clap::Args)]
pub(crate) struct AssemblerOptions {
    /// assemble the source with this assembler, or with a compiler, which a .S needs
    #[arg(long = "as", value_name = "PROGRAM", help_heading = "Tools")]
    assembler: Option<PathBuf>,
    /// options of that program
    #[arg(long, value_name = "WORDS", requires = "assembler", allow_hyphen_values = true, help_heading = "Tools")]
    as_options: Option<String>,
}

impl AssemblerOptions {
    /// The assembler, if one is named.
    pub(crate) fn assembler(&self) -> Option<Assembler<'_>> {
        let options = self.as_options.as_deref().unwrap_or_default();
        self.assembler.as_deref().map(|program| Assembler { program, options })
    }
}
