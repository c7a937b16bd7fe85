//! The script of a bundle: POSIX sh that calls the tools under test and readelf.

mod directive;
mod looks;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use results::bundle::{Bundle, Check, Command, Dump};
use spec::RuleId;
use types::{Abi, SframeVersion};

use super::subject;
use crate::escape::shell;

pub(super) use directive::{example, means};
pub(super) use looks::place;

/// The commands with the script's variables, one per line.
pub(super) fn shown_commands(bundle: &Bundle) -> String {
    let mut text = assignments(bundle) + &probe(bundle);
    for command in all_commands(bundle) {
        let _ = writeln!(text, "{}", run(&command));
    }
    if matches!(bundle.check, Check::Exit { .. }) {
        let _ = writeln!(text, "$RUN ./{}", shell(&made(bundle)));
    }
    text
}

/// The commands with the programs' names.
pub(super) fn typed_commands(bundle: &Bundle) -> String {
    let mut text: String = all_commands(bundle).iter().map(|command| typed(bundle, command)).collect();
    if matches!(bundle.check, Check::Exit { .. }) {
        let _ = writeln!(text, "./{}; echo $?", shell(&made(bundle)));
    }
    text
}

/// The commands after the needed ones, up to the executed file; empty if all are needed.
pub(super) fn further_commands(bundle: &Bundle) -> String {
    let further = bundle.commands.iter().skip(bundle.needed_commands().len());
    further.map(|command| typed(bundle, command)).collect()
}

fn typed(bundle: &Bundle, command: &Command) -> String {
    let word = |word: &String| shell(&with_version(bundle, word));
    let words: Vec<String> = [&command.program].into_iter().chain(&command.words).map(word).collect();
    words.join(" ") + "\n"
}

/// A word of a command, with the SFrame version of the reproducer filled in.
pub(super) fn with_version(bundle: &Bundle, word: &str) -> String {
    let version = bundle.sframe.map(|version| version.number().to_string()).unwrap_or_default();
    let pcrel = u8::from(bundle.sframe.is_some_and(SframeVersion::has_pcrel_flag)).to_string();
    word.replace(VERSION, &version).replace(PCREL, &pcrel)
}

/// Placeholders in the words of a command for what the installed assembler writes.
const VERSION: &str = "{sframe-version}";
const PCREL: &str = "{sframe-pcrel}";

/// The mode for `git bisect run`, which takes every status other than 0, 125 and 128 or more as
/// bad.
const BISECT: &str =
    "if [ \"$1\" = --bisect ]; then\n  sh \"$0\"\n  case $? in 0) exit 0 ;; 1) exit 1 ;; *) exit 125 ;; esac\nfi\n";

/// The script; its first lines list its exit statuses.
pub(super) fn script(bundle: &Bundle) -> String {
    let mut text = format!("#!/bin/sh\n# {}\n", subject(bundle));
    text += "# 1: the bug is there. 0: it is not. 77: a tool is missing. 2: cannot decide.\n";
    text += "# With --bisect, for git bisect run: 1, 0, and 125 if it cannot decide.\n";
    text += BISECT;
    text += &assignments(bundle);
    let names: BTreeSet<String> =
        all_commands(bundle).iter().map(|command| format!("\"${}\"", command.variable)).collect();
    let _ = writeln!(text, "for tool in {}; do", Vec::from_iter(names).join(" "));
    text += "  command -v \"$tool\" >/dev/null || { echo \"missing: $tool\" >&2; exit 77; }\ndone\n";
    text += "here=$(dirname \"$0\")\nfolder=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$folder\"' EXIT\n";
    let names = bundle.sources.iter().map(|source| source.name.as_str());
    let file = if let Check::File { name, .. } = &bundle.check { Some(name.as_str()) } else { None };
    let sources: Vec<String> = names.chain(file).map(|name| format!("\"$here\"/{}", shell(name))).collect();
    if let Some(file) = file {
        text += "# FILE=PATH names another build of the file.\n";
        let _ = writeln!(text, "[ -z \"$FILE\" ] || cp \"$FILE\" \"$folder\"/{file} || exit 2", file = shell(file));
        let _ = writeln!(text, "[ -n \"$FILE\" ] || cp {} \"$folder\" || exit 2", sources.join(" "));
        text += "cd \"$folder\" || exit 2\n\n";
    } else {
        let _ = writeln!(text, "cp {} \"$folder\" && cd \"$folder\" || exit 2\n", sources.join(" "));
    }
    text += &probe(bundle);
    build(bundle, &mut text);
    looks::look(bundle, &mut text);
    text
}

/// The commands up to the file that is checked. Each must succeed, unless its failure is the bug.
fn build(bundle: &Bundle, text: &mut String) {
    let commands = bundle.needed_commands();
    let last = commands.len().saturating_sub(1);
    for (at, command) in commands.iter().enumerate() {
        let command = run(command);
        match &bundle.check {
            Check::Failure { .. } if at == last => {
                let _ = writeln!(text, "{command} >said 2>&1\nstatus=$?\ncat said");
            }
            Check::Silence { .. } if at == last => {
                let _ = writeln!(text, "{command} 2>said || exit 2");
            }
            Check::Lacks { .. } if at == last && may_refuse(bundle) => {
                let _ = writeln!(text, "{command} >said 2>&1 || {{ cat said; echo \"no bug: refused\"; exit 0; }}");
                *text += "grep -i -q sframe said && { cat said; echo \"no bug: diagnosed\"; exit 0; }\n";
            }
            _ => {
                let _ = writeln!(text, "{command} || exit 2");
            }
        }
    }
}

/// Returns true if a linker may refuse the input, or omit the table with a diagnostic.
fn may_refuse(bundle: &Bundle) -> bool {
    let refusable = [RuleId::LinkHeaderAgrees, RuleId::LinkRowsUnchanged, RuleId::LinkVersionsMixed];
    bundle.finding.as_ref().is_some_and(|shown| refusable.contains(&shown.rule))
}

/// Returns true if the source is needed to see the bug.
pub(super) fn needs_source(bundle: &Bundle, name: &str) -> bool {
    let all = !matches!(bundle.check, Check::Directive { .. });
    all || bundle.needed_commands().iter().any(|command| command.words.iter().any(|word| word == name))
}

fn rule(bundle: &Bundle) -> &'static str {
    bundle.finding.as_ref().map_or("", |shown| shown.rule.name())
}

/// The file that is checked.
fn made(bundle: &Bundle) -> String {
    if let Check::File { name, .. } = &bundle.check {
        return name.clone();
    }
    bundle.needed_commands().last().map_or("repro.o".to_owned(), output)
}

/// The commands that read the result.
fn readers(bundle: &Bundle) -> Vec<Command> {
    let reader = |variable: &str, program: String, words: &[&str]| Command {
        variable: variable.to_owned(),
        program,
        words: words.iter().map(|word| (*word).to_owned()).chain([made(bundle)]).collect(),
    };
    let readelf = |words: &[&str]| reader("READELF", format!("{}-readelf", bundle.abi.facts().gnu_triplet), words);
    match &bundle.check {
        Check::Failure { .. } | Check::Directive { .. } | Check::Exit { .. } => Vec::new(),
        Check::NoSegment => vec![readelf(&["-S", "-l", "-W"])],
        Check::Printed { dump: Dump::Frames, .. } => vec![readelf(&["--debug-dump=frames"])],
        Check::Rule { options } | Check::File { options, .. } => {
            let words: Vec<&str> =
                ["check", "--format", "json"].into_iter().chain(options.iter().map(String::as_str)).collect();
            vec![reader("CHECK", "sframe-conformance".to_owned(), &words)]
        }
        Check::Row { section: Some(_), .. } => vec![readelf(&["--sframe"]), readelf(&["-S", "-W"])],
        Check::Relocations { .. } => vec![readelf(&["--sframe"]), readelf(&["-r", "-W"])],
        Check::Row { section: None, .. }
        | Check::Printed { dump: Dump::Sframe, .. }
        | Check::Lacks { .. }
        | Check::StartsDescend
        | Check::Silence { .. }
        | Check::ByEye => vec![readelf(&["--sframe"])],
    }
}

fn all_commands(bundle: &Bundle) -> Vec<Command> {
    bundle.needed_commands().iter().cloned().chain(readers(bundle)).collect()
}

/// One assignment for each variable, with the default program.
fn assignments(bundle: &Bundle) -> String {
    let mut known = BTreeSet::new();
    let mut text = String::new();
    for command in all_commands(bundle) {
        if known.insert(command.variable.clone()) {
            let _ = writeln!(text, "{0}=${{{0}:-{1}}}", command.variable, shell(&command.program));
        }
    }
    if matches!(bundle.check, Check::Exit { .. }) {
        let _ = writeln!(text, "RUN=${{RUN-{}}}", emulator(bundle.abi));
    }
    text
}

/// The program that executes a foreign machine's programs; empty for the machine that most readers
/// have.
const fn emulator(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "",
        Abi::Aarch64 => "qemu-aarch64",
        Abi::Aarch64Be => "qemu-aarch64_be",
        Abi::S390x => "qemu-s390x",
    }
}

/// Determines the version that the assembler writes, if a command needs it: a handwritten table
/// must have the same version as a generated one.
fn probe(bundle: &Bundle) -> String {
    let asks = |word: &String| word.contains(VERSION) || word.contains(PCREL);
    if !bundle.commands.iter().any(|command| command.words.iter().any(asks)) {
        return String::new();
    }
    "printf 'probe:\\n.cfi_startproc\\n.byte 0\\n.cfi_endproc\\n' >probe.s && \"$AS\" --gsframe -o probe.o probe.s || exit 2\n\
     \"$READELF\" --sframe probe.o >probe 2>&1\n\
     version=$(sed -n 's/^ *Version: SFRAME_VERSION_//p' probe)\n\
     [ -n \"$version\" ] || { echo \"readelf cannot read the table\"; exit 2; }\n\
     pcrel=$(grep -c FUNC_START_PCREL probe)\n"
        .to_owned()
}

fn run(command: &Command) -> String {
    let words: Vec<String> = command.words.iter().map(|word| filled(word)).collect();
    format!("\"${}\" {}", command.variable, words.join(" "))
}

/// A word with the results of the probe.
fn filled(word: &str) -> String {
    for (name, variable) in [(VERSION, "\"$version\""), (PCREL, "\"$pcrel\"")] {
        if let Some((before, after)) = word.split_once(name) {
            let part = |text: &str| if text.is_empty() { String::new() } else { filled(text) };
            return format!("{}{variable}{}", part(before), part(after));
        }
    }
    shell(word)
}

/// The file that a command creates: the argument of `-o`.
fn output(command: &Command) -> String {
    let mut words = command.words.iter().skip_while(|word| *word != "-o");
    words.nth(1).cloned().unwrap_or_else(|| "a.out".to_owned())
}
