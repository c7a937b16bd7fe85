//! Links judged from plain values: for every rule a link that breaks only this rule, and one that
//! must not be reported. Requirements of every link are tested here, those of some cases in
//! `link_expected`.

use judge::link::{LinkFile, LinkedFunction, TableFacts, blank};
use spec::Severity;
use types::PacKey;

use crate::link_sample::{Change, file, function, ids, inputs, judged, object, output, plt, row, symbol, table};

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
    assert_eq!(lost[0].shape.to_string(), "missing: h");
    assert_eq!(lost[0].message, "out does not describe h: no descriptor leads to them");
}

#[test]
fn why_functions_are_lost_is_part_of_the_shape() {
    let shape = |change: fn(&mut LinkFile)| {
        let lost = judged(|_, out| change(out));
        assert_eq!(ids(&lost), ["link/conserved"]);
        lost[0].shape.to_string()
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

/// One cause, reported once: not also as descriptors of other functions, or several of one.
#[test]
fn starts_that_count_from_their_fields_are_a_cause_of_their_own() {
    let skew = |by: fn(u64) -> u64| {
        judged(|_, out| {
            let table = table(out);
            table.by_field = table.functions.iter().map(|function| function.start).collect();
            table.functions.iter_mut().zip(0..).for_each(|(function, index)| function.start -= by(index));
        })
    };
    // As in V2; all at the function before; all at one function.
    for by in [|index| 0x1c + 20 * index, |_| 0x10, |index| 0x10 * index] {
        let skewed = skew(by);
        assert_eq!(ids(&skewed), ["link/conserved"], "also where some land on other functions");
        assert_eq!(skewed[0].shape.to_string(), "missing: start base");
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

/// Which of two definitions a link kept is unknown; if one of them has no FDE, none is expected.
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
        out.made.push(plt(0x3000, 0x3010));
    });
    assert_eq!(chosen, []);
}

#[test]
fn described_twice_is_once_too_often() {
    let twice = judged(|_, out| table(out).functions.push(function(0x2020)));
    assert_eq!(ids(&twice), ["link/described-once"]);
    assert_eq!(twice[0].shape.to_string(), "h");
    let unnamed = judged(|_, out| {
        out.symbols.retain(|symbol| symbol.address != 0x2020);
        table(out).functions.push(function(0x2020));
    });
    let messages: Vec<&str> = unnamed.iter().map(|breach| breach.message.as_str()).collect();
    assert!(messages.iter().any(|message| message.ends_with("2 descriptors at 0x2020")), "{messages:?}");
}

#[test]
fn an_empty_function_shares_its_address_rightly() {
    let shared = judged(|inputs, out| {
        let nothing = |start| LinkedFunction { size: 0, rows: Vec::new(), ..function(start) };
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
    assert_eq!((twice[0].shape.to_string().as_str(), twice[0].severity), ("g,h", Severity::Warning));
}

#[test]
fn each_part_of_a_description_stays() {
    let cases: [Change<LinkedFunction>; 5] = [
        ("size: f", |f| f.size = 17),
        ("rows: f", |f| f.rows[1] = row(1, 15, 24)),
        ("signal mark: f", |f| f.signal = true),
        ("key: f", |f| f.key = PacKey::B),
        ("block size: f", |f| f.block = Some(16)),
    ];
    for (shape, change) in cases {
        let changed = judged(|_, out| change(&mut table(out).functions[0]));
        assert_eq!(ids(&changed), ["link/rows-unchanged"], "{shape}");
        assert_eq!(changed[0].shape.to_string(), shape);
    }
}

#[test]
fn rows_that_say_the_same_are_the_same() {
    let coalesced = judged(|inputs, _| {
        let rows = &mut table(&mut inputs[0]).functions[0].rows;
        // One row more, equal to the adjacent one, and an empty one.
        *rows = vec![row(0, 1, 8), row(1, 7, 16), row(7, 15, 16), row(15, 16, 8), row(16, 16, 99)];
    });
    assert_eq!(coalesced, []);
}

#[test]
fn names_that_objects_share_keep_each_their_own_rows() {
    let both = |second: i64| {
        let other = |start| LinkedFunction { rows: vec![row(0, 16, second)], ..function(start) };
        judged(|inputs, out| {
            inputs[0].symbols.push(symbol("local", 0x120));
            table(&mut inputs[0]).functions.push(function(0x120));
            inputs[1].symbols.push(symbol("local", 0x120));
            table(&mut inputs[1]).functions.push(LinkedFunction { rows: vec![row(0, 16, 8)], ..function(0x120) });
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
        out.made.push(plt(0x5000, 0x5020));
    });
    assert_eq!(made, [], "the linker describes its own PLT");
    let unnamed = judged(|_, out| {
        table(out).functions.push(function(0x5000));
        out.cfi.push((0x5000, 0x5010));
    });
    assert_eq!(unnamed, [], "the code is there without a name");
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
        assert_eq!(wrong[0].shape.to_string(), shape);
    }
}

#[test]
fn inputs_whose_headers_disagree_are_reported() {
    let merged = judged(|inputs, _| table(&mut inputs[1]).fixed_fp = -16);
    assert_eq!(ids(&merged), ["link/header-agrees"]);
    assert_eq!(merged[0].shape.to_string(), "fixed FP offset: inputs disagree");
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
    assert_eq!(ids(&loose), ["link/relocatable-union"], "where it leads is not known, so it is reported once");
    assert_eq!(loose[0].shape.to_string(), "missing: relocations");
    let concatenated = merged(|out| {
        table(out).functions.truncate(2);
        table(out).elements = 2;
    });
    assert_eq!(ids(&concatenated), ["link/relocatable-union"]);
    assert_eq!(concatenated[0].severity, Severity::Warning, "nothing is lost before the final link");
}

/// Code without a symbol is identified by the ranges in `.eh_frame`.
#[test]
fn code_without_a_name_stays_described() {
    let unnamed = |change: fn(&mut [LinkFile; 2], &mut LinkFile)| {
        judged(|inputs, out| {
            inputs[1].cfi = vec![(0x100, 0x110), (0x110, 0x120)];
            table(&mut inputs[1]).functions.push(function(0x110));
            out.cfi = vec![(0x2020, 0x2030), (0x2030, 0x2040)];
            table(out).functions.push(function(0x2030));
            change(inputs, out);
        })
    };
    assert_eq!(unnamed(|_, _| {}), []);
    let lost = unnamed(|_, out| drop(table(out).functions.pop()));
    assert_eq!(ids(&lost), ["link/conserved"]);
    assert_eq!(lost[0].shape.to_string(), "missing: code without a name");
    let never = unnamed(|inputs, out| {
        table(&mut inputs[1]).functions.pop();
        table(out).functions.pop();
    });
    assert_eq!(never, [], "the input does not describe it");
    let another = unnamed(|inputs, out| {
        inputs[0].cfi.push((0x200, 0x208));
        table(out).functions.pop();
    });
    assert_eq!(ids(&another), ["link/conserved"], "what is not described in the input has another size");
    let made = unnamed(|_, out| {
        table(out).functions.pop();
        out.made.push(plt(0x2030, 0x2040));
    });
    assert_eq!(made, [], "the linker's own code is no input's");
}

#[test]
fn zero_bytes_are_no_table() {
    let blank = |change: fn(&mut LinkFile)| {
        let (inputs, mut out) = (inputs(), output());
        change(&mut out);
        blank(&inputs.iter().collect::<Vec<_>>(), &out)
    };
    assert_eq!(blank(|_| {}), None);
    let all = blank(|out| {
        out.table = None;
        out.bytes = vec![0; 48];
    });
    let all = all.expect("nothing but zero");
    assert_eq!((all.rule.name(), all.shape.to_string().as_str()), ("link/blank-table", "all of the section"));
    assert_eq!(all.message, "out: 48 bytes of zero are all that its .sframe has");
    let rest = |out: &mut LinkFile| out.bytes.extend([0; 28]);
    let lost = blank(|out| {
        table(out).functions.pop();
        out.bytes.extend([0; 28]);
    });
    assert_eq!(lost.expect("a table is lost").shape.to_string(), "behind the table");
    assert_eq!(blank(rest), None, "room that merging left over");
    let gone = blank(|out| {
        table(out).functions.pop();
        out.symbols.pop();
        out.bytes.extend([0; 28]);
    });
    assert_eq!(gone, None, "the function is gone too");
    let (mut twice, mut once) = (inputs(), output());
    twice[1].symbols.push(symbol("f", 0x110));
    table(&mut twice[1]).functions.push(function(0x110));
    rest(&mut once);
    let both: Vec<&LinkFile> = twice.iter().collect();
    assert_eq!(judge::link::blank(&both, &once), None, "of two definitions one is kept");
    let mut named = twice.clone();
    named[0].symbols.push(symbol("alias", named[0].symbols[0].address));
    let mut alias = once.clone();
    alias.symbols.push(symbol("alias", alias.symbols[0].address));
    assert_eq!(judge::link::blank(&named.each_ref(), &alias), None, "two names of one function");
    let padding = blank(|out| {
        table(out).functions.pop();
        out.bytes.extend([0; 27]);
    });
    assert_eq!(padding, None, "no header fits");
    let other = blank(|out| {
        out.table = None;
        out.bytes = vec![0; 48];
        out.bytes[47] = 1;
    });
    assert_eq!(other, None, "not readable, and not blank");
}

#[test]
fn a_section_of_zero_bytes_is_a_cause_of_its_own() {
    let lost = judged(|_, out| {
        out.table = None;
        out.bytes = vec![0; 48];
    });
    assert_eq!(ids(&lost), ["link/conserved"]);
    assert_eq!(lost[0].shape.to_string(), "missing: zero bytes");
}
