//! `reduce`: searches for the smallest source, table or recipe that still shows a finding.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use matrix::Matrix;
use matrix::trial::Subject;
use reduce::describe::References;
use reduce::recorded::{self, Tested};
use reduce::{
    self, Bench, Bounds, COMMANDS, Chosen, Counts, Files, FoundInFile, FoundInLinking, Linking, Others, Reduced,
    SearchEnd, Table, Text, Watch,
};
use reports::escape::line;
use selftest::compiled::subject;
use toolchain::input;
use toolchain::interrupt;
use toolchain::producers::Producers;
use toolchain::scratch::Scratch;
use types::Abi;

use super::listed::{InFile, InProgram, Listed, contents};
use super::own_build::{OwnBuild, with_any};
use super::reader_bug::ReaderArgs;
use crate::home;

/// What is reduced, and with whose tools.
#[derive(clap::Args)]
pub(crate) struct ReducedArgs {
    /// name of a trial; an ELF file; JSON of `check`, `sweep` or `fuzz`; with --assembler an
    /// assembly file; with --reader the id of a vector
    #[arg(value_name = "TRIAL|FILE|VECTOR")]
    pub(crate) subject: String,
    /// fingerprint of the finding; in JSON of `fuzz` its name [default: the most specific one]
    #[arg(long, value_name = "FINGERPRINT", help_heading = "Selection")]
    pub(crate) finding: Option<String>,
    /// use this text in place of the trial's source
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub(crate) source: Option<PathBuf>,
    /// for an assembly file: its ABI
    #[arg(long, value_name = "ABI", help_heading = "Selection")]
    abi: Option<Abi>,
    /// for an assembly file: the assembler; the beginning of its version is enough
    #[arg(long, value_name = "NAME@VERSION", requires = "abi", help_heading = "Tools")]
    assembler: Option<String>,
    /// for an assembly file: more options for the assembler
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "",
        allow_hyphen_values = true,
        help_heading = "Tools",
        hide_default_value = true
    )]
    flags: String,
    /// another assembler that must not show it; your own build is NAME@own (may be repeated)
    #[arg(long, value_name = "NAME@VERSION", help_heading = "Tools")]
    unless: Vec<String>,
    /// another assembler that must show it too (may be repeated)
    #[arg(long, value_name = "NAME@VERSION", help_heading = "Tools")]
    with: Vec<String>,
    /// use this producers' file [default: SFRAME_CONFORMANCE_PRODUCERS, else the shipped one]
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    producers: Option<PathBuf>,
    #[command(flatten)]
    own: OwnBuild,
    #[command(flatten)]
    pub(crate) of_reader: ReaderArgs,
    /// stop after this many seconds
    #[arg(long, value_name = "N", default_value_t = 300, help_heading = "Execution")]
    pub(crate) seconds: u64,
    /// judge at most this many candidates
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Execution")]
    tries: u64,
}

/// Ends the name of the user's own build in place of a tool: `gas@own`.
const OWN: &str = "@own";

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance reduce gas@2.44::amd64::v2::frames::no-fp
  sframe-conformance reduce foo.s --assembler gas@2.44 --abi amd64
  sframe-conformance reduce foo.o

Exit codes: 0 reduced, also at a limit; 3 nothing is wrong, or it cannot be
reduced; 130 and 143 after a signal.";

/// reduce a finding to the smallest input that still shows it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Reduce {
    #[command(flatten)]
    target: ReducedArgs,
    /// write the best so far to this folder (repro.*, or the sources of a recipe and its commands)
    #[arg(long, value_name = "DIR", default_value = "target/reduced", help_heading = "Output")]
    out: PathBuf,
}

/// A finding, by the kind of input that is reduced.
#[derive(Debug)]
pub(crate) enum Reducible {
    /// A source.
    Source(Box<Chosen>, Others),
    /// A file as it is.
    File(Box<FoundInFile>),
    /// A recipe of linking.
    Linking(Box<FoundInLinking>),
}

impl Reducible {
    /// Name of the finding's trial; `None` for a file of the user.
    pub(crate) fn key(&self) -> Option<String> {
        match self {
            Reducible::Source(chosen, _) => {
                Some(chosen.bench.key()).filter(|key| key.topic != "file").map(|key| key.to_string())
            }
            Reducible::File(_) => None,
            Reducible::Linking(found) => Some(found.bench.key().to_string()),
        }
    }
}

impl Reduce {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        interrupt::watch()?;
        if let Some(subject) = self.target.of_reader.subject(&self.target.subject)? {
            return subject.reduce(&self.target, &self.out, out);
        }
        let found = self.target.choose()?;
        let mut watch = Kept::new(&self.out)?;
        let bounds = self.target.bounds();
        let (counts, what, main, remarks) = match &found {
            Reducible::Source(chosen, others) => {
                for note in &chosen.notes {
                    writeln!(out, "shown {}", line(note))?;
                }
                let Reduced::<Text> { counts, .. } = reduce::reduce_text(chosen, others, bounds, &mut watch)?;
                (counts, chosen.identity.to_string(), chosen.bench.kept(), Vec::new())
            }
            Reducible::File(found) => {
                let Reduced::<Table> { least, counts } = reduce::reduce_file(found, bounds, &mut watch)?;
                let what =
                    format!("{}, blame {}, {}", found.found.rule(), found.found.blame(), found.found.fingerprint());
                (counts, what, found.bench.kept(), least.remarks())
            }
            Reducible::Linking(found) => {
                let Reduced::<Linking> { counts, .. } = reduce::reduce_linking(found, bounds, &mut watch)?;
                (counts, found.identity.to_string(), COMMANDS, Vec::new())
            }
        };
        watch.finish();
        writeln!(out, "{}\n{}", line(&what), summary(&counts))?;
        for remark in remarks {
            writeln!(out, "{}", line(&remark))?;
        }
        let best = if counts.ended == Some(SearchEnd::Interrupted) { "interrupted; the best so far: " } else { "" };
        writeln!(out, "{best}{}", line(&self.out.join(main).display().to_string()))?;
        Ok(interrupt::exit_code().unwrap_or(0))
    }
}

/// Summary of a reduction, one line.
pub(crate) fn summary(counts: &Counts) -> String {
    let Counts { tried, kept, before, now, took, ended } = counts;
    let end = match ended {
        Some(SearchEnd::Bound) => ", limit reached",
        Some(SearchEnd::Interrupted) => ", interrupted",
        None => "",
    };
    format!("{before} to {now}: {tried} tried, {kept} kept, {:.1} s{end}", took.as_secs_f64())
}

impl ReducedArgs {
    /// Chooses the finding, with the bench for its reduction.
    pub(crate) fn choose(&self) -> anyhow::Result<Reducible> {
        if self.seconds == 0 && self.tries == 0 {
            bail!("--seconds 0 and --tries 0 leave nothing to do");
        }
        let finding = self.finding.as_deref();
        let path = Path::new(&self.subject);
        let no_others = || match self.with.is_empty() && self.unless.is_empty() && self.source.is_none() {
            true => Ok(()),
            false => Err(anyhow!("{}: --with, --unless and --source need an input with one source file", self.subject)),
        };
        if let Some(all) = Listed::read(path)? {
            return self.listed(&Listed::chosen(path, all, finding)?);
        }
        if self.is_file() {
            let bytes = contents(&self.subject)?;
            if !bytes.starts_with(b"\x7fELF") {
                bail!("{}: not an ELF file; for assembly, name an --assembler and --abi", self.subject);
            }
            no_others()?;
            return Ok(Reducible::File(Box::new(FoundInFile::choose(&self.subject, bytes, finding)?)));
        }
        let matrix = self.matrix()?;
        if let (Some(assembler), Some(abi)) = (&self.assembler, self.abi) {
            let (bench, text) = Bench::from_file(&matrix, assembler, abi, path, &self.flags)?;
            return self.source(bench, text);
        }
        let trial = matrix.trial_named(&self.subject)?;
        let trial = trial.with_context(|| {
            format!(
                "unknown trial or file `{}`: `run --list` prints the trials; assembly needs --assembler and --abi",
                self.subject
            )
        })?;
        match &trial.subject {
            Subject::Built { case, pipeline } => {
                let (bench, text) = Bench::from_case(&trial.key, case, pipeline)?;
                self.source(bench, text)
            }
            Subject::Frozen { folder, object } => {
                no_others()?;
                let path = folder.join(&object.file);
                let bytes = input::read(&path).with_context(|| path.display().to_string())?;
                Ok(Reducible::File(Box::new(FoundInFile::choose(&object.file, bytes.into(), finding)?)))
            }
            Subject::Linked { case, tools } => {
                no_others()?;
                let found = FoundInLinking::choose(&trial.key, case, tools, finding)?;
                Ok(Reducible::Linking(Box::new(found)))
            }
            Subject::Absent { why, .. } => bail!("{}: {why}", self.subject),
        }
    }

    /// Returns true if the argument is a file, or a member of an archive, that is no source.
    pub(crate) fn is_file(&self) -> bool {
        let archive = self.subject.split_once('!').map_or(self.subject.as_str(), |(archive, _)| archive);
        self.assembler.is_none() && Path::new(archive).is_file()
    }

    /// What is reduced for a finding in the output of a command.
    pub(crate) fn listed(&self, listed: &Listed) -> anyhow::Result<Reducible> {
        let gone = || anyhow!("{}: it does not recur: {}", self.subject, listed.title());
        let source = |chosen| Reducible::Source(Box::new(chosen), Others::default());
        match listed {
            Listed::File(InFile { file, fingerprint, .. }) => {
                let found = FoundInFile::choose(file, contents(file)?, Some(fingerprint))?;
                Ok(Reducible::File(Box::new(found)))
            }
            Listed::Text(found) => {
                let folder = Scratch::new()?;
                let path = folder.path().join("fuzz.s");
                fs::write(&path, &found.text).with_context(|| path.display().to_string())?;
                let chosen = recorded::of_text(&self.matrix()?, &found.assembler, found.abi, &path, &found.what)?;
                Ok(source(chosen.ok_or_else(gone)?))
            }
            Listed::Program(InProgram { compiler, abi, path, options, cause, .. }) => {
                let subjects = subject::all(&self.producers()?, std::slice::from_ref(compiler))?;
                let subject = subjects.iter().find(|subject| subject.abi == *abi);
                let subject = subject.with_context(|| format!("{compiler} for {abi} is not here"))?;
                let chosen = Tested { subject, path, options }.found(cause)?;
                Ok(source(chosen.ok_or_else(gone)?))
            }
        }
    }

    fn matrix(&self) -> anyhow::Result<Matrix> {
        Ok(Matrix::with(home::find()?, self.producers()?))
    }

    /// Producers of the given file, or of the shipped one, with the user's own builds in place.
    pub(crate) fn producers(&self) -> anyhow::Result<Producers> {
        Ok(self.own.put_in(Producers::new(self.producers.as_deref(), &home::find()?.root)?)?)
    }

    /// The tools found here without the user's own builds, which have to show the finding, and with
    /// the build that does not show it.
    pub(crate) fn references(&self, against: Option<&Path>) -> anyhow::Result<References> {
        let found = || -> anyhow::Result<_> { Ok(Producers::new(self.producers.as_deref(), &home::find()?.root)?) };
        let against = against.map(|path| with_any(path, &found)).transpose()?;
        Ok(References { producers: found()?, against })
    }

    fn source(&self, bench: Bench, text: String) -> anyhow::Result<Reducible> {
        let mut chosen = reduce::choose(bench, text, self.finding.as_deref())?;
        if let Some(path) = &self.source {
            chosen.text = input::read_text(path).with_context(|| path.display().to_string())?;
        }
        // `gas@own` is the user's build, any other name a tool found here.
        let (own, found) = (self.matrix()?, Matrix::with(home::find()?, self.references(None)?.producers));
        let other = |name: &String| match name.strip_suffix(OWN) {
            Some(name) => chosen.bench.other(&own, name),
            None => chosen.bench.other(&found, name),
        };
        let all = |names: &[String]| names.iter().map(other).collect::<Result<_, _>>();
        let others = Others { with: all(&self.with)?, unless: all(&self.unless)? };
        Ok(Reducible::Source(Box::new(chosen), others))
    }

    /// How long to continue.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds { time: Duration::from_secs(self.seconds), tries: self.tries }
    }
}

/// Shows the progress on a terminal and stores the best result on disk, so that it is complete
/// after an interruption.
pub(crate) struct Kept {
    folder: PathBuf,
    files: Files,
    bar: ProgressBar,
}

impl Kept {
    /// Stores results in a folder.
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Kept> {
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}")?);
        Ok(Kept { folder: folder.to_owned(), files: Files::new(), bar })
    }

    /// Removes the progress display.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Kept {
    fn tried(&mut self, counts: &Counts) {
        let Counts { tried, kept, before, now, took, .. } = counts;
        let rate = *tried as f64 / took.as_secs_f64().max(0.001);
        self.bar.set_message(format!("{before} to {now}: {tried} tried, {kept} kept, {rate:.0}/s"));
        self.bar.tick();
    }

    /// Writes one file after the other, each atomically. A cut changes one, or removes some: files
    /// that refer to removed ones are removed first.
    fn kept(&mut self, files: &Files) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for (name, bytes) in files.iter().filter(|(name, bytes)| self.files.get(*name) != Some(bytes)) {
            let path = self.folder.join(name);
            let new = self.folder.join(format!("{name}.new"));
            fs::write(&new, bytes)?;
            fs::rename(new, &path)?;
        }
        for name in self.files.keys().filter(|name| !files.contains_key(*name)) {
            fs::remove_file(self.folder.join(name))?;
        }
        self.files = files.clone();
        Ok(())
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_requested()
    }
}
