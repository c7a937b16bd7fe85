//! How a wrong row follows from the rows next to it: a closed list, for bugs that show in too many
//! rows to list them.
//!
//! A relation is as narrow as its name: each compares every equation of the row. What no relation
//! explains has to be listed.

use results::{Source, WrongRow};
use types::{CfaRule, Claim, Equations, Location, ValueRule};

/// How the wrong row is explained by the right one, or by a row next to it. In YAML: `row-before`,
/// `cfa-offset -8`, `without fp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Relation {
    /// The row is the expected one of one boundary earlier: a change that is too late.
    RowBefore,
    /// The row is the expected one of one boundary later: a change that is too early.
    RowAfter,
    /// The row is as expected except for the CFA: the same register plus this many more bytes (or
    /// fewer, if negative).
    CfaOffset(i64),
    /// It is right but for one value that it takes to be where it was at entry, though it is saved.
    Without(Value),
    /// It is right but for one value that it takes to be saved, though it is where it was at entry.
    Keeps(Value),
    /// It is right but for the key that signed the return address, which it does not name.
    Unsigned,
    /// There is no row, and the other table has one.
    NoRow,
    /// Both tables alike describe a frame where the machine has it as at the function's entry: it
    /// was given up without a directive.
    FrameKept,
    /// Both tables alike have it as at the function's entry where the machine has a frame: it was
    /// made without a directive.
    FrameMissed,
}

/// A value of a row besides the CFA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The return address.
    Ra,
    /// The caller's frame pointer.
    Fp,
}

impl Relation {
    /// Returns true if it explains the row. Where two relations could, either is right; where what
    /// is right is not known, none is.
    pub fn holds(self, row: &WrongRow) -> bool {
        let (Some(wrong), Some(right)) = (row.wrong(), row.right()) else { return false };
        if wrong == right {
            return false;
        }
        // Rows next to it are those of the table that is right.
        let tables = matches!(row.right, Some(Source::Sframe | Source::EhFrame));
        match self {
            Relation::RowBefore => tables && row.before.as_ref().is_some_and(|before| is(before, wrong)),
            Relation::RowAfter => tables && row.after.as_ref().is_some_and(|after| is(after, wrong)),
            Relation::FrameKept => is_alike(row) && is_at_entry(right) && !is_at_entry(wrong),
            Relation::FrameMissed => is_alike(row) && is_at_entry(wrong) && !is_at_entry(right),
            Relation::NoRow => matches!(wrong, Claim::NoRow) && right.equations().is_some(),
            Relation::CfaOffset(bytes) => {
                made(right, wrong, |row| Some(Equations { cfa: moved(row.cfa, bytes)?, ..row }))
            }
            Relation::Without(value) => made(right, wrong, |row| with(row, value, is_saved, ValueRule::SameValue)),
            Relation::Keeps(value) => made(wrong, right, |row| with(row, value, is_saved, ValueRule::SameValue)),
            Relation::Unsigned => {
                let bare = |row: Equations| Equations { signed_by: None, signed_with_pc: false, ..row };
                made(right, wrong, |row| row.signed_by.is_some().then(|| bare(row)))
            }
        }
    }
}

/// A text that names no relation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no relation; there are row-before, row-after, cfa-offset N, without ra|fp, keeps ra|fp, unsigned, no-row, frame-kept and \
     frame-missed"
)]
pub struct NoRelation(pub String);

impl TryFrom<String> for Relation {
    type Error = NoRelation;

    fn try_from(text: String) -> Result<Relation, NoRelation> {
        let words: Vec<&str> = text.split(' ').collect();
        Ok(match words.as_slice() {
            ["row-before"] => Relation::RowBefore,
            ["row-after"] => Relation::RowAfter,
            ["cfa-offset", bytes] => Relation::CfaOffset(bytes.parse().map_err(|_| NoRelation(text.clone()))?),
            ["without", "ra"] => Relation::Without(Value::Ra),
            ["without", "fp"] => Relation::Without(Value::Fp),
            ["keeps", "ra"] => Relation::Keeps(Value::Ra),
            ["keeps", "fp"] => Relation::Keeps(Value::Fp),
            ["unsigned"] => Relation::Unsigned,
            ["no-row"] => Relation::NoRow,
            ["frame-kept"] => Relation::FrameKept,
            ["frame-missed"] => Relation::FrameMissed,
            _ => return Err(NoRelation(text)),
        })
    }
}

impl From<Relation> for String {
    fn from(relation: Relation) -> String {
        let name = |value: Value| match value {
            Value::Ra => "ra",
            Value::Fp => "fp",
        };
        match relation {
            Relation::RowBefore => "row-before".to_owned(),
            Relation::RowAfter => "row-after".to_owned(),
            Relation::CfaOffset(bytes) => format!("cfa-offset {bytes}"),
            Relation::Without(value) => format!("without {}", name(value)),
            Relation::Keeps(value) => format!("keeps {}", name(value)),
            Relation::Unsigned => "unsigned".to_owned(),
            Relation::NoRow => "no-row".to_owned(),
            Relation::FrameKept => "frame-kept".to_owned(),
            Relation::FrameMissed => "frame-missed".to_owned(),
        }
    }
}

/// Returns true if both say the same row, of equations that can be compared.
fn is(one: &Claim, other: &Claim) -> bool {
    let (one, other) = (one.equations().map(plain), other.equations().map(plain));
    one.is_some() && one == other && !one.as_ref().is_some_and(is_opaque)
}

/// Returns true if both tables say the same and the machine something else; or `.eh_frame` alone
/// has a row there.
fn is_alike(row: &WrongRow) -> bool {
    let alone = row.sframe == Claim::Nothing && row.wrong == Source::EhFrame;
    row.right == Some(Source::Truth) && (alone || is(&row.sframe, &row.eh_frame))
}

/// Returns true if the CFA is where a call leaves it.
fn is_at_entry(claim: &Claim) -> bool {
    claim.equations().is_some_and(|row| {
        let facts = row.abi.facts();
        row.cfa == CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry }
    })
}

/// Returns true if a change makes one row the other, and is one.
fn made(from: &Claim, to: &Claim, change: impl FnOnce(Equations) -> Option<Equations>) -> bool {
    let (Some(from), Some(to)) = (from.equations().map(plain), to.equations().map(plain)) else { return false };
    !is_opaque(&from) && from != to && change(from).is_some_and(|made| made == to)
}

/// Without the rule for the caller's SP, which `.sframe` has not.
fn plain(row: &Equations) -> Equations {
    Equations { sp: None, ..row.clone() }
}

/// Expressions are not compared: two that print alike may differ.
fn is_opaque(row: &Equations) -> bool {
    let opaque = |place: &Location| matches!(place, Location::Rule(ValueRule::Expression(_)) | Location::Elsewhere);
    matches!(row.cfa, CfaRule::Expression(_)) || opaque(&row.ra) || opaque(&row.fp)
}

fn moved(cfa: CfaRule, bytes: i64) -> Option<CfaRule> {
    match cfa {
        CfaRule::Register { reg, offset } => Some(CfaRule::Register { reg, offset: offset.checked_add(bytes)? }),
        CfaRule::Memory { .. } | CfaRule::Expression(_) | CfaRule::Unspecified => None,
    }
}

fn is_saved(place: Location) -> bool {
    matches!(place, Location::Rule(ValueRule::AtCfa(_)))
}

/// The row with another rule for a value, if the row allows it.
fn with(row: Equations, value: Value, fits: impl Fn(Location) -> bool, rule: ValueRule) -> Option<Equations> {
    let rule = Location::Rule(rule);
    match value {
        Value::Ra => fits(row.ra).then_some(Equations { ra: rule, ..row }),
        Value::Fp => fits(row.fp).then_some(Equations { fp: rule, ..row }),
    }
}
