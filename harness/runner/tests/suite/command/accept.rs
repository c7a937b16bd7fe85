//! The ledger from end to end: a bug is new, is accepted, recurs as expected, expires, and is
//! missed once it is fixed.
//!
//! The bug is a wrong CFA that a fake assembler writes until the file `mended` exists.

use serde_json::Value;

use crate::command::support::Ran;
use crate::command::transcript::Transcript;
use crate::command::workshop::{ASSEMBLE, Fake, LINK, Workshop, about_leaf, line_of, problems, transcript};

const REASON: &str = "The last byte of .sframe, the CFA's offset in leaf, is 24 where the function has pushed nothing.";
const FUTURE: &str = "2999-12-31";

/// A workshop with a wrong assembler, its run, and the fingerprints of all new findings: the bug in
/// `leaf` is first.
fn erring() -> (Workshop, Vec<String>) {
    let workshop = Workshop::new();
    let body = format!("{ASSEMBLE} && {{ [ -e '{}' ] || wrong \"$out\"; }}", workshop.path("mended"));
    workshop.producers(&[
        workshop.assembler(&Fake { name: "fake", body: &body, more: "" }),
        workshop.linker(&Fake { name: "link", body: LINK, more: "" }),
    ]);
    let (ran, lines) = workshop.run();
    assert_eq!((ran.code, status(&lines)), (Some(1), "FAIL"), "{}", ran.stdout);
    let printed = about_leaf(line_of(&lines, "fake"));
    assert_eq!(printed.len(), 1, "{printed:?}");
    let mut all = vec![printed[0].2.clone()];
    let findings = lines[0]["findings"].as_array().expect("findings").iter();
    let others = findings.filter_map(|finding| finding["fingerprint"].as_str()).filter(|other| *other != all[0]);
    let others: Vec<String> = others.map(str::to_owned).collect();
    all.extend(others);
    // The output has commands to accept it, and other findings of the same cause, that can be
    // pasted.
    let words = format!("sframe-conformance accept {}", all[0]);
    let printed = ran.stdout.lines().find(|line| line.contains(&words)).unwrap_or_else(|| panic!("{}", ran.stdout));
    let filled = " --entry NAME --project fake --title 'fake: CFA is rsp+24, expected rsp+8 (AMD64)' --reason WHY --link unfiled --expires ";
    assert!(printed.contains(filled), "{printed}");
    (workshop, all)
}

fn status(lines: &[Value]) -> &str {
    line_of(lines, "fake")["status"].as_str().expect("a status")
}

/// Calls `accept` with all required options, one of them changed.
fn accept(workshop: &Workshop, findings: &[String], changed: (&str, &str)) -> Ran {
    let mut words = vec!["accept", "--results", "out"];
    words.extend(findings.iter().map(String::as_str));
    let wanted = [
        ("--entry", "leaf"),
        ("--title", "the CFA of leaf is wrong"),
        ("--reason", REASON),
        ("--link", "unfiled"),
        ("--expires", FUTURE),
    ];
    for (option, value) in wanted {
        words.extend([option, if changed.0 == option { changed.1 } else { value }]);
    }
    workshop.call(&words)
}

const UNCHANGED: (&str, &str) = ("", "");

/// An accepted bug is expected. It is new again once the entry has expired, or if another row is
/// wrong, and is missed once it is fixed. The output in each state is a golden file.
#[test]
fn what_is_accepted_is_expected_and_missed_once_it_is_fixed() {
    let (workshop, all) = erring();
    let mut told = transcript(&workshop.lines());
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    let entry = workshop.read("reports/known/leaf.yaml");
    let mut run = |what: &str, entry: &str, code: i32, word: &str| {
        workshop.write("reports/known/leaf.yaml", entry);
        let (ran, lines) = workshop.run();
        assert_eq!((ran.code, status(&lines)), (Some(code), word), "{what}: {}", ran.stdout);
        // Findings of the machine's assembler about `_start` are ignored.
        let is_of = |line: &&str| !line.contains("_start") && !line.contains("row/outermost");
        let blocks = ran.stdout.lines().filter(|line| line.starts_with("FAIL ") || line.starts_with("XPASS "));
        let problems = problems(&lines[0]);
        let said: String = blocks.chain(problems.lines()).filter(is_of).map(|line| format!("  {line}\n")).collect();
        told.text(&format!("{what}: {word}\n{said}"));
        lines
    };
    let lines = run("accepted", &entry, 0, "XFAIL");
    let known = |finding: &Value| finding["known"] == "leaf.yaml";
    assert!(lines[0]["findings"].as_array().expect("findings").iter().all(known), "{}", lines[0]);
    assert_eq!(problems(&lines[0]), "");

    let row = entry.lines().find(|line| line.contains("cfa=rsp+24 ")).expect("the wrong row");
    assert!(row.trim_start_matches([' ', '-']).trim_matches('\'').starts_with("cfa=rsp+24 "), "{row}");
    run("another row", &entry.replace("cfa=rsp+24 ", "cfa=rsp+32 "), 1, "FAIL");

    let lines = run("expired", &entry.replace(FUTURE, "2020-01-01"), 1, "FAIL");
    let said = problems(&lines[0]);
    assert!(!said.contains("new: row/cfa-matches-truth"), "it is known what it is: {said}");
    assert_eq!(accept(&workshop, &all[..1], UNCHANGED).code, Some(0));
    let renewed = workshop.read("reports/known/leaf.yaml");
    run("accepted again", &renewed, 0, "XFAIL");
    // The bundle is made from the first trial here that shows it.
    let bundled = workshop.call(&["bundle", "leaf", "--as-is", "--out", "filed"]);
    assert!(bundled.code == Some(0) && workshop.read("filed/mail.txt").contains("leaf"), "{bundled:?}");

    workshop.write("mended", "");
    run("mended", &renewed, 1, "XPASS");
    told.printed("entry.txt");
}

/// The printed command, with a reason in place of WHY, records all findings of the cause.
#[test]
fn the_printed_command_is_accepted() {
    let (workshop, all) = erring();
    let (ran, _) = workshop.run();
    let words = format!("sframe-conformance accept {}", all[0]);
    let line = ran.stdout.lines().find_map(|line| line.split_once(&words)).expect("it is printed").1;
    let mut quoted = line.split('\'').enumerate();
    let mut rest: Vec<String> = Vec::new();
    quoted.by_ref().for_each(|(at, part)| match at % 2 {
        1 => rest.push(part.to_owned()),
        _ => rest.extend(part.split_whitespace().map(str::to_owned)),
    });
    let typed = |reason: &str| {
        let rest = rest.iter().map(|word| if word == "WHY" { reason } else { word });
        workshop.call(&["accept", &all[0]].into_iter().chain(rest).collect::<Vec<_>>())
    };
    let ran = typed("WHY");
    assert!(ran.code == Some(3) && ran.stderr.contains("--reason: say in at least 40"), "{}", ran.stderr);
    assert_eq!(typed(REASON).code, Some(0));
    let (_, lines) = workshop.run();
    let findings = lines[0]["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|found| found["known"] == "NAME.yaml"), "{findings:?}");
}

/// Of a run with a filter only the trials that ran are known: no pattern matches the others.
#[test]
fn what_did_not_run_is_not_covered() {
    let (workshop, all) = erring();
    for name in ["yaml", "amd64.s"] {
        let text = workshop.read(&format!("cases/frames/no-fp.{name}")).replace("no-fp.amd64.s", "other.amd64.s");
        workshop.write(&format!("cases/frames/other.{name}"), &text);
    }
    let pattern = |filter: &[&str]| {
        assert_eq!(workshop.call(&[&["run", "--out", "out"], filter].concat()).code, Some(1));
        assert_eq!(accept(&workshop, &all[..1], UNCHANGED).code, Some(0));
        let entry = workshop.read("reports/known/leaf.yaml");
        std::fs::remove_file(workshop.path("reports/known/leaf.yaml")).expect("an entry");
        entry
            .lines()
            .skip_while(|line| line.trim() != "in:")
            .nth(1)
            .map(|line| line.trim().to_owned())
            .expect("a pattern")
    };
    // Both cases show it.
    assert!(!pattern(&[]).contains("no-fp"), "{}", pattern(&[]));
    assert!(pattern(&["--filter", "no-fp"]).ends_with("frames::no-fp"), "{}", pattern(&["--filter", "no-fp"]));
}

/// The list of all bugs, if it exists, is updated immediately.
#[test]
fn what_is_accepted_is_listed() {
    let (workshop, all) = erring();
    workshop.write("reports/known/README.md", "# Known\n\n| Bug |\nstale\n");
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    let list = workshop.read("reports/known/README.md");
    assert!(
        list.starts_with("# Known\n\n| Bug | Affected versions |") && list.contains("](leaf.yaml) | fake "),
        "{list}"
    );
    assert!(!list.contains("stale"), "{list}");
}

/// No run would ever check such an entry.
#[test]
fn an_entry_that_shows_nowhere_is_refused() {
    let (workshop, _) = erring();
    let entry = "title: t\nproject: fake\nversions: {first: '1', last: '1'}\nblame: assembler\nreason: r\nlink: unfiled\nadded: '2026-01-01'\n\
                 expires: '2998-01-01'\n";
    workshop.write("reports/known/silent.yaml", entry);
    std::fs::create_dir(workshop.path("cases/found")).expect("a folder");
    let class = "- {class: c, verdict: wrong, entries: [NAMED], by: [fake@1], what: [hang]}\n";
    workshop.write("cases/found/classes.yaml", &class.replace("NAMED", "another"));
    let ran = workshop.call(&["run", "--out", "out"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("silent.yaml: it has no findings, and no class of cases/found names it"),
        "{}",
        ran.stderr
    );
    workshop.write("cases/found/classes.yaml", &class.replace("NAMED", "silent"));
    let ran = workshop.call(&["run", "--out", "out"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

/// A key that matches nothing fails if its tools are installed, and is ignored if they are not.
#[test]
fn an_idle_key_fails_the_run_where_its_producer_took_part() {
    let (workshop, all) = erring();
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    let entry = workshop.read("reports/known/leaf.yaml");
    let with = |key: &str| {
        let text = entry.replacen("  in:\n", &format!("  in:\n  - '{key}'\n"), 1);
        assert_ne!(text, entry, "{entry}");
        workshop.write("reports/known/leaf.yaml", &text);
        workshop.run().0
    };
    let ran = with("fake::amd64::*::frames::renamed");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("IDLE leaf.yaml: fake::amd64::*::frames::renamed: "), "{}", ran.stdout);
    for elsewhere in
        ["other@1.0::amd64::v1::frames::no-fp", "fake::s390x::*::frames::no-fp", "fake::amd64::v1::c::leaf+gcc@99+O2"]
    {
        let ran = with(elsewhere);
        assert_eq!(ran.code, Some(0), "{elsewhere}: {}", ran.stdout);
        assert!(!ran.stdout.contains("IDLE"), "{elsewhere}: {}", ran.stdout);
    }
}

/// A key that leaves a case's partners open matches nothing if they are not installed: only a
/// machine with all of them can show that it is idle.
#[test]
fn a_key_with_open_partners_is_idle_where_all_of_them_are_here() {
    let (workshop, all) = erring();
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    let entry = workshop.read("reports/known/leaf.yaml");
    let text = entry.replacen("  in:\n", "  in:\n  - fake::amd64::v1::frames::renamed+*\n", 1);
    workshop.write("reports/known/leaf.yaml", &text);
    let (ran, _) = workshop.run();
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("IDLE leaf.yaml: fake::amd64::v1::frames::renamed+*"), "{}", ran.stdout);

    // A wanted version that is not installed may be the partner, and so may be one that the user's
    // own file omits.
    let file = workshop.read("ci/producers.yaml");
    let wanting =
        file.replacen("  kind: assembler\n", "  kind: assembler\n  wanted: [{version: \"99\", from: nowhere}]\n", 1);
    assert_ne!(file, wanting, "{file}");
    let own = workshop.write("own.yaml", &file);
    let ran = workshop.call(&["run", "--out", "out", "--filter", "no-fp", "--producers", &own]);
    assert!(ran.code == Some(0) && !ran.stdout.contains("IDLE"), "{}", ran.stdout);
    workshop.write("ci/producers.yaml", &wanting);
    let (ran, _) = workshop.run();
    assert!(ran.code == Some(0) && !ran.stdout.contains("IDLE"), "{}", ran.stdout);
}

/// A frozen object of a tool does not mean that the tool is installed.
#[test]
fn a_frozen_object_does_not_make_its_producers_keys_idle() {
    let (workshop, all) = erring();
    let name = |entry: &str| format!("- {entry}\n");
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    let shipped = crate::command::support::objects();
    let text = std::fs::read_to_string(shipped.join("objects.yaml")).expect("objects.yaml");
    workshop.write("cases/objects/objects.yaml", &text);
    let entry = workshop.read("reports/known/leaf.yaml");
    let with = |key: &str| {
        let text = entry.replacen("  in:\n", &format!("  in:\n  {}", name(key)), 1);
        workshop.write("reports/known/leaf.yaml", &text);
        workshop.call(&["run", "--out", "out", "--filter", "no-fp"])
    };
    let ran = with("gas@2.40::amd64::v1::frames::no-fp");
    assert!(!ran.stdout.contains("IDLE"), "{}", ran.stdout);
    let ran = with("gas@2.40::amd64::v1::objects::no-such-object");
    assert!(ran.stdout.contains("IDLE leaf.yaml: gas@2.40::amd64::v1::objects::no-such-object"), "{}", ran.stdout);
    assert_eq!(ran.code, Some(1));
}

#[test]
fn accepting_is_refused_without_what_makes_it_mean_something() {
    let (workshop, all) = erring();
    let mut told = Transcript::new(&[(&workshop.path(""), "")]);
    let mut refused = |what: &str, ran: Ran| told.refused(&format!("accept {what}"), &ran);
    for (option, values) in [
        ("--reason", &["", "it is genuine", "                                                  "][..]),
        ("--link", &["", "http://example.org/1", "https://", "bug 1"]),
        (
            "--expires",
            &["2020-01-01", "never", "2999-13-01", "2999-02-29", "2999-04-31", "2999-01-00", "2999-1-1", "3000-01-01 "],
        ),
        ("--entry", &["", "../leaf", "a b"]),
    ] {
        for value in values {
            refused(&format!("{option} '{value}'"), accept(&workshop, &all, (option, value)));
        }
    }
    refused("0123456789abcdef", accept(&workshop, &["0123456789abcdef".to_owned()], UNCHANGED));

    // The required options.
    let words = ["--reason", REASON, "--link", "unfiled", "--expires", FUTURE, "--entry", "leaf", "--title", "t"];
    for missing in ["--reason", "--link", "--expires", "--entry", "--title"] {
        let pairs = words.chunks(2).filter(|pair| pair[0] != missing).flatten().copied();
        let words: Vec<&str> = ["accept", "--results", "out", all[0].as_str()].into_iter().chain(pairs).collect();
        refused(&format!("(without {missing})"), workshop.call(&words));
    }
    let written = std::fs::read_dir(workshop.path("reports/known")).expect("the ledger").count();
    assert_eq!(written, 0, "a refusal writes nothing");

    // A workshop without results.
    let workshop = Workshop::new();
    workshop.producers(&[]);
    refused("without results", accept(&workshop, &["0123456789abcdef".to_owned()], UNCHANGED));
    told.printed("refusals.txt");
}

/// A trial of another project with a similar finding, before the first of the entry's project, does
/// not determine the entry's version.
#[test]
fn an_entry_begins_with_a_trial_of_its_project() {
    let (workshop, all) = erring();
    let results = workshop.read("out/results.jsonl");
    let line = results.lines().find(|line| line.contains(&all[0])).expect("the bug");
    assert!(line.contains("\"fake@"), "{line}");
    workshop.write("out/results.jsonl", &format!("{}\n{results}", line.replace("\"fake@", "\"another@")));
    let words = ["accept", "--results", "out", &all[0], "--entry", "leaf", "--title", "t", "--reason", REASON];
    let more = ["--link", "unfiled", "--expires", FUTURE, "--project"];
    let of = |project| workshop.call(&[&words[..], &more, &[project]].concat());
    let ran = of("absent");
    assert!(ran.code == Some(3) && ran.stderr.contains("no trial of absent of these results shows"), "{}", ran.stderr);
    assert_eq!(of("fake").code, Some(0));
    let text = workshop.read("reports/known/leaf.yaml");
    assert!(!text.contains("first: ''") && !text.contains("another"), "{text}");
}

/// Records of an entry about other machines and versions stay, because this run cannot check them.
#[test]
fn adding_to_an_entry_keeps_what_it_knows() {
    let (workshop, all) = erring();
    workshop.write(
        "reports/known/leaf.yaml",
        "title: a title\nproject: fake\nversions: {first: '0.1', last: '0.2', fixed: '0.3'}\nblame: assembler\nreason: an old reason\n\
         link: https://example.org/1\nadded: '2026-01-01'\nexpires: '2998-01-01'\nfindings:\n\
         - rules: [row/outermost]\n  in: ['fake::s390x::v1::frames::other']\n  except: ['fake::s390x::v1::frames::no']\n  \
         functions: [other_function]\n  rows: ['cfa=r15+168 where cfa=r15+160']\n",
    );
    let ran = accept(&workshop, &all, ("--title", "another title"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = workshop.read("reports/known/leaf.yaml");
    for kept in [
        "title: a title",
        "first: '0.1'",
        "an old reason",
        REASON,
        "link: https://example.org/1",
        "2026-01-01",
        FUTURE,
        "fake::s390x::v1::frames::other",
        "fake::s390x::v1::frames::no",
        "other_function",
        "cfa=r15+168 where cfa=r15+160",
    ] {
        assert!(text.contains(kept), "{kept} is lost:\n{text}");
    }
    assert!(!text.contains("fixed"), "a version that shows it is not right:\n{text}");
    let (ran, lines) = workshop.run();
    assert_eq!((ran.code, status(&lines)), (Some(0), "XFAIL"), "{}\n{text}", ran.stdout);

    // Accepting again duplicates nothing.
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    assert_eq!(workshop.read("reports/known/leaf.yaml"), text);
}

/// A later version that shows a known bug becomes the last affected one, once.
#[test]
fn a_look_raises_the_last_version() {
    let (workshop, all) = erring();
    assert_eq!(accept(&workshop, &all, UNCHANGED).code, Some(0));
    let entry = workshop.read("reports/known/leaf.yaml");
    let older = entry.lines().map(|line| match line.split_once(": ") {
        Some(("  first", _)) => "  first: '2.30'\n".to_owned(),
        Some(("  last", _)) => "  last: '2.31'\n".to_owned(),
        _ => format!("{line}\n"),
    });
    workshop.write("reports/known/leaf.yaml", &older.collect::<String>());
    let (ran, lines) = workshop.run();
    assert_eq!((ran.code, status(&lines)), (Some(0), "XFAIL"), "{}", ran.stdout);
    let looked = workshop.call(&["accept", "--look", "--results", "out"]);
    assert!(looked.code == Some(0) && looked.stdout.contains("leaf.yaml: 2.31 -> "), "{looked:?}");
    let raised = workshop.read("reports/known/leaf.yaml");
    assert!(raised.contains("2.30") && !raised.contains("2.31"), "{raised}");
    let again = workshop.call(&["accept", "--look", "--results", "out"]);
    assert!(again.code == Some(0) && again.stdout.is_empty(), "{again:?}");
}
