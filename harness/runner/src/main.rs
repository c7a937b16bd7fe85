//! The command `sframe-conformance`. Exit codes: 0 clean, 1 a finding of severity error, 2 undecided, 3 bad input or usage.

mod commands;

use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;

use clap::Parser;
use commands::Command;

/// Judges `.sframe` tables against executed code.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Bad usage or input.
const EXIT_USAGE: u8 = 3;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing is left to do when even the message cannot be printed.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { EXIT_USAGE } else { 0 });
        }
    };
    let mut out = BufWriter::new(io::stdout());
    let done = cli.command.run(&mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => ExitCode::from(code),
        // The reader of a pipe has gone: it has what it wanted.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sframe-conformance: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
