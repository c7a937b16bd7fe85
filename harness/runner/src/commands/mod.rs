//! The subcommands: a table of names, each a file with its options and `run`, which returns the
//! exit code.

mod accept;
mod accused;
mod answer;
mod baseline;
mod bundle;
mod check;
mod completions;
mod consumers;
mod corpus;
mod dump;
mod examples;
mod explain;
mod formats;
mod fuzz;
mod generate;
mod judging;
mod own_build;
mod producers;
mod reduce;
mod report;
mod run;
mod score;
mod share;
mod site;
mod supplied;
mod sweep;
mod total;
mod trace;
mod worker;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// What to do.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// judge ELF files: static checks at every PC, and execution of programs
    #[command(after_help = examples::CHECK)]
    Check(check::Check),
    /// judge many files in folders, archives and packages; fold findings by cause
    #[command(after_help = examples::SWEEP)]
    Sweep(sweep::Sweep),
    /// run the matrix: cases and frozen objects with every producer here
    #[command(after_help = examples::RUN)]
    Run(run::Run),
    /// record findings as a known bug in the ledger
    #[command(after_help = examples::ACCEPT)]
    Accept(accept::Accept),
    /// list the producers here, and why others are missing
    #[command(after_help = examples::PRODUCERS)]
    Producers(producers::ProducersCommand),
    /// print results in any format, compare or merge them, write a site
    #[command(after_help = examples::REPORT)]
    Report(report::Report),
    /// print .sframe sections as decoded, with byte offsets
    #[command(after_help = examples::DUMP)]
    Dump(dump::Dump),
    /// print registers and true frames at each step
    #[command(after_help = examples::TRACE)]
    Trace(trace::Trace),
    /// plant bugs in tables, count those that the judge misses
    #[command(after_help = examples::SCORE)]
    Score(score::Score),
    /// write random programs with their true frames, or judge them
    #[command(after_help = examples::GENERATE)]
    Generate(generate::Generate),
    /// test readers of .sframe with the corpus and random programs
    #[command(after_help = examples::CONSUMERS)]
    Consumers(consumers::Consumers),
    /// write test vectors for readers: sections with the expected rows
    #[command(after_help = examples::CORPUS)]
    Corpus(corpus::Corpus),
    /// explain a rule, with its clause and an example, or a finding
    #[command(after_help = examples::EXPLAIN)]
    Explain(explain::Explain),
    /// reduce a finding to the smallest input that still shows it
    #[command(after_help = examples::REDUCE)]
    Reduce(reduce::Reduce),
    /// write reproducer, script and report of a finding, ready to be filed
    #[command(after_help = examples::BUNDLE)]
    Bundle(bundle::BundleCommand),
    /// feed random CFI directives to assemblers, compare their tables
    #[command(after_help = examples::FUZZ)]
    Fuzz(fuzz::Fuzz),
    /// print completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(completions::Completions),
    /// Execute foreign code for the process that started this one
    #[command(hide = true)]
    Worker(worker::Worker),
    /// Answer for one section, as a reader under test
    #[command(hide = true)]
    Answer(answer::Answer),
}

impl Command {
    /// Returns true if the exit code reports what was found: then it must, even if the output is
    /// not read.
    pub(crate) fn exit_code_tells(&self) -> bool {
        match self {
            Command::Check(_)
            | Command::Sweep(_)
            | Command::Run(_)
            | Command::Report(_)
            | Command::Score(_)
            | Command::Generate(_)
            | Command::Consumers(_)
            | Command::Answer(_)
            | Command::Fuzz(_) => true,
            Command::Accept(_)
            | Command::Reduce(_)
            | Command::Bundle(_)
            | Command::Producers(_)
            | Command::Dump(_)
            | Command::Trace(_)
            | Command::Corpus(_)
            | Command::Explain(_)
            | Command::Completions(_)
            | Command::Worker(_) => false,
        }
    }

    /// How standard output is meant. Text is escaped on its way, whatever prints it.
    pub(crate) fn printed(&self) -> Printed {
        match self {
            Command::Check(check) => check.format.printed(),
            Command::Producers(producers) => producers.format.printed(),
            Command::Score(score) => score.format.printed(),
            Command::Report(report) => report.printed(),
            Command::Dump(dump) => dump.format.printed(),
            Command::Trace(trace) => trace.format.printed(),
            // A script, of nothing but this program's own words.
            Command::Completions(_) => Printed::Document,
            Command::Run(run) => run.format.printed(),
            Command::Sweep(sweep) => sweep.format.printed(),
            Command::Consumers(consumers) => consumers.format.printed(),
            Command::Accept(_)
            | Command::Generate(_)
            | Command::Answer(_)
            | Command::Corpus(_)
            | Command::Explain(_)
            | Command::Reduce(_)
            | Command::Bundle(_)
            | Command::Fuzz(_)
            | Command::Worker(_) => Printed::Text,
        }
    }

    /// Its name, where it may take a while and has no bar of its own.
    pub(crate) fn waits(&self) -> Option<&'static str> {
        match self {
            Command::Check(_) => Some("check"),
            Command::Accept(_) => Some("accept"),
            Command::Producers(_) => Some("producers"),
            Command::Report(_) => Some("report"),
            Command::Score(_) => Some("score"),
            Command::Generate(_) => Some("generate"),
            Command::Consumers(_) => Some("consumers"),
            Command::Corpus(_) => Some("corpus"),
            Command::Fuzz(_) => Some("fuzz"),
            // A trace prints all the time.
            Command::Sweep(_)
            | Command::Run(_)
            | Command::Dump(_)
            | Command::Trace(_)
            | Command::Explain(_)
            | Command::Reduce(_)
            | Command::Bundle(_)
            | Command::Completions(_)
            | Command::Worker(_)
            | Command::Answer(_) => None,
        }
    }

    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        match self {
            Command::Check(check) => check.run(out),
            Command::Sweep(sweep) => sweep.run(out),
            Command::Run(run) => run.run(out),
            Command::Accept(accept) => accept.run(out),
            Command::Producers(producers) => producers.run(out),
            Command::Report(report) => report.run(out),
            Command::Dump(dump) => dump.run(out),
            Command::Trace(trace) => trace.run(out),
            Command::Score(score) => score.run(out),
            Command::Generate(generate) => generate.run(out),
            Command::Consumers(consumers) => consumers.run(out),
            Command::Answer(answer) => answer.run(out),
            Command::Corpus(corpus) => corpus.run(out),
            Command::Explain(explain) => explain.run(out),
            Command::Reduce(reduce) => reduce.run(out),
            Command::Bundle(bundle) => bundle.run(out),
            Command::Fuzz(fuzz) => fuzz.run(out),
            Command::Completions(completions) => completions.run(out),
            Command::Worker(worker) => worker.run(),
        }
    }
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

/// What standard output is read as, and so how what comes from outside is escaped in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Printed {
    /// A terminal's or a log's text.
    Text,
    /// JSON.
    Json,
    /// Of a format that has its own escapes, used where it is written.
    Document,
}

/// This program, as it was called: what a reader types again.
pub(crate) fn program_name() -> String {
    std::env::args().next().filter(|name| !name.is_empty()).unwrap_or_else(|| "sframe-conformance".to_owned())
}

fn load(path: &Path) -> anyhow::Result<types::Image> {
    let bytes = toolchain::input::read(path).with_context(|| path.display().to_string())?;
    let name = path.display().to_string();
    elf::load(&name, &bytes.into()).with_context(|| name.clone())
}

/// Files named on the command line.
#[derive(clap::Args)]
pub(crate) struct Files {
    /// ELF64 files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}
