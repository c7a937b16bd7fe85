//! The folder of a finding: what stands in it, that its texts say the same, and that no name of others breaks out of its quotation.

use model::{Abi, Aspect, Blame, Claim, Finding, Reg, RuleId, Shape, ValueRule, Values, WindowLine};
use reports::bundle::{Bundle, Check, Clause, Command, Repro, rank, shell};

use crate::support::RSP;
use crate::typed::{BELOW_CFA, reread, row};

/// A finding of that rule with nothing else in it.
fn plain(rule: RuleId) -> Finding {
    Finding::new(rule, Blame::Assembler, "", Shape::Rule)
}

fn bundle() -> Bundle {
    let rax = ValueRule::Register { reg: Reg(0), offset: 0 };
    let [wrong_row, right_row] = [rax, BELOW_CFA].map(|ra| row(Abi::Amd64, (RSP, 8), ra, ValueRule::SameValue));
    let rows = |claim: &Claim| claim.to_string();
    let line = |place: &str, wrong| WindowLine {
        place: place.to_owned(),
        text: "nop".to_owned(),
        sframe: rows(&wrong_row),
        eh_frame: rows(&right_row),
        wrong,
        ..WindowLine::default()
    };
    let mut finding = reread(&plain(RuleId::CfiRaDiffers), |json| json["fingerprint"] = "28bb75b0b1b38686".into());
    finding.field = Aspect::Ra;
    finding.place = ".text+0x1..0x2".to_owned();
    finding.window = vec![line(".text", false), line(".text+0x1", true)];
    finding.sframe = Some(Values::of_row(wrong_row));
    finding.eh_frame = Some(Values::of_row(right_row));
    Bundle {
        title: ".cfi_restore of RA does nothing".to_owned(),
        culprit: "GNU as 2.47.50".to_owned(),
        abi: Abi::Amd64,
        sframe: "v3".to_owned(),
        finding: Some(finding),
        clause: Some(Clause { section: "DWARF 5, 6.4.2.3".to_owned(), demand: "Back to the CIE's rule.".to_owned() }),
        note: "What happens is told here in a sentence that is longer than seventy-two columns are wide.".to_owned(),
        repros: vec![Repro {
            name: "repro.s".to_owned(),
            text: "\t.cfi_startproc\n\tnop\n".to_owned(),
            sha256: "ab".repeat(32),
        }],
        commands: vec![Command {
            variable: "AS".to_owned(),
            program: "x86_64-linux-gnu-as".to_owned(),
            words: ["--gsframe", "-o", "repro.o", "repro.s"].map(str::to_owned).to_vec(),
        }],
        tools: vec![("GNU as".to_owned(), "GNU assembler 2.47.50".to_owned())],
        others: vec![("2.40".to_owned(), Some(false)), ("2.44".to_owned(), Some(true)), ("2.41".to_owned(), None)],
        check: Check::Row { pc: 1, column: 4, wrong: "r0+0".to_owned(), right: "f".to_owned() },
        origin: Some(("gas@2.47.50::amd64::v3::cfi::x".to_owned(), "39 lines to 2 lines".to_owned())),
        failure: None,
    }
}

fn file(bundle: &Bundle, name: &str) -> String {
    let files = bundle.files();
    files.into_iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("no {name}")).1
}

#[test]
fn every_text_names_culprit_version_and_fault_first() {
    let bundle = bundle();
    let subject = "GNU as 2.47.50: .cfi_restore of RA does nothing (x86-64)";
    assert!(file(&bundle, "report.md").starts_with(&format!("# {subject}\n")));
    assert!(file(&bundle, "github.md").starts_with(&format!("Title: {subject}\n\n")));
    assert!(file(&bundle, "mail.txt").starts_with(&format!("Subject: {subject}\n\n")));
    let bugzilla = file(&bundle, "bugzilla.txt");
    for line in ["Component: gas", "Version: 2.47.50", &format!("Summary: {subject}")] {
        assert!(bugzilla.lines().any(|found| found == line), "{line} in {bugzilla}");
    }
}

/// A tracker's fields are those of the project at fault, and one without a Bugzilla gets no text for one.
#[test]
fn each_project_has_its_own_tracker() {
    let mut bundle = bundle();
    for (culprit, head) in [
        ("GCC 16.2.0", "Product: gcc\nComponent: target\nVersion: 16.2.0\n"),
        ("GNU ld 2.44", "Product: binutils\nComponent: ld\nVersion: 2.44\n"),
        ("GNU gold 1.16", "Product: binutils\nComponent: gold\nVersion: 1.16\n"),
    ] {
        bundle.culprit = culprit.to_owned();
        assert!(file(&bundle, "bugzilla.txt").starts_with(head), "{culprit}");
    }
    for culprit in ["LLVM lld 22.1.8", "clang 23.1.4", "mold 3.0.0", "wild 0.10.0"] {
        bundle.culprit = culprit.to_owned();
        let names: Vec<String> = bundle.files().into_iter().map(|(name, _)| name).collect();
        assert!(!names.contains(&"bugzilla.txt".to_owned()), "{culprit}");
        assert!(names.contains(&"github.md".to_owned()), "{culprit}");
    }
}

#[test]
fn the_report_has_what_a_maintainer_asks_for() {
    let text = file(&bundle(), "report.md");
    for part in [
        "Back to the CIE's rule. (DWARF 5, 6.4.2.3)",
        "RA r0+0; expected: f",
        "  .sframe   cfa=rsp+8 ra=rax fp=same",
        "  .eh_frame cfa=rsp+8 ra=[cfa-8] fp=same",
        ">  .text+0x1  nop",
        "- GNU as: GNU assembler 2.47.50",
        "- Also in: 2.44",
        "- Not in: 2.40",
        "- Does not take this file: 2.41",
        "- sha256 of repro.s: abab",
        "(39 lines to 2 lines)",
        "fingerprint 28bb75b0b1b38686",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

/// The commands of the report are those that the script runs, word for word.
#[test]
fn the_commands_of_the_report_are_those_of_the_script() {
    let finding = Some(plain(RuleId::RowMissing));
    let link = Command {
        variable: "LD".to_owned(),
        program: "ld".to_owned(),
        words: ["-o", "repro", "repro.o"].map(str::to_owned).to_vec(),
    };
    let checks = [
        bundle().check,
        Check::Fails("Internal error".to_owned()),
        Check::NoSegment,
        Check::Rule(vec!["--static".to_owned()]),
        Check::Lacks("Num FDEs: 2".to_owned()),
        Check::ByEye,
    ];
    for check in checks {
        let mut bundle = Bundle { check, finding: finding.clone(), ..bundle() };
        bundle.commands.push(link.clone());
        let (report, script) = (file(&bundle, "report.md"), file(&bundle, "run.sh"));
        let block =
            report.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of commands");
        let commands: Vec<&str> = block.lines().collect();
        assert!(commands.len() >= 4, "{block}");
        for command in commands {
            assert!(script.lines().any(|line| line.starts_with(command)), "{command} in\n{script}");
        }
    }
}

/// Several sources: each is in every text under its name, is copied by the script, and has its sum.
#[test]
fn a_link_has_all_its_sources() {
    let mut bundle = bundle();
    let second = Repro { name: "two's.s".to_owned(), text: "\tret\n".to_owned(), sha256: "cd".repeat(32) };
    bundle.repros.push(second);
    let script = file(&bundle, "run.sh");
    assert!(script.contains(r#"cp "$here"/repro.s "$here"/'two'\''s.s' "$folder""#), "{script}");
    let report = file(&bundle, "report.md");
    for part in ["`repro.s`:\n", "`two's.s`:\n\n```asm\n\tret\n```", "- sha256 of two's.s: cdcd"] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
    for name in ["mail.txt", "bugzilla.txt", "github.md"] {
        let text = file(&bundle, name);
        assert!(text.contains("two's.s") && text.contains("\tret"), "{text}");
    }
    assert_eq!(file(&bundle, "two's.s"), "\tret\n");
}

#[test]
fn an_address_stands_with_its_function() {
    let mut bundle = bundle();
    if let Some(found) = &mut bundle.finding {
        *found = found.clone().about(".plt.got");
        found.place = "0x1010..0x1016".to_owned();
    }
    assert!(file(&bundle, "report.md").contains("\n0x1010..0x1016 in .plt.got\n"));
}

/// What readelf has to print, and what a linker may do instead of describing it.
#[test]
fn a_right_table_is_known_by_what_readelf_prints() {
    let with_rule = |rule: RuleId| {
        let finding = Some(plain(rule));
        let bundle = Bundle { check: Check::Lacks("Num FDEs: 2".to_owned()), finding, ..bundle() };
        (file(&bundle, "run.sh"), file(&bundle, "report.md"))
    };
    let (script, report) = with_rule(RuleId::LinkConserved);
    assert!(script.contains("if ! grep -E -q 'Num FDEs: 2' table; then") && !script.contains("refused"), "{script}");
    assert!(report.contains("readelf --sframe prints no line of: Num FDEs: 2"), "{report}");
    let (script, _) = with_rule(RuleId::LinkVersionsMixed);
    assert!(script.contains("no fault: refused") && script.contains("no fault: told"), "{script}");
}

/// A signal needs no words; without them every output would do.
#[test]
fn a_signal_is_known_by_its_exit_status_alone() {
    let bundle = Bundle { check: Check::Fails(String::new()), ..bundle() };
    let script = file(&bundle, "run.sh");
    assert!(script.contains("if [ \"$status\" -ge 128 ]; then\n") && !script.contains("grep"), "{script}");
}

/// What a tool printed, as it printed it, and not the finding's one line of it besides.
#[test]
fn a_failure_is_quoted_in_its_own_lines() {
    let mut bundle = Bundle { check: Check::Fails("Assertion".to_owned()), ..bundle() };
    bundle.failure = Some("ended by signal 6\nld: warning: no _start; using 0\nld: Assertion failed".to_owned());
    let report = file(&bundle, "report.md");
    let quoted = "```\nended by signal 6\nld: warning: no _start; using 0\nld: Assertion failed\n```";
    assert!(report.contains(quoted), "{report}");
    assert!(report.contains("- rule cfi/ra-differs, blame assembler"), "{report}");
}

#[test]
fn plain_texts_keep_to_72_columns_where_words_are_theirs() {
    let bundle = Bundle { commands: Vec::new(), ..bundle() };
    for line in file(&bundle, "mail.txt").lines().skip(1).filter(|line| !line.starts_with("  ")) {
        assert!(line.chars().count() <= 72, "{line}");
    }
}

#[test]
fn names_of_others_stay_names() {
    let evil = "a'; touch /tmp/x; $(reboot) `id`\n# <script>\u{1b}[2J";
    let mut bundle = bundle();
    bundle.title = evil.to_owned();
    bundle.check = Check::Row { pc: 1, column: 4, wrong: evil.to_owned(), right: evil.to_owned() };
    bundle.commands[0].words.push(evil.to_owned());
    if let Some(found) = &mut bundle.finding {
        found.place = evil.to_owned();
        found.window[0].place = evil.to_owned();
    }
    let script = file(&bundle, "run.sh");
    let bare = script.lines().filter(|line| line.contains("reboot") && !line.starts_with("# "));
    let quoted = shell(evil);
    for line in bare {
        assert!(line.contains(&quoted), "{line}");
        assert!(!line.replace(&quoted, "").contains("reboot"), "{line}");
    }
    assert_eq!(script.lines().nth(1).map(|line| line.starts_with("# GNU as")), Some(true));
    for (name, text) in bundle.files() {
        assert!(!text.contains('\u{1b}'), "{name} has a control character");
    }
    let report = file(&bundle, "report.md");
    assert!(!report.lines().any(|line| line.starts_with("# <script>")), "{report}");
    // Outside of code blocks nothing is markup.
    assert!(
        report.lines().next().is_some_and(|line| line.contains("&lt;script>") && line.contains(r"\`id\`")),
        "{report}"
    );
}

#[test]
fn what_explains_most_trials_comes_first() {
    let line = |key: &str, fingerprints: &[&str]| {
        let mut line = crate::page_sample::trials(1, 0).remove(0);
        line.key = key.to_owned();
        line.findings = fingerprints
            .iter()
            .map(|name| reread(&plain(RuleId::RowMissing), |json| json["fingerprint"] = (*name).into()))
            .collect();
        line
    };
    let lines = [line("a", &["1", "2", "2"]), line("b", &["2"]), line("c", &["3"])];
    let ranked = rank(&lines);
    let found: Vec<(&str, usize)> =
        ranked.iter().map(|found| (found.fingerprint.as_str(), found.trials.len())).collect();
    assert_eq!(found, [("2", 2), ("1", 1), ("3", 1)], "each once, by trials, then by name");
}
