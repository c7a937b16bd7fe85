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
            rules: vec![cause.rule.clone()],
            shapes: vec![cause.shape.clone()],
            after: vec![String::new()],
            needs: needs.iter().map(|word| (*word).to_owned()).collect(),
            proofs: Vec::new(),
        };
        assert_eq!(recorded.covers(&cause, Some(Compiled { text, options })), covers, "{needs:?} {options}");
    }
}

/// A wrong result has no row and no instruction: words narrow it, and nothing else does.
#[test]
fn a_wrong_result_needs_words() {
    let complaint = |rule: &str, needs: &[&str]| {
        let proof = Proof { file: "a.c".to_owned(), abi: Abi::Amd64, options: "-O2".to_owned() };
        let cause = RecordedCause {
            arch: "amd64".to_owned(),
            rules: vec![rule.to_owned()],
            shapes: vec![String::new()],
            after: vec![String::new()],
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
