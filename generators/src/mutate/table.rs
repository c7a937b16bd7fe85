//! Bugs in the functions as a table: order, number, ranges.

use super::base::Base;
use super::site::{functions, section};
use super::{Edit, Expectation, Operator, WrongTable};
use crate::elf::FileKind;
use crate::sframe::{Anchor, FLAG_SORTED, FunctionSpec, anchor};

const fn operator(name: &'static str, what: &'static str, make: fn(&Base) -> Vec<Edit>) -> Operator {
    Operator { name, what, fault: WrongTable::Sframe, make }
}

pub(super) const OPERATORS: &[Operator] = &[
    operator("index-unsorted", "functions are out of order and SFRAME_F_FDE_SORTED is set", unsorted),
    operator("index-overlap", "a function reaches into the next", overlap),
    operator("index-duplicate", "a function is described twice", duplicate),
    operator("index-contradiction", "a function is described twice, differently", contradiction),
    operator("index-function-missing", "a function is not described", missing),
    operator("index-function-foreign", "a function has the rows of another", foreign),
    operator("fde-start", "a function starts one instruction early or late", start),
    operator("fde-start-base", "starts are relative to another base than the flags give", start_base),
    operator("fde-size", "a function ends one instruction early or late", size),
    operator("fde-empty", "a function has no bytes", empty),
];

fn unsorted(base: &Base) -> Vec<Edit> {
    // Without the flag nothing is broken.
    if base.sample.section.flags & FLAG_SORTED == 0 {
        return Vec::new();
    }
    let breaks = Some(("functions of a section with SFRAME_F_FDE_SORTED are sorted", Expectation::Error));
    let last = base.sample.section.functions.len() - 1;
    let swap = |note, a, b| section(base, note, breaks, |spec| spec.functions.swap(a, b));
    vec![swap("first two", 0, 1), swap("last two", last - 1, last), swap("first and last", 0, last)]
}

fn overlap(base: &Base) -> Vec<Edit> {
    let starts: Vec<u64> = base.sample.section.functions.iter().map(|function| function.start).collect();
    functions(base, None, |function, _| {
        let next = starts.iter().copied().filter(|start| *start > function.start).min()?;
        function.size = (next - function.start) as u32 + 1;
        Some("by a byte".to_owned())
    })
}

fn duplicate(base: &Base) -> Vec<Edit> {
    // Readers that use a binary search find either one.
    insert(base, Some(("each address is described once", Expectation::Warning)), |_| true)
}

fn contradiction(base: &Base) -> Vec<Edit> {
    insert(base, None, |function| {
        let many = function.rows.len() > 1;
        function.rows.truncate(1);
        many
    })
}

/// Appends a changed copy of a function.
fn insert(base: &Base, breaks: super::site::BrokenClause, change: impl Fn(&mut FunctionSpec) -> bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    for index in 0..base.sample.section.functions.len() {
        let mut copy = base.sample.section.functions[index].clone();
        if change(&mut copy) {
            let name = name(base, &copy);
            edits.push(section(base, &name, breaks, |spec| spec.functions.insert(index + 1, copy)));
        }
    }
    edits
}

fn missing(base: &Base) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, function) in base.sample.section.functions.iter().enumerate() {
        let edit = section(base, &name(base, function), None, |spec| {
            spec.functions.remove(index);
        });
        edits.push(Edit { expected: Expectation::Gap, ..edit });
    }
    edits
}

fn foreign(base: &Base) -> Vec<Edit> {
    // As if the offsets of rows were those of the previous function.
    let all = &base.sample.section.functions;
    let mut edits = Vec::new();
    for (index, pair) in all.windows(2).enumerate() {
        let (rows, starts) = (pair[0].rows.clone(), pair[0].starts);
        edits.push(section(base, &name(base, &pair[1]), None, |spec| {
            let function = &mut spec.functions[index + 1];
            (function.rows, function.starts, function.flex) = (rows, starts, pair[0].flex);
        }));
    }
    edits
}

fn name(base: &Base, function: &FunctionSpec) -> String {
    base.subject(function).map_or_else(String::new, |subject| subject.function.name.clone())
}

fn start(base: &Base) -> Vec<Edit> {
    let mut edits = functions(base, None, |function, subject| {
        function.start += u64::from(*subject.instructions.get(1)?);
        Some("later".to_owned())
    });
    edits.extend(functions(base, None, |function, subject| {
        function.start = function.start.checked_sub(u64::from(*subject.instructions.get(1)?))?;
        Some("earlier".to_owned())
    }));
    edits
}

fn start_base(base: &Base) -> Vec<Edit> {
    // In an object relocations define the starts.
    if base.sample.kind == FileKind::Relocatable {
        return Vec::new();
    }
    vec![section(base, "the other anchor", None, |spec| {
        spec.anchor = Some(match anchor(spec) {
            Anchor::Section => Anchor::Field,
            Anchor::Field => Anchor::Section,
        });
    })]
}

fn size(base: &Base) -> Vec<Edit> {
    let mut edits = functions(base, None, |function, subject| {
        function.size = subject.previous(function.size)?;
        (function.size > 0).then(|| "ends earlier".to_owned())
    });
    edits.extend(functions(base, None, |function, subject| {
        function.size += *subject.instructions.get(1)?;
        Some("ends later".to_owned())
    }));
    edits
}

fn empty(base: &Base) -> Vec<Edit> {
    // No code is described: equal to a table that omits the function.
    let edits = functions(base, None, |function, _| {
        function.size = 0;
        Some("no bytes".to_owned())
    });
    edits.into_iter().map(|edit| Edit { expected: Expectation::Gap, ..edit }).collect()
}
