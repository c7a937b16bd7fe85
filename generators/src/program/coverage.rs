//! Counts of frame styles, kinds of rows, widths, tables and files in generated programs, for each
//! target and version. A possible kind that is never counted means that a test has lost its
//! subject.

use std::collections::BTreeMap;

use types::{Abi, PacKey, SframeVersion};

use super::Program;
use super::code::FunctionCode;
use super::tables::{StartsFrom, starts_from};
use crate::arch::target;
use crate::elf::FileKind;
use crate::facts::{self, Outermost};
use crate::sample::{Sample, TablePlace};
use crate::sframe::{Base, FLAG_PCREL, FunctionSpec, PcType, RowSpec, Width, Word};

/// Counts by target, version and kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Number of programs that have the kind.
    pub counts: BTreeMap<(Abi, SframeVersion, &'static str), u64>,
}

/// Kinds, with their occurrence.
const KINDS: &[(&str, Occurrence)] = &[
    ("style/outermost", Occurrence::All),
    ("style/no-frame", Occurrence::All),
    ("style/frame-pointer", Occurrence::All),
    ("style/no-frame-pointer", Occurrence::All),
    ("style/fp-reused", Occurrence::All),
    ("style/pushes-in-any-order", Occurrence::All),
    ("style/dynamic-stack", Occurrence::All),
    ("style/stack-over-32-KiB", Occurrence::All),
    ("style/stack-over-64-KiB", Occurrence::All),
    ("style/red-zone", Occurrence::RedZone),
    ("style/realigned", Occurrence::Realigned),
    ("style/saved-in-registers", Occurrence::Registers),
    ("style/key-a", Occurrence::Signed),
    ("style/key-b", Occurrence::Signed),
    ("style/shrink-wrapped", Occurrence::All),
    ("style/early-return", Occurrence::All),
    ("style/cold-part", Occurrence::All),
    ("style/cold-returns", Occurrence::All),
    ("style/cold-comes-back", Occurrence::All),
    ("style/tail-call", Occurrence::All),
    ("style/recursion", Occurrence::All),
    ("style/loop", Occurrence::All),
    ("style/loop-over-calls", Occurrence::All),
    ("style/stubs", Occurrence::All),
    ("style/got-stubs", Occurrence::All),
    ("style/throw", Occurrence::All),
    ("style/ends-in-call", Occurrence::All),
    ("style/calls-next", Occurrence::All),
    ("style/handler", Occurrence::All),
    ("style/nested-handler", Occurrence::All),
    ("style/sends-signal", Occurrence::All),
    ("style/restorer", Occurrence::All),
    ("style/returns-authenticated", Occurrence::Signed),
    ("style/code-over-256-bytes", Occurrence::All),
    ("style/code-over-64-KiB", Occurrence::All),
    ("row/base-sp", Occurrence::All),
    ("row/base-fp", Occurrence::All),
    ("row/words-0", Occurrence::Outermost),
    ("row/words-1", Occurrence::All),
    ("row/words-2", Occurrence::All),
    ("row/words-3", Occurrence::LinkRegister),
    ("row/ra-filler", Occurrence::Filler),
    ("row/odd-word", Occurrence::OddWords),
    ("row/signed", Occurrence::Signed),
    ("flex/words-2", Occurrence::Flex),
    ("flex/words-4", Occurrence::Flex),
    ("flex/words-5", Occurrence::Flex),
    ("flex/words-6", Occurrence::Flex),
    ("flex/cfa-register", Occurrence::Flex),
    ("flex/cfa-load", Occurrence::FlexRealigned),
    ("flex/ra-register", Occurrence::Flex),
    ("flex/ra-load-cfa", Occurrence::FlexLinkRegister),
    ("flex/fp-register", Occurrence::Flex),
    ("flex/fp-load-cfa", Occurrence::Flex),
    ("flex/fp-load-register", Occurrence::FlexRealigned),
    ("width/starts-1", Occurrence::All),
    ("width/starts-2", Occurrence::All),
    ("width/starts-4", Occurrence::All),
    ("width/words-1", Occurrence::All),
    ("width/words-2", Occurrence::All),
    ("width/words-4", Occurrence::All),
    ("fde/mask", Occurrence::Blocks),
    ("fde/flex", Occurrence::Flex),
    ("fde/signal", Occurrence::Signal),
    ("fde/key-b", Occurrence::Signed),
    ("fde/left-out", Occurrence::LeftOut),
    ("table/starts-from-section", Occurrence::SectionRelative),
    ("table/starts-from-field", Occurrence::FieldRelative),
    ("table/after-text", Occurrence::All),
    ("table/before-text", Occurrence::All),
    ("table/rows-reversed", Occurrence::All),
    ("table/auxiliary", Occurrence::All),
    ("table/gap", Occurrence::All),
    ("cfi/remember", Occurrence::All),
    ("file/executable", Occurrence::All),
    ("file/shared", Occurrence::All),
    ("file/object", Occurrence::All),
];

/// The targets and versions that have a kind.
#[derive(Clone, Copy)]
enum Occurrence {
    All,
    /// Targets with a red zone below SP.
    RedZone,
    /// Targets that align SP and find the CFA in memory.
    Realigned,
    /// Targets that keep return address and FP in other registers.
    Registers,
    /// Targets that sign return addresses.
    Signed,
    LinkRegister,
    /// Targets on which a word of 0 is padding.
    Filler,
    /// Targets and versions on which odd words name registers.
    OddWords,
    /// Versions with a field for the size of repeated blocks.
    Blocks,
    /// Versions in which a row without words is possible.
    Outermost,
    /// Versions in which producers do not write rows without words.
    LeftOut,
    Signal,
    Flex,
    FlexRealigned,
    /// Targets with flexible rows whose return address is not fixed.
    FlexLinkRegister,
    SectionRelative,
    FieldRelative,
}

/// All kinds that are possible for a target and version.
pub fn possible(abi: Abi, version: SframeVersion) -> Vec<&'static str> {
    let (target, facts, starts) = (target(abi), abi.facts(), starts_from(abi, version));
    let facts::Version { layout, outermost, starts_from_field, .. } = *facts::version(version);
    let flex = target.has_flex(layout);
    let occurs = |place: Occurrence| match place {
        Occurrence::All => true,
        Occurrence::RedZone => facts.red_zone > 0,
        Occurrence::Realigned => target.realigns,
        Occurrence::Registers => target.parks_in_registers,
        Occurrence::Signed => target.signs,
        Occurrence::LinkRegister => facts.link_register,
        Occurrence::Filler => target.zero_is_unsaved,
        Occurrence::OddWords => target.has_odd_words(layout),
        Occurrence::Blocks => layout.has_rep_size(),
        Occurrence::Outermost => outermost != Outermost::Never,
        Occurrence::LeftOut => outermost != Outermost::Always,
        Occurrence::Signal => layout.has_signal(),
        Occurrence::Flex => flex,
        Occurrence::FlexRealigned => flex && target.realigns,
        Occurrence::FlexLinkRegister => flex && facts.link_register,
        Occurrence::SectionRelative => starts != StartsFrom::Field,
        Occurrence::FieldRelative => starts_from_field,
    };
    KINDS.iter().filter(|(_, place)| occurs(*place)).map(|(kind, _)| *kind).collect()
}

impl Coverage {
    /// Adds the counts of another program.
    pub fn add(&mut self, other: &Coverage) {
        for (kind, count) in &other.counts {
            *self.counts.entry(*kind).or_default() += count;
        }
    }

    /// Number of programs of a target and version with a kind.
    pub fn count(&self, abi: Abi, version: SframeVersion, kind: &'static str) -> u64 {
        self.counts.get(&(abi, version, kind)).copied().unwrap_or(0)
    }

    pub(super) fn new(
        program: &Program,
        styles: impl Iterator<Item = &'static str>,
        functions: &[&FunctionCode],
        sample: &Sample,
    ) -> Self {
        let mut kinds: Vec<&'static str> = styles.collect();
        kinds.push(match program.kind {
            FileKind::Executable => "file/executable",
            FileKind::Shared => "file/shared",
            FileKind::Relocatable => "file/object",
        });
        let section = &sample.section;
        kinds.push(if section.flags & FLAG_PCREL == 0 {
            "table/starts-from-section"
        } else {
            "table/starts-from-field"
        });
        if program.kind != FileKind::Relocatable {
            kinds.push(match program.tables.place {
                TablePlace::AfterText => "table/after-text",
                TablePlace::BeforeText => "table/before-text",
            });
        }
        let features = [
            (program.tables.rows_reversed && section.functions.len() > 1, "table/rows-reversed"),
            (!section.aux.is_empty(), "table/auxiliary"),
            (!section.fde_gap.is_empty() || !section.fre_gap.is_empty(), "table/gap"),
            (!sample.left_out.is_empty(), "fde/left-out"),
            (
                program.tables.remember && functions.iter().any(|functions| functions.comes_back.is_some()),
                "cfi/remember",
            ),
        ];
        kinds.extend(features.into_iter().filter_map(|(is, kind)| is.then_some(kind)));
        for function in &section.functions {
            descriptor(program, function, &mut kinds);
        }
        kinds.sort_unstable();
        kinds.dedup();
        let key = |kind| ((program.abi, program.version, kind), 1);
        Coverage { counts: kinds.into_iter().map(key).collect() }
    }
}

fn descriptor(program: &Program, function: &FunctionSpec, kinds: &mut Vec<&'static str>) {
    kinds.push(match function.starts {
        Width::One => "width/starts-1",
        Width::Two => "width/starts-2",
        Width::Four => "width/starts-4",
    });
    let features = [
        (function.pc_type != PcType::Inc, "fde/mask"),
        (function.flex, "fde/flex"),
        (function.signal, "fde/signal"),
        (function.key == PacKey::B, "fde/key-b"),
    ];
    kinds.extend(features.into_iter().filter_map(|(is, kind)| is.then_some(kind)));
    for row in &function.rows {
        if row.words.is_empty() {
            kinds.push("row/words-0");
            continue;
        }
        kinds.push(match row.width {
            Width::One => "width/words-1",
            Width::Two => "width/words-2",
            Width::Four => "width/words-4",
        });
        if function.flex { flex_row(row, kinds) } else { default_row(program.abi, row, kinds) }
    }
}

fn default_row(abi: Abi, row: &RowSpec, kinds: &mut Vec<&'static str>) {
    kinds.push(if row.base == Base::Sp { "row/base-sp" } else { "row/base-fp" });
    kinds.push(match row.words.len() {
        1 => "row/words-1",
        2 => "row/words-2",
        _ => "row/words-3",
    });
    if row.signed {
        kinds.push("row/signed");
    }
    let target = target(abi);
    let saved = row.words.get(1..).unwrap_or_default();
    if target.zero_is_unsaved && saved.first() == Some(&Word::Offset(0)) {
        kinds.push("row/ra-filler");
    }
    if target.odd_words && saved.iter().any(|word| word.bits() & 1 == 1) {
        kinds.push("row/odd-word");
    }
}

/// Words are control and offset of the CFA, the same for the return address or one zero, the same
/// for FP.
fn flex_row(row: &RowSpec, kinds: &mut Vec<&'static str>) {
    let control = |index: usize| match row.words.get(index) {
        Some(Word::Control(bits)) => Some((bits & 1 == 1, bits & 2 == 2)),
        _ => None,
    };
    kinds.push(match row.words.len() {
        2 => "flex/words-2",
        4 => "flex/words-4",
        5 => "flex/words-5",
        _ => "flex/words-6",
    });
    kinds.push(if control(0) == Some((true, true)) { "flex/cfa-load" } else { "flex/cfa-register" });
    let (ra, fp) = match row.words.len() {
        4 => (control(2), None),
        5 => (None, control(3)),
        6 => (control(2), control(4)),
        _ => (None, None),
    };
    kinds.extend(match ra {
        Some((true, false)) => Some("flex/ra-register"),
        Some((false, true)) => Some("flex/ra-load-cfa"),
        _ => None,
    });
    kinds.extend(match fp {
        Some((true, false)) => Some("flex/fp-register"),
        Some((true, true)) => Some("flex/fp-load-register"),
        Some((false, true)) => Some("flex/fp-load-cfa"),
        _ => None,
    });
}
