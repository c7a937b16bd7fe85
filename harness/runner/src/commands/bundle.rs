//! `bundle`: writes the folder of a finding, ready to be filed by a person.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use check::{Inputs, client, corefile};
use ledger::{Home, Ledger, OBJECTS, bundles};
use reduce::describe::{BundleTexts, JudgedFile, Origin, Words, WrongProgram, describe, describe_linking};
use reduce::{self, COMMANDS, Chosen, Counts, Reduced, SearchEnd};
use reports::bundle::{files, subject};
use reports::escape::line;
use reports::findings::{Group, ranked};
use results::bundle::{Clause, Filing, Size, Unit};
use results::{Key, TrialLine};
use toolchain::interrupt;
use types::counted;

use super::entry::{EntryWithProof, Proof};
use super::listed::{Listed, contents};
use super::prove::prove;
use super::queue;
use super::reader_bug::{self, Subject};
use super::reduce::{Kept, ReducedArgs, Reducible, summary};
use super::run_results;
use crate::{home, known_lists};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance bundle 0890ae9509bb182e --out bundle
  sframe-conformance bundle target/conformance/results.jsonl --out bundles
  sframe-conformance bundle gas-outermost --out bundle   # of a known bug
  sframe-conformance bundle libx.so --out bundle         # its first error
  sframe-conformance bundle --all gas --out bundles      # of unreported bugs
  sframe-conformance bundle target/sweep/results.jsonl --out bundles

run.sh is executed before anything is written: with the tool it has to exit
with 1, with one that does not have the bug with 0. Else the texts begin with
why.

Exit codes: 0 written and proven; 3 it cannot be written, or is not proven;
130 and 143 after a signal. Nothing is ever sent.";

/// What is bundled.
const SUBJECT: &str = "fingerprint of a finding; results of run, sweep, fuzz or check --format json; ELF file; name of \
                       a known bug, or of a trial; with --assembler an assembly file; with --reader the id of a vector";

/// write reproducer, script and report of a finding, ready to be filed
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("subject", |subject| {
    subject.value_name("FINDING").help(SUBJECT).required(false).default_value("").hide_default_value(true)
}))]
pub(crate) struct BundleCommand {
    #[command(flatten)]
    target: ReducedArgs,
    /// for a fingerprint: results of the run that showed it
    #[arg(long, value_name = "FILE", default_value = "target/conformance/results.jsonl", help_heading = "Selection")]
    results: PathBuf,
    /// for a results file: number of findings, those of most trials first
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Selection")]
    most: usize,
    /// every known bug that is not reported to its project, with an index; with FINDING those of
    /// that project
    #[arg(long, conflicts_with_all = ["entry", "title", "note"], help_heading = "Selection")]
    all: bool,
    /// your own build of the tool, or of the file, without the bug: run.sh has to exit with 0 for
    /// it [default: the newest version of the tool here that does not show it]
    #[arg(long, value_name = "PATH", help_heading = "Tools")]
    against: Option<PathBuf>,
    /// do not reduce the source, nor, without `--source`, the options
    #[arg(long, help_heading = "Execution")]
    as_is: bool,
    /// what goes wrong, without the tool's name
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Texts")]
    title: Option<String>,
    /// what happens and what is expected
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Texts")]
    note: Option<String>,
    /// what the clause requires [default: the text of the rule]
    #[arg(long, value_name = "TEXT", requires = "section", allow_hyphen_values = true, help_heading = "Texts")]
    demand: Option<String>,
    /// section of the clause
    #[arg(long, value_name = "TEXT", requires = "demand", allow_hyphen_values = true, help_heading = "Texts")]
    section: Option<String>,
    /// for a link: regex that `readelf --sframe` prints if the output is right
    #[arg(long, value_name = "REGEX", help_heading = "Texts")]
    right: Option<String>,
    /// write data, sources, script and texts to this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: PathBuf,
    /// keep data and sources in reports/known/NAME too
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    entry: Option<String>,
}

/// Maximum number of instructions up to the place of a core file.
const STEPS_TO_CORE: u64 = 100_000_000;

/// What an argument leads to.
enum Aim {
    /// A trial, with the finding chosen.
    Trial,
    /// A finding that is small already.
    Small(Reducible),
    /// A program that a compiler gets wrong as a whole.
    Program(Box<WrongProgram>),
}

impl BundleCommand {
    pub(crate) fn run(mut self, out: &mut dyn Write) -> anyhow::Result<u8> {
        interrupt::watch()?;
        let subject = self.target.subject.clone();
        let home = if self.entry.is_some() { home::to_write()? } else { home::find()? };
        if self.all {
            return queue::write(&home, &subject, &self.out, out);
        }
        if subject.is_empty() {
            bail!("name a finding, a file or a known bug, or give --all");
        }
        if self.entry.as_ref().is_some_and(|name| !bundles::is_name(name)) {
            bail!("--entry: letters, digits, '-' and '.' only");
        }
        if let Some(of_reader) = self.target.of_reader.subject(&subject)? {
            return self.of_reader(&of_reader, out);
        }
        if bundles::is_name(&subject)
            && let Some(bundle) = reader_bug::kept(&subject)?
        {
            reader_bug::put(&bundle, &self.out, out)?;
            return Ok(0);
        }
        if bundles::is_name(&subject) && bundles::folder(&home, &subject).join(ledger::BUNDLE).is_file() {
            put(&bundles::read(&home, &subject)?, &self.out, out)?;
            return Ok(0);
        }
        if bundles::is_name(&subject)
            && let Some(of_reader) = Subject::of_entry(&subject)?
        {
            return self.of_reader(&of_reader, out);
        }
        if let Some(all) = Listed::read(Path::new(&subject))? {
            return self.listed(&subject, all, out);
        }
        if self.target.is_file() && contents(&subject)?.starts_with(b"\x7fELF") {
            return self.of_file(&subject, self.target.finding.as_deref(), &self.out, out);
        }
        let mut small = None;
        if bundles::is_name(&subject) && !Path::new(&subject).exists() {
            match self.aim_at_entry(&home, &subject)? {
                Aim::Trial => {}
                Aim::Small(found) => small = Some(found),
                Aim::Program(program) => {
                    let filing = prove(program.describe(self.words())?)?;
                    self.keep(&filing)?;
                    put(&filing, &self.out, out)?;
                    return Ok(exit_code(&filing));
                }
            }
        }
        if subject.ends_with(".jsonl") {
            if self.entry.is_some() {
                bail!("--entry: a name for each finding is needed; bundle them one by one");
            }
            let trials = trials(Path::new(&subject))?;
            let mut several = Several::default();
            for (nth, found) in ranked(&trials).iter().take(self.most).enumerate() {
                let title =
                    format!("{} ({}), {}", found.fingerprint, found.best.rule(), counted(found.trials, "trial"));
                writeln!(out, "{}: {}", nth + 1, line(&title))?;
                let folder = self.out.join(format!("{:02}-{}", nth + 1, found.fingerprint));
                self.aim(found)?;
                let written = self.write(None, &folder, out);
                several.add(written, out)?;
                if interrupt::is_requested() {
                    break;
                }
            }
            return Ok(several.exit_code());
        }
        if is_fingerprint(&subject) {
            let trials = trials(&self.results)?;
            let all = ranked(&trials);
            let found = all.iter().find(|found| found.fingerprint == subject);
            let known = all.iter().map(|found| found.fingerprint);
            let unknown = || format!("{}: {}", self.results.display(), results::unknown("finding", &subject, known));
            let found = found.with_context(unknown)?;
            self.aim(found)?;
        }
        match (self.write(small, &self.out, out), interrupt::exit_code()) {
            (Err(error), Some(code)) => {
                writeln!(out, "{}", line(&format!("{error:#}")))?;
                Ok(code)
            }
            (done, _) => done,
        }
    }

    /// Writes the bundles of findings in the output of a command: of the one that `--finding`
    /// names, else of those that most functions show.
    fn listed(&self, path: &str, all: Vec<Listed>, out: &mut dyn Write) -> anyhow::Result<u8> {
        if let name @ Some(_) = self.target.finding.as_deref() {
            return self.one_listed(&Listed::chosen(Path::new(path), all, name)?, &self.out, out);
        }
        if self.entry.is_some() {
            bail!("--entry: a name for each finding is needed; bundle them one by one");
        }
        let mut several = Several::default();
        for (nth, found) in all.iter().take(self.most).enumerate() {
            writeln!(out, "{}: {}", nth + 1, line(&found.title()))?;
            let folder = self.out.join(format!("{:02}-{}", nth + 1, found.name().replace('/', "-")));
            let written = self.one_listed(found, &folder, out);
            several.add(written, out)?;
            if interrupt::is_requested() {
                break;
            }
        }
        if all.is_empty() {
            bail!("{path}: no error in it");
        }
        Ok(several.exit_code())
    }

    fn one_listed(&self, found: &Listed, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        match found {
            Listed::File(found) => self.of_file(&found.file, Some(&found.fingerprint), folder, out),
            Listed::Text(_) | Listed::Program(_) => self.write(Some(self.target.listed(found)?), folder, out),
        }
    }

    /// Writes the bundle of a finding of a file as it is.
    fn of_file(&self, name: &str, fingerprint: Option<&str>, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.entry.is_some() {
            bail!("--entry: a file without its sources is not kept in the repository");
        }
        let found = JudgedFile::choose(Path::new(name), contents(name)?, fingerprint)?;
        let filing = prove(found.describe(self.words(), self.against.as_deref()))?;
        put(&filing, folder, out)?;
        Ok(exit_code(&filing))
    }

    /// Writes the bundle of a reader's bug.
    fn of_reader(&self, shown: &Subject, out: &mut dyn Write) -> anyhow::Result<u8> {
        let clause = self.demand.clone().zip(self.section.clone());
        let clause = clause.map(|(demand, section)| Clause { demand, section });
        let texts = BundleTexts { title: self.title.clone(), note: self.note.clone(), clause };
        shown.bundle(&self.target, &self.out, texts, self.entry.as_deref(), out)
    }

    /// Selects a finding of a run, by the first trial that shows it and is built here, if there is
    /// one.
    fn aim(&mut self, found: &Group<'_>) -> anyhow::Result<()> {
        let built = |trial: &&str| trial.parse::<Key>().is_ok_and(|key| key.topic != OBJECTS);
        let trial = found.trial_names().find(built).unwrap_or(&found.best_trial.key);
        self.target.subject = trial.to_owned();
        self.target.finding = Some(found.fingerprint.to_owned());
        Ok(())
    }

    /// Takes title and reason of an entry of the ledger, and what shows it here; a trial or
    /// fingerprint, as it was named, where there is no entry of that name.
    fn aim_at_entry(&mut self, home: &Home, name: &str) -> anyhow::Result<Aim> {
        let references = self.target.references(self.against.as_deref())?;
        let Some(known) = EntryWithProof::find(home, name, self.target.producers()?, &references)? else {
            let is_entry = !name.contains('.') && !is_fingerprint(name);
            return if is_entry { Err(unknown_entry(home, name)?) } else { Ok(Aim::Trial) };
        };
        self.title.get_or_insert(known.title);
        self.note.get_or_insert(known.reason);
        match known.shown {
            Proof::Trial(trial, finding) => {
                self.target.subject = trial;
                self.target.finding = Some(finding);
                Ok(Aim::Trial)
            }
            Proof::Least(found) => Ok(Aim::Small(found)),
            Proof::Program(program) => Ok(Aim::Program(program)),
        }
    }

    /// The texts that a person gave.
    fn words(&self) -> Words {
        let clause = self.demand.clone().zip(self.section.clone());
        Words { title: self.title.clone(), note: self.note.clone(), clause, right: self.right.clone() }
    }

    /// Keeps data and sources in the ledger if `--entry` names a folder.
    fn keep(&self, filing: &Filing) -> anyhow::Result<()> {
        if let Some(name) = &self.entry {
            let home = home::to_write()?;
            bundles::write(&home, name, filing)?;
            known_lists::relist(&home)?;
        }
        Ok(())
    }

    /// Reduces a finding and writes its folder. One that is small already is described as it is.
    fn write(&self, small: Option<Reducible>, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        let is_small = small.is_some();
        let found = small.map_or_else(|| self.target.choose(), Ok)?;
        let references = self.target.references(self.against.as_deref())?;
        let mut watch = Kept::new(folder)?;
        let (bounds, key) = (self.target.bounds(), found.key());
        let mut origin = Origin::default();
        let words = self.words();
        let mut reduced = |counts: &Counts| -> anyhow::Result<()> {
            writeln!(out, "{}", summary(counts))?;
            if counts.ended == Some(SearchEnd::Interrupted) {
                bail!("interrupted; the best so far is in {}", folder.display());
            }
            let (before, after) = (Some(counts.before.clone()), Some(counts.now.clone()));
            origin = Origin { trial: key.clone(), before, after, by_hand: false };
            Ok(())
        };
        let mut program = None;
        let described = match found {
            Reducible::Source(mut chosen, others) => {
                // What a compiler wrote for a small program is not small.
                let is_least = is_small && chosen.notes.is_empty();
                if !self.as_is && !is_least {
                    let Reduced { least, counts } = reduce::reduce_text(&chosen, &others, bounds, &mut watch)?;
                    reduced(&counts)?;
                    chosen.text = least.to_string();
                } else if is_small || self.target.source.is_some() {
                    let lines = Size(vec![(chosen.text.lines().count(), Unit::Lines)]);
                    origin = Origin { trial: key.clone(), before: None, after: Some(lines), by_hand: true };
                }
                // Fewer options may show another bug that looks the same.
                if !self.as_is || is_small || self.target.source.is_some() {
                    chosen.bench = chosen.bench.with_fewest_words(&chosen.text, &chosen.identity)?;
                }
                let Chosen { bench, text, identity, .. } = &*chosen;
                program = bench.program(text, identity)?;
                describe(&references, bench, text, identity, bench.kept(), words, origin)?
            }
            Reducible::Linking(mut found) => {
                if !self.as_is {
                    let Reduced { least, counts } = reduce::reduce_linking(&found, bounds, &mut watch)?;
                    reduced(&counts)?;
                    found.linking = least;
                    // The script contains its commands.
                    fs::remove_file(folder.join(COMMANDS))?;
                }
                describe_linking(&references, &found.bench, &found.linking, &found.identity, words, origin)?
            }
            Reducible::File(found) => {
                // A frozen object.
                let fingerprint = found.found.fingerprint().to_owned();
                let bytes = found.table.bytes()?.into();
                let judged = JudgedFile::choose(Path::new(&self.target.subject), bytes, Some(&fingerprint))?;
                judged.describe(words, self.against.as_deref())
            }
        };
        watch.finish();
        let mut filing = prove(described)?;
        if filing.judged().is_none() {
            filing = filing.with_program(program.map(|bytes| (bundles::sha256(&bytes), bytes.to_vec())));
        }
        self.keep(&filing)?;
        put(&filing, folder, out)?;
        Ok(exit_code(&filing))
    }
}

/// Writes the program of a finding, a core file of it where the finding begins, and what a
/// backtrace of it has to show.
fn put_core(program: &[u8], pc: u64, folder: &Path) -> anyhow::Result<()> {
    let path = folder.join(bundles::PROGRAM);
    fs::write(&path, program).with_context(|| path.display().to_string())?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    let options = corefile::Options {
        place: corefile::Place::Address(pc),
        visit: 1,
        step_limit: STEPS_TO_CORE,
        inputs: Inputs::default(),
        out: folder.join("core"),
    };
    let written = client::write_core(&path.display().to_string(), program, &options)?;
    let mut text = format!("core: program before instruction {}\n", written.step);
    text +=
        "gdb -batch -ex bt -ex 'frame apply all -q p/x $sp' program core # gdb-multiarch for another architecture\n";
    text += "lldb --batch --core core program -o bt\neu-stack --core core -e program\n\ntrue frames:\n";
    text += &format!("{:#x} {}\n", written.pc, written.place);
    for caller in &written.callers {
        text += &format!("{:#x} {}, SP {:#x}\n", caller.ra, caller.place, caller.sp);
    }
    fs::write(folder.join("core.txt"), text).context("core.txt")
}

/// Returns true for the fingerprint of a finding.
fn is_fingerprint(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The error that no entry has a name, with the names that exist.
fn unknown_entry(home: &Home, name: &str) -> anyhow::Result<anyhow::Error> {
    let ledger = Ledger::read(home)?;
    let names: Vec<String> = (0..ledger.entries.len()).map(|index| ledger.stem(index)).collect();
    let unknown = results::unknown("entry of the ledger", name, names.iter().map(String::as_str));
    Ok(anyhow!("{unknown}; `run --list` prints the names of trials"))
}

/// Writes the files of a folder, and prints what they are about.
fn put(filing: &Filing, folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut filing = filing.clone();
    if let Some((name, bytes)) = filing.judged() {
        fs::write(folder.join(name), bytes).with_context(|| name.to_owned())?;
    } else if let (Some(program), Some(pc)) = (&filing.program, filing.bundle.first_pc())
        && let Err(error) = put_core(program, pc, folder)
    {
        writeln!(out, "no core file: {}", line(&format!("{error:#}")))?;
        filing = filing.with_program(None);
    }
    let data = (ledger::BUNDLE.to_owned(), results::yaml::print(&filing.bundle)?);
    for (name, text) in files(&filing).into_iter().chain([data]) {
        let path = folder.join(&name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    writeln!(out, "{}\n{}", line(&subject(&filing.bundle)), line(&folder.display().to_string()))?;
    if let Some(why) = filing.bundle.unproven() {
        writeln!(out, "not proven: {}", line(&why))?;
    }
    Ok(())
}

/// Bundles that are written one after the other.
#[derive(Default)]
struct Several {
    code: u8,
}

impl Several {
    /// Adds the exit code of one. One that cannot be written must not keep the next one back.
    fn add(&mut self, written: anyhow::Result<u8>, out: &mut dyn Write) -> anyhow::Result<()> {
        match written {
            Ok(code) => self.code = self.code.max(code),
            Err(error) => {
                writeln!(out, "  {}", line(&format!("{error:#}")))?;
                self.code = UNPROVEN;
            }
        }
        Ok(())
    }

    fn exit_code(&self) -> u8 {
        interrupt::exit_code().unwrap_or(self.code)
    }
}

/// Exit code for a bundle that cannot be written, or whose script is not proven.
pub(super) const UNPROVEN: u8 = 3;

fn exit_code(filing: &Filing) -> u8 {
    if filing.bundle.unproven().is_some() { UNPROVEN } else { 0 }
}

fn trials(path: &Path) -> anyhow::Result<Vec<TrialLine>> {
    Ok(run_results(path)?.trials)
}
