//! Text of `check --for`: whether a reader takes a table.

use std::io::{self, Write};

use results::{Acceptance, AcceptanceFunction, AcceptanceLine, AcceptanceReason, ClauseEffect};
use types::counted;

use crate::escape::line;

/// Maximum number of functions that are listed for a reason.
const MOST: usize = 20;

/// Prints the answer for one reader and file, with its reasons.
pub fn text(out: &mut dyn Write, answer: &AcceptanceLine) -> io::Result<()> {
    let AcceptanceLine { file, reader, functions, unused, reasons, .. } = answer;
    let taken = functions.saturating_sub(*unused);
    let words = match answer.answer {
        Acceptance::All => format!("takes all: {}", counted(*functions, "function")),
        Acceptance::Part => format!("takes part: {taken} of {}", counted(*functions, "function")),
        other => other.name().to_owned(),
    };
    writeln!(out, "{}: {reader} {words}", line(file))?;
    reasons.iter().try_for_each(|reason| print_reason(out, reason))
}

fn print_reason(out: &mut dyn Write, reason: &AcceptanceReason) -> io::Result<()> {
    let AcceptanceReason { text, effect, source, functions, .. } = reason;
    let effect = match effect {
        ClauseEffect::Refuse | ClauseEffect::Unknown => "",
        ClauseEffect::Unused => "not used: ",
        ClauseEffect::Misread => "wrong rows: ",
    };
    let source = if source.is_empty() { String::new() } else { format!(" ({source})") };
    writeln!(out, "  {effect}{}{source}", line(text))?;
    for AcceptanceFunction { start, end, name } in functions.iter().take(MOST) {
        let name = name.as_deref().map(|name| format!(" {}", line(name))).unwrap_or_default();
        writeln!(out, "    {start:#x}..{end:#x}{name}")?;
    }
    match functions.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "    and {}", counted(more, "more function")),
    }
}
