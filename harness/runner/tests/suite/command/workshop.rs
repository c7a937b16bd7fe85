//! A separate home for tests of the matrix: one case, one ledger, and a producers' file whose tools
//! are shell scripts that call the real assembler and linker, or misbehave.
//!
//! The scripts are run by `/bin/sh`, never executed directly: a file that was just written may be
//! busy.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command::support::{Folder, Ran, finish, with_producers};
use crate::command::transcript::Transcript;

/// End of the only case's key: `frames/no-fp` on AMD64, whose last function, `leaf`, has one row,
/// the last of the table.
pub(crate) const KEY_END: &str = "::frames::no-fp";

/// SFrame versions of the assembler, by its version (`ci/producers.yaml`).
const SFRAME: &str = "[{from: '2.46', versions: [v3]}, {from: '2.45', versions: [v2e1]}, {from: '2.41', versions: [v2]}, \
                      {from: '2.40', versions: [v1]}]";

/// Beginning of each script. `wrong FILE` changes the last byte of its `.sframe`, the CFA's offset
/// in `leaf`, from 8 to 24; the result is distinguished from a correct file by its first word
/// alone.
const PRELUDE: &str = r#"
find() { for tool; do command -v "$tool" && return; done; }
as=$(find x86_64-linux-gnu-as as)
ld=$(find x86_64-linux-gnu-ld.bfd x86_64-linux-gnu-ld ld)
strip=$(find x86_64-linux-gnu-strip strip)
objdump=$(find x86_64-linux-gnu-objdump objdump)
wrong() {
    set -- "$1" $("$objdump" -h "$1" | awk '$2 == ".sframe" { print $3, $6 }')
    printf '\030' | dd of="$1" bs=1 seek=$((0x$3 + 0x$2 - 1)) conv=notrunc 2>/dev/null
}
"#;

/// The home.
pub(crate) struct Workshop {
    folder: Folder,
}

/// A tool of the producers' file.
pub(crate) struct Fake<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Commands that run after it was called with the output and then the inputs; `$out` is the
    /// output, `"$@"` are the inputs.
    pub(crate) body: &'a str,
    /// Further keys of its entry, one per line, without indentation.
    pub(crate) more: &'a str,
}

/// Assembles correctly.
pub(crate) const ASSEMBLE: &str = r#""$as" "$@" -o "$out""#;
/// Links correctly.
pub(crate) const LINK: &str = r#""$ld" "$@" -o "$out""#;
/// Strips correctly.
pub(crate) const STRIP: &str = r#""$strip" "$@" -o "$out""#;

impl Workshop {
    pub(crate) fn new() -> Self {
        let workshop = Workshop { folder: Folder::new() };
        let make = |name: &str| fs::create_dir_all(workshop.path(name)).expect("a folder");
        ["cases/objects", "cases/frames", "ci", "reports/known", "bin"].into_iter().for_each(make);
        workshop.write("cases/objects/objects.yaml", "[]\n");
        let frames = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/frames");
        for name in ["no-fp.yaml", "no-fp.amd64.s"] {
            fs::copy(frames.join(name), workshop.path(&format!("cases/frames/{name}"))).expect("the case");
        }
        workshop
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        self.folder.write(name, text.as_bytes())
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Text of an assembler's entry, with a linker `link` as its partner.
    pub(crate) fn assembler(&self, fake: &Fake<'_>) -> String {
        let more = format!("sframe: {SFRAME}\nsframe_words: --gsframe\nwith: [{{name: link}}]\n{}", fake.more);
        self.entry(fake, "assembler", &more, &["assemble"], "as")
    }

    /// Text of a linker's entry. Its script finds `-r` among the words after `$out` for a
    /// relocatable link.
    pub(crate) fn linker(&self, fake: &Fake<'_>) -> String {
        self.entry(fake, "linker", fake.more, &["link", "relocatable"], "ld")
    }

    /// Text of an entry of strip.
    pub(crate) fn strip(&self, fake: &Fake<'_>) -> String {
        self.entry(fake, "post-processor", fake.more, &["strip"], "strip")
    }

    fn entry(&self, fake: &Fake<'_>, kind: &str, more: &str, steps: &[&str], real: &str) -> String {
        let Fake { name, body, .. } = fake;
        let text = format!(
            "{PRELUDE}[ \"$1\" = --version ] && exec \"${real}\" --version\n[ \"$1\" = -r ] && r=-r && shift\nout=$1; shift\n\
             [ -n \"$r\" ] && set -- -r \"$@\"\n{body}\n"
        );
        let script = self.write(&format!("bin/{name}.sh"), &text);
        let command = |step: &&str| {
            let flag = if *step == "relocatable" { " -r" } else { "" };
            format!("  {step}: '{{program}} {script}{flag} {{output}} {{sframe}} {{options}} {{inputs}}'\n")
        };
        let steps: String = steps.iter().map(command).collect();
        let more: String = more.lines().map(|line| format!("  {line}\n")).collect();
        format!(
            "- name: {name}\n  kind: {kind}\n  about: a test's\n  program: {{amd64: [/bin/sh]}}\n  \
             version: {{arguments: '{script} --version', pattern: 'GNU .*\\s([0-9][0-9.]*)'}}\n{more}  steps:\n{}",
            steps.lines().map(|line| format!("  {line}\n")).collect::<String>()
        )
    }

    /// Writes the producers' file of this home.
    pub(crate) fn producers(&self, entries: &[String]) -> String {
        self.write("ci/producers.yaml", &entries.concat())
    }

    /// Calls the program in this home.
    pub(crate) fn call(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments))
    }

    /// The program in the workshop, not yet started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = with_producers();
        command.args(arguments).current_dir(self.path(""));
        command
    }

    /// Runs the matrix; returns the command's result and lines.
    pub(crate) fn run(&self) -> (Ran, Vec<Value>) {
        let ran = self.call(&["run", "--out", "out"]);
        assert!(ran.code.is_some_and(|code| code < 3), "{}", ran.stderr);
        (ran, self.lines())
    }

    /// The lines of the last run.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let value = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        self.read("out/results.jsonl").lines().map(value).collect()
    }
}

/// The result line of a producer.
pub(crate) fn line_of<'a>(lines: &'a [Value], producer: &str) -> &'a Value {
    let is_of = |line: &&Value| line["key"].as_str().is_some_and(|key| key.starts_with(&format!("{producer}@")));
    lines.iter().find(is_of).unwrap_or_else(|| panic!("no trial of {producer} in {lines:?}"))
}

/// Findings about the CFA in `leaf`, by execution or by comparing the tables: stage, blame and
/// fingerprint of each.
pub(crate) fn about_leaf(line: &Value) -> Vec<(String, String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("a string").to_owned();
    let findings = line["findings"].as_array().expect("findings").iter();
    let wrong = findings
        .filter(|finding| ["row/cfa-matches-truth", "cfi/cfa-differs"].iter().any(|rule| finding["rule"] == *rule));
    wrong.map(|finding| (text(finding, "stage"), text(finding, "blame"), text(finding, "fingerprint"))).collect()
}

/// The problems of a line, joined.
pub(crate) fn problems(line: &Value) -> String {
    let problems = line["problems"].as_array().expect("problems").iter();
    problems.filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

/// The lines for a golden file: the machine's own tools, listed after the fakes, appear with any
/// version, and with the SFrame versions that they write.
pub(crate) fn transcript(lines: &[Value]) -> Transcript {
    let mut parts = lines[0]["key"].as_str().expect("a key").split("::");
    let (tool, sframe) = (parts.next().expect("a tool"), parts.nth(1).expect("a version"));
    let version = tool.split_once('@').expect("a version").1;
    Transcript::new(&[
        (tool, "fake@2.40"),
        (&format!("/{sframe}/"), "/v1/"),
        (&format!("::{sframe}::"), "::v1::"),
        (&format!("gas {version}"), "gas 2.40"),
    ])
}
