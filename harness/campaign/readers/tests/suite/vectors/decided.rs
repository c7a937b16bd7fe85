//! Class, rule, rows and callers of every vector, derived from its bytes.

use generators::vectors::{Class, Expected, QUESTIONS, Row, Vector};
use sframe::{ErrorKind, ParseError, Placement, Section, StartBase, Table};
use spec::{Breach, RuleGroup, RuleId, Severity};
use types::{Abi, Bytes, CfaRule, Image, ImageKind, ImageSection, PacKey, Pc, Segment, ValueRule, elf};

use super::VECTORS;

#[test]
fn classes_are_those_that_the_reader_and_the_rules_see() {
    let wrong: Vec<String> =
        VECTORS.iter().filter_map(|vector| Some(format!("{}: {}", vector.id, complaint(vector)?))).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rows_are_those_that_the_reader_finds() {
    let mut asked = 0;
    for vector in VECTORS.iter() {
        let table = read(vector).ok().map(|(_, table)| table);
        for answer in &vector.answers {
            let found = table.as_ref().and_then(|table| found(table, answer.pc));
            assert!(
                allows(&answer.expected, found.as_ref()),
                "{} at {:#x}: {found:?}, not {:?}",
                vector.id,
                answer.pc,
                answer.expected
            );
            asked += 1;
        }
    }
    assert!(asked > 10_000, "{asked}");
}

fn complaint(vector: &Vector) -> Option<String> {
    let breaches = breaches(vector);
    let errors: Vec<RuleId> =
        breaches.iter().filter(|breach| breach.severity == Severity::Error).map(|breach| breach.rule.id).collect();
    let breaks = |rule: RuleId| breaches.iter().any(|breach| breach.rule.id == rule);
    let unreadable = unreadable(vector);
    match vector.class {
        Class::Valid | Class::Open(_) if unreadable.is_some() => Some(format!("cannot be read: {unreadable:?}")),
        Class::Valid if !errors.is_empty() => Some(format!("breaks {errors:?}")),
        // A writer may not set a reserved bit; what a reader does with it is open.
        Class::Open(question) if errors.iter().any(|rule| question.rule != Some(*rule)) => {
            Some(format!("breaks {errors:?}"))
        }
        Class::Open(question) => {
            let rule = question.rule?;
            (!breaks(rule)).then(|| format!("keeps {}", rule.name()))
        }
        Class::Valid => None,
        Class::Invalid(rule) | Class::Malformed(rule) if !breaks(rule) => {
            Some(format!("keeps {}, breaks {errors:?}, {unreadable:?}", rule.name()))
        }
        Class::Invalid(_) => unreadable.map(|error| format!("cannot be read: {error}")),
        Class::Malformed(_) => unreadable.is_none().then(|| format!("can be read, breaks {errors:?}")),
    }
}

/// Why it cannot be read: the bytes of some function are missing, or of unknown size. Readable
/// bytes without a meaning are decoded nevertheless.
fn unreadable(vector: &Vector) -> Option<ParseError> {
    let means_nothing = |kind: ErrorKind| {
        matches!(
            kind,
            ErrorKind::Abi(_)
                | ErrorKind::Address
                | ErrorKind::WordCount(_)
                | ErrorKind::FlexWords
                | ErrorKind::CfaControl(_)
                | ErrorKind::Register(_)
                | ErrorKind::RowOrder { .. }
                | ErrorKind::FdeType(_)
        )
    };
    match read(vector) {
        Err(error) => (!means_nothing(error.kind)).then_some(error),
        Ok((_, table)) => table.broken().iter().map(|(_, error)| *error).find(|error| !means_nothing(error.kind)),
    }
}

fn read(vector: &Vector) -> Result<(Section<'_>, Table), ParseError> {
    let section = Section::parse(&vector.bytes)?;
    let table = Table::new(&section, Placement { section_address: vector.address, starts: StartBase::Header })?;
    Ok((section, table))
}

/// Breaches of rules about the section alone: it is in no file, so the rules of the container do
/// not apply.
fn breaches(vector: &Vector) -> Vec<Breach> {
    let text = ImageSection {
        size: vector.text.1 - vector.text.0,
        ..ImageSection::new(1, ".text", 6, vector.text.0, Bytes::new())
    };
    let table = ImageSection {
        kind: elf::SHT_GNU_SFRAME,
        align: 8,
        ..ImageSection::new(2, ".sframe", 2, vector.address, vector.bytes.clone())
    };
    let image = Image {
        segments: vec![Segment::new(elf::PT_GNU_SFRAME, 4, table.address, table.bytes.clone())],
        sections: vec![text, table.clone()],
        ..Image::new(vector.id.clone(), vector.abi, ImageKind::Executable, Pc(0))
    };
    let in_file = |breach: &Breach| {
        matches!(breach.rule.group, RuleGroup::Elf | RuleGroup::Plt)
            || breach.rule.id == RuleId::HeaderSortedInLinked
            || breach.rule.id == RuleId::FdeAddressBase
    };
    let mut breaches = sframe::validate(&image, &table);
    breaches.retain(|breach| !in_file(breach));
    breaches
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowRules {
    cfa: CfaRule,
    ra: ValueRule,
    fp: ValueRule,
    key: Option<PacKey>,
    signal: bool,
}

fn found(table: &Table, pc: u64) -> Option<RowRules> {
    let row = table.find(pc)?.unwind_row(pc)?;
    Some(RowRules { cfa: row.cfa, ra: row.ra, fp: row.fp, key: row.signed.then_some(row.key), signal: row.signal })
}

fn allows(expected: &Expected, found: Option<&RowRules>) -> bool {
    match expected {
        Expected::Row(row) => found.is_some_and(|found| same(row, found)),
        Expected::NoRow | Expected::Refuse => found.is_none(),
        Expected::RowOrRefuse(row) => found.is_none_or(|found| same(row, found)),
        Expected::OneOf(readings) => readings.iter().any(|reading| allows(reading, found)),
        Expected::Anything => true,
    }
}

fn same(row: &Row, found: &RowRules) -> bool {
    let frame = row.frame;
    let ends = frame.ra == ValueRule::Undefined && found.ra == ValueRule::Undefined && row.signal == found.signal;
    ends || *found == RowRules { cfa: frame.cfa, ra: frame.ra, fp: frame.fp, key: row.key, signal: row.signal }
}

#[test]
fn every_abi_and_question_has_vectors() {
    let all = &*VECTORS;
    for abi in Abi::ALL {
        for class in Class::NAMES {
            assert!(all.iter().any(|vector| vector.abi == abi && vector.class.name() == class), "{abi} {class}");
        }
    }
    for question in QUESTIONS.iter() {
        assert!(all.iter().any(|vector| vector.class == Class::Open(question)), "{}", question.name);
    }
}
