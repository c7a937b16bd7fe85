//! The effect of a planted bug: original and mutant are decoded and compared at every instruction
//! of every function, and during every call.

use std::fmt;

use super::base::Base;
use super::subject::Subject;
use super::truth::Truth;
use crate::elf::FileKind;
use crate::reader::{DecodedSection, Meaning, Starts, decode};
use crate::sample::{Sample, SampleError};

/// The effect of a mutant's bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// At some PC the meaning changed, and is wrong: the first such PC.
    Meaning(String),
    /// All meanings are the same, but a clause of the format is broken: the clause.
    Structure(&'static str),
    /// All meanings are the same or give the same values, and no clause is broken.
    Equivalent(Equivalence),
}

/// The extent of a comparison without differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equivalence {
    /// Number of compared PCs.
    pub places: usize,
    /// Number of PCs at which a different rule gives the same values; 0 if all rules are the same.
    pub by_another_rule: usize,
}

impl fmt::Display for Equivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Equivalence { places, by_another_rule } = self;
        match by_another_rule {
            0 => write!(f, "the same rules at all of {places} places"),
            _ => write!(f, "the same values (by another rule at {by_another_rule}) at all of {places} places"),
        }
    }
}

/// The rules of a base, decoded once for all of its mutants.
pub(super) struct Original<'b> {
    ranges: Vec<(u64, u64)>,
    places: Vec<ProbePoint<'b>>,
}

/// An instruction, or a call in progress, with its rules.
struct ProbePoint<'b> {
    subject: &'b Subject,
    offset: u32,
    pc: u64,
    truth: &'b Truth,
    was: Vec<Option<Meaning>>,
}

impl Original<'_> {
    pub(super) fn new(base: &Base) -> Result<Original<'_>, SampleError> {
        let section = decoded(&base.sample)?.unwrap_or_default();
        let text = if base.sample.kind == FileKind::Relocatable { 0 } else { base.sample.text_address() };
        let mut places = Vec::new();
        for (placed, subject) in base.sample.functions.iter().zip(&base.subjects) {
            for (offset, truth) in &subject.truths {
                let pc = text + placed.offset + u64::from(*offset);
                places.push(ProbePoint { subject, offset: *offset, pc, truth, was: section.at(pc) });
            }
        }
        Ok(Original { ranges: section.ranges(), places })
    }
}

/// The effect of a bug in `.sframe`.
pub(super) fn section_effect(
    original: &Original<'_>,
    mutant: &Sample,
    breaks: Option<&'static str>,
) -> Result<Effect, SampleError> {
    let Some(mutant) = decoded(mutant)? else { return Ok(Effect::Meaning("nothing can be read".to_owned())) };
    if original.ranges != mutant.ranges() {
        return Ok(Effect::Meaning("other code is described".to_owned()));
    }
    let mut otherwise = 0;
    for ProbePoint { subject, offset, pc, truth, was } in &original.places {
        let is = mutant.at(*pc);
        let same = match (was.as_slice(), is.as_slice()) {
            (was, is) if was == is => true,
            ([Some(was)], [Some(is)]) if was.same(*is) => true,
            ([Some(was)], [Some(is)]) if was.signal == is.signal && truth.confirms(is) => {
                otherwise += 1;
                true
            }
            _ => false,
        };
        if !same {
            return Ok(Effect::Meaning(format!("{}+{offset:#x}", subject.function.name)));
        }
    }
    Ok(match breaks {
        Some(clause) => Effect::Structure(clause),
        None => Effect::Equivalent(Equivalence { places: original.places.len(), by_another_rule: otherwise }),
    })
}

/// The effect of a bug in the frames that tables are made from.
pub(super) fn frames_effect(base: &Base, mutant: &Sample) -> Effect {
    let mut places = 0;
    for (placed, subject) in mutant.functions.iter().zip(&base.subjects) {
        let function = &placed.function;
        for (offset, truth) in &subject.truths {
            let Some(at) = function.frames.iter().rev().find(|at| at.offset <= *offset) else { continue };
            let frame = at.frame;
            let signed = frame.signed.then_some(function.key);
            let said = Meaning { cfa: frame.cfa, ra: frame.ra, fp: frame.fp, signed, signal: function.signal };
            places += 1;
            if !truth.confirms(&said) {
                return Effect::Meaning(format!("{}+{offset:#x}", function.name));
            }
        }
    }
    Effect::Equivalent(Equivalence { places, by_another_rule: places })
}

fn decoded(sample: &Sample) -> Result<Option<DecodedSection>, SampleError> {
    let file = sample.elf()?;
    let section = file.sections.iter().find(|section| section.name == ".sframe");
    let Some(section) = section else { return Ok(None) };
    let addends: Vec<u64> = section.relocations.iter().map(|relocation| relocation.addend as u64).collect();
    let starts = if sample.kind == FileKind::Relocatable { Starts::Addends(&addends) } else { Starts::Flag };
    Ok(decode(sample.abi, &section.bytes, section.address, starts))
}
