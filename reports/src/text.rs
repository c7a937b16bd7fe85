//! The report for people: the wrong table and location, and the values of the truth and both tables
//! next to the disassembly.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use results::{
    AssumedIn, Blame, Finding, Gap, Outcome, Outside, Report, Source, UndecidedIn, UnreachedIn, Values, WindowLine,
    entry_name,
};
use spec::{RuleGroup, Severity};
use types::counted;
use types::{Aspect, AssumedEntry, SframeVersion, Unreached};

use crate::cells::row_at;
use crate::columns::padded;
use crate::escape::line;
use crate::folded::{Folded, folded};
use crate::screen::{Mark, Screen};

/// The amount of output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detail {
    /// Print notes too, and known bugs in full.
    pub info: bool,
    /// List each function without an SFrame FDE and code outside every FDE, not only their number.
    pub gaps: bool,
    /// The capabilities of the terminal.
    pub screen: Screen,
}

/// Prints the report of one file: its verdict, counts, findings and gaps.
pub fn print(report: &Report, outcome: Outcome, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    headline(report, outcome, detail.screen, out)?;
    if report.error.is_none() {
        print_counts(report, out)?;
    }
    for note in &report.notes {
        writeln!(out, "  note: {}", line(note))?;
    }
    if let Some(output) = report.output.as_ref().filter(|output| !output.is_empty()) {
        writeln!(out, "  output:")?;
        for printed in output.lines() {
            writeln!(out, "    | {}", line(printed))?;
        }
    }
    for item in &report.undecided {
        writeln!(out, "  undecided ({}): {}", item.reason.name(), line(&item.message))?;
    }
    let is_shown = |found: &Finding| detail.info || found.severity > Severity::Info || found.standing.known.is_some();
    for of_cause in folded(report, is_shown) {
        match of_cause.known() {
            Some(known) => {
                print_known(report, known, &of_cause.findings, out)?;
                if detail.info {
                    print_folded(&of_cause, report.sframe_version, detail.screen, out)?;
                }
            }
            None => print_folded(&of_cause, report.sframe_version, detail.screen, out)?,
        }
    }
    print_gaps(&report.gaps, detail.gaps, out)?;
    print_undecided(&report.undecided_in, detail.gaps, out)?;
    print_assumed(&report.assumed, detail.gaps, out)?;
    print_unreached(&report.unreached, detail.gaps, out)?;
    print_outside(&report.outside, detail.gaps, out)?;
    let hidden = report.discrepancies.iter().filter(|found| found.severity == Severity::Info).count();
    if hidden > 0 && !detail.info {
        writeln!(out, "  {} not shown (--info shows them)", counted(hidden, "note"))?;
    }
    Ok(())
}

/// Prints the findings of the baseline that a file no longer shows.
pub fn gone(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let file = line(&report.file);
    report.gone.iter().try_for_each(|gone| writeln!(out, "GONE        {file}: {}", line(gone)))
}

/// Prints the first line of a report: the file, its kind, its verdict.
pub fn headline(report: &Report, outcome: Outcome, screen: Screen, out: &mut dyn Write) -> io::Result<()> {
    let unread = report.discrepancies.iter().any(|found| found.rule().facts().group == RuleGroup::Header);
    let version = match report.sframe_version {
        Some(version) => format!("SFrame {version}"),
        None if unread => "unreadable .sframe".to_owned(),
        None => "no .sframe".to_owned(),
    };
    let file = line(&report.file);
    match (&report.error, report.abi) {
        (Some(error), _) => writeln!(out, "{file}: error: {}", line(&error.message))?,
        (None, Some(abi)) => {
            let lost = report.gaps.iter().filter(|gap| gap.reason.is_none()).count();
            let gaps = match (report.gaps.len(), lost) {
                (0, _) => String::new(),
                (count, 0) => format!(", {} without an SFrame FDE", counted(count, "function")),
                (count, _) => {
                    format!(", {} without an SFrame FDE ({lost} that SFrame can encode)", counted(count, "function"))
                }
            };
            let refused = report.summary.refusal().map_or_else(String::new, |refusal| format!(", {refusal}"));
            let undecided = match report.has_undecided_answers() {
                true => format!(", {} undecided", counted(report.summary.undecided, "answer")),
                false => String::new(),
            };
            let known = match report.summary.known {
                0 => String::new(),
                count => format!(", {}", counted(count, "known finding")),
            };
            let outside = outside(report).map_or_else(String::new, |outside| format!(", {outside}"));
            let looked_at = report.summary.looked_at();
            let verdict = outcome.name().to_uppercase();
            write!(out, "{file}: {abi}, {version}: ")?;
            let mark = if outcome == Outcome::Clean { Mark::Good } else { Mark::Wrong };
            screen.put(mark, &verdict, out)?;
            writeln!(out, ", {looked_at}{undecided}{refused}{gaps}{outside}{known}")?;
        }
        (None, None) => writeln!(out, "{file}: {}", outcome.name().to_uppercase())?,
    }
    Ok(())
}

/// The share of code that no table describes: `12.0 % of the code outside every FDE`.
fn outside(report: &Report) -> Option<String> {
    Some(format!("{} of the code outside every FDE", report.summary.outside?.percent()))
}

/// The reason why a report is not clean, in one line: `CFA is rsp+24, expected rsp+8, at leaf
/// (row/cfa-matches-truth), and 2 more findings`.
pub fn why(report: &Report, outcome: Outcome) -> String {
    match (&report.error, report.undecided.first()) {
        (Some(error), _) => error.message.clone(),
        (None, Some(undecided)) if outcome == Outcome::Undecided => undecided.message.clone(),
        (None, undecided) => worst(report)
            .or_else(|| Some(undecided?.message.clone()))
            .unwrap_or_else(|| counted(report.summary.undecided, "undecided answer")),
    }
}

/// The most useful finding, and the number of others; functions without a table if only these are
/// denied.
fn worst(report: &Report) -> Option<String> {
    let counting: Vec<&Finding> = report.discrepancies.iter().filter(|found| report.counts(found)).collect();
    let Some(gravest) = counting.iter().map(|found| found.severity).max() else {
        let gaps = report.gaps.len();
        return match gaps {
            0 => outside(report),
            _ => Some(format!("{} without an SFrame FDE", counted(gaps, "function"))),
        };
    };
    let alike: Vec<&&Finding> = counting.iter().filter(|found| found.severity == gravest).collect();
    let rank = |found: &Finding| (found.standing.known.is_some(), !found.evidence.executed, found.evidence.depth);
    let best = alike.iter().min_by_key(|found| rank(found));
    let known = |found: &Finding| found.standing.known.as_deref().map(|file| format!("known: {}: ", entry_name(file)));
    let sentence =
        |found: &Finding| format!("{}{} ({})", known(found).unwrap_or_default(), found.headline(), found.rule());
    let worst = best.map(|found| sentence(found)).unwrap_or_default();
    Some(match alike.len() - 1 {
        0 => worst,
        more => format!("{worst}, and {}", counted(more, "more finding")),
    })
}

fn print_counts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let s = &report.summary;
    let mut parts = Vec::new();
    if report.sframe_version.is_some() {
        parts.push(counted(s.functions, "SFrame FDE"));
    }
    if s.steps_executed > 0 {
        parts.push(format!("{} of {} in this file judged", s.steps_judged, counted(s.steps_executed, "step")));
    }
    if s.pcs_judged > 0 {
        parts.push(format!("{} checked by execution", counted(s.pcs_judged, "PC")));
    }
    if s.pcs_compared_static > 0 {
        parts.push(format!("{} compared between tables", counted(s.pcs_compared_static, "PC")));
    }
    if s.frames_walked > 0 {
        parts.push(format!("{} in chains of up to {}", counted(s.frames_walked, "frame"), s.max_depth));
    }
    if !parts.is_empty() {
        writeln!(out, "  {}", parts.join(", "))?;
    }
    if let Some(reach) = &s.reach {
        let padding = if reach.padding > 0 { format!("; {} of padding", reach.padding) } else { String::new() };
        writeln!(
            out,
            "  explored: {} of {} instructions reached ({}{padding}), {} in states that may be unreachable, {} in functions never entered",
            reach.executed,
            reach.covered,
            reach.percent(),
            reach.unconfirmed,
            reach.not_entered
        )?;
    }
    let counting = report.discrepancies.iter().filter(|found| report.counts(found));
    let warnings = counting.filter(|found| found.severity == Severity::Warning).count();
    let (errors, warnings) = (counted(s.discrepancies, "error"), counted(warnings, "warning"));
    writeln!(out, "  {errors}, {warnings}, {} undecided", report.count_undecided())
}

/// Maximum number of places that are named for a cause.
const MOST_PLACES: usize = 20;

/// Width of lines with places.
const WIDTH: usize = 100;

/// Prints the findings of one cause: the best in full, and the other places.
fn print_folded(
    of_cause: &Folded<'_>,
    version: Option<SframeVersion>,
    screen: Screen,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(best) = of_cause.best() else { return Ok(()) };
    writeln!(out)?;
    print_finding(best, version, screen, out)?;
    let more = of_cause.findings.len().saturating_sub(1);
    if more == 0 {
        return Ok(());
    }
    let rules: BTreeSet<&str> = of_cause.findings.iter().map(|found| found.rule().name()).collect();
    let rules = if rules.len() > 1 { format!(" ({})", Vec::from_iter(rules).join(", ")) } else { String::new() };
    write!(out, "  {} of this cause{rules}", counted(more, "more finding"))?;
    let others = of_cause.others();
    if others.is_empty() {
        return writeln!(out);
    }
    writeln!(out, ", also at")?;
    print_places(&others, out)
}

/// Prints places in lines of bounded width.
fn print_places(places: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let more = places.len().saturating_sub(MOST_PLACES);
    let named = places.iter().take(MOST_PLACES).map(|place| line(place));
    let rest = (more > 0).then(|| format!("and {more} more"));
    let mut text = String::new();
    let mut all = named.chain(rest).peekable();
    while let Some(place) = all.next() {
        let comma = if all.peek().is_some() { "," } else { "" };
        if !text.is_empty() && text.len() + place.len() + 6 > WIDTH {
            writeln!(out, "   {text}")?;
            text.clear();
        }
        text.push_str(&format!(" {place}{comma}"));
    }
    writeln!(out, "   {text}")
}

/// Prints the findings of a known bug in a paragraph: its title, what shows it here, and the
/// affected versions.
fn print_known(report: &Report, known: &str, findings: &[&Finding], out: &mut dyn Write) -> io::Result<()> {
    let entry = report.ledger.iter().find(|entry| entry.file == known);
    match entry {
        Some(entry) => writeln!(out, "  known: {}: {}", line(entry.name()), line(&entry.title))?,
        None => writeln!(out, "  known: in {}", line(known))?,
    }
    let mut counts: Vec<(Severity, usize)> = Vec::new();
    for found in findings {
        match counts.iter_mut().find(|(severity, _)| *severity == found.severity) {
            Some((_, count)) => *count += 1,
            None => counts.push((found.severity, 1)),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(severity, count)| counted(*count, &severity.to_string())).collect();
    let rules: BTreeSet<&str> = findings.iter().map(|found| found.rule().name()).collect();
    let first = findings.first().map(|found| line(&found.headline())).unwrap_or_default();
    writeln!(out, "    {} ({}): {first}", counts.join(", "), Vec::from_iter(rules).join(", "))?;
    let Some(entry) = entry else { return Ok(()) };
    let versions =
        if entry.first == entry.last { entry.first.clone() } else { format!("{} to {}", entry.first, entry.last) };
    let fixed = entry.fixed.as_ref().map_or("no fixed version".to_owned(), |fixed| format!("fixed in {fixed}"));
    let why = entry.because.as_ref().map(|because| format!("; {}: {because}", entry.class)).unwrap_or_default();
    writeln!(out, "    {} {versions}, {fixed}; {}{}", line(&entry.project), line(&entry.link), line(&why))
}

/// Prints a finding: the message, the wrong table and location, values of the truth and the tables.
pub fn print_finding(
    found: &Finding,
    version: Option<SframeVersion>,
    screen: Screen,
    out: &mut dyn Write,
) -> io::Result<()> {
    let severity = found.severity.to_string();
    match found.is_error() {
        true => screen.put(Mark::Wrong, &severity, out)?,
        false => write!(out, "{severity}")?,
    }
    writeln!(out, ": {}: {}", found.rule(), line(&found.shown.message))?;
    if let Some(contrast) = found.contrast() {
        writeln!(out, "  {}", line(&contrast))?;
    }
    let subject = if found.function().starts_with('.') { "section" } else { "function" };
    write!(out, "  blame: {}   {subject}: {}", blamed(found), line(found.function()))?;
    if !found.shown.place.is_empty() {
        write!(out, "   pc: {}", line(&found.shown.place))?;
        let more = found.evidence.ranges.len().saturating_sub(1);
        if more > 0 {
            write!(out, " and {}", counted(more, "more range"))?;
        }
    }
    match (found.evidence.executed, found.evidence.steps) {
        (true, 1) => write!(out, "   shown by 1 step")?,
        (true, steps) => write!(out, "   shown by {steps} steps")?,
        (false, _) if found.evidence.field != Aspect::Structure => write!(out, "   not executed")?,
        (false, _) => {}
    }
    if found.evidence.depth > 0 {
        write!(out, "   {} up", counted(found.evidence.depth, "frame"))?;
    }
    writeln!(out)?;
    for edit in found.evidence.repair.iter().flat_map(|repair| repair.edits()) {
        writeln!(out, "  repair: {}", line(&edit.sentence()))?;
    }
    if let Some(source) = &found.shown.source {
        writeln!(out, "  source: {}:{}", line(&source.file), source.line)?;
    }
    if let Some(offset) = found.shown.offset {
        writeln!(out, "  at byte {offset:#x} of {}", line(&found.shown.section))?;
    }
    for (source, values) in
        [("truth", &found.evidence.truth), ("sframe", &found.evidence.sframe), ("eh_frame", &found.evidence.eh_frame)]
    {
        if let Some(values) = values {
            writeln!(out, "  {source:>8}: {}", values_line(values))?;
        }
    }
    print_window(found, screen, out)?;
    let clause = match found.rule().facts().clause_in(version) {
        clause if clause == "implementations" => "none (what implementations expect)".to_owned(),
        clause => clause,
    };
    writeln!(out, "  clause: {clause}   fingerprint: {}", found.fingerprint())
}

/// The blamed producer as text. Directives are a compiler's, or written by hand: in a source in
/// assembly, or in one that is not known.
fn blamed(found: &Finding) -> &'static str {
    let source = found.shown.source.as_ref().map(|source| Path::new(&source.file));
    let is_assembly = source.and_then(Path::extension).is_some_and(|kind| kind == "S" || kind == "s" || kind == "asm");
    match found.blame() {
        Blame::Compiler if is_assembly => "assembly source",
        Blame::Compiler if source.is_none() => "compiler or assembly source",
        blame => blame.name(),
    }
}

/// The values of the machine or a table, on one line:
/// `cfa=0x7008 ra=0x401000   (cfa=rsp+8 ra=[cfa-8] fp=same)`.
pub fn values_line(values: &Values) -> String {
    let word = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value:#x} "));
    let words = [word("cfa", values.cfa), word("ra", values.ra), word("fp", values.fp)];
    let words: String = words.into_iter().flatten().collect();
    let row = values.row.to_string();
    line(&match (words.is_empty(), row.is_empty()) {
        (true, _) => row.strip_prefix("-; ").unwrap_or(&row).to_owned(),
        (false, true) => words,
        (false, false) => format!("{words}  ({row})"),
    })
}

/// Prints the window as a table with aligned columns; the wrong cell is marked.
fn print_window(found: &Finding, screen: Screen, out: &mut dyn Write) -> io::Result<()> {
    if found.shown.window.is_empty() {
        return Ok(());
    }
    // Without execution there is no truth.
    let truth = if found.shown.window.iter().any(|at| !at.truth.is_empty()) { "truth" } else { "" };
    let eh_frame = if found.shown.section == ".debug_frame" { ".debug_frame" } else { ".eh_frame" };
    let mut rows = vec![["", "", truth, ".sframe", eh_frame].map(str::to_owned).to_vec()];
    rows.extend(found.shown.window.iter().map(|at| {
        let place = format!("{} {}", if at.wrong { "=>" } else { "  " }, at.place);
        [&place, &at.text, &at.truth, &at.sframe, &at.eh_frame].map(|cell| line(cell)).to_vec()
    }));
    let lines = std::iter::once(None).chain(found.shown.window.iter().map(Some));
    for (cells, at) in padded(&rows, |_| false).iter().zip(lines) {
        let wrong = at.filter(|at| at.wrong).and_then(|at| wrong_column(found, at));
        write!(out, "  ")?;
        let last = cells.iter().rposition(|cell| !cell.trim().is_empty()).unwrap_or_default();
        for (column, cell) in cells.iter().enumerate().take(last + 1) {
            let cell = if column == last { cell.trim_end() } else { cell };
            match wrong == Some(column) {
                true => screen.put(Mark::Wrong, cell, out)?,
                false => write!(out, "{cell}")?,
            }
            write!(out, "{}", if column == last { "" } else { "  " })?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The column of the wrong table at an instruction.
fn wrong_column(found: &Finding, at: &WindowLine) -> Option<usize> {
    match row_at(found, at.pc)?.wrong {
        Source::Truth => None,
        Source::Sframe => Some(3),
        Source::EhFrame => Some(4),
    }
}

/// Prints a line about functions, and the functions if they are `listed`.
fn print_list<T>(
    head: impl FnOnce(String) -> String,
    all: &[T],
    listed: bool,
    entry: impl Fn(&T) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let list = if listed { "" } else { " (--gaps lists them)" };
    writeln!(out, "  {}{list}", head(counted(all.len(), "function")))?;
    all.iter().filter(|_| listed).try_for_each(|one| writeln!(out, "    {}", entry(one)))
}

/// A function with its place and size: `f (f+0x0, 12 bytes)`.
fn sized(function: &str, place: &str, (start, end): (u64, u64)) -> String {
    format!("{} ({}, {} bytes)", line(function), line(place), end.saturating_sub(start))
}

fn print_gaps(gaps: &[Gap], listed: bool, out: &mut dyn Write) -> io::Result<()> {
    if !gaps.is_empty() {
        writeln!(out)?;
    }
    let executed = gaps.iter().filter(|gap| gap.executed).count();
    let head = |functions| format!("coverage: {functions} without an SFrame FDE, {executed} of them executed");
    let entry = |gap: &Gap| {
        let reason = gap.reason.as_deref().unwrap_or("the format could describe it");
        let executed = if gap.executed { "executed" } else { "not executed" };
        format!("{} ({}, {executed}): {}", line(&gap.function), line(&gap.place), line(reason))
    };
    print_list(head, gaps, listed, entry, out)
}

fn print_undecided(functions: &[UndecidedIn], listed: bool, out: &mut dyn Write) -> io::Result<()> {
    let entry = |one: &UndecidedIn| {
        let (answers, pcs) = (counted(one.answers, "answer"), counted(one.pcs.len(), "PC"));
        format!("{}: {}: {answers} at {pcs}", sized(&one.function, &one.place, one.code), one.why)
    };
    print_list(|functions| format!("undecided answers in {functions}"), functions, listed, entry, out)
}

fn print_assumed(functions: &[AssumedIn], listed: bool, out: &mut dyn Write) -> io::Result<()> {
    let number = |why: AssumedEntry| functions.iter().filter(|one| one.why == why).count();
    let numbers = AssumedEntry::ALL.map(|why| (number(why), why)).into_iter().filter(|(number, _)| *number > 0);
    let numbers: Vec<String> = numbers.map(|(number, why)| format!("{number} {why}")).collect();
    let head = |functions| format!("entry assumed of {functions}: {}", numbers.join(", "));
    let entry = |one: &AssumedIn| format!("{}: {}", sized(&one.function, &one.place, one.code), one.why.meaning());
    print_list(head, functions, listed, entry, out)
}

fn print_unreached(functions: &[UnreachedIn], listed: bool, out: &mut dyn Write) -> io::Result<()> {
    let entry = |one: &UnreachedIn| {
        let Unreached { instructions, unconfirmed, unreached, .. } = one.counts;
        let doubtful = match unconfirmed {
            0 => String::new(),
            number => format!(", {number} in states that may be unreachable"),
        };
        let stopped = match (&one.stopped_by, one.counts.stopped_at) {
            (Some(by), Some(at)) => format!("; {} at {at:#x} ends a path", line(by)),
            _ => String::new(),
        };
        let not_reached = format!("{unreached} of {instructions} instructions not reached");
        format!("{} ({}): {not_reached}{doubtful}{stopped}", line(&one.function), line(&one.place))
    };
    print_list(|functions| format!("not reached completely: {functions}"), functions, listed, entry, out)
}

/// Prints code outside every FDE: one line, or by section with its functions.
fn print_outside(sections: &[Outside], listed: bool, out: &mut dyn Write) -> io::Result<()> {
    if sections.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let part = |section: &Outside| format!("{} of {} in {}", section.bytes, section.of, line(&section.section));
    if !listed {
        let parts: Vec<_> = sections.iter().map(part).collect();
        writeln!(out, "  bytes outside every FDE: {} (--gaps lists them)", parts.join(", "))?;
    }
    for section in sections.iter().filter(|_| listed) {
        writeln!(out, "  bytes outside every FDE: {}", part(section))?;
        for code in &section.functions {
            let name = if code.function.is_empty() { "no symbol" } else { code.function.as_str() };
            let size = counted(code.code.1 - code.code.0, "byte");
            writeln!(out, "    {} ({}, {size})", line(name), line(&code.place))?;
        }
    }
    Ok(())
}
