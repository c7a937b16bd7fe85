//! A second bug in programs that show known ones: a directive that is wrong at one instruction of a
//! compiler's output. No record of the ledger may hide it.

use std::collections::BTreeSet;

use generators::c::Program;
use generators::cfi_text::Text as _;
use ledger::Ledger;
use ledger::known::Compiled;
use libtest_mimic::Failed;
use results::ProgramCause;
use selftest::compiled::observe::{ProgramEnd, observe, observe_edited};
use selftest::compiled::options::Choices;
use selftest::compiled::subject::CompilerSubject;
use types::Abi;
use types::Rng;

/// Maximum number of positions tried in a program until one is executed, or explored.
const PLACES: u64 = 12;

/// Maximum number of programs tried for one that shows a known cause. Some compilers have few.
const PROGRAMS: u64 = 150;

/// Tests programs that show a known cause, each with a planted bug of another cause: the first
/// `count` of them.
pub(crate) fn none_hides(
    subject: &CompilerSubject,
    ledger: &Ledger,
    choices: &Choices,
    count: usize,
) -> Result<(), Failed> {
    let (mut planted, mut hidden) = (0, Vec::new());
    for seed in 3000..3000 + PROGRAMS {
        if planted == count {
            break;
        }
        let text = Program::draw(subject.target(), seed).text();
        let options = choices.draw(subject.family, subject.version(), subject.abi, seed);
        let options: Vec<&str> = options.iter().map(|choice| choice.words.as_str()).collect();
        let options = options.join(" ");
        let program = Compiled { text: &text, options: &options };
        let is_known = |cause: &ProgramCause| subject.entry_of(ledger, cause, program).is_some();
        let seen = observe(subject, &text, &options).map_err(|error| error.to_string())?;
        if seen.end != ProgramEnd::Right || !seen.causes.keys().any(is_known) {
            continue;
        }
        let mut rng = Rng::new(seed);
        let shown = (0..PLACES).find_map(|_| {
            let edit = |assembly: &str| plant(subject.abi, assembly, &mut rng);
            let with = observe_edited(subject, &text, &options, edit).ok()?;
            let new: BTreeSet<ProgramCause> =
                with.causes.into_keys().filter(|cause| !seen.causes.contains_key(cause)).collect();
            // If nothing is executed, or there is another finding of this kind, there is no second
            // one.
            (!new.is_empty()).then_some(new)
        });
        let Some(shown) = shown else { continue };
        planted += 1;
        if shown.iter().all(is_known) {
            hidden.push(format!(
                "seed {seed} {options}: {:?}",
                shown.iter().map(ProgramCause::title).collect::<Vec<_>>()
            ));
        }
    }
    println!("{} {}: {planted} planted, {} hidden", subject.name, subject.abi, hidden.len());
    match hidden.is_empty() {
        true => Ok(()),
        false => Err(format!("{} of {planted} are hidden:\n{}", hidden.len(), hidden.join("\n")).into()),
    }
}

/// The assembly with a row that is wrong at one instruction.
fn plant(abi: Abi, assembly: &str, rng: &mut Rng) -> String {
    let lines: Vec<&str> = assembly.lines().collect();
    let mut inside = false;
    let mut places = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match line.trim() {
            ".cfi_startproc" => inside = true,
            ".cfi_endproc" => inside = false,
            _ => {}
        }
        // An instruction: neither a label, a directive nor a comment.
        let is_code = line.starts_with(['\t', ' ']) && line.trim_start().starts_with(|c: char| c.is_ascii_lowercase());
        if inside && is_code && !line.contains(['#', ';', ':']) {
            places.push(at);
        }
    }
    let at = rng.pick(&places);
    let directive = rng.pick(directives(abi));
    let mut edited = String::new();
    for (nth, line) in lines.iter().enumerate() {
        if nth == at {
            edited.push_str(&format!("\t.cfi_remember_state\n\t{directive}\n{line}\n\t.cfi_restore_state\n"));
        } else {
            edited.push_str(&format!("{line}\n"));
        }
    }
    edited
}

/// A CFA, a return address and a frame pointer that are clearly wrong.
fn directives(abi: Abi) -> &'static [&'static str] {
    match abi {
        Abi::Amd64 => &[".cfi_def_cfa 7, 6000", ".cfi_offset 16, -6000", ".cfi_offset 6, -6000"],
        Abi::Aarch64 | Abi::Aarch64Be => &[".cfi_def_cfa 31, 6000", ".cfi_offset 30, -6000", ".cfi_offset 29, -6000"],
        Abi::S390x => &[".cfi_def_cfa 15, 6000", ".cfi_offset 14, -6000", ".cfi_offset 11, -6000"],
    }
}
