//! Shell script tests of linkers: mold's, which share a common file, and gold's.

use std::fmt::Write as _;

use results::bundle::{Bundle, Check, Command, Dump, Part};
use spec::RuleId;

use super::output;
use crate::bundle::script;
use crate::escape::{one_line, shell};
use results::bundle::Filing;

/// The form of a linker's tests: start of the script, linker command, and directory of output
/// files.
struct Form {
    head: &'static str,
    linker: &'static str,
    folder: &'static str,
}

/// The test with sources in one script. It is skipped if a tool is missing.
pub(super) fn of_mold(filing: &Filing) -> Option<String> {
    let form = Form { head: "#!/bin/bash\n. $(dirname $0)/common.inc\n", linker: "./mold", folder: "$t/" };
    let mut text = head(filing, &form);
    for (source, body) in filing.bundle.sources.iter().zip(&filing.texts) {
        let _ = writeln!(text, "cat <<'EOF' > $t/{}\n{body}EOF\n", shell(&source.name));
    }
    script_of(filing, &form, text)
}

/// The test for gold, run in the build directory; its sources are in the suite's directory.
pub(super) fn of_gold(filing: &Filing) -> Option<String> {
    let form = Form { head: "#!/bin/sh\nset -e\nskip() { exit 77; }\n", linker: "${LD:-../ld-new}", folder: "" };
    let mut text = head(filing, &form);
    for source in &filing.bundle.sources {
        let _ = writeln!(text, "cp \"${{srcdir:-.}}\"/{0} {0}", shell(&source.name));
    }
    script_of(filing, &form, text)
}

fn head(filing: &Filing, form: &Form) -> String {
    let mut text = format!("{}# SFrame: {}\n\n", form.head, one_line(&filing.bundle.title));
    for command in filing.bundle.commands.iter().filter(|command| command.variable != "LD") {
        let line = format!("command -v {} >/dev/null || skip\n", shell(&command.program));
        if !text.contains(&line) {
            text += &line;
        }
    }
    text + "\n"
}

fn script_of(filing: &Filing, form: &Form, mut text: String) -> Option<String> {
    let bundle = &filing.bundle;
    let may_tell = matches!(bundle.check, Check::Lacks { .. })
        && bundle.finding.as_ref().is_some_and(|shown| shown.rule == RuleId::LinkVersionsMixed);
    for (nth, command) in bundle.commands.iter().enumerate() {
        let line = run(bundle, form, command);
        // A link may omit a table with a diagnostic, or fail with a reason.
        if may_tell && nth + 1 == bundle.commands.len() {
            let _ = writeln!(text, "{line} > {0}log 2>&1 || grep -i sframe {0}log", form.folder);
        } else {
            text += &(line + "\n");
        }
    }
    let made = format!("{}{}", form.folder, shell(output(bundle.commands.last()?)?));
    let diagnosed = if may_tell { format!("grep -q -i sframe {}log || ", form.folder) } else { String::new() };
    let triplet = bundle.abi.facts().gnu_triplet;
    let readelf = match form.folder {
        "" => format!("${{READELF:-{triplet}-readelf}}"),
        _ => "readelf".to_owned(),
    };
    text += &match &bundle.check {
        Check::Lacks { line, of: None } => {
            format!("\n{diagnosed}{readelf} --sframe {made} | grep -E {}\n", shell(line))
        }
        Check::Printed { dump: Dump::Frames, within: Part::Cie, wrong, or, .. } if or.is_empty() => {
            format!(
                "\n{readelf} --debug-dump=frames {made} > {0}frames\ngrep -q ' CIE' {0}frames\n\
                 ! sed '/ FDE /,$d' {0}frames | grep -F {1}\n",
                form.folder,
                shell(wrong)
            )
        }
        // The function that begins at the start of the section.
        Check::Row { pc: 0, section: Some(section), column, right, .. } => format!(
            "\nstart=$({readelf} -S -W {made} | awk -v name={} '{{ sub(/^ *\\[ *[0-9]+\\]/, \"\") }} $1 == name {{ print $3 }}')\n\
             {readelf} --sframe {made} | grep -A 2 \"pc = 0x$(printf %x 0x$start),\" | awk '{{ print ${} }}' | grep -F -x {}\n",
            shell(section),
            column.number(),
            shell(right)
        ),
        Check::Lacks { of: Some(_), .. }
        | Check::Row { .. }
        | Check::Printed { .. }
        | Check::Failure { .. }
        | Check::Directive { .. }
        | Check::Relocations { .. }
        | Check::StartsDescend
        | Check::Silence { .. }
        | Check::NoSegment
        | Check::Exit { .. }
        | Check::Rule { .. }
        | Check::File { .. }
        | Check::ByEye => return None,
    };
    Some(text)
}

/// A command with its files in the directory of the test.
fn run(bundle: &Bundle, form: &Form, command: &Command) -> String {
    let program = if command.variable == "LD" { form.linker.to_owned() } else { shell(&command.program) };
    let word = |word: &String| {
        let folder = if super::is_file(bundle, word) { form.folder } else { "" };
        format!(" {folder}{}", shell(&script::with_version(bundle, word)))
    };
    program + &command.words.iter().map(word).collect::<String>()
}
