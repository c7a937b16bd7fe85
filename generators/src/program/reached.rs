//! What programs are examples of, counted: frame styles, kinds of rows, widths, kinds of tables and files, for each target and
//! version. A kind that is possible and never reached means that a test has lost its subject.

use std::collections::BTreeMap;

use model::{Abi, PacKey, SframeVersion};

use super::Program;
use super::code::Emitted;
use super::tables::{StartsFrom, starts_from};
use crate::elf::FileKind;
use crate::facts::{self, Outermost};
use crate::sample::{Sample, TablePlace};
use crate::sframe::{Base, FLAG_PCREL, FunctionSpec, PcType, RowSpec, Width, Word};

/// Counts by target, version and kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many programs show the kind.
    pub counts: BTreeMap<(Abi, SframeVersion, &'static str), u64>,
}

/// Kinds, and where they occur.
const KINDS: &[(&str, Where)] = &[
    ("style/outermost", Where::All),
    ("style/no-frame", Where::All),
    ("style/frame-pointer", Where::All),
    ("style/no-frame-pointer", Where::All),
    ("style/fp-reused", Where::All),
    ("style/pushes-in-any-order", Where::All),
    ("style/dynamic-stack", Where::All),
    ("style/stack-over-32-KiB", Where::All),
    ("style/stack-over-64-KiB", Where::All),
    ("style/red-zone", Where::RedZone),
    ("style/realigned", Where::Realigned),
    ("style/saved-in-registers", Where::Registers),
    ("style/key-a", Where::Signed),
    ("style/key-b", Where::Signed),
    ("style/shrink-wrapped", Where::All),
    ("style/early-return", Where::All),
    ("style/cold-part", Where::All),
    ("style/cold-returns", Where::All),
    ("style/cold-comes-back", Where::All),
    ("style/tail-call", Where::All),
    ("style/recursion", Where::All),
    ("style/loop", Where::All),
    ("style/loop-over-calls", Where::All),
    ("style/stubs", Where::All),
    ("style/code-over-256-bytes", Where::All),
    ("style/code-over-64-KiB", Where::All),
    ("row/base-sp", Where::All),
    ("row/base-fp", Where::All),
    ("row/words-0", Where::Outermost),
    ("row/words-1", Where::All),
    ("row/words-2", Where::All),
    ("row/words-3", Where::LinkRegister),
    ("row/ra-filler", Where::Filler),
    ("row/odd-word", Where::OddWords),
    ("row/signed", Where::Signed),
    ("flex/words-2", Where::Flex),
    ("flex/words-4", Where::FlexLinkRegister),
    ("flex/words-5", Where::Flex),
    ("flex/words-6", Where::FlexLinkRegister),
    ("flex/cfa-register", Where::Flex),
    ("flex/cfa-load", Where::FlexRealigned),
    ("flex/ra-register", Where::FlexLinkRegister),
    ("flex/ra-load-cfa", Where::FlexLinkRegister),
    ("flex/fp-register", Where::FlexLinkRegister),
    ("flex/fp-load-cfa", Where::Flex),
    ("flex/fp-load-register", Where::FlexRealigned),
    ("width/starts-1", Where::All),
    ("width/starts-2", Where::All),
    ("width/starts-4", Where::All),
    ("width/words-1", Where::All),
    ("width/words-2", Where::All),
    ("width/words-4", Where::All),
    ("fde/mask", Where::Blocks),
    ("fde/flex", Where::Flex),
    ("fde/signal", Where::Signal),
    ("fde/key-b", Where::Signed),
    ("fde/left-out", Where::LeftOut),
    ("table/starts-from-section", Where::SectionRelative),
    ("table/starts-from-field", Where::FieldRelative),
    ("table/after-text", Where::All),
    ("table/before-text", Where::All),
    ("table/rows-reversed", Where::All),
    ("table/auxiliary", Where::All),
    ("table/gap", Where::All),
    ("cfi/remember", Where::All),
    ("file/executable", Where::All),
    ("file/shared", Where::All),
    ("file/object", Where::All),
];

/// Which targets and versions have a kind.
#[derive(Clone, Copy)]
enum Where {
    All,
    /// Targets where nobody else writes below SP.
    RedZone,
    /// Targets that align SP and find the CFA in memory.
    Realigned,
    /// Targets that keep return address and FP in other registers.
    Registers,
    /// Targets that sign return addresses.
    Signed,
    LinkRegister,
    /// A word of 0 is a filler.
    Filler,
    /// Odd words name registers.
    OddWords,
    /// There is a field for the size of repeated blocks.
    Blocks,
    /// A row without words is possible.
    Outermost,
    /// A row without words is not what producers write.
    LeftOut,
    Signal,
    Flex,
    FlexRealigned,
    /// Flexible rows, where the return address moves.
    FlexLinkRegister,
    SectionRelative,
    FieldRelative,
}

/// All kinds that a target has in a version.
pub fn possible(abi: Abi, version: SframeVersion) -> Vec<&'static str> {
    let (target, facts, starts) = (facts::target(abi), abi.facts(), starts_from(abi, version));
    let facts::Version { layout, outermost, starts_from_field, .. } = *facts::version(version);
    let flex = target.has_flex(layout);
    let occurs = |place: Where| match place {
        Where::All => true,
        Where::RedZone => facts.red_zone > 0,
        Where::Realigned => target.realigns,
        Where::Registers => target.parks_in_registers,
        Where::Signed => target.signs,
        Where::LinkRegister => facts.link_register,
        Where::Filler => target.zero_is_unsaved,
        Where::OddWords => target.has_odd_words(layout),
        Where::Blocks => layout.has_rep_size(),
        Where::Outermost => outermost != Outermost::Never,
        Where::LeftOut => outermost != Outermost::Always,
        Where::Signal => layout.has_signal(),
        Where::Flex => flex,
        Where::FlexRealigned => flex && target.realigns,
        Where::FlexLinkRegister => flex && facts.link_register,
        Where::SectionRelative => starts != StartsFrom::Field,
        Where::FieldRelative => starts_from_field,
    };
    KINDS.iter().filter(|(_, place)| occurs(*place)).map(|(kind, _)| *kind).collect()
}

impl Reached {
    /// Takes in what another program shows.
    pub fn add(&mut self, other: &Reached) {
        for (kind, count) in &other.counts {
            *self.counts.entry(*kind).or_default() += count;
        }
    }

    /// How many programs of a target and version show a kind.
    pub fn count(&self, abi: Abi, version: SframeVersion, kind: &'static str) -> u64 {
        self.counts.get(&(abi, version, kind)).copied().unwrap_or(0)
    }

    pub(super) fn of(
        program: &Program,
        styles: impl Iterator<Item = &'static str>,
        emitted: &[&Emitted],
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
        let told = [
            (program.tables.rows_reversed && section.functions.len() > 1, "table/rows-reversed"),
            (!section.aux.is_empty(), "table/auxiliary"),
            (!section.fde_gap.is_empty() || !section.fre_gap.is_empty(), "table/gap"),
            (!sample.left_out.is_empty(), "fde/left-out"),
            (program.tables.remember && emitted.iter().any(|emitted| emitted.comes_back.is_some()), "cfi/remember"),
        ];
        kinds.extend(told.into_iter().filter_map(|(is, kind)| is.then_some(kind)));
        for function in &section.functions {
            descriptor(program, function, &mut kinds);
        }
        kinds.sort_unstable();
        kinds.dedup();
        let key = |kind| ((program.abi, program.version, kind), 1);
        Reached { counts: kinds.into_iter().map(key).collect() }
    }
}

fn descriptor(program: &Program, function: &FunctionSpec, kinds: &mut Vec<&'static str>) {
    kinds.push(match function.starts {
        Width::One => "width/starts-1",
        Width::Two => "width/starts-2",
        Width::Four => "width/starts-4",
    });
    let told = [
        (function.pc_type != PcType::Inc, "fde/mask"),
        (function.flex, "fde/flex"),
        (function.signal, "fde/signal"),
        (function.key == PacKey::B, "fde/key-b"),
    ];
    kinds.extend(told.into_iter().filter_map(|(is, kind)| is.then_some(kind)));
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
    let target = facts::target(abi);
    let saved = row.words.get(1..).unwrap_or_default();
    if target.zero_is_unsaved && saved.first() == Some(&Word::Offset(0)) {
        kinds.push("row/ra-filler");
    }
    if target.odd_words && saved.iter().any(|word| word.bits() & 1 == 1) {
        kinds.push("row/odd-word");
    }
}

/// Words are control and offset of the CFA, the same of the return address or one zero, the same of FP.
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
