//! The totals of a sweep, from the lines of its files.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Cause, CauseTotal, CostTotal, Counted, Example, FileLine, Judged, KnownEntry, ReasonTotal, SWEEP_SCHEMA, Sizes,
    SlowFile, Summary, SweepAsked, SweepTotals, SweepVerdict, VerdictTotals,
};
use types::{Abi, FileErrorKind, SframeVersion, Skip};

/// Maximum number of slow files that are named.
const SLOWEST: usize = 20;

/// Accumulates the lines of files into totals.
#[derive(Debug, Default)]
pub struct SweepFold {
    asked: SweepAsked,
    exit_code: u8,
    verdicts: VerdictTotals,
    duplicates: u64,
    bytes: u64,
    skipped: BTreeMap<Skip, u64>,
    summary: Summary,
    sizes: BTreeMap<(Abi, SframeVersion), (u64, Sizes)>,
    causes: BTreeMap<(Cause, Option<KnownEntry>), Spread>,
    gaps: ShownIn,
    undecided: ShownIn,
    outside: ShownIn,
    errors: ShownIn,
    slowest: Vec<SlowFile>,
}

/// The extent of a cause.
#[derive(Debug, Default)]
struct Spread {
    files: u64,
    functions: u64,
    abis: BTreeSet<Abi>,
    example: Example,
}

/// Counts by reason: files, occurrences, and the first example.
type ShownIn = BTreeMap<String, (u64, u64, Example)>;

impl SweepFold {
    /// Creates empty totals.
    pub fn new(asked: SweepAsked) -> SweepFold {
        SweepFold { asked, ..SweepFold::default() }
    }

    /// Adds a file. Files must be in order of names: the first one with a result is its example.
    pub fn add(&mut self, line: &FileLine) {
        let grave = |code: u8| [0, 2, 1, 3].into_iter().position(|each| each == code);
        self.exit_code = std::cmp::max_by_key(self.exit_code, line.exit_code(), |code| grave(*code));
        if line.same_as.is_some() {
            self.duplicates += 1;
            return;
        }
        self.bytes = self.bytes.saturating_add(line.bytes);
        match line.verdict {
            SweepVerdict::Clean => self.verdicts.clean += 1,
            SweepVerdict::Discrepancy => self.verdicts.discrepancy += 1,
            SweepVerdict::Undecided => self.verdicts.undecided += 1,
            SweepVerdict::Error => self.verdicts.error += 1,
            SweepVerdict::Skipped => {}
        }
        if let Some(judged) = &line.judged {
            self.add_judged(line, judged);
        }
    }

    fn add_judged(&mut self, line: &FileLine, judged: &Judged) {
        let example = |place: &str, message: &str| Example {
            file: line.file.clone(),
            place: place.to_owned(),
            message: message.to_owned(),
        };
        if line.verdict == SweepVerdict::Skipped && judged.error.is_none() {
            return self.skip(Skip::NoSframe, 1);
        }
        self.summary.add(&judged.summary);
        if let Some(error) = &judged.error {
            match skip_of(error.kind) {
                Some(skip) if line.verdict == SweepVerdict::Skipped => self.skip(skip, 1),
                _ => add_reason(&mut self.errors, error.kind.name(), 1, || example("", &error.message)),
            }
        }
        if let (Some(abi), Some(version), Some(sizes)) = (judged.abi, judged.sframe_version, &judged.sizes) {
            // Without the other table there is nothing to compare with.
            if sizes.sframe > 0 && sizes.eh_frame > 0 {
                let (files, sum) = self.sizes.entry((abi, version)).or_default();
                *files += 1;
                sum.add(sizes);
            }
        }
        for count in &judged.causes {
            let spread = self.causes.entry((count.cause.clone(), count.known.clone())).or_insert_with(|| {
                let place = if count.place.is_empty() { &count.function } else { &count.place };
                Spread { example: example(place, &count.message), ..Spread::default() }
            });
            spread.files += 1;
            spread.functions += count.functions;
            spread.abis.extend(judged.abi);
        }
        let lists = [
            (&mut self.gaps, &judged.gaps),
            (&mut self.undecided, &judged.undecided),
            (&mut self.outside, &judged.outside),
        ];
        for (totals, counts) in lists {
            for Counted { reason, count, example: first } in counts {
                add_reason(totals, reason, *count, || example("", first));
            }
        }
    }

    /// Counts skipped files.
    pub fn skip(&mut self, skip: Skip, count: u64) {
        if count > 0 {
            *self.skipped.entry(skip).or_default() += count;
        }
    }

    /// Records the time of a file.
    pub fn took(&mut self, file: &str, seconds: f64) {
        let last = self.slowest.last().map_or(0.0, |last| last.seconds);
        if self.slowest.len() < SLOWEST || seconds > last {
            let at = self.slowest.partition_point(|slow| slow.seconds >= seconds);
            self.slowest.insert(at, SlowFile { file: file.to_owned(), seconds });
            self.slowest.truncate(SLOWEST);
        }
    }

    /// The totals.
    pub fn finish(self) -> SweepTotals {
        let mut causes: Vec<CauseTotal> = self
            .causes
            .into_iter()
            .map(|((cause, known), Spread { files, functions, abis, example })| CauseTotal {
                fingerprint: cause.fingerprint(),
                known,
                cause,
                files,
                functions,
                abis: abis.into_iter().collect(),
                example,
            })
            .collect();
        // Equal ones stay in order of causes.
        causes.sort_by_key(|one| (Reverse(one.cause.severity), Reverse(one.files), Reverse(one.functions)));
        let cost = |((abi, version), (files, sizes))| CostTotal { abi, version, files, sizes };
        SweepTotals {
            schema: SWEEP_SCHEMA,
            asked: self.asked,
            day: String::new(),
            seconds: 0.0,
            unfinished: false,
            exit_code: self.exit_code,
            verdicts: self.verdicts,
            duplicates: self.duplicates,
            bytes: self.bytes,
            skipped: self.skipped,
            summary: self.summary,
            sizes: self.sizes.into_iter().map(cost).collect(),
            causes,
            gaps: ranked(self.gaps),
            undecided: ranked(self.undecided),
            outside: ranked(self.outside),
            errors: ranked(self.errors),
            slowest: self.slowest,
        }
    }
}

fn add_reason(reasons: &mut ShownIn, reason: &str, count: u64, example: impl FnOnce() -> Example) {
    let entry = reasons.entry(reason.to_owned()).or_insert_with(|| (0, 0, example()));
    entry.0 += 1;
    entry.1 = entry.1.saturating_add(count);
}

fn ranked(reasons: ShownIn) -> Vec<ReasonTotal> {
    let total = |(reason, (files, count, example))| ReasonTotal { reason, files, count, example };
    let mut totals: Vec<ReasonTotal> = reasons.into_iter().map(total).collect();
    totals.sort_by_key(|one| (Reverse(one.files), Reverse(one.count)));
    totals
}

/// Returns true if skipped files of this kind have a line: ELF files that were found but cannot be
/// judged.
pub fn is_of_lines(skip: Skip) -> bool {
    matches!(skip, Skip::Elf32 | Skip::Machine | Skip::ElfType | Skip::NoTable | Skip::NoSframe)
}

/// The kind of skip for an ELF file that cannot be judged by its nature; `None` if something is
/// wrong with it.
pub fn skip_of(kind: FileErrorKind) -> Option<Skip> {
    match kind {
        FileErrorKind::Elf32 => Some(Skip::Elf32),
        FileErrorKind::Machine => Some(Skip::Machine),
        FileErrorKind::ElfType => Some(Skip::ElfType),
        FileErrorKind::NoTable => Some(Skip::NoTable),
        FileErrorKind::Io
        | FileErrorKind::Usage
        | FileErrorKind::NotElf
        | FileErrorKind::Truncated
        | FileErrorKind::Malformed
        | FileErrorKind::Harness => None,
    }
}
