//! The directory of a finding: its files, agreement of their texts, and quoting of external names.

use reports::bundle::{files, list};
use reports::escape::shell;
use results::bundle::{
    Astray, Banner, Bugzilla, Bundle, Check, Clause, Column, Command, Culprit, Dump, Filing, Line, ListedBug,
    ListedBundle, Named, Others, Part, Provenance, Reading, ReducedFinding, Source,
};
use results::{Blame, EntryClass, Finding, Shape, ToolVersion};
use spec::RuleId;
use types::{Abi, Aspect, SframeVersion};

use testing::printed;

/// A finding of this rule with no other data.
fn plain(rule: RuleId) -> Finding {
    Finding::new(rule, Blame::Assembler, "", Shape::Rule)
}

/// A displayed finding of this rule with no other data.
fn shown(rule: RuleId) -> ReducedFinding {
    ReducedFinding { named: Named::Fingerprint("28bb75b0b1b38686".to_owned()), ..ReducedFinding::from(&plain(rule)) }
}

pub(crate) fn culprit(name: &str, version: &str, bugzilla: Option<(&str, &str)>) -> Culprit {
    let bugzilla =
        bugzilla.map(|(product, component)| Bugzilla { product: product.to_owned(), component: component.to_owned() });
    Culprit { name: name.to_owned(), version: ToolVersion::new(version), bugzilla, own_build: false }
}

pub(crate) fn filing() -> Filing {
    let [wrong_row, right_row] = ["cfa=rsp+8 ra=rax fp=same", "cfa=rsp+8 ra=[cfa-8] fp=same"].map(str::to_owned);
    let line = |place: &str, wrong| Line {
        place: place.to_owned(),
        text: "nop".to_owned(),
        truth: String::new(),
        sframe: wrong_row.clone(),
        eh_frame: right_row.clone(),
        wrong,
    };
    let reading = |row: &String| Some(Reading { row: row.clone(), cfa: None, ra: None, fp: None });
    let finding = ReducedFinding {
        field: Aspect::Ra,
        place: ".text+0x1..0x2".to_owned(),
        window: vec![line(".text", false), line(".text+0x1", true)],
        sframe: reading(&wrong_row),
        eh_frame: reading(&right_row),
        message: String::new(),
        ..shown(RuleId::CfiRaDiffers)
    };
    let mut others = Others::default();
    for (version, shows) in [("2.40", Some(false)), ("2.44", Some(true)), ("2.41", None)] {
        others.add(&ToolVersion::new(version), shows);
    }
    let bundle = Bundle {
        title: ".cfi_restore of RA does nothing".to_owned(),
        culprit: culprit("GNU as", "2.47.50", Some(("binutils", "gas"))),
        abi: Abi::Amd64,
        targets: vec![Abi::Amd64, Abi::S390x],
        sframe: Some(SframeVersion::V3),
        finding: Some(finding),
        clause: Some(Clause { section: "DWARF 5, 6.4.2.3".to_owned(), demand: "Back to the CIE's rule.".to_owned() }),
        note: "What happens is told here in a sentence that is longer than seventy-two columns are wide.".to_owned(),
        sources: vec![Source { name: "repro.s".to_owned(), sha256: "ab".repeat(32), code_of: None }],
        commands: vec![Command {
            variable: "AS".to_owned(),
            program: "x86_64-linux-gnu-as".to_owned(),
            words: ["--gsframe", "-o", "repro.o", "repro.s"].map(str::to_owned).to_vec(),
        }],
        tools: vec![Banner { name: "GNU as".to_owned(), says: "GNU assembler 2.47.50".to_owned() }],
        others,
        check: row("r0+0", "f"),
        found: Provenance {
            by: "execution, cfi/x".to_owned(),
            trial: Some("gas@2.47.50::amd64::v3::cfi::x".to_owned()),
            before: Some("39 lines".parse().expect("a size")),
            after: Some("2 lines".parse().expect("a size")),
            ..Provenance::default()
        },
        printed: None,
        expected: None,
        program: None,
        entry: None,
        tried: Vec::new(),
        remark: None,
    };
    Filing { bundle, texts: vec!["\t.cfi_startproc\n\tnop\n".to_owned()], program: None, upstream: None }
}

fn row(wrong: &str, right: &str) -> Check {
    let (wrong, right) = (wrong.to_owned(), right.to_owned());
    Check::Row { pc: 1, section: None, column: Column::Ra, wrong, or: Vec::new(), right }
}

/// The bundle with another check.
pub(crate) fn seen_by(check: Check) -> Filing {
    let mut filing = filing();
    filing.bundle.check = check;
    filing
}

pub(crate) fn file(filing: &Filing, name: &str) -> String {
    let files = files(filing);
    files.into_iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("no {name}")).1
}

/// Each kind of check, with a name for the tests.
fn checks() -> Vec<(&'static str, Filing)> {
    let printed = |dump, within, wrong: &str, means: &str| Check::Printed {
        dump,
        within,
        wrong: wrong.to_owned(),
        or: Vec::new(),
        means: means.to_owned(),
    };
    let of_rule = |rule| {
        let mut filing = seen_by(Check::Lacks { line: "Num FDEs: 2".to_owned(), of: None });
        filing.bundle.finding = Some(shown(rule));
        filing
    };
    let mut failure = seen_by(Check::failure("Assertion"));
    failure.bundle.printed =
        Some("ended by signal 6\nld: warning: no _start; using 0\nld: Assertion failed".to_owned());
    let mut cie = seen_by(printed(Dump::Frames, Part::Cie, "DW_CFA_nop", "the CIE has it"));
    cie.bundle.printed = Some("CIE\n  DW_CFA_nop\u{1b}[2J\n".to_owned());
    cie.bundle.expected = Some("no DW_CFA_nop".to_owned());
    let (section, right) = (Some(".plt.got".to_owned()), "sp+8".to_owned());
    let linked = Check::Row { pc: 0, section, column: Column::Cfa, wrong: String::new(), or: Vec::new(), right };
    vec![
        ("a row", filing()),
        ("a row of a linked file, which has none", seen_by(linked)),
        ("a tool that fails, with words", failure),
        ("a tool that is ended by a signal", seen_by(Check::failure(""))),
        ("words in what readelf prints of the table", seen_by(printed(Dump::Sframe, Part::All, "wrong", "wrong"))),
        ("words in what it prints of a CIE", cie),
        ("a line that is not there", of_rule(RuleId::LinkConserved)),
        ("a line that is not there, where refusing is right", of_rule(RuleId::LinkVersionsMixed)),
        ("functions out of order", seen_by(Check::StartsDescend)),
        ("a tool that says nothing", seen_by(Check::Silence { functions: 1 })),
        ("no segment", seen_by(Check::NoSegment)),
        ("the exit status of the program", seen_by(Check::Exit { right: 0 })),
        ("a rule of this program", seen_by(Check::Rule { options: vec!["--static".to_owned()] })),
        ("a file", seen_by(Check::File { name: "repro.so".to_owned(), options: vec!["--explore".to_owned()] })),
        ("relocations", seen_by(Check::Relocations { fault: Astray::Order })),
        ("nothing but eyes", seen_by(Check::ByEye)),
    ]
}

/// Actual and expected behaviour, and the check in the script.
#[test]
fn each_way_of_seeing_a_fault_is_read() {
    let part = |text: &str, from: &str, to: &str| {
        let rest = text.split_once(from).unwrap_or_else(|| panic!("no {from}: {text}")).1;
        rest.split(to).next().expect("a part").to_owned()
    };
    let texts = checks().into_iter().map(|(name, filing)| {
        let actual = part(&file(&filing, "report.md"), "\n## Actual\n", "\n## Evidence");
        let actual = actual.split("\n## Test").next().expect("a part").replace("## Expected", "Expected:");
        let look = part(&file(&filing, "run.sh"), "cd \"$folder\" || exit 2\n\n", "never");
        format!("# {name}\n\nActual:\n{actual}\nrun.sh:\n\n{look}")
    });
    printed!("filed-checks.txt", &texts.collect::<Vec<_>>().join("\n"));
}

/// For a link: each source is in every text under its name, whatever the name.
#[test]
fn a_report_and_its_script_are_read() {
    let mut filing = filing();
    filing.bundle.sources.push(Source { name: "two's.s".to_owned(), sha256: "cd".repeat(32), code_of: None });
    filing.texts.push("\tret\n".to_owned());
    if let Some(shown) = &mut filing.bundle.finding {
        shown.function = ".plt.got".to_owned();
        shown.place = "0x1010..0x1016".to_owned();
    }
    printed!("filed-report.txt", &(file(&filing, "report.md") + "\nrun.sh:\n\n" + &file(&filing, "run.sh")));
    for name in ["mail.txt", "bugzilla.txt", "github.md"] {
        let text = file(&filing, name);
        assert!(text.contains("two's.s") && text.contains("\tret"), "{text}");
    }
    assert_eq!(file(&filing, "two's.s"), "\tret\n");
}

/// The commands of the report are exactly those that the script runs.
#[test]
fn the_commands_of_the_report_are_those_of_the_script() {
    let link = Command {
        variable: "LD".to_owned(),
        program: "ld".to_owned(),
        words: ["-o", "repro", "repro.o"].map(str::to_owned).to_vec(),
    };
    for (_, mut filing) in checks() {
        filing.bundle.commands.push(link.clone());
        let (report, script) = (file(&filing, "report.md"), file(&filing, "run.sh"));
        let block =
            report.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of commands");
        let commands: Vec<&str> = block.lines().collect();
        assert!(commands.len() >= 4, "{block}");
        for command in commands {
            assert!(script.lines().any(|line| line.starts_with(command)), "{command} in\n{script}");
        }
    }
}

#[test]
fn plain_texts_keep_to_72_columns_where_words_are_theirs() {
    let mut filing = filing();
    filing.bundle.commands.clear();
    for line in file(&filing, "mail.txt").lines().skip(1).filter(|line| !line.starts_with("  ")) {
        assert!(line.chars().count() <= 72, "{line}");
    }
}

#[test]
fn names_of_others_stay_names() {
    let evil = "a'; touch /tmp/x; $(reboot) `id`\n# <script>\u{1b}[2J";
    let mut filing = filing();
    filing.bundle.title = evil.to_owned();
    filing.bundle.check = row(evil, evil);
    filing.bundle.commands[0].words.push(evil.to_owned());
    if let Some(shown) = &mut filing.bundle.finding {
        shown.place = evil.to_owned();
        shown.window[0].place = evil.to_owned();
    }
    let script = file(&filing, "run.sh");
    let bare = script.lines().filter(|line| line.contains("reboot") && !line.starts_with("# "));
    let quoted = shell(evil);
    for line in bare {
        assert!(line.contains(&quoted), "{line}");
        assert!(!line.replace(&quoted, "").contains("reboot"), "{line}");
    }
    assert_eq!(script.lines().nth(1).map(|line| line.starts_with("# GNU as")), Some(true));
    for (name, text) in files(&filing) {
        assert!(!text.contains('\u{1b}'), "{name} has a control character");
    }
    let report = file(&filing, "report.md");
    assert!(!report.lines().any(|line| line.starts_with("# <script>")), "{report}");
    // Outside of code nothing is markup.
    assert!(
        report.lines().next().is_some_and(|line| line.contains("`id` # &lt;script>") && line.contains(r"\[2J")),
        "{report}"
    );
}

/// One line for each entry, with or without a directory; equal remarks are printed once.
#[test]
fn the_list_has_every_entry() {
    let hand = ListedBundle { remark: Some("Look twice.".to_owned()), another: None };
    let entry = |name: &str, bundle| ListedBug {
        name: name.to_owned(),
        title: "a | title".to_owned(),
        tools: "gas 2.40 to 2.44".to_owned(),
        fixed: None,
        link: "unfiled".to_owned(),
        class: EntryClass::Bug,
        because: None,
        bundle,
    };
    let because = Some("no | code for it".to_owned());
    let apart = ListedBug { class: EntryClass::NotImplemented, because, ..entry("e", None) };
    let bugs = [
        entry("a", Some(ListedBundle::default())),
        entry("b", None),
        entry("c", Some(hand.clone())),
        entry("d", Some(ListedBundle { another: Some(Abi::Amd64), ..hand })),
    ];
    let entries: Vec<ListedBug> = [apart].into_iter().chain(bugs).collect();
    let text = list(&entries);
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            r"| [a \| title](a/) | gas 2.40 to 2.44 |  | unfiled |",
            r"| [a \| title](b.yaml) | gas 2.40 to 2.44 |  | unfiled |",
            r"| [a \| title](c/) [^1] | gas 2.40 to 2.44 |  | unfiled |",
            r"| [a \| title: another reproducer (x86-64)](d/) [^1] | gas 2.40 to 2.44 |  | unfiled |",
            "",
            "## Not implemented",
            "",
            "| Cause | Affected versions | Fixed in | Report | Why it is not a bug |",
            "|---|---|---|---|---|",
            r"| [a \| title](e.yaml) | gas 2.40 to 2.44 |  | unfiled | no \| code for it |",
            "",
            "[^1]: Look twice.",
        ]
    );
}
