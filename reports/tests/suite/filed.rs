//! The texts that are filed: the words that trackers ask for, releases beside snapshots, and tests in the forms of the projects.

use model::ToolVersion;
use model::bundle::{Astray, Check, Column, Command, Fault, Source, Upstream};
use reports::bundle::Filing;

use crate::bundle::{culprit, file, filing, seen_by};

const TRACKERS: [&str; 3] = ["mail.txt", "bugzilla.txt", "github.md"];

fn directive(fault: Fault) -> Check {
    Check::Directive {
        function: "test".to_owned(),
        after: r"^popq? %rbp$".to_owned(),
        before: None,
        directive: r"^\.cfi_restore (6|%rbp)$".to_owned(),
        earlier: false,
        fault,
    }
}

/// A compiler's mistake: its assembly shows it, and further commands make what was executed.
fn compiled(name: &str, fault: Fault) -> Filing {
    let mut filing = seen_by(directive(fault));
    let command = |variable: &str, program: &str, words: &str| Command {
        variable: variable.to_owned(),
        program: program.to_owned(),
        words: words.split(' ').map(str::to_owned).collect(),
    };
    filing.bundle.culprit = culprit(name, "12.2.0", Some(("p", "c")));
    filing.bundle.commands =
        vec![command("CC", "cc-12", "-S -O2 -o repro.s repro.c"), command("AS", "as", "-o repro.o repro.s start.s")];
    let source = |name: &str| Source { name: name.to_owned(), ..Source::default() };
    filing.bundle.sources = vec![source("repro.c"), source("start.s")];
    filing.texts = vec!["int test(void);\n".to_owned(), "start:\n".to_owned()];
    filing
}

#[test]
fn every_tracker_has_the_words_it_asks_for() {
    for filing in [filing(), compiled("GNU as", Fault::Absent), seen_by(Check::StartsDescend), seen_by(Check::ByEye)] {
        for name in TRACKERS {
            let text = file(&filing, name);
            let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{name}: no {word} in\n{text}"));
            assert!(at("Actual") < at("Expected"), "{text}");
        }
    }
}

/// What a maintainer gets, word for word: of an assembler's row, and of a compiler's directive.
#[test]
fn a_report_and_a_mail_read_from_begin_to_end() {
    let gcc = compiled("GCC", Fault::Absent);
    for (name, text) in
        [("filed-row.txt", file(&filing(), "mail.txt")), ("filed-directive.txt", file(&gcc, "report.md"))]
    {
        crate::formats::blessed::printed(name, &text);
    }
}

/// Sums and fingerprints are this project's; a tracker has no use for them.
#[test]
fn no_tracker_has_a_number_of_ours() {
    let is_ours = |word: &&str| word.len() >= 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(file(&filing(), "report.md").split_whitespace().any(|word| is_ours(&word)));
    for name in TRACKERS {
        let text = file(&filing(), name);
        assert_eq!(text.split_whitespace().find(is_ours), None, "{name}");
    }
}

#[test]
fn a_release_is_named_beside_a_snapshot() {
    let mut filing = filing();
    filing.bundle.culprit = culprit("GNU as", "2.47.50.20261021", None);
    for (show, subject) in [
        (vec![], "Title: GNU as snapshot 2.47.50.20261021: "),
        (vec!["2.9", "2.44"], "Title: GNU as 2.44 and snapshot 2.47.50.20261021: "),
    ] {
        filing.bundle.others.show = show.into_iter().map(ToolVersion::new).collect();
        assert!(file(&filing, "github.md").starts_with(subject), "{subject}");
    }
    filing.bundle.culprit = culprit("GNU as", "2.40", None);
    filing.bundle.others.show = vec![ToolVersion::new("2.47.50.20261021")];
    assert!(file(&filing, "github.md").contains("Also in: 2.47.50.20261021 (snapshot)"));
    assert!(file(&filing, "github.md").starts_with("Title: GNU as 2.40: "));
}

#[test]
fn what_the_project_knows_is_said_with_its_day() {
    let mut filing = filing();
    for (link, fixed, says) in [
        ("unfiled", None, "Upstream: not reported as of 2026-11-23\n"),
        ("https://x.org/1", Some("2.48"), "Upstream: https://x.org/1, as of 2026-11-23; right in 2.48\n"),
    ] {
        let (link, fixed) = (link.to_owned(), fixed.map(ToolVersion::new));
        filing.upstream = Some(Upstream { link, fixed, on: "2026-11-23".to_owned() });
        for name in TRACKERS.into_iter().chain(["report.md"]) {
            assert!(file(&filing, name).contains(says), "{name}: {}", file(&filing, name));
        }
    }
}

#[test]
fn a_reproducer_may_be_taken_by_anybody() {
    assert!(file(&filing(), "LICENSE-MIT-0").starts_with("MIT No Attribution\n"));
    for name in TRACKERS.into_iter().chain(["report.md"]) {
        assert!(file(&filing(), name).contains("MIT-0"), "{name}");
    }
}

/// Nothing of this project is needed to see what a compiler does; what was executed is told in the report.
#[test]
fn a_compilers_assembly_is_all_that_its_report_needs() {
    let filing = compiled("GCC", Fault::Absent);
    let script = file(&filing, "run.sh");
    assert!(script.contains("\n\"$CC\" -S -O2 -o repro.s repro.c || exit 2\n"), "{script}");
    assert!(!script.contains("$AS") && !script.contains("READELF") && !script.contains("CHECK"), "{script}");
    for name in ["mail.txt", "github.md"] {
        let text = file(&filing, name);
        assert!(text.contains("cc-12 -S") && !text.contains("as -o") && !text.contains("start"), "{text}");
    }
    assert!(file(&filing, "report.md").contains("as -o repro.o repro.s start.s"));
}

fn native(filing: &Filing, name: &str) -> String {
    file(filing, name)
}

/// That the wrong row is not there: a right table may leave the function out.
#[test]
fn gas_compares_a_dump() {
    let filing = filing();
    assert_eq!(
        native(&filing, "test.d"),
        "#name: SFrame: .cfi_restore of RA does nothing\n#source: repro.s\n#as: --gsframe\n#objdump: --sframe=.sframe\n\
         #target: x86_64-*-*\n#failif\n\n#...\n *0*1 +[^ ]+ +[^ ]+ +r0\\+0 *\n#pass\n"
    );
    let text = native(&seen_by(Check::failure("x")), "test.d");
    assert!(text.ends_with("#objdump: -h\n#target: x86_64-*-*\n\n#...\n.* \\.text .*\n#pass\n"), "{text}");
}

#[test]
fn ld_links_its_sources_in_their_order() {
    let mut filing = seen_by(Check::Lacks { line: "Num FDEs: 2".to_owned(), of: None });
    filing.bundle.culprit = culprit("GNU ld", "2.44", None);
    filing.bundle.sources =
        ["one.s", "two.s"].map(|name| Source { name: name.to_owned(), ..Source::default() }).to_vec();
    let command = |variable: &str, words: &str| Command {
        variable: variable.to_owned(),
        program: "x".to_owned(),
        words: words.split(' ').map(str::to_owned).collect(),
    };
    filing.bundle.commands = vec![
        command("AS", "--gsframe --defsym V={sframe-version} -o two.o two.s"),
        command("AS", "--gsframe -o one.o one.s"),
        command("LD", "-r -o out one.o two.o"),
    ];
    assert_eq!(
        native(&filing, "test.d"),
        "#name: SFrame: .cfi_restore of RA does nothing\n#source: one.s\n#source: two.s --defsym V=3\n#as: --gsframe\n\
         #ld: -r\n#readelf: --sframe\n#target: x86_64-*-*\n\n#...\n.*Num FDEs: 2.*\n#pass\n"
    );
}

#[test]
fn compilers_scan_their_assembly() {
    let text = native(&compiled("GCC", Fault::Absent), "test.c");
    assert!(
        text.starts_with("/* { dg-do compile { target x86_64-*-* } } */\n/* { dg-options \"-O2\" } */\nint test"),
        "{text}"
    );
    assert!(
        text.contains(r"scan-assembler {(?n)^\s*popq?\s+%rbp\s*\n(\s*\..*\n)*\s*\.cfi_restore\s+(6|%rbp)}"),
        "{text}"
    );
    assert!(native(&compiled("GCC", Fault::Early), "test.c").contains("scan-assembler-not {"));
    let text = native(&compiled("clang", Fault::Absent), "test.c");
    assert!(text.starts_with("// RUN: %clang -S -O2 -o - %s | FileCheck %s\nint test"), "{text}");
    assert!(
        text.contains("// CHECK-LABEL: test:\n// CHECK: {{popq?[[:blank:]]+%rbp}}\n// CHECK-NOT: {{^[[:blank:]]+[a-z]}}\n// CHECK: {{\\.cfi_restore[[:blank:]]+(6|%rbp)}}\n"),
        "{text}"
    );
}

/// What has no plain form there has no test, and another project none at all.
#[test]
fn a_test_is_not_made_up() {
    let names = |filing: &Filing| filing.files().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let relocations = seen_by(Check::Relocations { fault: Astray::Order });
    let mut other = filing();
    other.bundle.culprit = culprit("another assembler", "3.0.0", None);
    for filing in [relocations, other, seen_by(Check::ByEye)] {
        assert!(!names(&filing).iter().any(|name| name.starts_with("test.")), "{:?}", names(&filing));
    }
}

/// The row of a linked file is that of the function that begins where its section does.
#[test]
fn a_row_of_a_linked_file_is_named_by_its_section() {
    let (section, wrong, right) = (Some(".plt.got".to_owned()), String::new(), "sp+8".to_owned());
    let filing = seen_by(Check::Row { pc: 0, section, column: Column::Cfa, wrong, or: Vec::new(), right });
    let report = file(&filing, "report.md");
    assert!(report.contains("readelf --sframe at .plt.got: CFA no row"), "{report}");
    assert!(report.contains("readelf --sframe at .plt.got: CFA sp+8"), "{report}");
}
