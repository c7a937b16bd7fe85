//! Charges for each pair of verdicts on the two tables: the lines of `blame.txt`.

use judge::blame::{Origin, Table, Verdicts, alike, charges};
use judge::compare::Shared;
use judge::tables::origin;
use types::{Answer, Caller, Fault, Field, ImageSection, PacKey, UndecidedCause, Verdict};

use crate::eh_frame_hdr::{TEXT, hdr, image};

fn verdict(word: &str) -> Option<Verdict> {
    Some(match word {
        "-" => return None,
        "right" => Verdict::Agree,
        "missing" => Verdict::Missing,
        "refused" => Verdict::Refused(Fault::Expression),
        "undecided" => Verdict::Undecided(UndecidedCause::OtherStack),
        "cfa" => Verdict::Wrong(Field::Cfa),
        "ra" => Verdict::Wrong(Field::Ra),
        "fp" => Verdict::Wrong(Field::Fp),
        other => panic!("{other}: no verdict"),
    })
}

fn origins(words: &str) -> Vec<Origin> {
    let all = [Origin::Object, Origin::Linked, Origin::LinkerMade, Origin::Rewritten];
    let named = ["object", "linked", "linker-made", "rewritten"].into_iter().zip(all);
    named.filter(|(name, _)| words == "any" || words.split(' ').any(|word| word == *name)).map(|(_, one)| one).collect()
}

#[test]
fn who_is_charged() {
    for line in include_str!("blame.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let columns: Vec<&str> = line.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
        let [sframe, eh_frame, common, from, expected] = columns[..] else { panic!("{line}: five columns") };
        let has = |name: &str| common.split(' ').any(|word| word == name);
        let verdicts = Verdicts {
            sframe: verdict(sframe),
            eh_frame: verdict(eh_frame),
            alike: has("alike"),
            shared: Shared { cfa: has("cfa"), signing: has("signing"), ra: has("ra"), fp: has("fp"), sp: has("sp") },
        };
        let origins = origins(from);
        assert!(!origins.is_empty(), "{line}: no origin");
        for origin in origins {
            let charged = charges(&verdicts, origin).into_iter().flatten().map(|charge| {
                let table = if charge.table == Table::Sframe { "sframe" } else { "eh-frame" };
                let verdict = ["cfa", "ra", "fp"].into_iter().find(|word| verdict(word) == Some(charge.verdict));
                format!("{table} {} {}", charge.blame, verdict.unwrap_or("no field"))
            });
            let charged = charged.collect::<Vec<_>>().join(", ");
            assert_eq!(if charged.is_empty() { "nobody" } else { &charged }, expected, "{line}: {origin:?}");
        }
    }
}

const CALLER: Caller = Caller {
    cfa: 0x7010,
    ra: 0x40_1000,
    raw_ra: 0x40_1000,
    signed_by: None,
    signed_with_pc: false,
    fp: Ok(Some(1)),
    sp: 0x7010,
    signal: false,
};

#[test]
fn answers_are_alike_when_every_judged_value_is() {
    let answer = |caller: Caller| Ok(Answer::Caller(caller));
    assert!(alike(&answer(CALLER), &answer(CALLER)));
    let others = [
        Caller { cfa: 0x7018, ..CALLER },
        Caller { ra: 0x40_1001, ..CALLER },
        Caller { fp: Ok(None), ..CALLER },
        Caller { signed_by: Some(PacKey::A), ..CALLER },
    ];
    for other in others {
        assert!(!alike(&answer(CALLER), &answer(other)), "{other:?}");
    }
}

#[test]
fn faults_and_outermost_are_alike_only_with_themselves() {
    let outermost = Ok(Answer::Outermost);
    let dead = Err(Fault::DeadMemory { address: 0x7000 });
    assert!(alike(&outermost, &outermost));
    assert!(alike(&dead, &dead));
    assert!(!alike(&dead, &Err(Fault::DeadMemory { address: 0x7008 })));
    assert!(!alike(&outermost, &dead));
    assert!(!alike(&outermost, &Ok(Answer::Caller(CALLER))));
}

#[test]
fn code_that_bolt_moved_is_of_no_linker() {
    let mut sample = image(&[(TEXT, 0x100)], hdr(&[]));
    assert_eq!(origin(&sample, TEXT), Origin::Linked);
    let note = ImageSection { name: ".note.bolt_info".to_owned(), ..sample.sections[0].clone() };
    sample.sections.push(note);
    assert_eq!(origin(&sample, TEXT), Origin::Rewritten);
    sample.sections[0].name = ".bolt.org.text".to_owned();
    assert_eq!(origin(&sample, TEXT), Origin::Linked);
}
