//! Causes in generated programs.

use ledger::known::{Compiled, LedgerEntry, Proof, RecordedCause, WRONG_RESULT};
use results::{Blame, ProgramCause};
use types::Abi;

use super::support::entry;

#[test]
fn a_cause_is_covered_in_programs_that_have_a_word_that_it_needs() {
    let text = "__attribute__((noinline, minsize)) int f(void) { return 0; }";
    let signs = "__attribute__((target(\"branch-protection=pac-ret+leaf\"))) int f(void) { return 0; }";
    for (needs, text, options, covers) in [
        (&[] as &[&str], "", "-O2", true),
        (&["-Oz", "minsize"], "", "-O2", false),
        (&["-Oz", "minsize"], "", "-Oz -fPIC", true),
        (&["-Oz", "minsize"], text, "-O2", true),
        (&["mins", "-O"], text, "-O2", false),
        (&["-mbranch=*"], "", "-mbranch=a+b", true),
        (&["*branch-protection=pac-ret*"], signs, "-O2", true),
        (&["*branch-protection=pac-ret*"], "", "-mbranch-protection=none", false),
        (&["-Oz minsize"], text, "-Oz", true),
        (&["-Oz minsize"], text, "-O2", false),
        (&["-Oz minsize"], "", "-Oz", false),
    ] {
        let cause = ProgramCause {
            arch: "aarch64".to_owned(),
            rule: "cfa-matches-truth".to_owned(),
            blame: Blame::Compiler,
            shape: "cfa=sp where sp+N".to_owned(),
            after: String::new(),
        };
        let recorded = RecordedCause {
            arch: cause.arch.clone(),
            repairs: Vec::new(),
            frames: Vec::new(),
            shows: vec![cause.line()],
            needs: needs.iter().map(|word| (*word).to_owned()).collect(),
            proofs: Vec::new(),
        };
        assert_eq!(recorded.covers(&cause, Compiled { text, options }), covers, "{needs:?} {options}");
    }
}

/// A wrong result has no row and no instruction: words narrow it, and nothing else does.
#[test]
fn a_wrong_result_needs_words() {
    let complaint = |rule: &str, needs: &[&str]| {
        let proof = Proof { file: "a.c".to_owned(), abi: Abi::Amd64, options: "-O2".to_owned() };
        let cause = RecordedCause {
            arch: "amd64".to_owned(),
            repairs: Vec::new(),
            frames: Vec::new(),
            shows: vec![rule.to_owned()],
            needs: needs.iter().map(|word| (*word).to_owned()).collect(),
            proofs: vec![proof],
        };
        LedgerEntry { causes: vec![cause], ..entry(Vec::new()) }.complaint()
    };
    assert_eq!(complaint(WRONG_RESULT, &["*swiftasynccall*"]), None);
    assert!(complaint(WRONG_RESULT, &[]).is_some());
    assert!(complaint(WRONG_RESULT, &["* *"]).is_some());
    assert!(complaint("cfa-matches-truth", &["*swiftasynccall*"]).is_some());
}

/// A repair is known by directive, instruction and state of the frame; another one in the same
/// function is new, and so is a finding without a repair.
#[test]
fn a_repair_covers_the_same_edit_alone() {
    let recorded = RecordedCause {
        arch: "amd64".to_owned(),
        repairs: vec!["insert .cfi_restore FP after pop *".to_owned()],
        frames: vec!["CFA by R, RA saved".to_owned()],
        shows: Vec::new(),
        needs: Vec::new(),
        proofs: vec![Proof { file: "a.c".to_owned(), abi: Abi::Amd64, options: "-O2".to_owned() }],
    };
    let program = Compiled { text: "", options: "" };
    for (rule, shape, frame, covers) in [
        ("repair", "insert .cfi_restore FP after pop FP", "CFA by R, RA saved", true),
        ("repair", "insert .cfi_restore FP after pop S", "CFA by R, RA saved", true),
        ("repair", "insert .cfi_restore FP after leave", "CFA by R, RA saved", false),
        ("repair", "insert .cfi_restore S after pop S", "CFA by R, RA saved", false),
        ("repair", "insert .cfi_restore FP after pop FP", "CFA by SP, RA saved", false),
        ("fp-matches-truth", "fp=[cfa-N] where same", "pop %rbp", false),
    ] {
        let (arch, rule) = ("amd64".to_owned(), rule.to_owned());
        let (shape, after) = (shape.to_owned(), frame.to_owned());
        let cause = ProgramCause { arch, rule, blame: Blame::Compiler, shape, after };
        assert_eq!(recorded.covers(&cause, program), covers, "{cause:?}");
    }
    let complaint = |recorded: RecordedCause| LedgerEntry { causes: vec![recorded], ..entry(Vec::new()) }.complaint();
    assert_eq!(complaint(recorded.clone()), None);
    let shows = vec!["fp-matches-truth: fp=same where elsewhere".to_owned()];
    assert!(complaint(RecordedCause { shows, ..recorded.clone() }).is_some());
    for open in ["*", "insert *", "FP after pop FP"] {
        assert!(complaint(RecordedCause { repairs: vec![open.to_owned()], ..recorded.clone() }).is_some(), "{open}");
    }
}
