//! The command `sframe-conformance`. Exit codes: 0 clean, 1 a finding of severity error, 2
//! undecided, 3 bad input or usage.

mod assembled;
mod commands;
mod corrected;
mod known_lists;
mod patch;
mod places;
mod version;
mod waiting;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::thread::JoinHandle;

use clap::{CommandFactory, FromArgMatches, Parser};
use commands::groups::grouped;
use commands::{Command, Printed};
use indicatif::ProgressBar;
use reports::escape::line;
use reports::screen::{Colour, Screen};
use reports::terminal::{self, Terminal};
use sframe_conformance::{home, judged};
use toolchain::interrupt;

/// Judges `.sframe` tables against executed code.
#[derive(Parser)]
#[command(version = version::text(), about, arg_required_else_help = true)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    /// print help
    #[arg(long, short, global = true, action = clap::ArgAction::Help)]
    help: Option<bool>,
    /// use colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(hide_default_value = true, help_heading = "Output")]
    color: When,
    /// print the version
    #[arg(long, short = 'V', action = clap::ArgAction::Version)]
    version: Option<bool>,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl When {
    /// What output is written by.
    const fn colour(self) -> Colour {
        match self {
            When::Auto => Colour::Auto,
            When::Always => Colour::Always,
            When::Never => Colour::Never,
        }
    }
}

impl Cli {
    /// Parses the arguments.
    fn parsed() -> Result<Cli, clap::Error> {
        let mut command = Cli::command();
        command.build();
        // clap's texts begin with a capital letter, unlike those here.
        let command = command.mut_subcommand("help", |help| help.about("print this text, or the help of a command"));
        Cli::from_arg_matches(&grouped(command).try_get_matches()?)
    }
}

/// Bad usage or input.
const EXIT_USAGE: u8 = 3;
/// Exit code of a Rust program whose main thread panics.
const EXIT_PANIC: u8 = 101;

/// Stack size of the program in bytes, whatever the shell has set (`ulimit -s`).
const STACK: usize = 16 << 20;

fn main() -> ExitCode {
    match std::thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(work).map(JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic message has been printed.
        Ok(Err(_)) => ExitCode::from(EXIT_PANIC),
        Err(error) => {
            let _ = writeln!(io::stderr(), "sframe-conformance: cannot start a thread: {error}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn work() -> ExitCode {
    let cli = match Cli::parsed() {
        Ok(cli) => cli,
        Err(help) if !help.use_stderr() => match help.print().and_then(|()| io::stdout().flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let _ = writeln!(terminal::stderr(), "sframe-conformance: {error}");
                return ExitCode::from(EXIT_USAGE);
            }
            _ => return ExitCode::SUCCESS,
        },
        Err(error) => {
            // The message quotes the arguments.
            let _ = write!(terminal::stderr(), "{}", error.render());
            return ExitCode::from(EXIT_USAGE);
        }
    };
    cli.color.colour().choose();
    check::client::are_this_program();
    if let Err(error) = interrupt::survive_file_limit() {
        let _ = writeln!(terminal::stderr(), "sframe-conformance: {error}");
        return ExitCode::from(EXIT_USAGE);
    }
    let waiting = waiting::bar(cli.command.waits());
    let pipe = Pipe { to: io::stdout(), go_on: cli.command.exit_code_tells(), waiting: &waiting };
    // Buffered before the escaping, which is faster for many characters at once: a line is written
    // in a dozen pieces.
    let mut out: Box<dyn Write> = match cli.command.printed() {
        Printed::Text if Screen::of_stdout().colour => Box::new(BufWriter::new(Terminal::marked(pipe))),
        Printed::Text => Box::new(BufWriter::new(Terminal::new(pipe))),
        Printed::Json => Box::new(BufWriter::new(Terminal::json(pipe))),
        Printed::Document => Box::new(BufWriter::new(pipe)),
    };
    let done = cli.command.run(&mut out);
    // Output that was printed before an error precedes it.
    let flushed = out.flush();
    let done = done.and_then(|code| {
        flushed?;
        Ok(code)
    });
    waiting.finish_and_clear();
    match done {
        Ok(code) => ExitCode::from(code),
        // The reader of the pipe has closed it: it has what it needs.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error is closed.
            let _ = writeln!(terminal::stderr(), "sframe-conformance: {}", line(&format!("{error:#}")));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// Standard output whose reader may close the pipe: `check FILE... | head`.
struct Pipe<'p, W> {
    to: W,
    waiting: &'p ProgressBar,
    /// Continue without a reader, for the exit code.
    go_on: bool,
}

impl<W: Write> Pipe<'_, W> {
    fn unless_gone<T>(&self, done: io::Result<T>, instead: T) -> io::Result<T> {
        match done {
            Err(error) if self.go_on && error.kind() == io::ErrorKind::BrokenPipe => Ok(instead),
            done => done,
        }
    }
}

impl<W: Write> Write for Pipe<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.waiting.suspend(|| self.to.write(bytes));
        self.unless_gone(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.to.flush();
        self.unless_gone(done, ())
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
