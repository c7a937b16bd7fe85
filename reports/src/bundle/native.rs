//! A test in the form of the project at fault: gas and ld have a dump that is compared with a file `.d`, GCC a source that scans its assembly,
//! LLVM a source with RUN lines. Made of the bundle's data alone. None where what is wrong has no plain form there.

use std::fmt::Write as _;

use model::Abi;
use model::bundle::{Bundle, Check, Column, Command, Dump, Fault};

use super::Filing;
use crate::escape::{one_line, shell};

/// A file of a test.
pub(super) struct Test {
    /// Its name in the bundle's folder.
    pub(super) name: &'static str,
    /// Whose form it is, for a sentence that ends in its name.
    pub(super) form: &'static str,
    pub(super) text: String,
}

/// The test, where there is one.
pub(super) fn test(filing: &Filing) -> Option<Test> {
    let bundle = &filing.bundle;
    let source = || filing.texts.first().map(String::as_str);
    match bundle.culprit.name.as_str() {
        "GNU as" => Some(Test {
            name: "test.d",
            form: "For gas/testsuite, run by run_dump_test, beside its source:",
            text: of_gas(bundle)?,
        }),
        "GNU ld" => Some(Test {
            name: "test.d",
            form: "For ld/testsuite, run by run_dump_test, beside its sources:",
            text: of_ld(bundle)?,
        }),
        "GCC" => {
            Some(Test { name: "test.c", form: "For gcc.target in gcc/testsuite:", text: of_gcc(bundle, source()?)? })
        }
        "clang" => {
            let (name, text) = of_clang(bundle, source()?)?;
            Some(Test { name, form: "For lit:", text })
        }
        _ => None,
    }
}

/// Lines that a `.d` begins with: its name, sources, options and target.
fn dump_head(bundle: &Bundle, sources: &[String], assembler: &str) -> String {
    let mut text = format!("#name: SFrame: {}\n", one_line(&bundle.title));
    for source in sources {
        let _ = writeln!(text, "#source: {source}");
    }
    if !assembler.is_empty() {
        let _ = writeln!(text, "#as: {assembler}");
    }
    text
}

fn target(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "x86_64-*-*",
        Abi::Aarch64 => "aarch64-*-*",
        Abi::Aarch64Be => "aarch64_be-*-*",
        Abi::S390x => "s390x-*-*",
    }
}

fn of_gas(bundle: &Bundle) -> Option<String> {
    let [command] = bundle.commands.as_slice() else { return None };
    let source = one_line(&bundle.sources.first()?.name);
    let mut text = dump_head(bundle, &[source], &options(bundle, command));
    text += &compared(bundle)?;
    Some(text)
}

/// What of a dump is compared, and the target.
fn compared(bundle: &Bundle) -> Option<String> {
    let target = target(bundle.abi);
    Some(match &bundle.check {
        // That there is an object is all.
        Check::Failure { .. } => format!("#objdump: -h\n#target: {target}\n\n#...\n.* \\.text .*\n#pass\n"),
        // That the wrong row is not there: a right table may have another in its place, or leave the function out.
        Check::Row { pc, section: None, column, wrong, or, .. } => {
            let line = row(&format!("0*{pc:x}"), *column, &any(wrong, or));
            format!("#objdump: --sframe=.sframe\n#target: {target}\n#failif\n\n#...\n{line}\n#pass\n")
        }
        Check::Row { section: Some(_), column, wrong, or, .. } => {
            let start = bundle.finding.as_ref()?.place.split("..").next()?.trim_start_matches("0x").to_owned();
            let line = row(&format!("0*(?:{start})?"), *column, &any(wrong, or));
            format!(
                "#readelf: --sframe\n#target: {target}\n#failif\n\n#...\n *func idx \\[[0-9]+\\]: pc = 0x{start}, .*\n *STARTPC.*\n{line}\n\
                 #pass\n"
            )
        }
        Check::Printed { dump, wrong, or, .. } => {
            let option = match dump {
                Dump::Sframe => "--sframe",
                Dump::Frames => "-wf",
            };
            format!("#readelf: {option}\n#target: {target}\n#failif\n\n#...\n.*{}.*\n#pass\n", any(wrong, or))
        }
        Check::Lacks { line, .. } => format!("#readelf: --sframe\n#target: {target}\n\n#...\n.*{line}.*\n#pass\n"),
        Check::Directive { .. }
        | Check::Relocations { .. }
        | Check::StartsDescend
        | Check::Silence
        | Check::NoSegment
        | Check::Rule { .. }
        | Check::ByEye => return None,
    })
}

/// A line of a dump: the start, three cells, of which one is an expression.
fn row(start: &str, column: Column, cell: &str) -> String {
    let cells = [Column::Cfa, Column::Fp, Column::Ra].map(|other| match other == column {
        true => cell.to_owned(),
        false => "[^ ]+".to_owned(),
    });
    format!(" *{start} +{} *", cells.join(" +"))
}

fn of_ld(bundle: &Bundle) -> Option<String> {
    let (link, assembled) = bundle.commands.split_last()?;
    if link.variable != "LD" || assembled.is_empty() || assembled.iter().any(|command| command.variable != "AS") {
        return None;
    }
    // In the order in which they are linked.
    let inputs = link.words.iter().filter_map(|word| assembled.iter().find(|command| output(command) == Some(word)));
    let inputs: Vec<&Command> = inputs.collect();
    let own = |command: &&Command| options(bundle, command);
    // What a source has of its own is added to what all have.
    let common = inputs.iter().map(own).reduce(|all, own| shared(&all, &own))?;
    let source = |command: &&Command| {
        let name = command.words.last().map(|name| one_line(name)).unwrap_or_default();
        let more = own(command);
        let more = more.strip_prefix(&common).unwrap_or_default().trim();
        format!("{name} {more}").trim_end().to_owned()
    };
    let sources: Vec<String> = inputs.iter().map(source).collect();
    let mut text = dump_head(bundle, &sources, &common);
    let _ = writeln!(text, "#ld: {}", options(bundle, link));
    text += &compared(bundle)?;
    Some(text)
}

/// The first words of both.
fn shared(one: &str, other: &str) -> String {
    let words = one.split(' ').zip(other.split(' ')).take_while(|(one, other)| one == other);
    words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

fn of_gcc(bundle: &Bundle, source: &str) -> Option<String> {
    let Check::Directive { after, directive, earlier: false, fault, .. } = &bundle.check else { return None };
    let words = options(bundle, bundle.commands.first()?);
    let scan = match fault {
        Fault::Absent => "scan-assembler",
        Fault::Early => "scan-assembler-not",
    };
    // Between braces nothing is replaced, and a backslash stays one. GCC parts words by tabs and blanks.
    let (after, directive) = (tcl(after), tcl(directive));
    let name = super::words::machine_of_gcc(bundle.abi);
    Some(format!(
        "/* {{ dg-do compile {{ target {name} }} }} */\n/* {{ dg-options \"{words}\" }} */\n{source}\n\
         /* {{ dg-final {{ {scan} {{(?n)^\\s*{after}\\s*\\n(\\s*\\..*\\n)*\\s*{directive}}} }} }} */\n"
    ))
}

/// An expression over lines of words with one blank between them, for assembly as GCC writes it.
fn tcl(expression: &str) -> String {
    let (core, rest) = unanchored(expression);
    core.replace(", ", r",\s*").replace(' ', r"\s+") + rest
}

/// An expression without its anchors, and what the rest of a line may be.
fn unanchored(expression: &str) -> (String, &'static str) {
    let expression = one_line(expression);
    let core = expression.strip_prefix('^').unwrap_or(&expression);
    match core.strip_suffix('$').filter(|core| !core.ends_with('\\')) {
        Some(core) => (core.to_owned(), ""),
        None => (core.to_owned(), ".*"),
    }
}

fn of_clang(bundle: &Bundle, source: &str) -> Option<(&'static str, String)> {
    let words = options(bundle, bundle.commands.first()?);
    match &bundle.check {
        Check::Directive { function, after, before: None, directive, earlier: false, fault: Fault::Absent } => {
            let (function, after, directive) = (one_line(function), lit(after), lit(directive));
            // Labels may stand between the two, instructions not.
            let text = format!(
                "// RUN: %clang -S {words} -o - %s | FileCheck %s\n{source}\n// CHECK-LABEL: {function}:\n// CHECK: {after}\n\
                 // CHECK-NOT: {{{{^[[:blank:]]+[a-z]}}}}\n// CHECK: {directive}\n"
            );
            Some(("test.c", text))
        }
        Check::Failure { .. } => Some(("test.s", format!("# RUN: %clang -c {words} -o /dev/null %s\n{source}"))),
        Check::Directive { .. }
        | Check::Row { .. }
        | Check::Printed { .. }
        | Check::Relocations { .. }
        | Check::Lacks { .. }
        | Check::StartsDescend
        | Check::Silence
        | Check::NoSegment
        | Check::Rule { .. }
        | Check::ByEye => None,
    }
}

/// The same for FileCheck, whose expressions do not take blanks and tabs for one another.
fn lit(expression: &str) -> String {
    format!("{{{{{}}}}}", unanchored(expression).0.replace(' ', "[[:blank:]]+"))
}

/// The options of a command, without its input and output, as a shell takes them.
fn options(bundle: &Bundle, command: &Command) -> String {
    let mut words = Vec::new();
    let mut given = command.words.iter();
    while let Some(word) = given.next() {
        if word == "-o" {
            given.next();
        } else if !is_file(bundle, word) && !["-c", "-S"].contains(&word.as_str()) {
            words.push(shell(&super::script::with_version(bundle, word)));
        }
    }
    words.join(" ")
}

fn is_file(bundle: &Bundle, word: &String) -> bool {
    bundle.sources.iter().any(|source| source.name == *word)
        || bundle.commands.iter().any(|made| output(made) == Some(word))
}

/// The word after `-o`.
fn output(command: &Command) -> Option<&String> {
    command.words.iter().skip_while(|word| *word != "-o").nth(1)
}

/// An expression that any of these texts match.
fn any(wrong: &str, or: &[String]) -> String {
    let all: Vec<String> = [wrong].into_iter().chain(or.iter().map(String::as_str)).map(literal).collect();
    if or.is_empty() { all.concat() } else { format!("(?:{})", all.join("|")) }
}

/// An expression that a text alone matches.
fn literal(text: &str) -> String {
    let special = |c: char| r"\.^$*+?()[]{}|".contains(c);
    one_line(text).chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
