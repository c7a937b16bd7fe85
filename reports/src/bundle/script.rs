//! The script of a bundle: POSIX sh, the tools under test, and readelf.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use model::RuleId;

use super::quote::{one_line, shell};
use super::{Bundle, Check, Command, words};

impl Command {
    /// As a script runs it.
    fn run(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| shell(word)).collect();
        format!("\"${}\" {}", self.variable, words.join(" "))
    }

    /// As a person types it.
    fn typed(&self) -> String {
        let words: Vec<String> = [&self.program].into_iter().chain(&self.words).map(|word| shell(word)).collect();
        words.join(" ")
    }
}

impl Bundle {
    /// The commands with the variables of the script, each on a line of its own.
    pub(super) fn shown_commands(&self) -> String {
        let mut text = self.assignments();
        for command in self.all_commands() {
            let _ = writeln!(text, "{}", command.run());
        }
        text
    }

    /// The commands with the programs' names.
    pub(super) fn typed_commands(&self) -> String {
        self.all_commands().iter().flat_map(|command| [command.typed(), "\n".to_owned()]).collect()
    }

    /// The script, which ends with the statuses that its first lines list.
    pub(super) fn script(&self) -> String {
        let mut text = format!("#!/bin/sh\n# {}\n", self.subject());
        text += "# 1: the fault is there. 0: it is not. 77: a tool is missing. 2: cannot tell.\n";
        text += &self.assignments();
        let names: BTreeSet<String> =
            self.all_commands().iter().map(|command| format!("\"${}\"", command.variable)).collect();
        let names: Vec<String> = names.into_iter().collect();
        let _ = writeln!(text, "for tool in {}; do", names.join(" "));
        text += "  command -v \"$tool\" >/dev/null || { echo \"missing: $tool\" >&2; exit 77; }\ndone\n";
        text += "here=$(dirname \"$0\")\nfolder=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$folder\"' EXIT\n";
        let sources: Vec<String> =
            self.repros.iter().map(|repro| format!("\"$here\"/{}", shell(&repro.name))).collect();
        let _ = writeln!(text, "cp {} \"$folder\" && cd \"$folder\" || exit 2\n", sources.join(" "));
        let commands = self.commands.iter().map(Command::run);
        match &self.check {
            Check::Fails(said) => {
                let commands: Vec<String> = commands.collect();
                let (last, before) =
                    commands.split_last().map_or((String::new(), &[][..]), |(last, before)| (last.clone(), before));
                for command in before {
                    let _ = writeln!(text, "{command} || exit 2");
                }
                let _ = writeln!(text, "{last} >said 2>&1\nstatus=$?\ncat said");
                let printed =
                    if said.is_empty() { String::new() } else { format!(" || grep -F -q {} said", shell(said)) };
                let _ = writeln!(text, "if [ \"$status\" -ge 128 ]{printed}; then");
                text += "  echo \"BUG: exit status $status\"\n  exit 1\nfi\n";
                text += "[ \"$status\" -eq 0 ] || exit 2\necho \"no fault\"\n";
            }
            Check::Row { pc, column, wrong, right } => {
                for command in commands {
                    let _ = writeln!(text, "{command} || exit 2");
                }
                for command in self.readers() {
                    let _ = writeln!(text, "{} >rows || exit 2", command.run());
                }
                let _ = writeln!(
                    text,
                    "cell=$(awk -v pc={pc:016x} '$1 ~ /^[0-9a-f]+$/ && length($1) == 16 && \"x\" $1 <= \"x\" pc {{ cell = ${column} }}"
                );
                text += "  END { print cell }' rows)\n";
                let field = words::column(*column);
                let _ = writeln!(text, "if [ \"$cell\" = {} ]; then", shell(wrong));
                let _ = writeln!(
                    text,
                    "  echo \"BUG: {field} at {pc:#x} is $cell, expected:\" {}\n  exit 1\nfi",
                    shell(right)
                );
                let _ = writeln!(text, "echo \"no fault: {field} at {pc:#x} is ${{cell:-not described}}\"");
            }
            Check::NoSegment => {
                for command in commands {
                    let _ = writeln!(text, "{command} || exit 2");
                }
                for command in self.readers() {
                    let _ = writeln!(text, "{} >headers || exit 2", command.run());
                }
                text += "grep -q '[.]sframe' headers || { echo \"no .sframe\"; exit 2; }\n";
                text += "if ! grep -q '^ *GNU_SFRAME' headers; then\n  echo \"BUG: no PT_GNU_SFRAME\"\n  exit 1\nfi\necho \"no fault\"\n";
            }
            Check::Lacks(right) => {
                let rule = self.finding.as_ref().map_or("", |found| found.rule().name());
                let may_refuse = [RuleId::LinkHeaderAgrees, RuleId::LinkRowsUnchanged, RuleId::LinkVersionsMixed]
                    .iter()
                    .any(|id| id.name() == rule);
                for (at, command) in commands.enumerate() {
                    if may_refuse && at + 1 == self.commands.len() {
                        // What cannot be merged may be refused, or left out with a word.
                        let _ = writeln!(
                            text,
                            "{command} >said 2>&1 || {{ cat said; echo \"no fault: refused\"; exit 0; }}"
                        );
                        text += "grep -i -q sframe said && { cat said; echo \"no fault: told\"; exit 0; }\n";
                    } else {
                        let _ = writeln!(text, "{command} || exit 2");
                    }
                }
                for command in self.readers() {
                    let _ = writeln!(text, "{} >table 2>&1 || exit 2", command.run());
                }
                // One that does not know the version says so, and prints nothing of the table.
                text += "grep -i -q 'error\\|not supported' table && { cat table; exit 2; }\n";
                let _ = writeln!(text, "if ! grep -E -q {} table; then", shell(right));
                let said = format!("BUG: not in what readelf prints: {}", one_line(right));
                let _ = writeln!(text, "  cat table\n  echo {}\n  exit 1\nfi\necho \"no fault\"", shell(&said));
            }
            Check::Rule(_) => {
                for command in commands {
                    let _ = writeln!(text, "{command} || exit 2");
                }
                for command in self.readers() {
                    let _ = writeln!(text, "{} >verdict\n[ -s verdict ] || exit 2", command.run());
                }
                let rule = self.finding.as_ref().map_or("", |found| found.rule().name());
                let _ = writeln!(text, "if grep -F -q {} verdict; then", shell(&format!("\"rule\":\"{rule}\"")));
                let _ = writeln!(
                    text,
                    "  echo {}\n  exit 1\nfi\necho \"no fault\"",
                    shell(&format!("BUG: {}", one_line(rule)))
                );
            }
            Check::ByEye => {
                for command in commands {
                    let _ = writeln!(text, "{command} || exit 2");
                }
                for command in self.readers() {
                    let _ = writeln!(text, "{} || exit 2", command.run());
                }
                text += "echo \"compare the tables\"\nexit 2\n";
            }
        }
        text
    }

    /// What reads the result.
    fn readers(&self) -> Vec<Command> {
        let last = self.commands.last().map_or("repro.o".to_owned(), |command| command.output());
        let reader = |variable: &str, program: String, words: &[&str]| Command {
            variable: variable.to_owned(),
            program,
            words: words.iter().map(|word| (*word).to_owned()).chain([last.clone()]).collect(),
        };
        let readelf = format!("{}-readelf", self.abi.facts().gnu_triplet);
        match &self.check {
            Check::Fails(_) => Vec::new(),
            Check::Row { .. } => vec![reader("READELF", readelf, &["--sframe"])],
            Check::NoSegment => vec![reader("READELF", readelf, &["-S", "-l", "-W"])],
            Check::Rule(words) => {
                let words: Vec<&str> =
                    ["check", "--format", "json"].into_iter().chain(words.iter().map(String::as_str)).collect();
                vec![reader("CHECK", "sframe-conformance".to_owned(), &words)]
            }
            Check::Lacks(_) | Check::ByEye => vec![reader("READELF", readelf, &["--sframe"])],
        }
    }

    fn all_commands(&self) -> Vec<Command> {
        self.commands.iter().cloned().chain(self.readers()).collect()
    }

    fn assignments(&self) -> String {
        let mut known = BTreeSet::new();
        let mut text = String::new();
        for command in self.all_commands() {
            if known.insert(command.variable.clone()) {
                let _ = writeln!(text, "{0}=${{{0}:-{1}}}", command.variable, shell(&command.program));
            }
        }
        text
    }
}

impl Command {
    /// The file it makes: the word after `-o`.
    fn output(&self) -> String {
        let mut words = self.words.iter().skip_while(|word| *word != "-o");
        words.nth(1).cloned().unwrap_or_else(|| "a.out".to_owned())
    }
}
