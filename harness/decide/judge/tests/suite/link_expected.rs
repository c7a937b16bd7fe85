//! Expectations of link cases beyond those of every link: equal tables of different links, dropped
//! functions, refused and mixed inputs.

use std::collections::BTreeSet;

use judge::link::{
    Expected, LinkFile, LinkedFunction, MadeCode, StepEnd, Tables, conserved, discarded, from_nothing, gc_keeps_live,
    is_beyond_reach, kept_alive, kept_of_mixture, left_out, mixed, named_are_described, not_accepted, not_loadable,
    not_silent, overflow, same_bytes, same_tables, section_kept, still_there,
};
use results::{Blame, Stage};
use spec::{CATALOGUE, Severity};
use types::SframeVersion;

use crate::link_sample::{Change, file, function, ids, inputs, names, output, table};

#[test]
fn what_a_case_names_must_be_described() {
    let out = output();
    let judged =
        |object: &LinkFile, functions| named_are_described(&[object], &out, &names(functions), Expected::Conserved);
    let mut object = file("object", true, &[("k", 0)]);
    assert_eq!(judged(&object, &["f", "h"]), []);
    let lost = judged(&object, &["f", "k"]);
    assert_eq!((ids(&lost), lost[0].shape.to_string().as_str()), (vec!["link/conserved"], "missing: k"));
    // The linker loses nothing of an object that has no table.
    object.table = None;
    let lost = judged(&object, &["f", "k", "l"]);
    assert_eq!(ids(&lost), ["coverage/section-present", "link/conserved"]);
    assert_eq!((lost[0].file.as_str(), lost[1].shape.to_string().as_str()), ("object", "missing: l"));
    assert_eq!(lost[0].clone().finding(Stage::Object).blame(), Blame::Assembler);
}

#[test]
fn a_link_that_leaves_nothing_out_shows_nothing_about_dead_code() {
    assert!(still_there(&output(), &names(&["dead"])).is_empty());
    assert_eq!(still_there(&output(), &names(&["dead", "g"])), ["g"]);
}

#[test]
fn dead_code_that_the_same_link_without_a_table_discards_is_kept_alive_by_it() {
    let control = file("bare", false, &[("f", 0x2000)]);
    let breach = kept_alive(&output(), &control, &names(&["dead", "g"])).expect("g is kept");
    assert_eq!(breach.rule.name(), "link/dead-described");
    assert!(breach.message.contains("keeps g,"), "{}", breach.message);
    // What both discard, and what both keep, shows nothing.
    assert_eq!(kept_alive(&output(), &control, &names(&["dead"])), None);
    assert_eq!(kept_alive(&output(), &output(), &names(&["g"])), None);
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
            assert_eq!(breaches[0].shape.to_string(), shape);
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
    assert_eq!((lost.rule.name(), lost.shape.to_string().as_str()), ("link/gc-keeps-live", "missing: h"));
}

/// Garbage collection keeps the code that the linker makes: its FDEs stay.
#[test]
fn collection_keeps_the_description_of_the_plt() {
    let with_plt = |name: &str, sections: &[(&str, u64, u64)]| {
        let mut out = file(name, false, &[("f", 0x2000), ("h", 0x2010)]);
        for (section, start, described) in sections {
            out.made.push(MadeCode { section: (*section).to_owned(), code: (*start, start + 0x20) });
            table(&mut out).functions.push(LinkedFunction { size: *described, ..function(*start) });
        }
        out
    };
    let plain = with_plt("plain", &[(".plt", 0x3000, 0x20), (".plt.sec", 0x3020, 0x20)]);
    let kept = with_plt("collected", &[(".plt", 0x4000, 0x20), (".plt.sec", 0x4020, 0x20)]);
    assert_eq!(gc_keeps_live(&plain, &kept), None);
    let part = with_plt("collected", &[(".plt", 0x4000, 0x10), (".plt.sec", 0x4020, 0x20)]);
    let shape = |after: &LinkFile| gc_keeps_live(&plain, after).map(|lost| lost.shape.to_string());
    assert_eq!(shape(&part).as_deref(), Some("missing: .plt"), "its second half has no descriptor");
    let mut none = kept.clone();
    table(&mut none).functions.truncate(2);
    assert_eq!(shape(&none).as_deref(), Some("missing: .plt,.plt.sec"));
    assert_eq!(gc_keeps_live(&part, &part.clone()), None, "what was not described before is not owed");
    let gone = LinkFile { made: Vec::new(), ..none.clone() };
    assert_eq!(gc_keeps_live(&plain, &gone), None, "no call goes through it any more");
    let relinked = same_tables(&none, &kept, Tables::Relinked);
    assert_eq!(relinked.iter().map(|found| found.shape.to_string()).collect::<Vec<_>>(), ["missing: .plt,.plt.sec"]);
    assert_eq!(relinked[0].file, "collected");
}

#[test]
fn mixtures_fail_or_are_covered_or_are_reported() {
    let all = names(&["f", "g", "h"]);
    let ended =
        |success, mentions_sframe| StepEnd { success, mentions_sframe, complaint: "section ignored".to_owned() };
    let mut part = output();
    table(&mut part).functions.pop();
    assert_eq!(mixed(&ended(false, true), None, &all), None, "it failed");
    assert_eq!(mixed(&ended(true, false), Some(&output()), &all), None, "all are covered");
    let silent = mixed(&ended(true, false), Some(&part), &all).expect("h is dropped");
    assert_eq!((silent.rule.name(), silent.severity), ("link/versions-mixed", Severity::Error));
    let reported = mixed(&ended(true, true), Some(&part), &all).expect("h is dropped");
    assert_eq!((reported.rule.name(), reported.severity), ("link/versions-mixed", Severity::Warning));
    assert_ne!(silent.shape, reported.shape);
    let misleading: [Change<LinkFile>; 4] = [
        ("told: unreadable", |file| file.table = None),
        ("told: zero bytes", |file| (file.table, file.bytes) = (None, vec![0; 48])),
        ("told: start base", |file| {
            let table = table(file);
            table.by_field = table.functions.iter().map(|function| function.start).collect();
            table.functions.iter_mut().for_each(|function| function.start += 0x1c);
        }),
        ("told: relocations", |file| (file.relocatable, table(file).relocated) = (true, 1)),
    ];
    for (shape, change) in misleading {
        let mut wrong = part.clone();
        change(&mut wrong);
        let found = mixed(&ended(true, true), Some(&wrong), &all).expect("it leads astray");
        assert_eq!((found.shape.to_string().as_str(), found.severity), (shape, Severity::Error), "whatever was said");
    }
}

/// Of mixed versions one is kept: its functions are expected as in any link, the others are gaps.
#[test]
fn what_a_mixture_keeps_is_expected_and_what_it_leaves_out_is_counted() {
    let mut files = inputs();
    table(&mut files[1]).version = SframeVersion::V1;
    let inputs: Vec<&LinkFile> = files.iter().collect();
    let mut kept = output();
    table(&mut kept).functions.pop();
    let end = |mentions_sframe| StepEnd { success: true, mentions_sframe, complaint: String::new() };
    assert_eq!(kept_of_mixture(&inputs, &kept), []);
    let gaps = left_out(&inputs, &kept, &end(true));
    let listed: Vec<(&str, Option<&str>)> =
        gaps.iter().map(|gap| (gap.function.as_str(), gap.reason.as_deref())).collect();
    assert_eq!(listed, [("h", Some("the link drops input tables of version v1"))]);
    assert_eq!(gaps[0].code, (0x2020, 0x2030));
    assert_eq!(left_out(&inputs, &kept, &end(false))[0].reason, None, "nobody said so: a silent gap");
    assert_eq!(left_out(&inputs, &output(), &end(true)), [], "all are described");
    let mut changed = kept.clone();
    table(&mut changed).functions[0].rows.pop();
    assert_eq!(ids(&kept_of_mixture(&inputs, &changed)), ["link/rows-unchanged"]);
    let none = LinkFile { table: None, has_section: false, ..kept };
    assert_eq!(kept_of_mixture(&inputs, &none), []);
    let all = left_out(&inputs, &none, &end(true));
    assert_eq!(all.iter().map(|gap| gap.function.as_str()).collect::<Vec<_>>(), ["f", "g", "h"]);
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
    assert_eq!(overflow(&ended(true), Some(&none), &all).map(|breach| breach.rule.name()), Some("link/conserved"));
    assert!(!is_beyond_reach(&none, &all), "there is nothing to reach from");
    let mut wrapped = far;
    table(&mut wrapped).functions[1].start = 0;
    let breach = overflow(&ended(true), Some(&wrapped), &all).expect("h is at 0");
    assert_eq!((breach.rule.name(), breach.shape.to_string().as_str()), ("link/start-overflow", "missing: h"));
    let mut near = output();
    table(&mut near).functions.pop();
    let lost = overflow(&ended(true), Some(&near), &all).expect("h is not described");
    assert_eq!(lost.rule, "link/conserved", "the field could reach it");
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
        assert_eq!(breaches[0].shape.to_string(), shape);
        assert_eq!(breaches[0].clone().finding(Stage::Stripped).blame(), Blame::PostProcessor);
    }
    let nothing = LinkFile { has_section: false, ..output() };
    assert_eq!(section_kept(&nothing, &bare), [], "there was nothing to keep");
}

#[test]
fn the_same_link_gives_the_same_bytes() {
    assert_eq!(same_bytes(("a", b"abc"), ("b", b"abc")), None);
    let differs = same_bytes(("a", b"abc"), ("b", b"abd")).expect("they differ");
    assert_eq!((differs.rule.name(), differs.severity), ("link/deterministic", Severity::Warning));
    assert!(differs.message.contains("from offset 0x2 on"), "{}", differs.message);
    assert!(same_bytes(("a", b"abc"), ("b", b"abcd")).is_some(), "one is longer");
}

#[test]
fn nothing_comes_from_nothing() {
    let plain = LinkFile { has_section: false, table: None, ..inputs()[0].clone() };
    let without = LinkFile { has_section: false, table: None, ..output() };
    assert_eq!(from_nothing(&[&plain], &without), None);
    assert_eq!(from_nothing(&[&plain, &inputs()[1]], &output()), None);
    assert_eq!(from_nothing(&[&plain], &output()).map(|breach| breach.rule.name()), Some("link/from-nothing"));
}

#[test]
fn what_is_discarded_is_gone() {
    let bare = LinkFile { has_section: false, has_segment: false, table: None, bytes: Vec::new(), ..output() };
    assert_eq!(discarded(&bare), None);
    let shape =
        |file: &LinkFile| discarded(file).map(|breach| (breach.rule.name(), breach.shape.to_string(), breach.severity));
    let expect = |what: &str, severity| Some(("link/discarded", what.to_owned(), severity));
    assert_eq!(shape(&output()), expect("section", Severity::Error));
    assert_eq!(shape(&LinkFile { has_segment: true, ..bare.clone() }), expect("segment", Severity::Error));
    assert_eq!(shape(&LinkFile { has_section: true, ..bare }), expect("empty section", Severity::Warning));
}

#[test]
fn a_refused_link_is_not_a_crash() {
    let end = StepEnd {
        success: false,
        mentions_sframe: true,
        complaint: "relocation refers to a discarded section".to_owned(),
    };
    let refused = not_accepted("out", &end, None);
    assert_eq!((refused.rule.name(), refused.shape.to_string().as_str()), ("link/accepted", "refused"));
    assert!(refused.message.ends_with("relocation refers to a discarded section"));
    assert_eq!(not_accepted("out", &end, Some(11)).shape.to_string(), "killed by signal 11");
}

#[test]
fn a_link_that_complains_and_an_output_that_cannot_be_loaded_blame_their_tools() {
    let end = StepEnd { success: true, mentions_sframe: true, complaint: "SFrame section ignored".to_owned() };
    let complains = not_silent("out", &end);
    assert!(complains.message.ends_with(": SFrame section ignored"), "{}", complains.message);
    assert_eq!((complains.rule.name(), complains.finding(Stage::Linked).blame()), ("link/accepted", Blame::Linker));
    let cut = not_loadable("stripped", "truncated");
    assert_eq!((cut.rule.name(), cut.finding(Stage::Stripped).blame()), ("link/section-kept", Blame::PostProcessor));
}

/// One cause is one entry of the ledger: the fingerprint contains rule and shape, not the case's
/// file names.
#[test]
fn a_finding_is_the_same_in_every_case() {
    let lost = |name: &str| {
        let out = LinkFile { name: name.to_owned(), has_section: false, table: None, ..output() };
        let inputs = inputs();
        let mut breaches = conserved(&inputs.iter().collect::<Vec<_>>(), &out, Expected::Conserved);
        breaches.remove(0).finding(Stage::Linked)
    };
    let (one, other) = (lost("out"), lost("back"));
    assert_eq!((one.fingerprint(), one.blame()), (other.fingerprint(), Blame::Linker));
    assert_ne!(one.shown.message, other.shown.message);
    assert_eq!((one.shown.place.as_str(), other.shown.place.as_str()), ("out", "back"));
    let refused = not_accepted("out", &StepEnd::default(), None).finding(Stage::Linked);
    assert_ne!(refused.fingerprint(), one.fingerprint());
}

/// Every rule of the group is broken by some test above: the sources contain their names.
#[test]
fn every_rule_of_linking_has_a_test() {
    let source = [include_str!("link.rs"), include_str!("link_expected.rs")].concat();
    let rules: BTreeSet<&str> =
        CATALOGUE.iter().map(|rule| rule.id.name()).filter(|id| id.starts_with("link/")).collect();
    let without: Vec<&&str> = rules.iter().filter(|id| !source.contains(&format!("\"{id}\""))).collect();
    assert!(without.is_empty(), "no test breaks {without:?}");
}
