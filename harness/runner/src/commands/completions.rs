//! `completions`: prints shell completions for this command.

use std::io::Write;

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance completions bash >sframe-conformance.bash
  sframe-conformance completions zsh >~/.zfunc/_sframe-conformance
  sframe-conformance completions fish >sframe-conformance.fish

Exit codes: 0 printed.";

/// print completions for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// the shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let all = crate::Cli::command();
        // Hidden subcommands are used by this program alone.
        let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
        let mut command = Command::new("sframe-conformance").version("").subcommands(shown);
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "sframe-conformance", &mut script);
        out.write_all(&script)?;
        Ok(0)
    }
}
