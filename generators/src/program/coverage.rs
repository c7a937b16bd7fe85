//! Counts of frame styles, kinds of rows, widths, tables and files in generated programs, for each
//! target and version. A possible kind that is never counted means that a test has lost its
//! subject.

use std::collections::BTreeMap;

use types::{Abi, AbiFacts, PacKey, SframeVersion};

use super::Program;
use super::code::FunctionCode;
use super::tables::{StartsFrom, starts_from};
use crate::arch::{Target, target};
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

/// A condition that a target and version fulfil, or not.
type Condition = fn(&Facts) -> bool;

/// Kinds, with the condition that a target and version must fulfil to have them.
const KINDS: &[(Condition, &str)] = &[
    (
        |_| true,
        "style/outermost style/no-frame style/frame-pointer style/no-frame-pointer style/fp-reused \
         style/pushes-in-any-order style/dynamic-stack style/stack-over-32-KiB style/stack-over-64-KiB \
         style/shrink-wrapped style/early-return style/cold-part style/cold-returns \
         style/cold-comes-back style/tail-call style/recursion style/loop style/loop-over-calls \
         style/stubs style/got-stubs style/throw style/ends-in-call style/calls-next style/handler \
         style/computed-goto style/call-by-register \
         style/nested-handler style/sends-signal style/restorer style/code-over-256-bytes \
         style/code-over-64-KiB row/base-sp row/base-fp row/words-1 row/words-2 width/starts-1 \
         width/starts-2 width/starts-4 width/words-1 width/words-2 width/words-4 table/after-text \
         table/before-text table/rows-reversed table/auxiliary table/gap cfi/remember file/executable \
         file/shared file/object",
    ),
    (|it| it.abi.red_zone > 0, "style/red-zone"),
    (|it| it.target.realigns, "style/realigned"),
    (|it| it.target.parks_in_registers, "style/saved-in-registers"),
    (|it| it.target.signs, "style/key-a style/key-b style/returns-authenticated row/signed fde/key-b"),
    (|it| it.version.outermost != Outermost::Never, "row/words-0"),
    (|it| it.abi.link_register, "row/words-3"),
    // A word of 0 is padding.
    (|it| it.target.zero_is_unsaved, "row/ra-filler"),
    (|it| it.target.has_odd_words(it.version.layout), "row/odd-word"),
    (
        Facts::has_flex,
        "flex/words-2 flex/words-4 flex/words-5 flex/words-6 flex/cfa-register flex/ra-register \
         flex/fp-register flex/fp-load-cfa fde/flex",
    ),
    (|it| it.has_flex() && it.target.realigns, "flex/cfa-load flex/fp-load-register"),
    (|it| it.has_flex() && it.abi.link_register, "flex/ra-load-cfa"),
    (|it| it.version.layout.has_rep_size(), "fde/mask"),
    (|it| it.version.layout.has_signal(), "fde/signal"),
    // Producers do not write rows without words.
    (|it| it.version.outermost != Outermost::Always, "fde/left-out"),
    (|it| it.starts != StartsFrom::Field, "table/starts-from-section"),
    (|it| it.version.starts_from_field, "table/starts-from-field"),
];

/// What conditions are about.
struct Facts {
    abi: &'static AbiFacts,
    target: &'static Target,
    version: &'static facts::Version,
    /// Anchor of start fields.
    starts: StartsFrom,
}

impl Facts {
    fn has_flex(&self) -> bool {
        self.target.has_flex(self.version.layout)
    }
}

/// All kinds that are possible for a target and version.
pub fn possible(abi: Abi, version: SframeVersion) -> Vec<&'static str> {
    let starts = starts_from(abi, version);
    let it = Facts { abi: abi.facts(), target: target(abi), version: facts::version(version), starts };
    KINDS.iter().filter(|(has, _)| has(&it)).flat_map(|(_, kinds)| kinds.split(' ')).collect()
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
