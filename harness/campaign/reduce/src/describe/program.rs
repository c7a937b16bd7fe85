//! Makes the bundle for a program that a compiler gets wrong as a whole: the program computes a
//! wrong result, or the assembler refuses the compiler's output. There is no finding to reduce.

use std::path::Path;

use ledger::known::{Compiled, Proof, RecordedCause, WRONG_RESULT};
use results::bundle::{Bundle, Check, Filing, Provenance, Size, Unit};
use selftest::compiled::observe::{ProgramEnd, observe};
use selftest::compiled::subject::CompilerSubject;
use toolchain::complaint::PLAIN;
use toolchain::entry::Kind;
use toolchain::graph::NodeResult;
use types::SframeVersion;

use super::setup::Made;
use super::{Described, References, Setup, Words, banner, commands, culprit_of, failed, source};
use crate::bench::{Bench, BenchError, Form, REPRO};
use crate::recorded::RecordedError;

/// A program of `cases/compiled` that a compiler gets wrong as a whole.
#[derive(Debug)]
pub struct WrongProgram {
    bench: Bench,
    text: String,
    /// Output that shows it: `exit status 5`, or the assembler's complaint.
    shown: String,
    made: Made,
    tested: Setup,
}

impl WrongProgram {
    /// Returns the program if `subject` shows the cause with it. `all` are the compilers here, for
    /// the list of other versions.
    pub fn find(
        references: &References,
        subject: &CompilerSubject,
        all: &[CompilerSubject],
        path: &Path,
        cause: &RecordedCause,
        proof: &Proof,
    ) -> Result<Option<WrongProgram>, RecordedError> {
        let (bench, text) = Bench::from_program(subject, path, &proof.options)?;
        let Some(shown) = shown(subject, &text, cause, proof)?.headline else { return Ok(None) };
        let mut made = Made::default();
        let is_other = |one: &&CompilerSubject| one.family == subject.family && one.abi == subject.abi;
        for other in all.iter().filter(is_other).filter(|one| one.version() != subject.version()) {
            let (bench, _) = Bench::from_program(other, path, &proof.options)?;
            let shows = self::shown(other, &text, cause, proof)?.is_wrong;
            let setup = setup(references, &bench, &text)?;
            match (shows, bench.maker()) {
                (_, Some(tool)) => made.add(tool, shows, setup),
                (_, None) => made.others.add(other.version(), shows),
            }
        }
        let is_result = is_result(cause);
        let bench = if is_result { bench } else { bench.in_form(Form::Object) };
        let whole = end(&bench, &text)?;
        let bench = bench.with_fewest_words_that(&text, |bench| Ok(end(bench, &text)? == whole))?;
        // "exit status 5, expected 0"
        let shown = if is_result { shown.split(',').next().unwrap_or_default().to_owned() } else { shown };
        let tested = setup(references, &bench, &text)?;
        Ok(Some(WrongProgram { bench, text, shown, made, tested }))
    }

    /// The bundle, with the texts of the ledger.
    pub fn describe(&self, words: Words) -> Result<Described, RecordedError> {
        let repro = self.bench.kept();
        let graph = self.bench.graph(repro, &self.text)?;
        let mut commands = commands(&graph)?;
        let is_result = self.bench.form() == Form::Linked;
        let (check, printed, expected) = if is_result {
            (Check::Exit { right: 0 }, self.shown.clone(), None)
        } else {
            let (at, printed) = failed(&graph, &graph.build()).unwrap_or((usize::MAX, self.shown.clone()));
            commands.truncate(at.saturating_add(1));
            let check = Check::Failure { says: vec![complaint(&printed)] };
            (check, printed, Some("The assembler accepts the compiler's output.".to_owned()))
        };
        let compiler = self.bench.tools().into_iter().find(|tool| tool.entry.kind == Kind::Compiler);
        let culprit = compiler.ok_or_else(|| BenchError::NoSource(format!("{}: no compiler", self.bench.key())))?;
        let (key, sframe) = (self.bench.key(), SframeVersion::named(&self.bench.key().sframe));
        let bundle = Bundle {
            title: words.title.unwrap_or_else(|| self.shown.clone()),
            culprit: culprit_of(culprit),
            abi: self.bench.abi(),
            targets: vec![self.bench.abi()],
            sframe,
            note: words.note.unwrap_or_default(),
            clause: None,
            sources: vec![source(repro, self.text.as_bytes())],
            commands,
            check,
            printed: Some(printed),
            expected,
            program: None,
            finding: None,
            tools: self.bench.tools().into_iter().map(banner).collect(),
            others: self.made.others.clone(),
            tried: Vec::new(),
            found: Provenance {
                by: format!("{}, {}/{}", if is_result { "execution" } else { "a failed build" }, key.topic, key.case),
                trial: None,
                before: None,
                after: Some(Size(vec![(self.text.lines().count(), Unit::Lines)])),
                by_hand: true,
                why: None,
            },
            entry: None,
            remark: None,
        };
        let filings = vec![Filing { bundle, texts: vec![self.text.clone()], program: None, upstream: None }];
        Ok(Described { filings, tested: self.tested.clone(), without: self.made.without.clone() })
    }
}

/// The programs with which a bench builds a text.
fn setup(references: &References, bench: &Bench, text: &str) -> Result<Setup, BenchError> {
    let graph = bench.graph(bench.kept(), text)?;
    Ok(Setup::new(references, bench.abi(), bench.maker(), &commands(&graph)?, &graph))
}

/// Returns true for a cause that the program as a whole shows: no finding has its rule.
pub(crate) fn is_whole(cause: &RecordedCause) -> bool {
    is_result(cause) || cause.is_of(REFUSED)
}

/// The rule of a cause for compiler output that the assembler refuses.
pub(crate) const REFUSED: &str = "refused";

fn is_result(cause: &RecordedCause) -> bool {
    cause.is_of(WRONG_RESULT)
}

/// How the build and the run of a program end: the complaint, or the exit status.
#[derive(PartialEq, Eq)]
enum End {
    Refused(String),
    Exit(Option<i32>),
}

fn end(bench: &Bench, text: &str) -> Result<End, BenchError> {
    let graph = bench.graph(bench.kept(), text)?;
    let outcomes = graph.build();
    if let Some((at, printed)) = failed(&graph, &outcomes) {
        return Ok(End::Refused(format!("{at}: {}", complaint(&printed))));
    }
    let status = match outcomes.get(REPRO) {
        Some(NodeResult::Made(bytes, _)) => check::check(REPRO, bytes, &check::Options::default()).report.exit_status,
        _ => None,
    };
    Ok(End::Exit(status))
}

/// What a compiler does with a program.
struct Shown {
    /// Headline of the cause, if it is shown.
    headline: Option<String>,
    /// Whether it is shown; `None` if the program cannot be built for another reason.
    is_wrong: Option<bool>,
}

fn shown(subject: &CompilerSubject, text: &str, cause: &RecordedCause, proof: &Proof) -> Result<Shown, RecordedError> {
    let seen = observe(subject, text, &proof.options)?;
    let program = Compiled { text, options: &proof.options };
    let headline = seen.causes.iter().find(|(shown, _)| cause.covers(shown, program)).map(|(_, headline)| headline);
    // A program without `_start` is refused by the linker; the assembler has accepted it by then.
    let is_right = match seen.end {
        ProgramEnd::Right => true,
        ProgramEnd::NotBuilt => !is_result(cause) && seen.causes.is_empty(),
        ProgramEnd::Wrong | ProgramEnd::Unfinished => !is_result(cause),
        ProgramEnd::NotCompiled => false,
    };
    let is_wrong = if headline.is_some() { Some(true) } else { is_right.then_some(false) };
    Ok(Shown { headline: headline.cloned(), is_wrong })
}

/// The first error in the output of an assembler, without place, up to the first quoted name.
pub(super) fn complaint(printed: &str) -> String {
    let error = printed.lines().find_map(|line| line.split_once("Error: ")).map_or(PLAIN, |(_, error)| error);
    let plain = error.split(['`', '\'']).next().unwrap_or_default().trim_end_matches([' ', '-']);
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn a_complaint_has_no_place_and_no_name() {
        let printed = "repro.s: Assembler messages:\nrepro.s:9: Error: junk `@PLT' after expression\n";
        assert_eq!(complaint(printed), "junk");
        assert_eq!(complaint("repro.s:4: Error: bad register expression"), "bad register expression");
        assert_eq!(complaint("killed"), "rror");
    }
}
