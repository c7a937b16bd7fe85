//! Conservation: the output describes all functions that the inputs describe and the link keeps,
//! once and unchanged, and no others.

use std::collections::{BTreeMap, BTreeSet};

use results::Shape;
use spec::{RuleId, Severity};

use super::file::{FRAME_POINTER, LinkFile, LinkedFunction, Shortcoming, TableFacts};
use super::{Breach, functions, functions_only, listed};

/// The rule that a missing function breaks, which depends on the purpose of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `link/conserved`, or `link/relocatable-union` in ET_REL.
    Conserved,
    /// `link/start-overflow`: a 32-bit start field cannot reach the code.
    Overflow,
}

impl Expected {
    fn rule(self, output: &LinkFile) -> RuleId {
        match self {
            Expected::Overflow => RuleId::LinkStartOverflow,
            Expected::Conserved if output.relocatable => RuleId::LinkRelocatableUnion,
            Expected::Conserved => RuleId::LinkConserved,
        }
    }
}

/// Judges the output of a link against its inputs. For inputs of different versions see
/// [`super::mixed`].
pub fn conserved(inputs: &[&LinkFile], output: &LinkFile, expected: Expected) -> Vec<Breach> {
    let descriptions = Descriptions::new(inputs);
    let missing = missing(&descriptions, inputs, output, expected);
    let cause = missing.as_ref().map(|(cause, _)| *cause);
    let mut breaches: Vec<Breach> = missing.into_iter().map(|(_, breach)| breach).collect();
    breaches.extend(header(inputs, output));
    match cause {
        // The targets of descriptors are unknown, or all wrong, which is already reported: further
        // breaches would only repeat it.
        Some(Cause::Shortcoming(Shortcoming::Relocations | Shortcoming::StartBase)) => return breaches,
        Some(Cause::Elsewhere) => {}
        Some(Cause::Shortcoming(_) | Cause::Some) | None => breaches.extend(dead(output)),
    }
    breaches.extend(changed(&descriptions, output));
    breaches.extend(twice(output));
    breaches
}

/// Why functions are missing from a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// Readers find less than the file contains.
    Shortcoming(Shortcoming),
    /// No descriptor refers to any function that the output keeps.
    Elsewhere,
    /// Some functions have no descriptor.
    Some,
}

/// Descriptions of each name in the inputs.
struct Descriptions<'a> {
    described: BTreeMap<&'a str, Vec<&'a LinkedFunction>>,
    /// Names that some input defines but does not describe: which definition the link kept is
    /// unknown.
    undescribed: BTreeSet<&'a str>,
}

impl<'a> Descriptions<'a> {
    fn new(inputs: &[&'a LinkFile]) -> Descriptions<'a> {
        let mut descriptions = Descriptions { described: BTreeMap::new(), undescribed: BTreeSet::new() };
        for input in inputs {
            for (name, described) in input.by_name() {
                let definitions = input.symbols.iter().filter(|symbol| symbol.name == name).count();
                if described.len() < definitions {
                    descriptions.undescribed.insert(name);
                }
                descriptions.described.entry(name).or_default().extend(described);
            }
        }
        descriptions
    }

    /// Descriptions of a name, one of which the output must have; `None` if it need not.
    fn due(&self, name: &str) -> Option<&[&'a LinkedFunction]> {
        let described = self.described.get(name).filter(|described| !described.is_empty())?;
        (!self.undescribed.contains(name)).then_some(described)
    }
}

/// Reports functions that the output keeps and that its table does not describe.
fn missing(
    descriptions: &Descriptions<'_>,
    inputs: &[&LinkFile],
    output: &LinkFile,
    expected: Expected,
) -> Option<(Cause, Breach)> {
    // A name that is resolved at run time may refer to a PLT entry.
    let own = output.symbols.iter().filter(|symbol| !output.is_made(symbol.address));
    let live = own.filter(|symbol| descriptions.due(&symbol.name).is_some());
    let (found, lost): (Vec<_>, Vec<_>) = live.partition(|symbol| output.at(symbol.address).next().is_some());
    let (unnamed, nameless) = unnamed(inputs, output);
    let lost = lost.iter().map(|symbol| symbol.name.as_str()).chain((nameless > 0).then_some(NAMELESS));
    lacks(output, expected.rule(output), found.len() + unnamed, &names(lost))
}

/// Name used for code without a symbol.
const NAMELESS: &str = "code without a name";

/// Counts of functions that only `.eh_frame` shows, since they have no name: described by the
/// table, and described before but not any more. Functions that no input describes are recognised
/// by their sizes, which a link does not change.
fn unnamed(inputs: &[&LinkFile], output: &LinkFile) -> (usize, usize) {
    let undescribed = |file: &LinkFile| -> Vec<u64> {
        file.unnamed().filter(|(start, _)| !file.describes(*start)).map(|(start, end)| end - start).collect()
    };
    let mut never: Vec<u64> = inputs.iter().flat_map(|input| undescribed(input)).collect();
    let now = undescribed(output);
    let lost = now.iter().filter(|size| match never.iter().position(|other| other == *size) {
        Some(index) => {
            never.swap_remove(index);
            false
        }
        None => true,
    });
    let lost = lost.count();
    (output.unnamed().count() - now.len(), lost)
}

/// Checks that the output describes the functions that the case lists, whatever the inputs show.
/// Functions of `objects` that have no table at all were lost by the assembler.
pub fn named_are_described(
    objects: &[&LinkFile],
    output: &LinkFile,
    functions: &[String],
    expected: Expected,
) -> Vec<Breach> {
    let named = output.by_name();
    let has = |name: &&String| named.get(name.as_str()).is_some_and(|described| !described.is_empty());
    let (found, mut lost): (Vec<&String>, Vec<&String>) = functions.iter().partition(has);
    let mut breaches = Vec::new();
    for object in objects.iter().filter(|object| object.table.is_none()) {
        let (own, others): (Vec<&String>, _) = lost.into_iter().partition(|name| object.defines(name));
        lost = others;
        if !own.is_empty() {
            let listed = listed(&names(own.into_iter().map(String::as_str)));
            let message = format!("{} has no table, and the case expects one that describes {listed}", object.name);
            breaches.push(Breach::new(RuleId::CoverageSectionPresent, &object.name, Shape::Rule, message));
        }
    }
    let lost = names(lost.into_iter().map(String::as_str));
    breaches.extend(lacks(output, expected.rule(output), found.len(), &lost).map(|(_, breach)| breach));
    breaches
}

fn lacks(output: &LinkFile, rule: RuleId, found: usize, lost: &[&str]) -> Option<(Cause, Breach)> {
    if lost.is_empty() {
        return None;
    }
    let cause = match output.shortcoming() {
        Some(shortcoming) => Cause::Shortcoming(shortcoming),
        None if found == 0 => Cause::Elsewhere,
        None => Cause::Some,
    };
    let (shape, why) = match cause {
        Cause::Elsewhere => (Shape::from("missing: nothing at its place"), "its descriptors lead elsewhere".to_owned()),
        Cause::Shortcoming(_) | Cause::Some => super::missing(output, lost),
    };
    let message = format!("{} does not describe {}: {why}", output.name, listed(lost));
    let breach = Breach::new(rule, &output.name, shape, message);
    // Unwinders do not read object files: concatenated tables in them lose nothing yet.
    let harmless = output.relocatable && cause == Cause::Shortcoming(Shortcoming::LaterElements);
    Some((cause, if harmless { Breach { severity: Severity::Warning, ..breach } } else { breach }))
}

/// Reports zero bytes in place of a table: the whole section, or the bytes after a table with fewer
/// FDEs than the inputs have for code that the output keeps. After a complete table zero bytes are
/// space left over from merging.
pub fn blank(inputs: &[&LinkFile], output: &LinkFile) -> Option<Breach> {
    let zeros = output.blank()?;
    let (shape, place) = match &output.table {
        None => ("all of the section", "are all that its .sframe has".to_owned()),
        Some(table) => {
            let due = due(inputs, output);
            let there = table.functions.len() + table.broken;
            if there >= due {
                return None;
            }
            ("behind the table", format!("follow {there} descriptors, its inputs have {due} of what it keeps"))
        }
    };
    let message = format!("{}: {zeros} bytes of zero {place}", output.name);
    Some(Breach::new(RuleId::LinkBlankTable, &output.name, shape, message))
}

/// Minimum number of FDEs expected in the output: for each name as many as it has symbols, at most
/// as many as the inputs have. Of COMDAT functions one is kept. A function with several names
/// counts once.
fn due(inputs: &[&LinkFile], output: &LinkFile) -> usize {
    let mut described: BTreeMap<&str, usize> = BTreeMap::new();
    for input in inputs {
        for function in input.functions() {
            let names = input.symbols.iter().filter(|symbol| symbol.address == function.start);
            if let Some(symbol) = names.into_iter().find(|symbol| output.defines(&symbol.name)) {
                *described.entry(&symbol.name).or_default() += 1;
            }
        }
    }
    let kept = |name: &str| output.symbols.iter().filter(|symbol| symbol.name == name).count();
    described.into_iter().map(|(name, count)| count.min(kept(name))).sum()
}

/// Functions that the output has and the same link without `.sframe` discards: only the table keeps
/// them alive.
pub fn kept_alive(output: &LinkFile, control: &LinkFile, functions: &[String]) -> Option<Breach> {
    let kept = still_there(output, functions);
    if kept.is_empty() || !still_there(control, functions).is_empty() {
        return None;
    }
    let message = format!("{} keeps {}, which the same link without .sframe discards", output.name, listed(&kept));
    Some(Breach::new(RuleId::LinkDeadDescribed, &output.name, "dead code kept alive by .sframe", message))
}

/// The functions of the list that the output still has although, according to the case, the link
/// drops them. Where a link without `.sframe` has them too, the linker did not do what the case
/// tests: nothing can be judged.
pub fn still_there<'n>(output: &LinkFile, functions: &'n [String]) -> Vec<&'n str> {
    functions.iter().map(String::as_str).filter(|name| output.defines(name)).collect()
}

fn changed(descriptions: &Descriptions<'_>, output: &LinkFile) -> Vec<Breach> {
    let mut kinds: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    for symbol in &output.symbols {
        let Some(candidates) =
            descriptions.described.get(symbol.name.as_str()).filter(|candidates| !candidates.is_empty())
        else {
            continue;
        };
        let mut here = output.at(symbol.address).peekable();
        let alike = |function: &LinkedFunction| candidates.iter().any(|candidate| candidate.same(function));
        let difference =
            |function: &LinkedFunction| candidates.first().and_then(|candidate| candidate.difference(function));
        let first = here.peek().copied();
        if let Some(function) = first.filter(|_| !here.any(alike)) {
            kinds.entry(difference(function).unwrap_or("description")).or_default().push(&symbol.name);
        }
    }
    let breach = |(kind, names): (&'static str, Vec<&str>)| {
        let message = format!("{} changes the {kind} of {}", output.name, listed(&names));
        Breach::new(RuleId::LinkRowsUnchanged, &output.name, functions(kind, &names), message)
    };
    kinds.into_iter().map(breach).collect()
}

/// Reports code that several descriptors describe. If several names refer to it, the linker folded
/// identical functions.
fn twice(output: &LinkFile) -> Vec<Breach> {
    let mut times: BTreeMap<u64, usize> = BTreeMap::new();
    for function in output.functions().iter().filter(|function| function.size > 0) {
        *times.entry(function.start).or_default() += 1;
    }
    let mut breaches = Vec::new();
    for (address, count) in times.into_iter().filter(|(_, count)| *count > 1) {
        let names = names(output.symbols.iter().filter(|symbol| symbol.address == address).map(|s| s.name.as_str()));
        let rule = if names.len() > 1 { RuleId::LinkFoldedOnce } else { RuleId::LinkDescribedOnce };
        let of = if names.is_empty() { String::new() } else { format!(" for {}", listed(&names)) };
        let message = format!("{} has {count} descriptors{of} at {address:#x}", output.name);
        breaches.push(Breach::new(rule, &output.name, functions_only(&names), message));
    }
    breaches
}

/// Reports descriptors that refer to no function of the output, neither named nor described by
/// `.eh_frame`, from which linkers remove descriptors of discarded code. A file without symbols
/// shows nothing.
fn dead(output: &LinkFile) -> Option<Breach> {
    if output.symbols.is_empty() {
        return None;
    }
    let named: BTreeSet<u64> = output.symbols.iter().map(|symbol| symbol.address).collect();
    let directed = |start: u64| output.cfi.iter().any(|(from, to)| (*from..*to).contains(&start));
    let live = |start: u64| named.contains(&start) || directed(start) || output.is_made(start);
    let stray = |function: &&LinkedFunction| !live(function.start);
    let dead: Vec<u64> = output.functions().iter().filter(stray).map(|function| function.start).collect();
    let first = dead.first()?;
    let rule = if output.relocatable { RuleId::LinkRelocatableUnion } else { RuleId::LinkDeadDescribed };
    let message = format!(
        "{} has {} descriptors that lead to no function of it, the first to {first:#x}",
        output.name,
        dead.len()
    );
    Some(Breach::new(rule, &output.name, "descriptors that lead to no function", message))
}

/// Compares the header with those of the inputs that have a table.
fn header(inputs: &[&LinkFile], output: &LinkFile) -> Vec<Breach> {
    let tables: Vec<&TableFacts> = inputs.iter().filter_map(|input| input.table.as_ref()).collect();
    let (Some(out), Some(first)) = (&output.table, tables.first()) else { return Vec::new() };
    let byte = |what: &'static str, of: fn(&TableFacts) -> i64| {
        let got = of(out);
        let disagrees = tables.iter().any(|table| of(table) != of(first));
        let wrong = got != of(first) && !tables.iter().any(|table| of(table) == got);
        let breach =
            |shape: String, text: String| Some(Breach::new(RuleId::LinkHeaderAgrees, &output.name, shape, text));
        if disagrees {
            let mut values: Vec<i64> = tables.iter().map(|table| of(table)).collect();
            values.sort_unstable();
            values.dedup();
            breach(
                format!("{what}: inputs disagree"),
                format!("{} has {what} {got} from inputs with {values:?}", output.name),
            )
        } else if wrong {
            breach(what.to_owned(), format!("{} has {what} {got}, its inputs have {}", output.name, of(first)))
        } else {
            None
        }
    };
    let mut breaches: Vec<Breach> = [
        byte("ABI", |table| i64::from(table.abi_arch)),
        byte("fixed FP offset", |table| i64::from(table.fixed_fp)),
        byte("fixed RA offset", |table| i64::from(table.fixed_ra)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let all = tables.iter().all(|table| table.flags & FRAME_POINTER != 0);
    if (out.flags & FRAME_POINTER != 0) != all {
        let message = format!(
            "{} has flags {:#x}; FRAME_POINTER is {} of its inputs",
            output.name,
            out.flags,
            if all { "set in all" } else { "not set in all" }
        );
        breaches.push(Breach::new(RuleId::LinkHeaderAgrees, &output.name, "FRAME_POINTER", message));
    }
    breaches
}

fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    all.collect::<BTreeSet<_>>().into_iter().collect()
}
