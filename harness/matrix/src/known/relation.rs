//! How a wrong row follows from the rows next to it: a closed list, for mistakes that show in more rows than anybody would list.
//!
//! A relation is as narrow as its name: each compares every equation of the row. What no relation explains has to be listed.

use model::{CfaRule, Claim, Equations, Place, Source, ValueRule, WrongRow};

/// How the wrong row is explained by the right one, or by a row next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// It is what the right table says one boundary earlier: a change that comes too late.
    RowBefore,
    /// It is what the right table says one boundary later: a change that comes too early.
    RowAfter,
    /// It is right but for the CFA, which counts from the same register so many bytes more (or less, where negative).
    CfaOffset(i64),
    /// It is right but for one value that it takes to be where it was at entry, though it is saved.
    Without(Value),
    /// It is right but for one value that it takes to be saved, though it is where it was at entry.
    Keeps(Value),
    /// It is right but for the key that signed the return address, which it does not name.
    Unsigned,
    /// There is none, and the other table has one.
    NoRow,
    /// Both tables alike describe a frame where the machine has it as at the function's entry: it was given up without a directive.
    FrameKept,
    /// Both tables alike have it as at the function's entry where the machine has a frame: it was made without a directive.
    FrameMissed,
}

/// What a row says beside the CFA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// The return address.
    Ra,
    /// The caller's frame pointer.
    Fp,
}

impl Relation {
    /// True when it explains the row. Where two relations could, either is right; where what is right is not known, none is.
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
                made(right, wrong, |row| Some(Equations { signed_by: row.signed_by.map(|_| None)?, ..row }))
            }
        }
    }
}

/// Whether both say the same row, of equations that can be compared.
fn is(one: &Claim, other: &Claim) -> bool {
    one.equations().is_some_and(|row| !is_opaque(row) && Some(row) == other.equations())
}

/// Whether both tables say the same and the machine something else.
fn is_alike(row: &WrongRow) -> bool {
    row.right == Some(Source::Truth) && is(&row.sframe, &row.eh_frame)
}

/// Whether the CFA is where a call leaves it.
fn is_at_entry(claim: &Claim) -> bool {
    claim.equations().is_some_and(|row| {
        let facts = row.abi.facts();
        row.cfa == CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry }
    })
}

/// Whether a change makes one row the other, and is one.
fn made(from: &Claim, to: &Claim, change: impl FnOnce(Equations) -> Option<Equations>) -> bool {
    let (Some(from), Some(to)) = (from.equations(), to.equations()) else { return false };
    !is_opaque(from) && from != to && change(from.clone()).is_some_and(|made| made == *to)
}

/// Expressions are not compared: two that print alike may differ.
fn is_opaque(row: &Equations) -> bool {
    let opaque = |place: &Place| matches!(place, Place::Rule(ValueRule::Expression(_)) | Place::Elsewhere);
    matches!(row.cfa, CfaRule::Expression(_)) || opaque(&row.ra) || opaque(&row.fp)
}

fn moved(cfa: CfaRule, bytes: i64) -> Option<CfaRule> {
    match cfa {
        CfaRule::Register { reg, offset } => Some(CfaRule::Register { reg, offset: offset.checked_add(bytes)? }),
        CfaRule::Memory { .. } | CfaRule::Expression(_) | CfaRule::Unspecified => None,
    }
}

fn is_saved(place: Place) -> bool {
    matches!(place, Place::Rule(ValueRule::AtCfa(_)))
}

/// The row with another rule for a value, if what it says of it fits.
fn with(row: Equations, value: Value, fits: impl Fn(Place) -> bool, rule: ValueRule) -> Option<Equations> {
    let rule = Place::Rule(rule);
    match value {
        Value::Ra => fits(row.ra).then_some(Equations { ra: rule, ..row }),
        Value::Fp => fits(row.fp).then_some(Equations { fp: rule, ..row }),
    }
}
