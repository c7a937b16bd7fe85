//! Actual and expected output and evidence: the parts that each tracker asks for.

use std::fmt::Write as _;

use results::bundle::{Astray, Bundle, Check, DirectiveBug};

use super::script::{example, means, place};
use super::words;
use crate::escape::{is_hidden, one_line};

/// The actual output.
pub(super) fn actual(bundle: &Bundle) -> String {
    let mut text = String::new();
    if let Some(printed) = &bundle.printed {
        for line in printed.lines() {
            // Indentation is part of the dump.
            let plain: String = line.chars().filter(|c| !is_hidden(*c)).collect();
            let _ = writeln!(text, "{}", plain.trim_end());
        }
    }
    // A tool's output shows the bug; missing output must be mentioned.
    let sentence = match &bundle.check {
        Check::Silence { .. } => "The function has no FDE, and nothing was printed.".to_owned(),
        _ if bundle.printed.is_some() => String::new(),
        Check::Row { pc, section, column, wrong, .. } => {
            let place = place(section.as_deref(), *pc);
            let wrong = if wrong.is_empty() { "no row".to_owned() } else { one_line(wrong) };
            format!("readelf --sframe at {place}: {column} {wrong}")
        }
        Check::Lacks { line, .. } => format!("readelf --sframe prints no line of: {}", one_line(line)),
        Check::Printed { wrong, means, .. } => format!("readelf prints: {} ({})", one_line(wrong), one_line(means)),
        Check::StartsDescend => "The starts of the function's rows do not ascend.".to_owned(),
        Check::NoSegment => "The file has .sframe, and no program header PT_GNU_SFRAME.".to_owned(),
        Check::Directive { function, .. } => format!("In {}, {}.", one_line(function), means(&bundle.check)),
        Check::Relocations { fault: Astray::Offsets } => {
            "readelf -r: a relocation of .sframe is not at the offset of a start field.".to_owned()
        }
        Check::Relocations { fault: Astray::Order } => {
            "readelf -r: the FDEs of .sframe are sorted, their relocations are not.".to_owned()
        }
        Check::Exit { .. } => "The program exits with a wrong status.".to_owned(),
        Check::Failure { .. } | Check::Rule { .. } | Check::File { .. } | Check::ByEye => String::new(),
    };
    if !sentence.is_empty() {
        let _ = writeln!(text, "{sentence}");
    }
    if let Some(shown) = bundle.finding.as_ref().filter(|shown| !shown.message.is_empty() && bundle.printed.is_none()) {
        let _ = writeln!(text, "{}", one_line(&shown.message));
    }
    if text.is_empty() {
        let _ = writeln!(text, "{}", one_line(&bundle.title));
    }
    text
}

/// The expected output.
pub(super) fn expected(bundle: &Bundle) -> String {
    let sentence = match (&bundle.expected, &bundle.check) {
        (Some(expected), _) => one_line(expected),
        (None, Check::Row { pc, section, column, right, .. }) => {
            format!("readelf --sframe at {}: {column} {}", place(section.as_deref(), *pc), one_line(right))
        }
        (None, Check::Lacks { line, .. }) => format!("readelf --sframe prints: {}", one_line(line)),
        (None, Check::Failure { .. }) => "The command succeeds.".to_owned(),
        (None, Check::Exit { right }) => format!("exit status {right}"),
        (None, Check::StartsDescend) => "The starts of a function's rows ascend.".to_owned(),
        (None, Check::Silence { .. }) => "An FDE, or a warning that it is omitted.".to_owned(),
        (None, Check::NoSegment) => "A program header PT_GNU_SFRAME that covers .sframe.".to_owned(),
        (None, Check::Directive { directive, after, fault: DirectiveBug::Absent, .. }) => {
            format!("'{}' after '{}'.", example(directive), example(after))
        }
        (None, Check::Directive { directive, after, fault: DirectiveBug::Early, .. }) => {
            format!("no '{}' after '{}'.", example(directive), example(after))
        }
        (None, Check::Relocations { .. }) => {
            "Each start field has a relocation, which refers to the function of its FDE.".to_owned()
        }
        (None, Check::Printed { .. } | Check::Rule { .. } | Check::File { .. } | Check::ByEye) => {
            let clause = bundle.clause.as_ref().map(|clause| one_line(&clause.demand));
            clause.unwrap_or_else(|| "A right table.".to_owned())
        }
    };
    sentence + "\n"
}

/// The rows at the first address and the instructions around it, with the truth from executing
/// them. `None` if the finding is not about rows.
pub(super) fn holds(bundle: &Bundle) -> Option<String> {
    let shown = bundle.finding.as_ref()?;
    let rows = [("truth", &shown.truth), (".sframe", &shown.sframe), (".eh_frame", &shown.eh_frame)];
    let mut text = String::new();
    if rows.iter().any(|(_, reading)| reading.is_some()) {
        // An address needs the function that contains it.
        let home = if shown.place.starts_with("0x") { format!(" in {}", shown.function) } else { String::new() };
        let _ = writeln!(text, "{}", one_line(&format!("{}{home}", shown.place)));
        for (source, reading) in rows {
            if let Some(reading) = reading {
                let _ = writeln!(text, "  {source:<9} {}", one_line(&reading.row));
            }
        }
    }
    if !shown.window.is_empty() {
        let _ = write!(text, "\n{}", words::window(shown));
    }
    (!text.is_empty()).then_some(text)
}
