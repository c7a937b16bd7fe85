//! The checks in the script of a bundle, and their messages.

use std::fmt::Write as _;

use results::bundle::{Astray, Bundle, Check, Column, Dump, Named, Part};

use spec::RuleId;

use super::{readers, rule, run};
use crate::escape::{one_line, shell};

/// A readelf that does not know the version prints nothing of the table, and a table without rows
/// does not prove that the bug is fixed.
const READ: &str = "grep -q 'Version: SFRAME_VERSION' rows && ! grep -q 'not supported' rows || { echo \"readelf cannot read the table\"; exit 2; }\n";

/// readelf 2.47 subtracts a field's own address from starts that are not relative to it, in objects
/// of 2.41 to 2.44.
const PLACED: &str = "grep -q '^ *ffffffff' rows && { echo \"readelf does not place the functions of this version's objects\"; exit 2; }\n";

/// An awk condition for a line with a row, which has a start of 16 digits.
const ROW: &str = "$1 ~ /^[0-9a-f]+$/ && length($1) == 16";

/// Writes the check of the last file.
pub(super) fn look(bundle: &Bundle, text: &mut String) {
    let read = |files: &[&str], text: &mut String| {
        for (command, file) in readers(bundle).iter().zip(files) {
            let _ = writeln!(text, "{} {file} || exit 2", run(command));
        }
    };
    match &bundle.check {
        Check::Failure { says } => {
            let words: String = says.iter().map(|says| format!(" -e {}", shell(says))).collect();
            let printed = if says.is_empty() { String::new() } else { format!(" || grep -F -q{words} said") };
            let _ = writeln!(text, "if [ \"$status\" -ge 128 ]{printed}; then");
            *text += "  echo \"BUG: exit status $status\"\n  exit 1\nfi\n";
            *text += "[ \"$status\" -eq 0 ] || exit 2\necho \"no bug\"\n";
        }
        Check::Row { pc, section, column, wrong, or, right } => {
            read(&[">rows", ">sections"], text);
            *text += READ;
            match section {
                None => {
                    *text += PLACED;
                    row_of(*pc, *column, text);
                }
                Some(section) => row_in(section, *pc, *column, text),
            }
            let is: Vec<String> =
                [wrong].into_iter().chain(or).map(|wrong| format!("[ \"$cell\" = {} ]", shell(wrong))).collect();
            let place = place(section.as_deref(), *pc);
            let message = |rest: &str| format!("{} {rest}", shell(&format!("BUG: {column} at {place} is")));
            let (message, right) = (message("\"${cell:-not described}, expected:\""), shell(right));
            let _ = writeln!(text, "if {}; then\n  echo {message} {right}\n  exit 1\nfi", is.join(" || "));
            let quiet = shell(&format!("no bug: {column} at {place} is"));
            let _ = writeln!(text, "echo {quiet} \"${{cell:-not described}}\"");
        }
        Check::Printed { dump, within, wrong, or, means } => {
            let (file, guard) = match dump {
                Dump::Sframe => ("rows", READ),
                Dump::Frames => ("frames", "grep -q ' FDE ' frames || { echo \"no FDE\"; exit 2; }\n"),
            };
            read(&[&format!(">{file}")], text);
            *text += guard;
            let words: String = [wrong].into_iter().chain(or).map(|wrong| format!(" -e {}", shell(wrong))).collect();
            let _ = match within {
                Part::All => writeln!(text, "if grep -F -q{words} {file}; then"),
                Part::Cie => writeln!(text, "if sed '/ FDE /,$d' {file} | grep -F -q{words}; then"),
            };
            bug(means, text);
        }
        Check::Lacks { line, of } => {
            if let Some(of) = of {
                let message = "|| { echo \"this readelf does not print it of an input either\"; exit 2; }";
                let _ =
                    writeln!(text, "\"$READELF\" --sframe {} 2>&1 | grep -E -q {} {message}", shell(of), shell(line));
            }
            read(&[">table 2>&1"], text);
            // A readelf that does not know the version prints that, and nothing of the table.
            *text += "grep -i -q 'error\\|not supported' table && { cat table; exit 2; }\n";
            let _ = writeln!(text, "if ! grep -E -q {} table; then\n  cat table", shell(line));
            bug(&format!("not in what readelf prints: {}", one_line(line)), text);
        }
        Check::StartsDescend => {
            read(&[">rows"], text);
            *text += READ;
            let _ = writeln!(text, "starts=$(awk '{ROW} {{ print $1 }}' rows)");
            *text += "[ -n \"$starts\" ] || { echo \"no rows\"; exit 2; }\n";
            *text += "if [ \"$starts\" != \"$(echo \"$starts\" | sort -u)\" ]; then\n";
            *text += "  echo \"BUG: the starts do not ascend:\" $starts\n  exit 1\nfi\necho \"no bug\"\n";
        }
        Check::Silence { functions } => {
            read(&[">rows"], text);
            *text += READ;
            *text += "cat said\nfdes=$(sed -n 's/^ *Num FDEs: *//p' rows)\n";
            let _ = writeln!(
                text,
                "[ \"${{fdes:-0}}\" -lt {functions} ] || {{ echo \"no bug: every function has a descriptor\"; exit 0; }}"
            );
            *text += "if [ ! -s said ]; then\n";
            bug("no descriptor and no warning", text);
        }
        Check::NoSegment => {
            read(&[">headers"], text);
            *text += "grep -q '[.]sframe' headers || { echo \"no .sframe\"; exit 2; }\n";
            *text += "if ! grep -q '^ *GNU_SFRAME' headers; then\n";
            bug("no PT_GNU_SFRAME", text);
        }
        Check::Exit { right } => {
            let made = shell(&super::made(bundle));
            let _ = writeln!(text, "$RUN ./{made}\nstatus=$?");
            *text +=
                "case $status in 126 | 127) echo \"cannot execute it: set RUN to an emulator\" >&2; exit 77 ;; esac\n";
            let _ = writeln!(text, "if [ \"$status\" -ne {right} ]; then");
            let _ =
                writeln!(text, "  echo \"BUG: exit status $status, expected {right}\"\n  exit 1\nfi\necho \"no bug\"");
        }
        Check::Directive { .. } => super::directive::look(bundle, text),
        Check::Relocations { fault } => {
            read(&[">rows", ">relocations"], text);
            *text += READ;
            relocations(*fault, text);
        }
        Check::Rule { .. } => {
            for command in readers(bundle) {
                let _ = writeln!(text, "{} >verdict\n[ -s verdict ] || exit 2", run(&command));
            }
            let rule = rule(bundle);
            // Wrong rows of every prologue and epilogue are reported as one finding.
            let folded = rule.ends_with("-matches-truth").then(|| RuleId::EhFrameSynchronous.name());
            let words: String = [rule]
                .into_iter()
                .chain(folded)
                .map(|rule| format!(" -e {}", shell(&format!("\"rule\":\"{rule}\""))))
                .collect();
            let _ = writeln!(text, "if grep -F -q{words} verdict; then");
            bug(rule, text);
        }
        Check::File { name, .. } => {
            for command in readers(bundle) {
                let _ = writeln!(text, "{} >verdict\nstatus=$?", run(&command));
            }
            let shown = bundle.finding.as_ref();
            let fingerprint = shown.map_or("", |shown| match &shown.named {
                Named::Fingerprint(named) | Named::Class(named) => named,
            });
            let _ =
                writeln!(text, "if grep -F -q {} verdict; then", shell(&format!("\"fingerprint\":\"{fingerprint}\"")));
            let _ = writeln!(text, "  echo {}\n  exit 1\nfi", shell(&format!("BUG: {}", one_line(&bundle.title))));
            let function = shown.map_or("", |shown| shown.function.as_str());
            if !function.is_empty() && !function.starts_with("0x") {
                let function = one_line(function);
                let (name, absent) = (shell(name), shell(&format!("it has no function {function}")));
                let _ = writeln!(
                    text,
                    "grep -a -F -q {} {name} || {{ echo {absent}; exit 2; }}",
                    shell(function.split('+').next().unwrap_or_default())
                );
                // Another function may be undecided.
                let undecided = shell(&format!("\"function\":\"{function}\""));
                let _ = writeln!(text, "[ \"$status\" -ne 2 ] || ! grep -F -q {undecided} verdict || exit 2");
            }
            *text += "[ \"$status\" -le 2 ] || exit 2\necho \"no bug\"\n";
        }
        Check::ByEye => {
            read(&[""], text);
            *text += "echo \"compare the tables\"\nexit 2\n";
        }
    }
}

/// The location of a row, in words.
pub(in crate::bundle) fn place(section: Option<&str>, pc: u64) -> String {
    match (section, pc) {
        (None, pc) => format!("{pc:#x}"),
        (Some(section), 0) => one_line(section),
        (Some(section), pc) => format!("{}+{pc:#x}", one_line(section)),
    }
}

/// Writes the extraction of a cell of the last row that begins at or before a PC.
fn row_of(pc: u64, column: Column, text: &mut String) {
    let _ = writeln!(
        text,
        "cell=$(awk -v pc={pc:016x} '{ROW} && \"x\" $1 <= \"x\" pc {{ cell = ${} }}\n  END {{ print cell }}' rows)",
        column.number()
    );
}

/// Writes the extraction of a cell for the function that begins at the start of a section; rows of
/// a repeated block (`STARTPC[m]`) are relative to its start.
fn row_in(section: &str, pc: u64, column: Column, text: &mut String) {
    let (name, message) = (shell(section), shell(&format!("no {}", one_line(section))));
    let _ = writeln!(
        text,
        "start=$(awk -v name={name} '{{ sub(/^ *\\[ *[0-9]+\\]/, \"\") }} $1 == name {{ print $3 }}' sections)\n\
         [ -n \"$start\" ] || {{ echo {message}; exit 2; }}\n\
         cell=$(awk -v home=\"pc = $(printf '0x%x' \"0x$start\"),\" -v pc=\"$(printf '%016x' $((0x$start + {pc})))\" \
         -v within={pc:016x} '\n  /func idx/ {{ here = index($0, home) }}\n  /STARTPC/ {{ masked = index($0, \"STARTPC[m]\") }}\n  \
         here && {ROW} && \"x\" $1 <= \"x\" (masked ? within : pc) {{ cell = ${} }}\n  END {{ print cell }}' rows)",
        column.number()
    );
}

/// Writes the comparison of the section's relocations, in order of offset, with the array of FDEs:
/// one for each FDE, from the first on.
fn relocations(fault: Astray, text: &mut String) {
    *text += "count=$(sed -n 's/^ *Num FDEs: //p' rows)\n\
              case $(sed -n 's/^ *Version: SFRAME_VERSION_//p' rows) in 1) size=17 ;; 2) size=20 ;; *) size=16 ;; esac\n\
              awk '/^Relocation section/ { here = index($0, \".sframe\") } here && $3 ~ /^R_/ { print $1, $4, $NF }' relocations | sort >places\n\
              [ -s places ] || { echo \"no relocations of .sframe\"; exit 2; }\ncat places\n\
              first='' number=0 last=0 wrong=''\n\
              while read -r offset symbol addend; do\n  \
                [ -n \"$first\" ] || first=$((0x$offset))\n";
    *text += match fault {
        Astray::Offsets => {
            "  [ $((0x$offset)) -eq $((first + number * size)) ] || wrong=$offset\n  number=$((number + 1))\n\
             done <places\n[ \"$number\" -eq \"$count\" ] || wrong=${wrong:-$number}\n\
             if [ -n \"$wrong\" ]; then\n  echo \"BUG: no start field is at the offset of a relocation: $wrong\"\n"
        }
        Astray::Order => {
            "  target=$((0x$symbol + 0x$addend))\n  [ \"$target\" -ge \"$last\" ] || wrong=$offset\n  last=$target\n\
             done <places\n[ $(wc -l <places) -gt 1 ] || { echo \"one relocation\"; exit 2; }\n\
             if [ -n \"$wrong\" ]; then\n  echo \"BUG: the FDEs are sorted, their relocations are not: $wrong\"\n"
        }
    };
    *text += "  exit 1\nfi\necho \"no bug\"\n";
}

/// Writes the message and exit if the preceding condition holds, and the message otherwise.
fn bug(what: &str, text: &mut String) {
    let message = shell(&format!("BUG: {}", one_line(what)));
    let _ = writeln!(text, "  echo {message}\n  exit 1\nfi\necho \"no bug\"");
}
