//! Tests compilers with random C programs ([`selftest::compiled`]): reduces the program and the
//! options of each new cause.

use std::time::{Duration, Instant};

use generators::c::Program;
use generators::cfi_text::Text as _;
use ledger::Ledger;
use ledger::known::{Compiled, WRONG_RESULT};
use rayon::prelude::*;
use results::{ProgramCause, Report};
use selftest::compiled::observe::{ObserveError, ProgramEnd, ProgramResult, observe};
use selftest::compiled::options::{Choice, Choices};
use selftest::compiled::run::{First, Run, State};
use selftest::compiled::subject::CompilerSubject;
use selftest::journal::JournalError;

use crate::parts::Files;
use crate::random::{least, search_quietly};
use crate::search::Bounds;
use crate::text::{Language, Text};

/// Why a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum CompiledError {
    #[error(transparent)]
    Observe(#[from] ObserveError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Extent of a run.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first seed.
    pub first: u64,
    /// Number of seeds for each compiler and ABI; `None` for no limit.
    pub count: Option<u64>,
    /// Wall-clock time; `None` for no limit.
    pub time: Option<Duration>,
}

/// What makes causes known.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    Ledger(&'a Ledger),
    /// Results of another run: of any version of the same compiler.
    Earlier(&'a State),
}

impl Known<'_> {
    /// Name of the ledger entry that covers a cause in a program, or of what else makes it known.
    fn entry_of(self, subject: &CompilerSubject, cause: &ProgramCause, program: Compiled<'_>) -> Option<String> {
        match self {
            Known::Ledger(ledger) => subject.entry_of(ledger, cause, program).map(|index| ledger.stem(index)),
            Known::Earlier(state) => state.has(subject, cause).then(|| "earlier results".to_owned()),
        }
    }
}

/// The program of a seed, with its options.
struct Drawn<'a> {
    subject: &'a CompilerSubject,
    program: Program,
    options: Vec<&'a Choice>,
    first: First,
}

/// Tests each compiler with the programs of consecutive seeds, and stores the results. `after` is
/// called once for each seed; the run ends if it returns false.
pub fn hunt(
    subjects: &[CompilerSubject],
    choices: &Choices,
    known: Known<'_>,
    run: &mut Run,
    span: Span,
    after: &mut dyn FnMut() -> bool,
) -> Result<(), CompiledError> {
    let (began, end) = (Instant::now(), span.count.map(|count| span.first.saturating_add(count)));
    refresh(&mut run.state, subjects, known);
    run.save()?;
    loop {
        let next = subjects.iter().map(|subject| (subject, run.next(subject, span.first)));
        let due: Vec<_> = next.filter(|(_, seed)| end.is_none_or(|end| *seed < end)).collect();
        if due.is_empty() || span.time.is_some_and(|time| began.elapsed() >= time) {
            return Ok(());
        }
        let tried = due.par_iter().map(|(subject, seed)| {
            let drawn = Drawn::new(subject, choices, *seed);
            let seen = observe(subject, &drawn.program.text(), &drawn.first.options)?;
            Ok((drawn, seen))
        });
        let tried = tried.collect::<Result<Vec<_>, ObserveError>>()?;
        for (drawn, seen) in &tried {
            let text = drawn.program.text();
            run.add(drawn.subject, &drawn.first, seen, |cause| {
                known.entry_of(drawn.subject, cause, Compiled { text: &text, options: &drawn.first.options })
            });
        }
        run.save()?;
        if !after() {
            return Ok(());
        }
    }
}

/// Updates what is known of the results so far, since the ledger may have changed.
fn refresh(state: &mut State, subjects: &[CompilerSubject], known: Known<'_>) {
    for subject in subjects {
        for found in state.causes.get_mut(&subject.name).into_iter().flat_map(|causes| causes.values_mut()) {
            // Subjects of one compiler share its causes.
            if found.first.abi == subject.abi {
                let text = Program::draw(subject.target(), found.first.seed).text();
                let program = Compiled { text: &text, options: &found.first.options };
                found.known = known.entry_of(subject, &found.cause, program);
            }
        }
    }
}

/// Reduces the causes that are not known, each with at most `tries` programs of its
/// tree and as many texts. `after` is called once for each; the run ends if it returns false.
/// `print` gives the text of a report, which is stored.
pub fn shrink(
    subjects: &[CompilerSubject],
    choices: &Choices,
    run: &mut Run,
    tries: u64,
    after: &mut dyn FnMut() -> bool,
    print: &dyn Fn(&Report) -> Vec<u8>,
) -> Result<(), CompiledError> {
    let mut left = Vec::new();
    for subject in subjects {
        let causes = run.state.causes.get(&subject.name).into_iter().flat_map(|causes| causes.values());
        let due =
            causes.filter(|found| found.known.is_none() && found.needs.is_none() && found.first.abi == subject.abi);
        left.extend(due.map(|found| (Drawn::new(subject, choices, found.first.seed), found.cause.clone())));
    }
    let bounds = Bounds { time: Duration::MAX, tries };
    for some in left.chunks(rayon::current_num_threads().max(1)) {
        let least: Vec<_> = some.par_iter().map(|(drawn, cause)| Least::new(drawn, cause, bounds)).collect();
        for ((drawn, cause), least) in some.iter().zip(least) {
            least.keep(drawn, cause, run, print)?;
        }
        run.save()?;
        if !after() {
            break;
        }
    }
    Ok(())
}

impl<'a> Drawn<'a> {
    fn new(subject: &'a CompilerSubject, choices: &'a Choices, seed: u64) -> Drawn<'a> {
        let program = Program::draw(subject.target(), seed);
        let options = choices.draw(subject.family, subject.version(), subject.abi, seed);
        let size = program.kinds().len();
        let first = First { abi: subject.abi, seed, size, options: words(&options) };
        Drawn { subject, program, options, first }
    }
}

fn words(options: &[&Choice]) -> String {
    options.iter().map(|choice| choice.words.as_str()).collect::<Vec<_>>().join(" ")
}

/// The smallest program that shows a cause.
struct Least {
    options: String,
    /// Text in C.
    text: String,
    /// Result of testing it.
    seen: Option<ProgramResult>,
}

impl Least {
    fn new(drawn: &Drawn<'_>, cause: &ProgramCause, bounds: Bounds) -> Least {
        let whole = drawn.program.text();
        let end = observe(drawn.subject, &whole, &drawn.first.options).map_or(ProgramEnd::Right, |seen| seen.end);
        let shows = |text: &str, options: &str| shows(drawn.subject, cause, end, text, options);
        let mut options = drawn.options.clone();
        for name in drawn.options.iter().skip(1).map(|choice| choice.name.clone()) {
            let fewer: Vec<&Choice> = options.iter().copied().filter(|choice| choice.name != name).collect();
            if shows(&whole, &words(&fewer)).is_some() {
                options = fewer;
            }
        }
        let options = words(&options);
        let program =
            least(drawn.program.clone(), bounds, &|smaller: &Program| shows(&smaller.text(), &options).is_some());
        let text = program.text();
        // The expected result of a smaller program is known from its tree, not from its text.
        let text = if cause.rule == WRONG_RESULT {
            text
        } else {
            shorter(drawn.subject, &text, bounds, &|text| shows(text, &options).is_some())
        };
        Least { seen: shows(&text, &options), text, options }
    }

    fn keep(
        self,
        drawn: &Drawn<'_>,
        cause: &ProgramCause,
        run: &mut Run,
        print: &dyn Fn(&Report) -> Vec<u8>,
    ) -> Result<(), CompiledError> {
        let subject = drawn.subject;
        run.keep(subject, cause, "whole.c", drawn.program.text().as_bytes())?;
        run.keep(subject, cause, "repro.c", self.text.as_bytes())?;
        if let Some(seen) = self.seen {
            if let Some(assembly) = &seen.assembly {
                run.keep(subject, cause, "repro.s", assembly)?;
            }
            let mut text =
                format!("{}\n{} {}: {}\n\n", cause.title(), subject.name, subject.abi, self.options).into_bytes();
            if let Some(report) = &seen.report {
                text.extend(print(report));
            }
            run.keep(subject, cause, "finding.txt", &text)?;
        }
        if let Some(found) = run.found(subject, cause) {
            found.needs = Some(self.options);
        }
        Ok(())
    }
}

/// The shortest text found that still `shows` the cause.
fn shorter(subject: &CompilerSubject, text: &str, bounds: Bounds, shows: &dyn Fn(&str) -> bool) -> String {
    let text = Text::new(text, Language { abi: subject.abi, is_c: true });
    search_quietly(text, bounds, &|text: &Text| shows(&text.to_string()).then(Files::new)).to_string()
}

/// Result for a text that shows the cause, and whose result is right unless the original's was not.
fn shows(
    subject: &CompilerSubject,
    cause: &ProgramCause,
    end: ProgramEnd,
    text: &str,
    options: &str,
) -> Option<ProgramResult> {
    // If the harness cannot test it, it does not show the cause.
    let seen = observe(subject, text, options).ok()?;
    ((seen.end == ProgramEnd::Right || seen.end == end) && seen.causes.contains_key(cause)).then_some(seen)
}
