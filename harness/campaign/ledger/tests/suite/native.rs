//! Bundles' tests in the formats of the projects, evaluated as the projects do: an affected version
//! fails, a fixed one passes.

#[path = "native/script.rs"]
mod script;

use std::fs;
use std::path::Path;
use std::process::Command;

use ledger::{Home, bundles};
use regex::{Regex, RegexBuilder};
use reports::bundle::files;
use results::ToolVersion;
use results::bundle::{Bundle, Check};
use toolchain::producers::{Producers, SHIPPED};
use toolchain::tool::Tool;

/// The checkout.
fn home() -> Home {
    Home { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..") }
}

/// Whether a version shows the bug; `None` if the data does not include it.
fn shows(bundle: &Bundle, version: &ToolVersion) -> Option<bool> {
    let others = &bundle.others;
    let wrong = *version == bundle.culprit.version || others.show.contains(version);
    (wrong || others.are_right.contains(version)).then_some(wrong)
}

/// A `.d` file: options by program, sources with their own options, lines, and whether they must
/// not match.
struct Dump<'a> {
    options: Vec<(&'a str, &'a str)>,
    sources: Vec<(&'a str, &'a str)>,
    lines: Vec<&'a str>,
    failif: bool,
}

impl<'a> Dump<'a> {
    fn read(text: &'a str) -> Dump<'a> {
        let mut dump = Dump { options: Vec::new(), sources: Vec::new(), lines: Vec::new(), failif: false };
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix('#').and_then(|rest| rest.split_once(": ")) {
                _ if line == "#failif" => dump.failif = true,
                Some(("source", source)) => dump.sources.push(source.split_once(' ').unwrap_or((source, ""))),
                Some((key, value)) => dump.options.push((key, value)),
                None => dump.lines.push(line),
            }
        }
        dump
    }

    fn option(&self, key: &str) -> Option<&'a str> {
        self.options.iter().find(|(option, _)| *option == key).map(|(_, value)| *value)
    }

    /// Matches like binutils: a complete line for an expression, `#...` for any lines, `#pass` for
    /// the rest.
    fn matches(&self, printed: &str) -> bool {
        let mut rest = printed.lines();
        let mut expressions = self.lines.iter().peekable();
        while let Some(line) = expressions.next() {
            match (*line, expressions.peek()) {
                ("#pass", _) | ("#...", None | Some(&&"#pass")) => return true,
                ("#...", Some(next)) => {
                    let next = whole(next);
                    expressions.next();
                    if !rest.any(|line| next.is_match(line)) {
                        return false;
                    }
                }
                (expression, _) => {
                    if !rest.next().is_some_and(|line| whole(expression).is_match(line)) {
                        return false;
                    }
                }
            }
        }
        rest.next().is_none()
    }
}

fn whole(expression: &str) -> Regex {
    Regex::new(&format!("^(?:{expression})$")).expect(expression)
}

/// Output of a program; `None` if it fails.
fn printed(program: &Path, words: &[&str], folder: &Path) -> Option<String> {
    let ran = Command::new(program).args(words).current_dir(folder).output().expect("a program");
    ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Returns true if a suite passes the test.
fn passes(dump: &Dump<'_>, tool: &Tool, triplet: &str, folder: &Path) -> bool {
    shown(dump, tool, triplet, folder).is_some_and(|shown| dump.matches(&shown) != dump.failif)
}

/// What a suite compares: the dump of what the tools make. None if one of them fails.
fn shown(dump: &Dump<'_>, tool: &Tool, triplet: &str, folder: &Path) -> Option<String> {
    let beside = |name: &str| tool.program.with_file_name(format!("{triplet}-{name}"));
    let mut objects = Vec::new();
    for (nth, (source, own)) in dump.sources.iter().enumerate() {
        objects.push(format!("{nth}.o"));
        let options = dump.option("as").unwrap_or_default();
        let words = options.split_whitespace().chain(own.split_whitespace()).chain(["-o", &objects[nth], source]);
        printed(&beside("as"), &words.collect::<Vec<_>>(), folder)?;
    }
    let mut looked_at = objects[0].clone();
    if let Some(options) = dump.option("ld") {
        looked_at = "linked".to_owned();
        let words = options.split_whitespace().chain(["-o", "linked"]).chain(objects.iter().map(String::as_str));
        printed(&beside("ld.bfd"), &words.collect::<Vec<_>>(), folder)?;
    }
    let (program, options) =
        ["objdump", "readelf"].into_iter().find_map(|name| Some((name, dump.option(name)?))).expect("a dump");
    let words: Vec<&str> = options.split_whitespace().chain([looked_at.as_str()]).collect();
    Some(printed(&beside(program), &words, folder).unwrap_or_default())
}

/// A dump with the bug as a fixed tool would print it; `None` if the check does not describe it.
fn fixed(check: &Check, shown: &str) -> Option<String> {
    let is_wrong = |word: &str, wrong: &str, or: &[String]| word == wrong || or.iter().any(|other| other == word);
    let lines: Vec<String> = match check {
        Check::Row { wrong, or, right, .. } if !wrong.is_empty() => {
            let right_of = |line: &str| {
                let cells = line.split_whitespace().map(|word| if is_wrong(word, wrong, or) { right } else { word });
                if line.trim_start().starts_with("00") { cells.collect::<Vec<_>>().join(" ") } else { line.to_owned() }
            };
            shown.lines().map(right_of).collect()
        }
        Check::Printed { wrong, or, .. } => {
            let has = |line: &&str| line.contains(wrong) || or.iter().any(|other| line.contains(other));
            shown.lines().filter(|line| !has(line)).map(str::to_owned).collect()
        }
        _ => return None,
    };
    Some(lines.join("\n"))
}

#[test]
fn dumps_fail_where_the_fault_is_and_pass_where_it_is_not() {
    let home = home();
    let producers = Producers::read(&home.root.join(SHIPPED), &home.root).expect("the shipped one");
    let (mut asked, mut corrected, mut wrong) = (0, 0, Vec::new());
    for name in bundles::names(&home).expect("a list") {
        let filing = bundles::read(&home, &name).expect("a bundle");
        let files = files(&filing);
        let Some((_, text)) = files.iter().find(|(file, _)| file == "test.d") else { continue };
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (file, text) in &files {
            fs::write(folder.path().join(file), text).expect("a file");
        }
        let dump = Dump::read(text);
        // An assembler's test is run by its own test suite; an old linker uses an old assembler.
        let tool = if dump.option("ld").is_some() { "ld" } else { "gas" };
        let triplet = filing.bundle.abi.facts().gnu_triplet;
        for tool in producers.tools(tool, filing.bundle.abi).unwrap_or_default() {
            let Some(shows) = shows(&filing.bundle, &tool.version) else { continue };
            let shown = shown(&dump, tool, triplet, folder.path());
            let passes = shown.as_ref().is_some_and(|shown| dump.matches(shown) != dump.failif);
            asked += 1;
            if passes == shows {
                wrong.push(format!("{name} with {}: it {}", tool.name(), if passes { "passes" } else { "fails" }));
            }
            // Also of a bug that no version has fixed: what a fixed one prints passes.
            let fixed = shown.filter(|_| shows).and_then(|shown| fixed(&filing.bundle.check, &shown));
            if let Some(fixed) = fixed {
                corrected += 1;
                if dump.matches(&fixed) == dump.failif {
                    wrong.push(format!("{name} with {}: it fails on a right dump\n{fixed}", tool.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Of the system's assembler and linker alone, 26 and 14.
    let system = producers.tools("gas", types::Abi::Amd64).is_ok_and(|tools| !tools.is_empty());
    assert!(!system || asked >= 20 && corrected >= 10, "{asked}, {corrected}");
}

/// The expression of a GCC test, applied to its assembly output and to the same with the directive
/// in the right place.
#[test]
fn a_scan_of_assembly_fails_where_the_directive_is_missing() {
    let home = home();
    let mut scanned = 0;
    for (name, holds, from, to) in [
        ("gcc-drap-epilogue", "popq\t%rbp\n", "popq\t%rbp\n", "popq\t%rbp\n\t.cfi_restore 6\n"),
        ("gcc-push-pop-constant", "pushq\t$2\n", "pushq\t$2\n", "pushq\t$2\n.L1:\n\t.cfi_adjust_cfa_offset 8\n"),
        ("gcc-aarch64-large-frame", "ldp\tx29, x30, [sp]\n", "[sp]\n", "[sp]\n\t.cfi_def_cfa 31, 1024\n"),
        (
            "gcc-s390x-restore-late",
            "lgdr\t%r11,%f2\n\t.cfi_restore 11\n\t.cfi_def_cfa_offset 160\n",
            "\t.cfi_def_cfa_offset 160\n",
            "",
        ),
    ] {
        let files = files(&bundles::read(&home, name).expect("a bundle"));
        let (_, test) = files.iter().find(|(file, _)| file == "test.c").expect("a test");
        let (_, rest) = test.split_once("dg-final { ").expect("a scan");
        let (scan, rest) = rest.split_once(" {(?n)").expect("an expression");
        let (expression, _) = rest.split_once("} } } */").expect("its end");
        let expression = RegexBuilder::new(expression).multi_line(true).build().expect("an expression");
        let passes = |body: &str| {
            let assembly = format!("test:\n\tnop\n\t{body}\tnop\n");
            expression.is_match(&assembly) == (scan == "scan-assembler")
        };
        assert!(!passes(holds), "{name} passes as it is");
        assert!(passes(&holds.replace(from, to)), "{name} fails with {to}");
        scanned += 1;
    }
    assert_eq!(scanned, 4);
    let scans = fs::read_dir(home.root.join("reports/known")).expect("bundles").flatten();
    let scans = scans.filter(|entry| entry.file_name().to_string_lossy().starts_with("gcc-") && entry.path().is_dir());
    assert_eq!(scans.count(), scanned, "a bundle of GCC that this test does not name");
}

/// Without the option that triggers the bug, the inputs are sorted, and the relocations that ld
/// keeps are right.
#[test]
fn kept_relocations_in_order_pass() {
    let home = home();
    let producers = Producers::read(&home.root.join(SHIPPED), &home.root).expect("the shipped one");
    let filing = bundles::read(&home, "ld-emit-relocs-order").expect("a bundle");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, text) in files(&filing) {
        fs::write(folder.path().join(file), text).expect("a file");
    }
    let text = fs::read_to_string(folder.path().join("test.d")).expect("a test").replace(" --sort-section=name", "");
    for tool in producers.tools("ld", filing.bundle.abi).unwrap_or_default() {
        assert!(passes(&Dump::read(&text), tool, "x86_64-linux-gnu", folder.path()), "{}", tool.name());
    }
}
