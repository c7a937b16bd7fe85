//! What the script draws from: trials in columns, findings by fingerprint, every string and list once.
//!
//! The letters of the keys are read by `assets/data.js`; both files change together.

use std::collections::{BTreeMap, BTreeSet};

use model::{CaseName, Clause, Finding, RunFacts, Status, TrialLine, Values, WindowLine, clause_named};
use serde_json::{Value, json};

use super::intern::Interner;
use super::picture::{Line, Picture, Standing};
use super::text::clean;
use crate::clauses::exercised;
use crate::findings::Group;

/// Trials of one finding that are written in full: a few targets show what varies, the results file holds the rest.
const EXAMPLES: usize = 4;

/// Findings that are written in full at all, by rank; beyond, the first trial's sentence and rows must do.
const IN_FULL: usize = 2000;

/// Ranges of PCs written of one example.
const RANGES: usize = 64;

/// Stands for the case in an interned command: no cleaned text holds it.
const CASE: &str = "\u{1}";

/// Stands for the case without what varies.
const STEM: &str = "\u{2}";

/// The data of the page as one JSON object.
pub(super) fn data(trials: &[TrialLine], facts: &RunFacts, groups: &[Group<'_>]) -> Value {
    let mut pool = Pool { strings: Interner::new(), lists: Interner::new() };
    let index: BTreeMap<&str, usize> = trials.iter().zip(0..).map(|(trial, at)| (trial.key.as_str(), at)).collect();
    let mut examples: Examples<'_> = BTreeMap::new();
    let mut written = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let (most, detail) = if number < IN_FULL { (EXAMPLES, Detail::Full) } else { (1, Detail::Rows) };
        let mut shown = Vec::new();
        for (trial, found) in choose(group, most) {
            let Some(at) = index.get(trial.key.as_str()) else { continue };
            examples.entry((&trial.key, group.fingerprint)).or_insert(shown.len());
            shown.push(pool.example(*at, found, detail));
        }
        written.push(pool.group(group, &shown));
    }
    let numbers: BTreeMap<&str, u64> = groups.iter().map(|group| group.fingerprint).zip(0..).collect();
    let mut columns = pool.trials(trials, &numbers, &examples);
    let shown = pool.clauses(trials, facts);
    columns["col"]["q"] = shown.into();
    let rules: BTreeSet<&str> = groups.iter().map(|group| group.best.rule().name()).collect();
    let rules: BTreeMap<&str, Value> = rules
        .into_iter()
        .filter_map(model::rule_named)
        .map(|rule| {
            (
                rule.id.name(),
                json!([rule.severity, rule.versions, rule.clause, rule.statement, rule.example, demands(rule.id)]),
            )
        })
        .collect();
    let clauses: Vec<String> = facts.clauses.iter().map(|clause| clean(&clause.id)).collect();
    let ledger: BTreeMap<String, [String; 2]> =
        facts.ledger.iter().map(|entry| (clean(&entry.file), [clean(&entry.title), clean(&entry.link)])).collect();
    json!({ "k": ledger, "c": clauses, "t": columns, "g": written, "r": rules, "s": pool.strings.values(), "l": pool.lists.values() })
}

/// The clauses behind a rule: id and demand.
fn demands(rule: model::RuleId) -> Vec<[&'static str; 2]> {
    model::clauses_of(rule).map(|clause| [clause.id, clause.demand]).collect()
}

/// How much of an example is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// With window and picture.
    Full,
    /// Without window and picture.
    Rows,
}

/// Which example of its finding a trial is: by the trial's name and the fingerprint.
type Examples<'a> = BTreeMap<(&'a str, &'a str), usize>;

/// The first occurrence of each target: where the finding is new before others, and executed ones, which have pictures, before others.
fn choose<'a>(group: &Group<'a>, most: usize) -> Vec<(&'a TrialLine, &'a Finding)> {
    let mut order = group.occurrences.clone();
    order.sort_by_key(|(_, found)| (found.known.is_some(), !found.executed));
    let mut seen = BTreeSet::new();
    order.retain(|(trial, _)| seen.insert((&trial.abi, &trial.sframe)));
    order.truncate(most);
    order
}

struct Pool {
    strings: Interner<String>,
    lists: Interner<Vec<u64>>,
}

impl Pool {
    fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a String>) -> u64 {
        let list = texts.into_iter().map(|text| self.strings.text(text)).collect();
        self.lists.number(list)
    }

    /// The trials, a list for each property. Lists stand by their number.
    fn trials(&mut self, trials: &[TrialLine], groups: &BTreeMap<&str, u64>, examples: &Examples<'_>) -> Value {
        let mut columns: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        let mut keys: BTreeMap<usize, u64> = BTreeMap::new();
        let mut statuses = String::new();
        for (index, trial) in trials.iter().enumerate() {
            statuses.push(letter(trial.status));
            let parts = [&trial.producer, &trial.abi, &trial.sframe, &trial.topic, &trial.case];
            if trial.key != parts.map(String::as_str).join("::") {
                keys.insert(index, self.strings.text(&trial.key));
            }
            let findings: Vec<u64> = trial
                .findings
                .iter()
                .filter_map(|found| {
                    let group = *groups.get(found.fingerprint())?;
                    let example = examples.get(&(trial.key.as_str(), found.fingerprint()));
                    let example = example.map_or(0, |nth| *nth as u64 + 1);
                    let known = found.known.as_deref().map_or(0, |known| self.strings.text(known));
                    let stage = self.strings.text(found.stage.name());
                    Some(self.lists.number(vec![group, known, stage, found.steps, example]))
                })
                .collect();
            let mut put = |name, number| columns.entry(name).or_default().push(number);
            for (name, part) in ["p", "a", "v", "t", "c"].into_iter().zip(parts) {
                put(name, self.strings.text(part));
            }
            put("f", self.lists.number(findings));
            put("k", self.commands(trial));
            put("r", self.texts(&trial.problems));
            put("o", self.texts(&trial.covers));
            put("z", self.texts(trial.tools.iter().flat_map(|(kind, tool)| [kind, tool])));
            let warnings = trial.warnings.iter().flat_map(|(rule, count)| [self.strings.text(rule), *count]).collect();
            put("w", self.lists.number(warnings));
            let gaps = trial.gaps.iter();
            let gaps = gaps
                .flat_map(|gap| {
                    [self.strings.text(&gap.function), gap.reason.as_deref().map_or(0, |why| self.strings.text(why))]
                })
                .collect();
            put("g", self.lists.number(gaps));
            let summary = trial.summary.map(|s| {
                let counts = [s.functions, s.steps_executed, s.steps_judged, s.pcs_judged, s.pcs_compared_static];
                [counts.as_slice(), &[s.frames_walked, s.max_depth, s.warnings, s.undecided, s.missing]].concat()
            });
            put("b", self.tables(trial));
            put("m", self.lists.number(summary.unwrap_or_default()));
            let sizes = trial.sizes.map(|s| vec![s.sframe, s.eh_frame, s.eh_frame_hdr, s.functions, s.rows, s.text]);
            put("y", self.lists.number(sizes.unwrap_or_default()));
        }
        json!({ "st": statuses, "key": keys, "col": columns })
    }

    /// The tables that were judged, a line each.
    fn tables(&mut self, trial: &TrialLine) -> u64 {
        let lines = trial.tables.iter().map(|table| format!("{}: {}", table.version, table.features.join(", ")));
        let lines: Vec<String> = lines.collect();
        self.texts(&lines)
    }

    /// The clauses that each trial covers, by their place in the run's list: a list's number a trial. Trials with the same tables
    /// share it.
    fn clauses(&mut self, trials: &[TrialLine], facts: &RunFacts) -> Vec<u64> {
        let clauses: Vec<(u64, &Clause)> =
            facts.clauses.iter().zip(0..).filter_map(|(facts, at)| Some((at, clause_named(&facts.id)?))).collect();
        let mut known: BTreeMap<(u64, u64, Status, bool), u64> = BTreeMap::new();
        let mut numbers = Vec::new();
        for trial in trials {
            // All that coverage looks at, by its number.
            let key = (self.tables(trial), self.texts(&trial.covers), trial.status, trial.summary.is_some());
            let number = *known.entry(key).or_insert_with(|| {
                let exercised = exercised(trial);
                let covered = clauses.iter().filter(|(_, clause)| exercised.iter().any(|trial| trial.covers(clause)));
                self.lists.number(covered.map(|(at, _)| *at).collect())
            });
            numbers.push(number);
        }
        numbers
    }

    /// The commands with the case's name taken out, so that trials of many cases share them.
    fn commands(&mut self, trial: &TrialLine) -> u64 {
        let case = clean(&trial.case);
        let stem = CaseName(&case).plain().to_owned();
        let commands: Vec<u64> = trial
            .commands
            .iter()
            .map(|command| {
                let mut command = clean(command);
                for (name, sign) in [(&case, CASE), (&stem, STEM)] {
                    if name.len() > 2 {
                        command = command.replace(name.as_str(), sign);
                    }
                }
                self.strings.number(command)
            })
            .collect();
        self.lists.number(commands)
    }

    fn group(&mut self, group: &Group<'_>, examples: &[Value]) -> Value {
        let first = group.best;
        let shape = first.what();
        let (rule, blame, field) = (first.rule().name(), first.blame().name(), first.field.name());
        let words = [rule, blame, first.function(), &shape, field, &first.message];
        let words = words.map(|text| self.strings.text(text));
        json!([clean(group.fingerprint), words, examples])
    }

    fn example(&mut self, trial: usize, found: &Finding, detail: Detail) -> Value {
        let sources = [&found.truth, &found.sframe, &found.eh_frame];
        let sources: Vec<Value> = sources.into_iter().map(|values| self.values(values.as_ref())).collect();
        let ranges: Vec<[String; 2]> =
            found.ranges.iter().take(RANGES).map(|(from, to)| [hex(*from), hex(*to)]).collect();
        let mut example = json!({
            "i": trial, "m": self.strings.text(&found.message), "p": self.strings.text(&found.place), "r": ranges,
            "n": found.ranges.len(), "s": found.steps, "x": u8::from(found.executed), "d": found.depth,
            "e": self.strings.text(&found.section), "o": found.offset.map(hex), "v": sources,
        });
        if detail == Detail::Full
            && let Some(object) = example.as_object_mut()
        {
            let window: Vec<Value> = found.window.iter().map(|line| self.window(line)).collect();
            object.insert("w".to_owned(), window.into());
            if let Some(picture) = Picture::of(found) {
                object.insert("pic".to_owned(), drawn(&picture));
            }
        }
        example
    }

    fn values(&mut self, values: Option<&Values>) -> Value {
        values.map_or(Value::Null, |values| {
            json!([
                values.cfa.map(hex),
                values.ra.map(hex),
                values.fp.map(hex),
                self.strings.text(&values.row.to_string())
            ])
        })
    }

    fn window(&mut self, line: &WindowLine) -> Value {
        let texts = [&line.place, &line.text, &line.truth, &line.sframe, &line.eh_frame];
        let texts = texts.map(|text| self.strings.text(text));
        json!([hex(line.pc), texts, u8::from(line.wrong)])
    }
}

/// Lines as `[address, offset from CFA, value]` or as the bytes of a gap; marks as `[line, source, what, above, wrong]`.
fn drawn(picture: &Picture) -> Value {
    let wrong = |standing: Standing| u8::from(standing == Standing::Wrong);
    let lines: Vec<Value> = picture
        .lines
        .iter()
        .map(|line| match line {
            Line::Word { at, from_cfa, value } => json!([picture.address(*at), format!("{from_cfa:+}"), value]),
            Line::Gap(bytes) => json!(bytes.to_string()),
        })
        .collect();
    let marks: Vec<Value> = picture
        .marks
        .iter()
        .map(|mark| json!([mark.line, mark.source, mark.what, mark.above.to_string(), wrong(mark.standing)]))
        .collect();
    let asides: Vec<Value> =
        picture.asides.iter().map(|(source, text, standing)| json!([source, clean(text), wrong(*standing)])).collect();
    json!({ "l": lines, "m": marks, "a": asides })
}

/// Addresses as text: a script's numbers lose what is beyond 53 bits.
fn hex(value: u64) -> String {
    format!("{value:x}")
}

fn letter(status: Status) -> char {
    match status {
        Status::Pass => 'P',
        Status::Xfail => 'K',
        Status::Xpass => 'X',
        Status::Fail => 'F',
        Status::Unresolved => 'U',
        Status::Unsupported => 'N',
    }
}
