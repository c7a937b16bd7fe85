//! The subcommands: each is a file with its help, its options and `run`, which returns the exit
//! code, and a line in this file.

mod accept;
mod acceptance;
mod accuracy;
mod answer;
mod assembling;
mod baseline;
mod bundle;
mod check;
mod completions;
mod consumers;
mod core;
mod corpus;
mod dump;
mod entry;
mod explain;
mod fix;
mod formats;
mod fuzz;
mod fuzz_c;
mod generate;
pub(crate) mod groups;
mod inputs;
mod judging;
mod layouts;
mod listed;
mod look;
mod manual;
mod own_build;
mod own_reader;
mod producers;
mod prove;
mod queue;
mod reader_bug;
mod reduce;
mod report;
mod run;
mod run_report;
mod score;
mod share;
mod site;
mod sweep;
mod sweep_report;
mod synthesise;
mod total;
mod trace;
mod worker;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Makes [`Command`] of a line for each subcommand: its variant, its options, what its exit code
/// means, what a person sees who waits for it, and how its standard output is meant. Attributes
/// before it are those of the variant.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($options:ty): $code:ident, $wait:ident, $printed:expr;)*) => {
        /// What to do.
        #[derive(clap::Subcommand)]
        pub(crate) enum Command {
            $($(#[$attribute])* $name($options),)*
        }

        impl Command {
            /// Returns true if the exit code depends on findings: then the program must compute it
            /// even if no process reads its output any more.
            pub(crate) fn exit_code_tells(&self) -> bool {
                match self {
                    $(Command::$name(_) => matches!(Code::$code, Code::Findings),)*
                }
            }

            /// How standard output is escaped, whatever prints it.
            pub(crate) fn printed(&self) -> Printed {
                match self {
                    $(Command::$name(options) => {
                        let printed: fn(&$options) -> Printed = $printed;
                        printed(options)
                    })*
                }
            }

            /// Text of the progress indicator, for a command that may take a while and has no
            /// progress bar of its own.
            pub(crate) fn waits(&self) -> Option<String> {
                match self {
                    $(Command::$name(_) => matches!(Wait::$wait, Wait::Sign).then(|| stringify!($name).to_lowercase()),)*
                }
            }

            pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
                match self {
                    $(Command::$name(options) => options.run(out),)*
                }
            }
        }
    };
}

/// Meaning of an exit code.
enum Code {
    /// The result: whether there are findings.
    Findings,
    /// Whether the command succeeded.
    Done,
}

/// Progress that is shown while the command runs.
enum Wait {
    /// An indicator that the program is working.
    Sign,
    /// The command's own output or progress bar.
    Output,
}

commands! {
    Check(check::Check): Findings, Sign, |check| check.format.printed();
    Sweep(sweep::Sweep): Findings, Output, |sweep| sweep.format.printed();
    Run(run::Run): Findings, Output, |run| run.format.printed();
    Accept(accept::Accept): Done, Sign, |_| Printed::Text;
    Producers(producers::ProducersCommand): Done, Sign, |producers| producers.format.printed();
    Report(report::Report): Findings, Sign, report::Report::printed;
    Dump(dump::Dump): Done, Output, |dump| dump.format.printed();
    Trace(trace::Trace): Done, Output, |trace| trace.format.printed();
    Core(core::CoreCommand): Done, Sign, |_| Printed::Text;
    Accuracy(accuracy::AccuracyCommand): Done, Sign, |accuracy| accuracy.format.printed();
    Score(score::Score): Findings, Sign, |score| score.format.printed();
    Generate(generate::Generate): Findings, Sign, |_| Printed::Text;
    #[command(visible_alias = "readers")]
    Consumers(consumers::Consumers): Findings, Sign, |consumers| consumers.format.printed();
    Corpus(corpus::Corpus): Done, Sign, |_| Printed::Text;
    Explain(explain::Explain): Done, Output, |_| Printed::Text;
    Fix(fix::Fix): Findings, Sign, |_| Printed::Document;
    Reduce(reduce::Reduce): Done, Output, |_| Printed::Text;
    Synthesise(synthesise::Synthesise): Done, Sign, |_| Printed::Text;
    Layouts(layouts::LayoutsCommand): Done, Sign, |layouts| layouts.format.printed();
    Bundle(bundle::BundleCommand): Done, Output, |_| Printed::Text;
    Fuzz(fuzz::Fuzz): Findings, Sign, |_| Printed::Text;
    // A script that contains only this program's own words.
    Completions(completions::Completions): Done, Output, |_| Printed::Document;
    Manual(manual::Manual): Done, Output, |_| Printed::Text;
    Worker(worker::Worker): Done, Output, |_| Printed::Text;
    Answer(answer::Answer): Findings, Output, |_| Printed::Text;
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    // For people.
    Text,
    // For programs.
    Json,
}

impl Format {
    fn printed(self) -> Printed {
        match self {
            Format::Text => Printed::Text,
            Format::Json => Printed::Json,
        }
    }
}

/// Type of the standard output, which determines how external text is escaped in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Printed {
    /// Text for a terminal or a log.
    Text,
    /// JSON.
    Json,
    /// A format with its own escapes, which are applied where it is written.
    Document,
}

/// Name of this program as it was called, for commands that the user can repeat.
pub(crate) fn program_name() -> String {
    std::env::args().next().filter(|name| !name.is_empty()).unwrap_or_else(|| "sframe-conformance".to_owned())
}

/// The results of a run in a file or folder.
fn run_results(path: &Path) -> anyhow::Result<results::RunResults> {
    let advice = || format!("no results of a run in {}: `run` writes them, --results names others", path.display());
    let is_there = path.is_file() || path.join(ledger::run_files::RESULTS).is_file();
    anyhow::ensure!(is_there, advice());
    Ok(ledger::run_files::read(&[path.to_owned()])?)
}

fn load(path: &Path) -> anyhow::Result<types::Image> {
    let bytes = toolchain::input::read(path).with_context(|| path.display().to_string())?;
    let name = path.display().to_string();
    elf::load(&name, &bytes.into()).with_context(|| name.clone())
}

/// Files given on the command line.
#[derive(clap::Args)]
pub(crate) struct Files {
    /// ELF64 files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}
