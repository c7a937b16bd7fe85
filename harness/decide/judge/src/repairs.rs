//! The repairs of functions with wrong rows: which directive is missing, late or wrong.

mod facts;
mod function;

use std::collections::BTreeMap;

use isa::Disassembler;
use repair::Action;
use results::{Blame, Finding, Repair, RepairAction, RepairEdit, RepairedRow, Source};
use spec::RuleId;
use types::{Abi, Aspect, Image, Pc, Reg};
use unwind::FunctionRange;

use self::facts::Observed;
use self::function::Functions;
use crate::blame::Table;
use crate::cause::plain;
use crate::execution::Exploration;
use crate::memo::Memo;
use crate::tables::Tables;

/// Maximum number of functions that are repaired.
const MOST_FUNCTIONS: usize = 1_000;

/// What the steps showed, besides the first state of each PC that a run reached.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) exploration: &'a Exploration,
    /// Registers whose rules are wrong, other than FP and RA.
    pub(crate) registers: &'a BTreeMap<Pc, Vec<Reg>>,
}

/// Adds to findings about wrong rows the repair of their function.
pub(crate) fn add(image: &Image, tables: &Tables, memo: &mut Memo, seen: Seen<'_>, findings: &mut [Finding]) {
    let mut wrong: BTreeMap<(Table, Pc), Wrong> = BTreeMap::new();
    for (index, found) in findings.iter().enumerate().filter(|(_, found)| is_about_rows(found)) {
        let Some(table) = wrong_table(tables, found) else { continue };
        for (start, end) in &found.evidence.ranges {
            let Some(function) = tables.function_in(table, Pc(*start)) else { continue };
            let key = (table, function.start);
            if wrong.len() >= MOST_FUNCTIONS && !wrong.contains_key(&key) {
                continue;
            }
            let of = wrong.entry(key).or_insert_with(|| Wrong { function, findings: Vec::new(), fields: Vec::new() });
            of.findings.push(index);
            of.fields.push((*start..*end, found.evidence.field));
        }
    }
    if wrong.is_empty() {
        return;
    }
    join_tables(&mut wrong);
    let functions = Functions::new(image, tables);
    let disassembler = Disassembler::new(image);
    let mut budget = repair::Budget::default();
    for ((table, _), of) in wrong {
        let mut observed = Observed { memo: &mut *memo, exploration: seen.exploration, registers: seen.registers };
        let repair = match functions.function(table, &of, &mut observed) {
            Ok(function) => repaired(image, tables, &disassembler, table, &function, &mut budget),
            Err(why) => Repair::None(why.to_owned()),
        };
        for index in of.findings {
            if let Some(found) = findings.get_mut(index) {
                found.evidence.repair.get_or_insert_with(|| repair.clone());
            }
        }
    }
}

/// Joins what is wrong in `.sframe` with what is wrong in `.eh_frame` at the same addresses, in
/// another way: both tables are made from one directive.
fn join_tables(wrong: &mut BTreeMap<(Table, Pc), Wrong>) {
    let starts: Vec<Pc> = wrong.keys().filter(|(table, _)| *table == Table::Sframe).map(|(_, start)| *start).collect();
    for start in starts {
        let (Some(sframe), Some(cfi)) = (wrong.get(&(Table::Sframe, start)), wrong.get(&(Table::EhFrame, start)))
        else {
            continue;
        };
        let is_in_both = sframe
            .fields
            .iter()
            .all(|(range, _)| cfi.fields.iter().any(|(other, _)| range.start < other.end && other.start < range.end));
        if is_in_both
            && let Some(sframe) = wrong.remove(&(Table::Sframe, start))
            && let Some(cfi) = wrong.get_mut(&(Table::EhFrame, start))
        {
            cfi.findings.extend(sframe.findings);
        }
    }
}

/// A function with wrong rows.
struct Wrong {
    function: FunctionRange,
    /// Positions of the findings about it.
    findings: Vec<usize>,
    /// Addresses with the field that is wrong there.
    fields: Vec<(std::ops::Range<u64>, Aspect)>,
}

/// Returns true if a finding is about rows that execution showed wrong: one of a chain or a walk is
/// the consequence of another row.
fn is_about_rows(found: &Finding) -> bool {
    let is_field = matches!(found.evidence.field, Aspect::Cfa | Aspect::Ra | Aspect::Fp | Aspect::Registers);
    let is_other = matches!(
        found.rule(),
        RuleId::ChainMatchesTruth | RuleId::ChainStops | RuleId::RowOutermost | RuleId::EhFrameOutermost
    );
    found.is_error() && found.evidence.executed && is_field && !is_other
}

/// The table that is repaired: `.eh_frame` if both are wrong alike.
fn wrong_table(tables: &Tables, found: &Finding) -> Option<Table> {
    let shared = found.blame() == Blame::Compiler && tables.cfi.is_some();
    match found.evidence.rows.first()?.wrong {
        Source::EhFrame => Some(Table::EhFrame),
        Source::Sframe if shared => Some(Table::EhFrame),
        Source::Sframe => Some(Table::Sframe),
        Source::Truth => None,
    }
}

fn repaired(
    image: &Image,
    tables: &Tables,
    disassembler: &Disassembler<'_>,
    table: Table,
    function: &repair::Function,
    budget: &mut repair::Budget,
) -> Repair {
    let abi = image.abi;
    let plain_text =
        |pc: Pc| disassembler.at(pc.0).map_or_else(String::new, |one| by_role(abi, &plain(abi, &one.text)));
    let text = |pc: Pc| disassembler.at(pc.0).map_or_else(String::new, |one| one.text);
    match budget.repair(function) {
        // Rows without directives are explained by several edits in more than one way.
        Ok(found) if table == Table::Sframe && found.edits.len() > 1 => {
            Repair::None(format!("several repairs: {} edits", found.edits.len()))
        }
        Ok(found) => {
            let edits = found.edits.iter().map(|edit| RepairEdit {
                action: action(edit.action),
                directive: edit.directive.text(abi),
                after: edit.at.after.map(|pc| pc.0),
                from: match edit.action {
                    Action::Move { from } => Some(from.before.0),
                    Action::Insert | Action::Delete | Action::Change => None,
                },
                edit: edit.text(abi, text),
                pc: edit.at.before.0,
                place: image.place(edit.at.before.0),
                normal_form: edit.normal_form(abi, plain_text),
                frame: edit.frame(abi),
            });
            Repair::Edits { edits: edits.collect(), rows: changed(tables, abi, table, function, &found.rows) }
        }
        Err(why) => Repair::None(why.to_string()),
    }
}

fn action(action: Action) -> RepairAction {
    match action {
        Action::Insert => RepairAction::Insert,
        Action::Delete => RepairAction::Delete,
        Action::Change => RepairAction::Change,
        Action::Move { .. } => RepairAction::Move,
    }
}

/// The rows that differ from the table's.
fn changed(
    tables: &Tables,
    abi: Abi,
    table: Table,
    function: &repair::Function,
    rows: &[repair::Row],
) -> Vec<RepairedRow> {
    let mut all: Vec<RepairedRow> = Vec::new();
    let all_boundaries = function.boundaries.iter().zip(rows).enumerate();
    for (index, (boundary, row)) in all_boundaries.filter(|(_, (boundary, row))| boundary.row != **row) {
        let Some(given) = tables.rules(table, boundary.pc) else { continue };
        let end = function.boundaries.get(index + 1).map_or(function.end, |next| next.pc).0;
        let row = row.applied_to(&given, abi).describe(abi);
        match all.last_mut().filter(|last| last.pc_end == boundary.pc.0 && last.row == row) {
            Some(last) => last.pc_end = end,
            None => all.push(RepairedRow { pc_start: boundary.pc.0, pc_end: end, row }),
        }
    }
    all
}

/// The instruction in normal form with `SP`, `FP` and `RA` for the registers of these roles.
fn by_role(abi: Abi, plain: &str) -> String {
    let facts = abi.facts();
    let roles = [(facts.sp, "SP"), (facts.fp, "FP"), (facts.ra, "RA")];
    let mut words = plain.splitn(2, ' ');
    let mnemonic = words.next().unwrap_or_default();
    let Some(operands) = words.next() else { return mnemonic.to_owned() };
    let mut written = String::new();
    let mut word = String::new();
    for c in operands.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let named = |reg: Reg| abi.register_name(reg).is_some_and(|name| name == word);
        let role = roles.iter().find(|(reg, _)| named(*reg)).map_or(word.as_str(), |(_, role)| role);
        written.push_str(role);
        word.clear();
        if c != '%' {
            written.push(c);
        }
    }
    format!("{mnemonic} {}", written.trim_end())
}
