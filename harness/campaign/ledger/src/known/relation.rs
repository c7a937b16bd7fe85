//! Relations of a wrong row to its adjacent rows: a closed list, for bugs that affect too many rows
//! to list them.
//!
//! Relations are narrow: each compares every equation of the row. Rows that no relation explains
//! have to be listed.

use results::{Source, WrongRow};
use types::{CfaRule, Claim, Equations, Location, ValueRule};

/// How the right row, or an adjacent row, explains the wrong one. In YAML: `row-before`,
/// `cfa-offset -8`, `without fp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Relation {
    /// The row is the right one from before the boundary: the change comes too late.
    RowBefore,
    /// The row is the right one from after the next boundary: the change comes too early.
    RowAfter,
    /// The row is as expected except for the CFA: the same register plus this many more bytes (or
    /// fewer, if negative).
    CfaOffset(i64),
    /// The row is right except that a saved value is described as unchanged since entry.
    Without(RowValue),
    /// The row is right except that an unchanged value is described as saved.
    Keeps(RowValue),
    /// The row is right except that the key that signed the return address is missing.
    Unsigned,
    /// There is no row, although the other table has one.
    NoRow,
    /// Both tables describe a frame although the machine's state is as at the function's entry: the
    /// frame was removed without a directive. A CFA or a slot that the row before lacks is another
    /// bug.
    FrameKept,
    /// Both tables describe the state at the function's entry although the machine has a frame: the
    /// frame was created without a directive.
    FrameMissed,
}

/// A value of a row besides the CFA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowValue {
    /// The return address.
    Ra,
    /// The caller's frame pointer.
    Fp,
}

impl Relation {
    /// Returns true if the relation explains the row. If several do, any is accepted; if the right
    /// row is unknown, none does.
    pub fn holds(self, row: &WrongRow) -> bool {
        let (Some(wrong), Some(right)) = (row.wrong(), row.right()) else { return false };
        if wrong == right {
            return false;
        }
        // The adjacent rows are those of the table that is right.
        let tables = matches!(row.right, Some(Source::Sframe | Source::EhFrame));
        match self {
            Relation::RowBefore => tables && row.before.as_ref().is_some_and(|before| is(before, wrong)),
            Relation::RowAfter => tables && row.after.as_ref().is_some_and(|after| is(after, wrong)),
            Relation::FrameKept => {
                is_alike(row)
                    && is_at_entry(right)
                    && !is_at_entry(wrong)
                    && row.before.as_ref().is_none_or(|before| comes_from(wrong, before))
            }
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

/// The error for a text that is not a relation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown relation '{0}': one of row-before, row-after, cfa-offset N, without ra|fp, keeps ra|fp, unsigned, no-row, frame-kept and \
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
            ["without", "ra"] => Relation::Without(RowValue::Ra),
            ["without", "fp"] => Relation::Without(RowValue::Fp),
            ["keeps", "ra"] => Relation::Keeps(RowValue::Ra),
            ["keeps", "fp"] => Relation::Keeps(RowValue::Fp),
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
        let name = |value: RowValue| match value {
            RowValue::Ra => "ra",
            RowValue::Fp => "fp",
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

/// Returns true if both claims are equal rows with comparable equations.
fn is(one: &Claim, other: &Claim) -> bool {
    let (one, other) = (one.equations().map(plain), other.equations().map(plain));
    one.is_some() && one == other && !one.as_ref().is_some_and(is_opaque)
}

/// Returns true if both tables agree and the machine differs; or if only `.eh_frame` has a row.
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

/// Returns true if a row of a frame may follow another: with its CFA, unless that is the entry's or
/// another register's, and with its slots.
fn comes_from(row: &Claim, before: &Claim) -> bool {
    let (Some(row), Some(last)) = (row.equations(), before.equations()) else { return true };
    let is_of_other_register = matches!(
        (row.cfa, last.cfa),
        (CfaRule::Register { reg, .. }, CfaRule::Register { reg: other, .. }) if reg != other
    );
    let stays = |place: Location, before: Location| !is_saved(before) || !is_saved(place) || place == before;
    (row.cfa == last.cfa || is_of_other_register || is_at_entry(before))
        && stays(row.ra, last.ra)
        && stays(row.fp, last.fp)
}

/// Returns true if a change makes one row the other, and has an effect.
fn made(from: &Claim, to: &Claim, change: impl FnOnce(Equations) -> Option<Equations>) -> bool {
    let (Some(from), Some(to)) = (from.equations().map(plain), to.equations().map(plain)) else { return false };
    !is_opaque(&from) && from != to && change(from).is_some_and(|made| made == to)
}

/// The equations without the rule for the caller's SP, which `.sframe` does not have.
fn plain(row: &Equations) -> Equations {
    Equations { sp: None, ..row.clone() }
}

/// Returns true if the row has expressions, which are not compared: two that print equal may
/// differ.
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
fn with(row: Equations, value: RowValue, fits: impl Fn(Location) -> bool, rule: ValueRule) -> Option<Equations> {
    let rule = Location::Rule(rule);
    match value {
        RowValue::Ra => fits(row.ra).then_some(Equations { ra: rule, ..row }),
        RowValue::Fp => fits(row.fp).then_some(Equations { fp: rule, ..row }),
    }
}
