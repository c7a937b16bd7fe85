//! The filed texts: terms of the trackers, releases besides snapshots, and tests in the forms of
//! the projects.

use reports::bundle::files;
use results::ToolVersion;
use results::bundle::{Astray, Check, Command, DirectiveBug, Filing, Source, Upstream};

use crate::bundle::{culprit, file, filing, seen_by};
use testing::printed;

/// A compiler's bundle ends with its assembly: what links and starts the program is not in it.
#[test]
fn what_no_command_reads_is_not_in_the_bundle() {
    let filing = compiled("GCC", DirectiveBug::Absent).without_unused();
    let names: Vec<&str> = filing.bundle.sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!((names, filing.texts.len(), filing.bundle.commands.len()), (vec!["repro.c"], 1, 1));
}

/// A tracker's field takes one version; the summary has the snapshot too.
#[test]
fn bugzilla_is_given_one_version() {
    let mut filing = compiled("GNU as", DirectiveBug::Absent);
    filing.bundle.culprit.version = ToolVersion::new("2.47.50.20261021");
    for (others, expected) in [(&["2.40", "2.44"][..], "2.44"), (&[], "2.47.50.20261021")] {
        filing.bundle.others.show = others.iter().map(|version| ToolVersion::new(*version)).collect();
        let text = file(&filing, "bugzilla.txt");
        assert!(text.contains(&format!("\nVersion: {expected}\n")), "{text}");
        assert!(text.contains("snapshot 2.47.50.20261021: "), "{text}");
    }
}

const TRACKERS: [&str; 3] = ["mail.txt", "bugzilla.txt", "github.md"];

fn directive(fault: DirectiveBug) -> Check {
    Check::Directive {
        function: "test".to_owned(),
        after: r"^popq? %rbp$".to_owned(),
        before: None,
        directive: r"^\.cfi_restore (6|%rbp)$".to_owned(),
        earlier: false,
        fault,
    }
}

/// A compiler bug: its assembly shows the bug, and further commands build the executed file.
fn compiled(name: &str, fault: DirectiveBug) -> Filing {
    let mut filing = seen_by(directive(fault));
    let command = |variable: &str, program: &str, words: &str| Command {
        variable: variable.to_owned(),
        program: program.to_owned(),
        words: words.split(' ').map(str::to_owned).collect(),
    };
    filing.bundle.culprit = culprit(name, "12.2.0", Some(("p", "c")));
    filing.bundle.commands =
        vec![command("CC", "cc-12", "-S -O2 -o repro.s repro.c"), command("AS", "as", "-o repro.o repro.s start.s")];
    let source = |name: &str, sum: &str| Source { name: name.to_owned(), sha256: sum.repeat(32), code_of: None };
    filing.bundle.sources = vec![source("repro.c", "ab"), source("start.s", "cd")];
    filing.texts = vec!["int test(void);\n".to_owned(), "start:\n".to_owned()];
    filing
}

#[test]
fn every_tracker_has_the_words_it_asks_for() {
    for filing in
        [filing(), compiled("GNU as", DirectiveBug::Absent), seen_by(Check::StartsDescend), seen_by(Check::ByEye)]
    {
        for name in TRACKERS {
            let text = file(&filing, name);
            let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{name}: no {word} in\n{text}"));
            assert!(at("Actual") < at("Expected"), "{text}");
        }
    }
}

/// Complete texts for a maintainer: an assembler's row, and a compiler's directive, which can be
/// seen without this project.
#[test]
fn a_report_and_a_mail_read_from_begin_to_end() {
    let gcc = compiled("GCC", DirectiveBug::Absent);
    let (script, report) = (file(&gcc, "run.sh"), file(&gcc, "report.md"));
    printed!("filed-row.txt", &file(&filing(), "mail.txt"));
    printed!("filed-directive.txt", &format!("{report}\nrun.sh:\n\n{script}"));
    assert!(!script.contains("$AS") && !script.contains("READELF") && !script.contains("CHECK"), "{script}");
    for name in ["mail.txt", "github.md"] {
        let text = file(&gcc, name);
        assert!(text.contains("cc-12 -S") && !text.contains("as -o") && !text.contains("start"), "{text}");
    }
}

/// Recipient and subject of each text, and the known facts about other versions and the report.
#[test]
fn the_heads_of_the_texts_are_read() {
    let of = |name: &str, version: &str, bugzilla| {
        let mut filing = filing();
        filing.bundle.culprit = culprit(name, version, bugzilla);
        filing
    };
    let shows = |version: &str, others: &[&str]| {
        let mut filing = of("GNU as", version, None);
        filing.bundle.others.show = others.iter().map(|version| ToolVersion::new(*version)).collect();
        filing
    };
    let printed = |link: &str, fixed: Option<&str>| {
        let upstream =
            Upstream { link: link.to_owned(), fixed: fixed.map(ToolVersion::new), on: "2026-11-23".to_owned() };
        Filing { upstream: Some(upstream), ..filing() }
    };
    let all = [
        ("of gas 2.47.50", filing()),
        ("of GCC", of("GCC", "16.2.0", Some(("gcc", "target")))),
        ("of ld", of("GNU ld", "2.44", Some(("binutils", "ld")))),
        ("of a project without a Bugzilla", of("LLVM lld", "22.1.8", None)),
        ("of a snapshot", shows("2.47.50.20261021", &[])),
        ("of a snapshot, releases show it too", shows("2.47.50.20261021", &["2.9", "2.44"])),
        ("of a release, a snapshot shows it too", shows("2.40", &["2.47.50.20261021"])),
        ("not reported yet", printed("unfiled", None)),
        ("reported, and right in a later version", printed("https://x.org/1", Some("2.48"))),
    ];
    let mut text = String::new();
    for (case, filing) in all {
        text += &format!("# {case}\n\n");
        for (name, printed) in
            files(&filing).iter().filter(|(name, _)| TRACKERS.contains(&name.as_str()) || name == "report.md")
        {
            let head = printed.lines().take_while(|line| !line.is_empty());
            let known = ["Also in", "- Also in", "Upstream", "- Upstream"];
            let known = printed.lines().filter(|line| known.iter().any(|word| line.starts_with(word)));
            head.chain(known).for_each(|line| text += &format!("{name}: {line}\n"));
        }
        text += "\n";
    }
    printed!("filed-heads.txt", &text);
}

/// Tests in the form of each project's suite: gas and ld compare a dump, compilers scan their
/// assembly.
#[test]
fn the_tests_for_each_project_are_read() {
    let mut link = seen_by(Check::Lacks { line: "Num FDEs: 2".to_owned(), of: None });
    link.bundle.culprit = culprit("GNU ld", "2.44", None);
    link.bundle.sources = ["one.s", "two.s"].map(|name| Source { name: name.to_owned(), ..Source::default() }).to_vec();
    let command = |variable: &str, words: &str| Command {
        variable: variable.to_owned(),
        program: "x".to_owned(),
        words: words.split(' ').map(str::to_owned).collect(),
    };
    link.bundle.commands = vec![
        command("AS", "--gsframe --defsym V={sframe-version} -o two.o two.s"),
        command("AS", "--gsframe -o one.o one.s"),
        command("LD", "-r -o out one.o two.o"),
    ];
    let texts = [
        ("a wrong row of gas", filing(), "test.d"),
        ("a failure of gas", seen_by(Check::failure("x")), "test.d"),
        ("what ld leaves out", link, "test.d"),
        ("what GCC leaves out", compiled("GCC", DirectiveBug::Absent), "test.c"),
        ("what GCC says too early", compiled("GCC", DirectiveBug::Early), "test.c"),
        ("what clang leaves out", compiled("clang", DirectiveBug::Absent), "test.c"),
    ];
    let texts = texts.map(|(what, filing, name)| format!("{what}, {name}:\n\n{}", file(&filing, name)));
    printed!("filed-tests.txt", &texts.join("\n"));
}

/// Checksums and fingerprints are internal to this project; trackers have no use for them.
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
fn a_reproducer_may_be_taken_by_anybody() {
    assert!(file(&filing(), "LICENSE-MIT-0").starts_with("MIT No Attribution\n"));
    for name in TRACKERS.into_iter().chain(["report.md"]) {
        assert!(file(&filing(), name).contains("MIT-0"), "{name}");
    }
}

/// A bug that cannot be expressed in a project's test form has no test, and other projects have
/// none at all.
#[test]
fn a_test_is_not_made_up() {
    let names = |filing: &Filing| files(filing).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let relocations = seen_by(Check::Relocations { fault: Astray::Order });
    let mut other = filing();
    other.bundle.culprit = culprit("another assembler", "3.0.0", None);
    for filing in [relocations, other, seen_by(Check::ByEye)] {
        assert!(!names(&filing).iter().any(|name| name.starts_with("test.")), "{:?}", names(&filing));
    }
}
