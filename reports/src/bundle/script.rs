//! The script of a bundle: POSIX sh, the tools under test, and readelf.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use model::RuleId;
use model::bundle::{Bundle, Check, Command, Dump, Part};

use super::subject;
use crate::escape::{one_line, shell};

/// The commands with the variables of the script, each on a line of its own.
pub(super) fn shown_commands(bundle: &Bundle) -> String {
    let mut text = assignments(bundle);
    for command in all_commands(bundle) {
        let _ = writeln!(text, "{}", run(&command));
    }
    text
}

/// The commands with the programs' names.
pub(super) fn typed_commands(bundle: &Bundle) -> String {
    let typed = |command: &Command| {
        let words: Vec<String> = [&command.program].into_iter().chain(&command.words).map(|word| shell(word)).collect();
        words.join(" ") + "\n"
    };
    all_commands(bundle).iter().map(typed).collect()
}

/// The script, which ends with the statuses that its first lines list.
pub(super) fn script(bundle: &Bundle) -> String {
    let mut text = format!("#!/bin/sh\n# {}\n", subject(bundle));
    text += "# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.\n";
    text += &assignments(bundle);
    let names: BTreeSet<String> =
        all_commands(bundle).iter().map(|command| format!("\"${}\"", command.variable)).collect();
    let _ = writeln!(text, "for tool in {}; do", Vec::from_iter(names).join(" "));
    text += "  command -v \"$tool\" >/dev/null || { echo \"missing: $tool\" >&2; exit 77; }\ndone\n";
    text += "here=$(dirname \"$0\")\nfolder=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$folder\"' EXIT\n";
    let sources: Vec<String> =
        bundle.sources.iter().map(|source| format!("\"$here\"/{}", shell(&source.name))).collect();
    let _ = writeln!(text, "cp {} \"$folder\" && cd \"$folder\" || exit 2\n", sources.join(" "));
    build(bundle, &mut text);
    let mut read = |file: &str| {
        for command in readers(bundle) {
            let _ = writeln!(text, "{}{file} || exit 2", run(&command));
        }
    };
    match &bundle.check {
        Check::Failure { says } => {
            let words: String = says.iter().map(|says| format!(" -e {}", shell(says))).collect();
            let printed = if says.is_empty() { String::new() } else { format!(" || grep -F -q{words} said") };
            let _ = writeln!(text, "if [ \"$status\" -ge 128 ]{printed}; then");
            text += "  echo \"BUG: exit status $status\"\n  exit 1\nfi\n";
            text += "[ \"$status\" -eq 0 ] || exit 2\necho \"no fault\"\n";
        }
        Check::Row { pc, column, wrong, or, right } => {
            read(" >rows");
            text += READ;
            let _ = writeln!(
                text,
                "cell=$(awk -v pc={pc:016x} '{ROW} && \"x\" $1 <= \"x\" pc {{ cell = ${} }}",
                column.number()
            );
            text += "  END { print cell }' rows)\n";
            let is: Vec<String> =
                [wrong].into_iter().chain(or).map(|wrong| format!("[ \"$cell\" = {} ]", shell(wrong))).collect();
            let _ = writeln!(text, "if {}; then", is.join(" || "));
            let right = shell(right);
            let _ = writeln!(text, "  echo \"BUG: {column} at {pc:#x} is $cell, expected:\" {right}\n  exit 1\nfi");
            let _ = writeln!(text, "echo \"no fault: {column} at {pc:#x} is ${{cell:-not described}}\"");
        }
        Check::Printed { dump, within, wrong, means } => {
            let (file, guard) = match dump {
                Dump::Sframe => ("rows", READ),
                Dump::Frames => ("frames", "grep -q ' FDE ' frames || { echo \"no FDE\"; exit 2; }\n"),
            };
            read(&format!(" >{file}"));
            text += guard;
            let _ = match within {
                Part::All => writeln!(text, "if grep -F -q {} {file}; then", shell(wrong)),
                Part::Cie => writeln!(text, "if sed '/ FDE /,$d' {file} | grep -F -q {}; then", shell(wrong)),
            };
            bug(means, &mut text);
        }
        Check::Lacks { line } => {
            read(" >table 2>&1");
            // One that does not know the version says so, and prints nothing of the table.
            text += "grep -i -q 'error\\|not supported' table && { cat table; exit 2; }\n";
            let _ = writeln!(text, "if ! grep -E -q {} table; then\n  cat table", shell(line));
            bug(&format!("not in what readelf prints: {}", one_line(line)), &mut text);
        }
        Check::StartsDescend => {
            read(" >rows");
            text += READ;
            let _ = writeln!(text, "starts=$(awk '{ROW} {{ print $1 }}' rows)");
            text += "[ -n \"$starts\" ] || { echo \"no rows\"; exit 2; }\n";
            text += "if [ \"$starts\" != \"$(echo \"$starts\" | sort -u)\" ]; then\n";
            text += "  echo \"BUG: the starts do not ascend:\" $starts\n  exit 1\nfi\necho \"no fault\"\n";
        }
        Check::Silence => {
            read(" >rows");
            text += READ;
            text += "cat said\ngrep -q 'Num FDEs: 0' rows || { echo \"no fault: the function has a descriptor\"; exit 0; }\n";
            text += "if [ ! -s said ]; then\n";
            bug("no descriptor and no warning", &mut text);
        }
        Check::NoSegment => {
            read(" >headers");
            text += "grep -q '[.]sframe' headers || { echo \"no .sframe\"; exit 2; }\n";
            text += "if ! grep -q '^ *GNU_SFRAME' headers; then\n";
            bug("no PT_GNU_SFRAME", &mut text);
        }
        Check::Rule { .. } => {
            for command in readers(bundle) {
                let _ = writeln!(text, "{} >verdict\n[ -s verdict ] || exit 2", run(&command));
            }
            let rule = rule(bundle);
            let _ = writeln!(text, "if grep -F -q {} verdict; then", shell(&format!("\"rule\":\"{rule}\"")));
            bug(rule, &mut text);
        }
        Check::ByEye => {
            read("");
            text += "echo \"compare the tables\"\nexit 2\n";
        }
    }
    text
}

/// One that does not know the version prints nothing of the table, and a table without rows is not a right one.
const READ: &str = "grep -q 'Version: SFRAME_VERSION' rows || { echo \"readelf cannot read the table\"; exit 2; }\n";

/// Of awk: a line that describes a row, by its start of 16 digits.
const ROW: &str = "$1 ~ /^[0-9a-f]+$/ && length($1) == 16";

/// What is said, and the end, where the condition before holds; and what is said where it does not.
fn bug(what: &str, text: &mut String) {
    let said = shell(&format!("BUG: {}", one_line(what)));
    let _ = writeln!(text, "  echo {said}\n  exit 1\nfi\necho \"no fault\"");
}

/// The commands up to the file that is looked at, each of which has to succeed unless that is what is looked at.
fn build(bundle: &Bundle, text: &mut String) {
    let last = bundle.commands.len().saturating_sub(1);
    for (at, command) in bundle.commands.iter().enumerate() {
        let command = run(command);
        match &bundle.check {
            Check::Failure { .. } if at == last => {
                let _ = writeln!(text, "{command} >said 2>&1\nstatus=$?\ncat said");
            }
            Check::Silence if at == last => {
                let _ = writeln!(text, "{command} 2>said || exit 2");
            }
            Check::Lacks { .. } if at == last && may_refuse(bundle) => {
                let _ = writeln!(text, "{command} >said 2>&1 || {{ cat said; echo \"no fault: refused\"; exit 0; }}");
                *text += "grep -i -q sframe said && { cat said; echo \"no fault: told\"; exit 0; }\n";
            }
            _ => {
                let _ = writeln!(text, "{command} || exit 2");
            }
        }
    }
}

/// What cannot be merged may be refused, or left out with a word.
fn may_refuse(bundle: &Bundle) -> bool {
    let refusable = [RuleId::LinkHeaderAgrees, RuleId::LinkRowsUnchanged, RuleId::LinkVersionsMixed];
    bundle.finding.as_ref().is_some_and(|shown| refusable.contains(&shown.rule))
}

fn rule(bundle: &Bundle) -> &'static str {
    bundle.finding.as_ref().map_or("", |shown| shown.rule.name())
}

/// What reads the result.
fn readers(bundle: &Bundle) -> Vec<Command> {
    let last = bundle.commands.last().map_or("repro.o".to_owned(), output);
    let reader = |variable: &str, program: String, words: &[&str]| Command {
        variable: variable.to_owned(),
        program,
        words: words.iter().map(|word| (*word).to_owned()).chain([last.clone()]).collect(),
    };
    let readelf =
        |words: &[&str]| vec![reader("READELF", format!("{}-readelf", bundle.abi.facts().gnu_triplet), words)];
    match &bundle.check {
        Check::Failure { .. } => Vec::new(),
        Check::NoSegment => readelf(&["-S", "-l", "-W"]),
        Check::Printed { dump: Dump::Frames, .. } => readelf(&["--debug-dump=frames"]),
        Check::Rule { options } => {
            let words: Vec<&str> =
                ["check", "--format", "json"].into_iter().chain(options.iter().map(String::as_str)).collect();
            vec![reader("CHECK", "sframe-conformance".to_owned(), &words)]
        }
        Check::Row { .. }
        | Check::Printed { dump: Dump::Sframe, .. }
        | Check::Lacks { .. }
        | Check::StartsDescend
        | Check::Silence
        | Check::ByEye => readelf(&["--sframe"]),
    }
}

fn all_commands(bundle: &Bundle) -> Vec<Command> {
    bundle.commands.iter().cloned().chain(readers(bundle)).collect()
}

fn assignments(bundle: &Bundle) -> String {
    let mut known = BTreeSet::new();
    let mut text = String::new();
    for command in all_commands(bundle) {
        if known.insert(command.variable.clone()) {
            let _ = writeln!(text, "{0}=${{{0}:-{1}}}", command.variable, shell(&command.program));
        }
    }
    text
}

/// As a script runs it.
fn run(command: &Command) -> String {
    let words: Vec<String> = command.words.iter().map(|word| shell(word)).collect();
    format!("\"${}\" {}", command.variable, words.join(" "))
}

/// The file that a command makes: the word after `-o`.
fn output(command: &Command) -> String {
    let mut words = command.words.iter().skip_while(|word| *word != "-o");
    words.nth(1).cloned().unwrap_or_else(|| "a.out".to_owned())
}
