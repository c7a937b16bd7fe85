//! Each relation between rows: a wrong row that it explains, and others that it must not explain.

use ledger::known::Relation::{self, *};
use ledger::known::RowValue;
use results::{Source, WrongRow};
use types::{CfaRule, Claim, Equations, Location, PacKey, Reg, ValueRule};

use super::support::{row, wrong};

const SAVED: Location = Location::Rule(ValueRule::AtCfa(-16));
const SAME: Location = Location::Rule(ValueRule::SameValue);

/// Both tables claim the first row, the machine the second.
fn alike(said: Equations, truth: Equations) -> WrongRow {
    let said = Claim::Row(said, None);
    WrongRow {
        right: Some(Source::Truth),
        eh_frame: said.clone(),
        sframe: said,
        truth: Some(Claim::Row(truth.clone(), None)),
        ..wrong(row(0), truth)
    }
}

fn next_to(before: Option<i64>, after: Option<i64>) -> WrongRow {
    let claim = |bytes: Option<i64>| bytes.map(|bytes| Claim::Row(row(bytes), None));
    WrongRow { before: claim(before), after: claim(after), ..wrong(row(16), row(24)) }
}

fn fp(place: Location) -> Equations {
    Equations { fp: place, ..row(16) }
}

fn ra(place: Location) -> Equations {
    Equations { ra: place, ..row(16) }
}

fn signed(by: Option<PacKey>) -> Equations {
    Equations { signed_by: by, ..row(16) }
}

fn other_register() -> Equations {
    Equations { cfa: CfaRule::Register { reg: Reg(6), offset: 16 }, ..row(0) }
}

#[test]
fn every_relation_explains_its_own_and_nothing_else() {
    let opaque = |row: Equations| Equations { fp: Location::Rule(ValueRule::Expression(types::ExprId(0))), ..row };
    let of_truth = |row: WrongRow| WrongRow { right: Some(Source::Truth), truth: Some(row.eh_frame.clone()), ..row };
    let cases: [(Relation, WrongRow, Vec<WrongRow>); 11] = [
        (
            RowBefore,
            next_to(Some(16), Some(32)),
            vec![
                next_to(Some(8), Some(32)),
                next_to(None, Some(16)),
                next_to(None, None),
                of_truth(next_to(Some(16), None)),
            ],
        ),
        (
            RowAfter,
            next_to(Some(32), Some(16)),
            vec![next_to(Some(16), Some(8)), next_to(None, None), of_truth(next_to(None, Some(16)))],
        ),
        (
            CfaOffset(-8),
            wrong(row(16), row(24)),
            vec![
                wrong(row(24), row(16)),
                wrong(row(8), row(24)),
                wrong(other_register(), row(24)),
                wrong(Equations { fp: SAVED, ..row(16) }, row(24)),
                wrong(opaque(row(16)), opaque(row(24))),
            ],
        ),
        (
            Without(RowValue::Fp),
            wrong(fp(SAME), fp(SAVED)),
            vec![
                wrong(fp(SAVED), fp(SAME)),
                wrong(fp(Location::Rule(ValueRule::AtCfa(-24))), fp(SAVED)),
                wrong(row(24), fp(SAVED)),
                wrong(ra(SAME), ra(SAVED)),
            ],
        ),
        (
            Without(RowValue::Ra),
            wrong(ra(SAME), ra(SAVED)),
            vec![wrong(fp(SAME), fp(SAVED)), wrong(ra(SAVED), ra(SAME))],
        ),
        (
            Keeps(RowValue::Fp),
            wrong(fp(SAVED), fp(SAME)),
            vec![wrong(fp(SAME), fp(SAVED)), wrong(Equations { fp: SAVED, ..row(24) }, fp(SAME))],
        ),
        (Keeps(RowValue::Ra), wrong(ra(SAVED), ra(SAME)), vec![wrong(fp(SAVED), fp(SAME)), wrong(ra(SAME), ra(SAVED))]),
        (
            Unsigned,
            wrong(signed(None), signed(Some(PacKey::A))),
            vec![
                wrong(signed(Some(PacKey::A)), signed(None)),
                wrong(signed(Some(PacKey::B)), signed(Some(PacKey::A))),
                wrong(row(24), signed(Some(PacKey::B))),
            ],
        ),
        (
            NoRow,
            WrongRow { sframe: Claim::NoRow, ..wrong(row(0), row(24)) },
            vec![
                WrongRow { sframe: Claim::Nothing, ..wrong(row(0), row(24)) },
                WrongRow { sframe: Claim::NoRow, eh_frame: Claim::NoRow, ..wrong(row(0), row(0)) },
                wrong(row(16), row(24)),
            ],
        ),
        (
            FrameKept,
            alike(row(24), row(8)),
            vec![
                alike(row(8), row(24)),
                alike(row(24), row(16)),
                wrong(row(24), row(8)),
                WrongRow { sframe: Claim::Row(row(32), None), ..alike(row(24), row(8)) },
                WrongRow { before: Some(Claim::Row(row(16), None)), ..alike(row(24), row(8)) },
                WrongRow {
                    before: Some(Claim::Row(fp(SAVED), None)),
                    ..alike(fp(Location::Rule(ValueRule::AtCfa(-24))), row(8))
                },
            ],
        ),
        (
            FrameMissed,
            alike(row(8), row(24)),
            vec![
                alike(row(24), row(8)),
                alike(row(16), row(24)),
                wrong(row(8), row(24)),
                WrongRow { eh_frame: Claim::Row(row(32), None), ..alike(row(8), row(24)) },
            ],
        ),
    ];
    for (relation, explained, others) in &cases {
        assert!(relation.holds(explained), "{relation:?} on {explained}");
        for other in others {
            assert!(!relation.holds(other), "{relation:?} on {other}");
        }
    }
    for (relation, ..) in &cases {
        assert_eq!(Relation::try_from(String::from(*relation)), Ok(*relation));
    }
    for text in ["", "row", "cfa-offset", "cfa-offset x", "without", "without cfa", "row-before 8"] {
        assert!(Relation::try_from(text.to_owned()).is_err(), "{text}");
    }
    // An equal row has no relation, and neither has a row without an expected one.
    for (relation, explained, _) in cases {
        assert!(!relation.holds(&WrongRow { right: None, ..explained }), "{relation:?}");
        assert!(!relation.holds(&wrong(row(16), row(16))), "{relation:?}");
    }
}
