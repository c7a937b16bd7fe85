//! Relations between outputs of links, and between the exit of a step and its output.

use std::cmp::Ordering;

use results::Gap;
use spec::{RuleId, Severity};

use super::file::{CodeSymbol, LinkFile, Shortcoming};
use super::{Breach, Expected, conserved, functions, listed, missing};

/// How a build step ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepEnd {
    /// True if it exited with status 0.
    pub success: bool,
    /// True if the tool printed a message about `.sframe`.
    pub mentions_sframe: bool,
    /// Its standard error, in one line.
    pub complaint: String,
}

/// Relation of two links whose outputs must have the same tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// A direct link, and one through `-r`.
    Relinked,
    /// The same inputs in different order.
    AnyOrder,
}

/// Checks that the tables of two outputs describe the same functions, of those that both keep, with
/// the same rules. Tables whose starts are wrong are a breach of the link itself.
pub fn same_tables(one: &LinkFile, other: &LinkFile, relation: Tables) -> Vec<Breach> {
    let rule = match relation {
        Tables::Relinked => RuleId::LinkRelocatableThenFinal,
        Tables::AnyOrder => RuleId::LinkInputOrder,
    };
    if one.has_skewed_starts() || other.has_skewed_starts() {
        return Vec::new();
    }
    let mut breaches: Vec<Breach> = header_differs(one, other, rule).into_iter().collect();
    let (mine, theirs) = (one.by_name(), other.by_name());
    let (made_mine, made_theirs) = (one.made_coverage(), other.made_coverage());
    let (mut only_one, mut only_other, mut differ) = (Vec::new(), Vec::new(), Vec::new());
    for (name, here) in &mine {
        let Some(there) = theirs.get(name) else { continue };
        match (here.is_empty(), there.is_empty()) {
            (true, true) => {}
            (false, true) => only_one.push(*name),
            (true, false) => only_other.push(*name),
            (false, false) => {
                // If several functions have the name, each is matched.
                let alike = |a: &[&super::LinkedFunction], b: &[&super::LinkedFunction]| {
                    a.iter().all(|function| b.iter().any(|like| like.same(function)))
                };
                if !alike(here, there) || !alike(there, here) {
                    differ.push(*name);
                }
            }
        }
    }
    for (section, here) in &made_mine {
        let Some(there) = made_theirs.get(section) else { continue };
        match here.cmp(there) {
            Ordering::Greater => only_one.push(*section),
            Ordering::Less => only_other.push(*section),
            Ordering::Equal => {}
        }
    }
    for (file, lacking, names) in [(one, other, &only_one), (other, one, &only_other)] {
        if !names.is_empty() {
            let (shape, _) = missing(lacking, names);
            let message = format!("{} describes {}, {} does not", file.name, listed(names), lacking.name);
            breaches.push(Breach::new(rule, &lacking.name, shape, message));
        }
    }
    if !differ.is_empty() {
        let message = format!("{} and {} describe {} differently", one.name, other.name, listed(&differ));
        breaches.push(Breach::new(rule, &other.name, functions("differs", &differ), message));
    }
    breaches
}

fn header_differs(one: &LinkFile, other: &LinkFile, rule: RuleId) -> Option<Breach> {
    let (a, b) = (one.table.as_ref()?, other.table.as_ref()?);
    let of = |table: &super::TableFacts| (table.version, table.flags, table.abi_arch, table.fixed_fp, table.fixed_ra);
    (of(a) != of(b)).then(|| {
        let text = |table: &super::TableFacts| {
            format!(
                "{} flags {:#x} ABI {} fixed FP {} RA {}",
                table.version, table.flags, table.abi_arch, table.fixed_fp, table.fixed_ra
            )
        };
        let message = format!("the header of {} is {}, that of {} {}", one.name, text(a), other.name, text(b));
        Breach::new(rule, &other.name, "header", message)
    })
}

/// Checks that garbage collection keeps descriptions: functions that a link without it describes
/// and one with it keeps are described in both, and so is the code that the linker makes, which is
/// never collected.
pub fn gc_keeps_live(plain: &LinkFile, collected: &LinkFile) -> Option<Breach> {
    if plain.has_skewed_starts() {
        return None;
    }
    let (before, after) = (plain.by_name(), collected.by_name());
    let lost = |name: &&str| after.get(name).is_some_and(Vec::is_empty);
    let described = before.iter().filter(|(_, described)| !described.is_empty()).map(|(name, _)| *name);
    let (made, kept) = (plain.made_coverage(), collected.made_coverage());
    let bare = made.iter().filter(|(section, before)| kept.get(*section).is_some_and(|after| after < *before));
    let lost: Vec<&str> = described.filter(lost).chain(bare.map(|(section, _)| *section)).collect();
    if lost.is_empty() {
        return None;
    }
    let (shape, why) = missing(collected, &lost);
    let message = format!("{} keeps {} and does not describe them: {why}", collected.name, listed(&lost));
    Some(Breach::new(RuleId::LinkGcKeepsLive, &collected.name, shape, message))
}

/// Checks a link of different versions: the step failed, or the output describes all of
/// `functions`. An omitted table is only a warning if the tool reports it ([`left_out`] counts its
/// functions); a table that misleads readers is always an error.
pub fn mixed(end: &StepEnd, output: Option<&LinkFile>, functions: &[String]) -> Option<Breach> {
    let output = output.filter(|_| end.success)?;
    let named = output.by_name();
    let lost: Vec<&str> =
        functions.iter().map(String::as_str).filter(|name| named.get(name).is_none_or(Vec::is_empty)).collect();
    if lost.is_empty() {
        return None;
    }
    let shortcoming = output.shortcoming();
    let (kind, why) = shortcoming.map_or_else(
        || ("part", "no descriptor leads to them".to_owned()),
        |shortcoming| (shortcoming.name(), output.sentence(shortcoming)),
    );
    let corrupt = shortcoming.is_some_and(Shortcoming::is_corrupt);
    let printed =
        if end.mentions_sframe { format!("it printed '{}'", end.complaint) } else { "it printed nothing".to_owned() };
    let shape = format!("{}: {kind}", if end.mentions_sframe { "told" } else { "silent" });
    let message = format!("exit status 0, {printed}, and {} does not describe {}: {why}", output.name, listed(&lost));
    let breach = Breach::new(RuleId::LinkVersionsMixed, &output.name, shape, message);
    Some(if end.mentions_sframe && !corrupt { Breach { severity: Severity::Warning, ..breach } } else { breach })
}

/// Checks the table of a link of different versions: the functions of the inputs that have its
/// version are expected.
pub fn kept_of_mixture(inputs: &[&LinkFile], output: &LinkFile) -> Vec<Breach> {
    let version = |file: &LinkFile| file.table.as_ref().map(|table| table.version);
    let Some(kept) = version(output).filter(|_| output.shortcoming().is_none()) else { return Vec::new() };
    let inputs: Vec<&LinkFile> = inputs.iter().filter(|input| version(input) == Some(kept)).copied().collect();
    conserved(&inputs, output, Expected::Conserved)
}

/// Functions whose tables a link dropped because their version differs from the output's: coverage
/// gaps, with the reason if the tool reported it.
pub fn left_out(inputs: &[&LinkFile], output: &LinkFile, end: &StepEnd) -> Vec<Gap> {
    let kept = output.table.as_ref().map(|table| table.version);
    let mut gaps: Vec<Gap> = Vec::new();
    for input in inputs {
        let Some(version) = input.table.as_ref().map(|table| table.version).filter(|version| Some(*version) != kept)
        else {
            continue;
        };
        let described =
            input.by_name().into_iter().filter_map(|(name, described)| Some((name, described.first()?.size)));
        for (name, size) in described {
            let lost = |symbol: &&CodeSymbol| symbol.name == name && !output.describes(symbol.address);
            gaps.extend(output.symbols.iter().filter(lost).map(|symbol| Gap {
                function: name.to_owned(),
                code: (symbol.address, symbol.address.saturating_add(size)),
                place: format!("{:#x}..{:#x}", symbol.address, symbol.address.saturating_add(size)),
                reason: end.mentions_sframe.then(|| format!("the link drops input tables of version {version}")),
                executed: false,
            }));
        }
    }
    gaps.sort_by(|a, b| (a.code, &a.function).cmp(&(b.code, &b.function)));
    gaps.dedup_by(|a, b| a.code.0 == b.code.0);
    gaps
}

/// Checks a link of code that 32-bit start fields cannot reach: if the step succeeded, every one of
/// `functions` must still be described. One that is missing for another reason breaks
/// `link/conserved`.
pub fn overflow(end: &StepEnd, output: Option<&LinkFile>, functions: &[String]) -> Option<Breach> {
    let output = output.filter(|_| end.success)?;
    let expected = if is_beyond_reach(output, functions) { Expected::Overflow } else { Expected::Conserved };
    super::named_are_described(&[], output, functions, expected).pop()
}

/// Returns true if some of `functions` are further from the table than a signed 32-bit start field
/// can express. If none are, the link shows nothing about such fields.
pub fn is_beyond_reach(output: &LinkFile, functions: &[String]) -> bool {
    let far = |address: u64| address.abs_diff(output.address) > i32::MAX.unsigned_abs().into();
    let named = output.symbols.iter().filter(|symbol| functions.contains(&symbol.name));
    output.table.is_some() && named.into_iter().any(|symbol| far(symbol.address))
}

/// The breach for a step that fails with `.sframe` and succeeds without.
pub fn not_accepted(output: &str, end: &StepEnd, signal: Option<i32>) -> Breach {
    let shape = signal.map_or_else(|| "refused".to_owned(), |signal| format!("killed by signal {signal}"));
    let message = format!("{output} cannot be linked, but can be if no input has .sframe: {}", end.complaint);
    Breach::new(RuleId::LinkAccepted, output, shape, message)
}

/// The breach for a step that succeeds and complains of inputs that are right.
pub fn not_silent(output: &str, end: &StepEnd) -> Breach {
    let message = format!("{output} is linked, but the linker complains of right .sframe sections: {}", end.complaint);
    Breach::new(RuleId::LinkAccepted, output, "complains", message)
}

/// Checks that two links of the same inputs with the same options are identical.
pub fn same_bytes(one: (&str, &[u8]), other: (&str, &[u8])) -> Option<Breach> {
    let ((one, first), (other, second)) = (one, other);
    if first == second {
        return None;
    }
    let at = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    let message =
        format!("{one} ({} bytes) and {other} ({} bytes) differ from offset {at:#x} on", first.len(), second.len());
    Some(Breach::new(RuleId::LinkDeterministic, other, "bytes differ", message))
}

/// The breach for an output of a post-processor that cannot be loaded.
pub fn not_loadable(output: &str, why: &str) -> Breach {
    Breach::new(RuleId::LinkSectionKept, output, "not loadable", format!("{output} cannot be loaded: {why}"))
}

/// Checks that a post-processor did not change the section.
pub fn section_kept(before: &LinkFile, after: &LinkFile) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let mut add =
        |shape: &str, message: String| breaches.push(Breach::new(RuleId::LinkSectionKept, &after.name, shape, message));
    if !before.has_section {
        return breaches;
    }
    if !after.has_section {
        add("no section", format!("{} has no .sframe, {} has", after.name, before.name));
        return breaches;
    }
    if before.bytes != after.bytes {
        let at = before.bytes.iter().zip(&after.bytes).take_while(|(a, b)| a == b).count();
        add(
            "bytes",
            format!("the .sframe of {} differs from that of {} from byte {at:#x} on", after.name, before.name),
        );
    }
    if before.allocated && !after.allocated {
        add("not allocated", format!("the .sframe of {} is not allocated", after.name));
    }
    if before.has_segment && !after.has_segment {
        add("no segment", format!("{} has no PT_GNU_SFRAME, {} has", after.name, before.name));
    }
    breaches
}

/// Checks that a script or an option discarded the section. An empty section that is left is a
/// warning.
pub fn discarded(output: &LinkFile) -> Option<Breach> {
    let (what, severity) = match (output.has_section, output.has_segment) {
        (false, false) => return None,
        (true, false) if output.bytes.is_empty() => ("empty section", Severity::Warning),
        (true, _) => ("section", Severity::Error),
        (false, true) => ("segment", Severity::Error),
    };
    let message = format!("{} has a .sframe {what} that was to be discarded", output.name);
    Some(Breach { severity, ..Breach::new(RuleId::LinkDiscarded, &output.name, what, message) })
}

/// Checks the output of a link in which no input has `.sframe`.
pub fn from_nothing(inputs: &[&LinkFile], output: &LinkFile) -> Option<Breach> {
    if inputs.iter().any(|input| input.has_section) || !output.has_section {
        return None;
    }
    let message =
        format!("{} has .sframe with {} functions and none of its inputs has", output.name, output.functions().len());
    Some(Breach::new(RuleId::LinkFromNothing, &output.name, "section", message))
}
