//! The programs that prove the causes of the ledger, repaired: `fix` patches the output of the
//! compiler, and the patched program shows neither the cause nor a new one. Tests one program of
//! some entries with the newest compiler; `SAMPLES=all` tests all with each. A compiler that is not
//! installed is not tested.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use ledger::known::{Compiled, Proof};
use ledger::{Home, Ledger};
use libtest_mimic::{Arguments, Failed, Trial, run};
use results::{Blame, ProgramCause};
use selftest::compiled::observe::{observe, observe_edited};
use selftest::compiled::subject::{self, CompilerSubject};
use testing::samples;
use toolchain::producers::Producers;

/// Programs of which `fix` does not write the repair, with the reason.
const NOT_PATCHED: [(&str, &str); 21] = [
    ("builtin-longjmp-sp-first.c", "no directive has the place of FP between the two loads"),
    ("thunk-expression.c", EXPRESSION),
    ("renamed.c", EXPRESSION),
    ("asm-clobbers-rbp.c", EXPRESSION),
    ("realigned-clobber.c", EXPRESSION),
    ("realigned-epilogue.c", EXPRESSION),
    ("realigned-epilogue-low.c", EXPRESSION),
    ("no-cfi-asm-key.c", "the table is data of the source"),
    ("no-cfi-asm-mcount.c", "the table is data of the source"),
    ("stale-pop-return.c", CALLEE),
    ("calls-after-pop.c", CALLEE),
    ("thunk-goto.c", ENTERED),
    ("block-sections-key.c", ENTERED),
    ("block-sections-realigned.c", ENTERED),
    ("block-sections-spill.c", ENTERED),
    ("split-epilogue.c", ENTERED),
    ("homogeneous.c", ENTERED),
    ("interrupt-error.c", ABSOLUTE),
    ("tail-cfa.c", ABSOLUTE),
    ("sve-restore.c", REFUSED),
    ("sme-vg.c", REFUSED),
];
const EXPRESSION: &str = "the CFA is an expression of a realigned frame, of which the truth shows one alignment";
const CALLEE: &str = "the row is wrong only for a callee that writes over the dead slot";
const ENTERED: &str = "the object does not show the frame with which code is entered";
const ABSOLUTE: &str = "later directives give the CFA's offset from another entry";
const REFUSED: &str = "GNU as refuses the compiler's text";

/// By day one entry of this many is tested.
const EACH: usize = 20;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(check::client::SUBCOMMAND)) {
        return check::serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    check::client::are_this_program();
    let home = Home::checkout().expect("tests run in it");
    let producers = Producers::new(None, &home.root).expect("the producers' file");
    let subjects = subject::all(&producers, &[]).expect("no compiler is named");
    let ledger = Arc::new(Ledger::read(&home).expect("the ledger"));
    let mut tests = Vec::new();
    let mut entries = 0;
    for (index, entry) in ledger.entries.iter().enumerate().filter(|(_, entry)| entry.blame == Blame::Compiler) {
        let causes = entry.causes.iter().filter(|cause| !cause.repairs.is_empty());
        let proofs: Vec<&Proof> = causes.flat_map(|cause| &cause.proofs).collect();
        if proofs.is_empty() {
            continue;
        }
        entries += 1;
        let all = if samples::all() { usize::MAX } else { usize::from(entries % EACH == 0) };
        for proof in proofs.into_iter().take(all) {
            let reason = NOT_PATCHED.iter().find(|(file, _)| *file == proof.file).map(|(_, reason)| *reason);
            let is_due = |one: &&CompilerSubject| one.proves(entry, proof);
            for subject in subjects.iter().filter(is_due).rev().take(all) {
                let name = format!("{}::{}::{} {}", subject.name, subject.abi, proof.file, proof.options);
                let own = (subject.clone(), home.root.clone(), Arc::clone(&ledger), proof.clone());
                let test = Trial::test(name, move || is_clean(&own.0, &own.1, (&own.2, index), &own.3));
                tests.push(test.with_kind(reason.unwrap_or_default()).with_ignored_flag(reason.is_some()));
            }
        }
    }
    run(&Arguments::from_args(), tests).exit_code()
}

fn is_clean(
    subject: &CompilerSubject,
    home: &Path,
    (ledger, index): (&Ledger, usize),
    proof: &Proof,
) -> Result<(), Failed> {
    let text = std::fs::read_to_string(home.join("cases/compiled").join(&proof.file))?;
    let program = Compiled { text: &text, options: &proof.options };
    let before = observe(subject, &text, &proof.options)?;
    let mut printed = String::new();
    let edit = |assembly: &str| {
        let (patched, all) = patched(subject, assembly, before.program.as_deref());
        printed = all;
        patched.unwrap_or_else(|| assembly.to_owned())
    };
    let after = observe_edited(subject, &text, &proof.options, edit)?;
    let is_other = |cause: &ProgramCause| subject.entry_of(ledger, cause, program).is_some_and(|entry| entry != index);
    let left: Vec<String> = after.causes.keys().filter(|cause| !is_other(cause)).map(ProgramCause::title).collect();
    match left.is_empty() && after.end == before.end && after.report.is_some() {
        true => Ok(()),
        false => Err(format!("{:?} {left:#?}\n{printed}", after.end).into()),
    }
}

/// The text with the patch that `fix` prints, and what it prints.
fn patched(subject: &CompilerSubject, assembly: &str, program: Option<&[u8]>) -> (Option<String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.s"), assembly).expect("t.s");
    let (assembler, options) = subject.assembler_words().expect("an assembler");
    let mut fix = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    fix.arg("fix").arg("--as").arg(assembler).arg(format!("--as-options={options}")).arg("t.s");
    if let Some(program) = program {
        std::fs::write(folder.path().join("t"), program).expect("t");
        fix.arg("--linked=t");
    }
    let ran = fix.current_dir(folder.path()).output().expect("fix starts");
    let printed = [ran.stdout.clone(), ran.stderr].concat();
    std::fs::write(folder.path().join("patch"), &ran.stdout).expect("patch");
    let patch = std::fs::File::open(folder.path().join("patch")).expect("patch");
    let mut apply = Command::new("patch");
    apply.args(["-s", "-p0"]).stdin(patch).stdout(Stdio::null()).stderr(Stdio::null()).current_dir(folder.path());
    let is_applied = apply.status().expect("patch starts").success();
    let text = std::fs::read_to_string(folder.path().join("t.s")).ok();
    (text.filter(|_| is_applied), String::from_utf8_lossy(&printed).into_owned())
}
