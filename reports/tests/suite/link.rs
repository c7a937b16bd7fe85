//! Links judged from plain values: for every rule of the group a link that breaks it alone, and one that must not be charged.

use std::collections::BTreeSet;

use model::{CATALOGUE, CfaRule, PacKey, Pc, Reg, Severity, SframeVersion, UnwindRow, ValueRule};
use reports::blame::Blame;
use reports::link::{
    Breach, CodeSymbol, Described, Expected, LinkFile, StepEnd, TableFacts, Tables, conserved, discarded, from_nothing,
    gc_keeps_live, is_beyond_reach, mixed, named_are_described, named_are_gone, not_accepted, overflow, same_bytes,
    same_tables, section_kept,
};

/// What a change is told as, and the change.
type Change<T> = (&'static str, fn(&mut T));

/// A row at offsets of its function: CFA is SP plus `offset`.
fn row(start: u64, end: u64, offset: i64) -> UnwindRow {
    UnwindRow {
        start: Pc(start),
        end: Pc(end),
        cfa: CfaRule::Register { reg: Reg(7), offset },
        ra: ValueRule::AtCfa(-8),
        fp: ValueRule::SameValue,
        signed: false,
        key: PacKey::A,
        signal: false,
    }
}

/// A function of 16 bytes that pushes one word.
fn function(start: u64) -> Described {
    Described {
        start,
        size: 16,
        block: None,
        signal: false,
        key: PacKey::A,
        rows: vec![row(0, 1, 8), row(1, 15, 16), row(15, 16, 8)],
    }
}

/// A file whose symbols are all described, at the addresses given.
fn file(name: &str, relocatable: bool, functions: &[(&str, u64)]) -> LinkFile {
    let described: Vec<Described> = functions.iter().map(|(_, start)| function(*start)).collect();
    LinkFile {
        name: name.to_owned(),
        relocatable,
        symbols: functions.iter().map(|(name, address)| symbol(name, *address)).collect(),
        made: Vec::new(),
        has_section: true,
        has_segment: !relocatable,
        allocated: true,
        address: 0x1000,
        bytes: vec![1, 2, 3],
        table: Some(TableFacts {
            version: SframeVersion::V3,
            flags: if relocatable { 4 } else { 5 },
            abi_arch: 3,
            fixed_fp: 0,
            fixed_ra: -8,
            elements: 1,
            relocated: described.len(),
            by_field: Vec::new(),
            broken: 0,
            functions: described,
        }),
    }
}

fn symbol(name: &str, address: u64) -> CodeSymbol {
    CodeSymbol { name: name.to_owned(), address }
}

fn object(name: &str, functions: &[(&str, u64)]) -> LinkFile {
    file(name, true, functions)
}

/// The inputs of the link that all tests start from.
fn inputs() -> [LinkFile; 2] {
    [object("a.o", &[("f", 0x100), ("g", 0x110)]), object("b.o", &[("h", 0x100)])]
}

/// What comes of them when all goes well.
fn output() -> LinkFile {
    file("out", false, &[("f", 0x2000), ("g", 0x2010), ("h", 0x2020)])
}

fn table(file: &mut LinkFile) -> &mut TableFacts {
    file.table.as_mut().expect("the file has a table")
}

fn judged(change: impl FnOnce(&mut [LinkFile; 2], &mut LinkFile)) -> Vec<Breach> {
    let (mut inputs, mut output) = (inputs(), output());
    change(&mut inputs, &mut output);
    conserved(&inputs.iter().collect::<Vec<_>>(), &output, Expected::Conserved)
}

fn ids(breaches: &[Breach]) -> Vec<&str> {
    breaches.iter().map(|breach| breach.rule.id).collect()
}

fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_link_that_keeps_everything_breaks_nothing() {
    assert_eq!(judged(|_, _| {}), []);
}

#[test]
fn order_and_place_of_functions_are_the_linkers_own_matter() {
    let moved = judged(|_, out| *out = file("out", false, &[("h", 0x9000), ("g", 0x9100), ("f", 0x9200)]));
    assert_eq!(moved, []);
}

#[test]
fn a_live_function_that_is_not_described_is_lost() {
    let lost = judged(|_, out| drop(table(out).functions.remove(2)));
    assert_eq!(ids(&lost), ["link/conserved"]);
    assert_eq!(lost[0].shape, "missing: h");
    assert_eq!(lost[0].message, "out does not describe h: no descriptor leads to them");
}

#[test]
fn why_functions_are_lost_is_told_apart() {
    let shape = |change: fn(&mut LinkFile)| {
        let lost = judged(|_, out| change(out));
        assert_eq!(ids(&lost), ["link/conserved"]);
        lost[0].shape.clone()
    };
    let later = shape(|out| {
        table(out).functions.truncate(2);
        table(out).elements = 2;
    });
    assert_eq!(later, "missing: later elements");
    let none = shape(|out| {
        out.table = None;
        out.has_section = false;
    });
    assert_eq!(none, "missing: no section");
    assert_eq!(shape(|out| out.table = None), "missing: unreadable");
    assert_eq!(shape(|out| table(out).functions.clear()), "missing: empty");
    let bare = shape(|out| {
        out.table = None;
        out.bytes.clear();
    });
    assert_eq!(bare, "missing: empty");
    let elsewhere = shape(|out| table(out).functions.iter_mut().for_each(|function| function.start += 0x1c));
    assert_eq!(elsewhere, "missing: nothing at its place", "and not the same as dead code once more");
}

/// One cause, told once: not that descriptors lead to other functions, or twice to one.
#[test]
fn starts_that_count_from_their_fields_are_told_apart() {
    let skew = |by: fn(u64) -> u64| {
        judged(|_, out| {
            let table = table(out);
            table.by_field = table.functions.iter().map(|function| function.start).collect();
            table.functions.iter_mut().zip(0..).for_each(|(function, index)| function.start -= by(index));
        })
    };
    // As in V2; all on the function before; all on one function.
    for by in [|index| 0x1c + 20 * index, |_| 0x10, |index| 0x10 * index] {
        let skewed = skew(by);
        assert_eq!(ids(&skewed), ["link/conserved"], "also where some land on other functions");
        assert_eq!(skewed[0].shape, "missing: start base");
    }
    let right = judged(|_, out| table(out).by_field = vec![0x201c, 0x203c]);
    assert_eq!(right, []);
}

#[test]
fn what_no_input_describes_need_not_be_described() {
    let plain = judged(|inputs, out| {
        inputs[1].table = None;
        inputs[1].has_section = false;
        table(out).functions.truncate(2);
    });
    assert_eq!(plain, []);
}

/// Which of two definitions a link kept is not known; where one of them has no description, none is demanded.
#[test]
fn a_definition_without_description_may_be_the_one_that_was_kept() {
    let kept = judged(|inputs, out| {
        inputs[1].symbols.push(symbol("f", 0x200));
        table(out).functions.remove(0);
    });
    assert_eq!(kept, []);
}

#[test]
fn a_name_may_stand_for_an_entry_that_the_linker_made() {
    let chosen = judged(|_, out| {
        table(out).functions.remove(2);
        out.symbols[2].address = 0x3000;
        out.made.push((0x3000, 0x3010));
    });
    assert_eq!(chosen, []);
}

#[test]
fn described_twice_is_once_too_often() {
    let twice = judged(|_, out| table(out).functions.push(function(0x2020)));
    assert_eq!(ids(&twice), ["link/described-once"]);
    assert_eq!(twice[0].shape, "h");
}

#[test]
fn an_empty_function_shares_its_address_rightly() {
    let shared = judged(|inputs, out| {
        let nothing = |start| Described { size: 0, rows: Vec::new(), ..function(start) };
        inputs[0].symbols.push(symbol("nothing", 0x120));
        table(&mut inputs[0]).functions.push(nothing(0x120));
        out.symbols.push(symbol("nothing", 0x2020));
        table(out).functions.push(nothing(0x2020));
    });
    assert_eq!(shared, []);
}

#[test]
fn folded_functions_have_one_descriptor() {
    let fold = |copies: usize| {
        judged(|_, out| {
            out.symbols[2].address = 0x2010;
            table(out).functions.truncate(2);
            (1..copies).for_each(|_| table(out).functions.push(function(0x2010)));
        })
    };
    assert_eq!(fold(1), []);
    let twice = fold(2);
    assert_eq!(ids(&twice), ["link/folded-once"]);
    assert_eq!((twice[0].shape.as_str(), twice[0].severity), ("g,h", Severity::Warning));
}

#[test]
fn each_part_of_a_description_stays() {
    let cases: [Change<Described>; 5] = [
        ("size: f", |f| f.size = 17),
        ("rows: f", |f| f.rows[1] = row(1, 15, 24)),
        ("signal mark: f", |f| f.signal = true),
        ("key: f", |f| f.key = PacKey::B),
        ("block size: f", |f| f.block = Some(16)),
    ];
    for (shape, change) in cases {
        let changed = judged(|_, out| change(&mut table(out).functions[0]));
        assert_eq!(ids(&changed), ["link/rows-unchanged"], "{shape}");
        assert_eq!(changed[0].shape, shape);
    }
}

#[test]
fn rows_that_say_the_same_are_the_same() {
    let coalesced = judged(|inputs, _| {
        let rows = &mut table(&mut inputs[0]).functions[0].rows;
        // One row more, equal to its neighbour, and one that covers nothing.
        *rows = vec![row(0, 1, 8), row(1, 7, 16), row(7, 15, 16), row(15, 16, 8), row(16, 16, 99)];
    });
    assert_eq!(coalesced, []);
}

#[test]
fn names_that_objects_share_keep_each_their_own_rows() {
    let both = |second: i64| {
        let other = |start| Described { rows: vec![row(0, 16, second)], ..function(start) };
        judged(|inputs, out| {
            inputs[0].symbols.push(symbol("local", 0x120));
            table(&mut inputs[0]).functions.push(function(0x120));
            inputs[1].symbols.push(symbol("local", 0x120));
            table(&mut inputs[1]).functions.push(Described { rows: vec![row(0, 16, 8)], ..function(0x120) });
            out.symbols.extend([symbol("local", 0x2030), symbol("local", 0x2040)]);
            table(out).functions.extend([function(0x2030), other(0x2040)]);
        })
    };
    assert_eq!(both(8), []);
    assert_eq!(ids(&both(32)), ["link/rows-unchanged"]);
}

#[test]
fn a_descriptor_that_leads_to_no_function_is_of_dead_code() {
    let dead = judged(|_, out| table(out).functions.push(function(0x5000)));
    assert_eq!(ids(&dead), ["link/dead-described"]);
    let made = judged(|_, out| {
        table(out).functions.push(function(0x5000));
        out.made.push((0x5000, 0x5020));
    });
    assert_eq!(made, [], "the linker describes its own PLT");
}

#[test]
fn header_bytes_are_those_of_the_inputs() {
    let cases: [Change<TableFacts>; 4] = [
        ("ABI", |table| table.abi_arch = 2),
        ("fixed FP offset", |table| table.fixed_fp = -16),
        ("fixed RA offset", |table| table.fixed_ra = 0),
        ("FRAME_POINTER", |table| table.flags |= 2),
    ];
    for (shape, change) in cases {
        let wrong = judged(|_, out| change(table(out)));
        assert_eq!(ids(&wrong), ["link/header-agrees"], "{shape}");
        assert_eq!(wrong[0].shape, shape);
    }
}

#[test]
fn inputs_whose_headers_disagree_are_told() {
    let merged = judged(|inputs, _| table(&mut inputs[1]).fixed_fp = -16);
    assert_eq!(ids(&merged), ["link/header-agrees"]);
    assert_eq!(merged[0].shape, "fixed FP offset: inputs disagree");
}

#[test]
fn frame_pointer_is_claimed_where_all_inputs_do() {
    let set = |inputs: &mut [LinkFile; 2], first: bool, second: bool| {
        table(&mut inputs[0]).flags |= if first { 2 } else { 0 };
        table(&mut inputs[1]).flags |= if second { 2 } else { 0 };
    };
    assert_eq!(judged(|inputs, _| set(inputs, true, false)), []);
    assert_eq!(
        ids(&judged(|inputs, _| set(inputs, true, true))),
        ["link/header-agrees"],
        "all claim it, the output not"
    );
}

#[test]
fn a_relocatable_output_is_the_union() {
    let merged = |change: fn(&mut LinkFile)| {
        judged(|_, out| {
            *out = object("merged", &[("f", 0x100), ("g", 0x110), ("h", 0x1000)]);
            change(out);
        })
    };
    assert_eq!(merged(|_| {}), []);
    let lost = merged(|out| {
        table(out).functions.pop();
        table(out).relocated = 2;
    });
    assert_eq!(ids(&lost), ["link/relocatable-union"]);
    let stray = merged(|out| {
        table(out).functions.push(function(0x9000));
        table(out).relocated = 4;
    });
    assert_eq!(ids(&stray), ["link/relocatable-union"]);
    let loose = merged(|out| {
        table(out).functions[2].start = 0x9000;
        table(out).relocated = 2;
    });
    assert_eq!(ids(&loose), ["link/relocatable-union"], "where it leads is not known, so it is told once");
    assert_eq!(loose[0].shape, "missing: relocations");
    let concatenated = merged(|out| {
        table(out).functions.truncate(2);
        table(out).elements = 2;
    });
    assert_eq!(ids(&concatenated), ["link/relocatable-union"]);
    assert_eq!(concatenated[0].severity, Severity::Warning, "nothing is lost before the final link");
}

#[test]
fn what_a_case_names_must_be_described() {
    let out = output();
    assert_eq!(named_are_described(&out, &names(&["f", "h"]), Expected::Conserved), None);
    let lost = named_are_described(&out, &names(&["f", "k"]), Expected::Conserved).expect("k is not there");
    assert_eq!((lost.rule.id, lost.shape.as_str()), ("link/conserved", "missing: k"));
}

#[test]
fn a_link_that_leaves_nothing_out_shows_nothing_about_dead_code() {
    assert_eq!(named_are_gone(&output(), &names(&["dead"])), Ok(()));
    assert!(named_are_gone(&output(), &names(&["dead", "g"])).expect_err("g is there").contains("still has g"));
}

#[test]
fn the_same_tables_by_way_of_a_relocatable_and_in_any_order() {
    for (relation, rule) in [(Tables::Relinked, "link/relocatable-then-final"), (Tables::AnyOrder, "link/input-order")]
    {
        let one = output();
        let moved = file("other", false, &[("h", 0x7000), ("f", 0x8000), ("g", 0x9000)]);
        assert_eq!(same_tables(&one, &moved, relation), []);
        let changes: [Change<LinkFile>; 3] = [
            ("missing: h", |file| drop(table(file).functions.remove(0))),
            ("differs: f", |file| table(file).functions[1].size = 20),
            ("header", |file| table(file).flags = 4),
        ];
        for (shape, change) in changes {
            let mut other = moved.clone();
            change(&mut other);
            let breaches = same_tables(&one, &other, relation);
            assert_eq!(ids(&breaches), [rule], "{shape}");
            assert_eq!(breaches[0].shape, shape);
        }
        let mut less = one.clone();
        table(&mut less).functions.remove(0);
        assert_eq!(ids(&same_tables(&less, &moved, relation)), [rule], "whichever of the two lacks it");
    }
}

#[test]
fn collection_keeps_the_descriptions_of_what_it_keeps() {
    let plain = output();
    let mut collected = file("collected", false, &[("f", 0x2000), ("h", 0x2010)]);
    assert_eq!(gc_keeps_live(&plain, &collected), None, "g is dead");
    table(&mut collected).functions.pop();
    let lost = gc_keeps_live(&plain, &collected).expect("h lives");
    assert_eq!((lost.rule.id, lost.shape.as_str()), ("link/gc-keeps-live", "missing: h"));
}

#[test]
fn mixtures_fail_or_are_covered_or_are_told() {
    let all = names(&["f", "g", "h"]);
    let ended = |success, told| StepEnd { success, told, said: "section ignored".to_owned() };
    let mut part = output();
    table(&mut part).functions.pop();
    assert_eq!(mixed(&ended(false, true), None, &all), None, "it failed");
    assert_eq!(mixed(&ended(true, false), Some(&output()), &all), None, "all are covered");
    let silent = mixed(&ended(true, false), Some(&part), &all).expect("h is dropped");
    assert_eq!((silent.rule.id, silent.severity), ("link/versions-mixed", Severity::Error));
    let told = mixed(&ended(true, true), Some(&part), &all).expect("h is dropped");
    assert_eq!((told.rule.id, told.severity), ("link/versions-mixed", Severity::Warning));
    assert_ne!(silent.shape, told.shape);
}

#[test]
fn a_start_that_does_not_fit_fails_the_link() {
    let all = names(&["f", "h"]);
    let ended = |success| StepEnd { success, ..StepEnd::default() };
    let far = file("out", false, &[("f", 0x2000), ("h", 0x2_0000_0000)]);
    assert!(is_beyond_reach(&far, &all) && !is_beyond_reach(&output(), &all));
    assert_eq!(overflow(&ended(false), None, &all), None);
    assert_eq!(overflow(&ended(true), Some(&far), &all), None, "it fits somehow");
    let none = LinkFile { table: None, has_section: false, ..far.clone() };
    assert_eq!(overflow(&ended(true), Some(&none), &all).map(|breach| breach.rule.id), Some("link/conserved"));
    assert!(!is_beyond_reach(&none, &all), "there is nothing to reach from");
    let mut wrapped = far;
    table(&mut wrapped).functions[1].start = 0;
    let breach = overflow(&ended(true), Some(&wrapped), &all).expect("h is at 0");
    assert_eq!((breach.rule.id, breach.shape.as_str()), ("link/start-overflow", "missing: h"));
    let mut near = output();
    table(&mut near).functions.pop();
    let lost = overflow(&ended(true), Some(&near), &all).expect("h is not described");
    assert_eq!(lost.rule.id, "link/conserved", "the field could reach it");
}

#[test]
fn post_processors_leave_the_section_alone() {
    let (before, bare) = (output(), LinkFile { symbols: Vec::new(), name: "bare".to_owned(), ..output() });
    assert_eq!(section_kept(&before, &bare), []);
    let changes: [Change<LinkFile>; 4] = [
        ("no section", |file| file.has_section = false),
        ("bytes", |file| file.bytes[2] = 9),
        ("not allocated", |file| file.allocated = false),
        ("no segment", |file| file.has_segment = false),
    ];
    for (shape, change) in changes {
        let mut after = bare.clone();
        change(&mut after);
        let breaches = section_kept(&before, &after);
        assert_eq!(ids(&breaches), ["link/section-kept"], "{shape}");
        assert_eq!(breaches[0].shape, shape);
        assert_eq!(breaches[0].clone().discrepancy().blame, Blame::PostProcessor);
    }
    let nothing = LinkFile { has_section: false, ..output() };
    assert_eq!(section_kept(&nothing, &bare), [], "there was nothing to keep");
}

#[test]
fn the_same_link_gives_the_same_bytes() {
    assert_eq!(same_bytes(("a", b"abc"), ("b", b"abc")), None);
    let differs = same_bytes(("a", b"abc"), ("b", b"abd")).expect("they differ");
    assert_eq!((differs.rule.id, differs.severity), ("link/deterministic", Severity::Warning));
    assert!(differs.message.contains("from offset 0x2 on"), "{}", differs.message);
    assert!(same_bytes(("a", b"abc"), ("b", b"abcd")).is_some(), "one is longer");
}

#[test]
fn nothing_comes_from_nothing() {
    let plain = LinkFile { has_section: false, table: None, ..inputs()[0].clone() };
    let without = LinkFile { has_section: false, table: None, ..output() };
    assert_eq!(from_nothing(&[&plain], &without), None);
    assert_eq!(from_nothing(&[&plain, &inputs()[1]], &output()), None);
    assert_eq!(from_nothing(&[&plain], &output()).map(|breach| breach.rule.id), Some("link/from-nothing"));
}

#[test]
fn what_is_discarded_is_gone() {
    let bare = LinkFile { has_section: false, has_segment: false, table: None, bytes: Vec::new(), ..output() };
    assert_eq!(discarded(&bare), None);
    let shape = |file: &LinkFile| discarded(file).map(|breach| (breach.rule.id, breach.shape, breach.severity));
    let expect = |what: &str, severity| Some(("link/discarded", what.to_owned(), severity));
    assert_eq!(shape(&output()), expect("section", Severity::Error));
    assert_eq!(shape(&LinkFile { has_segment: true, ..bare.clone() }), expect("segment", Severity::Error));
    assert_eq!(shape(&LinkFile { has_section: true, ..bare }), expect("empty section", Severity::Warning));
}

#[test]
fn a_refused_link_is_told_apart_from_a_crash() {
    let end = StepEnd { success: false, told: true, said: "relocation refers to a discarded section".to_owned() };
    let refused = not_accepted("out", &end, None);
    assert_eq!((refused.rule.id, refused.shape.as_str()), ("link/accepted", "refused"));
    assert!(refused.message.ends_with("relocation refers to a discarded section"));
    assert_eq!(not_accepted("out", &end, Some(11)).shape, "killed by signal 11");
}

/// One cause is one entry of the ledger: the fingerprint knows rule and shape, not the case's names for its files.
#[test]
fn a_finding_is_the_same_in_every_case() {
    let lost = |name: &str| {
        let out = LinkFile { name: name.to_owned(), has_section: false, table: None, ..output() };
        let inputs = inputs();
        let mut breaches = conserved(&inputs.iter().collect::<Vec<_>>(), &out, Expected::Conserved);
        breaches.remove(0).discrepancy()
    };
    let (one, other) = (lost("out"), lost("back"));
    assert_eq!((one.fingerprint.as_str(), one.blame), (other.fingerprint.as_str(), Blame::Linker));
    assert_ne!(one.message, other.message);
    assert_eq!((one.place.as_str(), other.place.as_str()), ("out", "back"));
    let refused = not_accepted("out", &StepEnd::default(), None).discrepancy();
    assert_ne!(refused.fingerprint, one.fingerprint);
}

/// Every rule of the group is broken by some test above: their names stand in this file's source.
#[test]
fn every_rule_of_linking_has_a_test() {
    let source = include_str!("link.rs");
    let rules: BTreeSet<&str> = CATALOGUE.iter().map(|rule| rule.id).filter(|id| id.starts_with("link/")).collect();
    let without: Vec<&&str> = rules.iter().filter(|id| !source.contains(&format!("\"{id}\""))).collect();
    assert!(without.is_empty(), "no test breaks {without:?}");
}
