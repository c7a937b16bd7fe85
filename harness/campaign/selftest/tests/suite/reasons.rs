//! `score --reasons`: every cause of undecided answers is tested with wrong rows that it covers.

use std::collections::BTreeSet;

use selftest::score::reasons::{self, CauseScore};
use toolchain::producers::Producers;
use types::UndecidedCause;

/// Cause, number of planted wrong rows that it covers, errors among these, undecided ones, and
/// those without any report.
const TABLE: &str = "\
cause                 planted  found  undecided  missed
abandoned-frame            16      0         16       0
go-stack-switch            16      2         14       0
handed-frame               16      9          7       0
leaving-by-longjmp         16     12          4       0
lowered-stack              16     14          2       0
made-up-values             16      0         16       0
may-begin-here             32     24          8       0
ocaml-registers            32     32          0       0
other-stack                16      0         16       0
overwritten-slot           16     12          4       0
own-entry-convention       32      0         32       0
refused                    16      8          8       0
register-after-call        32      8         24       0
unconfirmed-state          32      0         32       0
unknown-fp                 16     16          0       0
all                       320    137        183       0
";

#[test]
fn no_cause_hides_a_wrong_row() {
    let producers = Producers::new(None, &testing::root()).expect("the producers' file");
    let scores = reasons::score(&producers, "").expect("GNU tools");
    // An unmarked frame is undecided in V1 and V2 without `.eh_frame` only, which no shape has.
    let causes = UndecidedCause::ALL.iter().filter(|why| **why != UndecidedCause::Unmarked).map(|why| why.name());
    assert_eq!(reasons::by_cause(&scores).into_keys().collect::<BTreeSet<_>>(), causes.collect());
    let mut text = Vec::new();
    reasons::print(&scores, &mut text).expect("memory");
    assert_eq!(String::from_utf8_lossy(&text), TABLE);
    assert!(scores.iter().all(CauseScore::passes), "{scores:?}");
    let [first, ..] = scores.as_slice() else { panic!("no score") };
    let mut hidden = *first;
    hidden.fates.missed = 1;
    for failing in [hidden, CauseScore { false_alarm: true, ..*first }, CauseScore { occurs: false, ..*first }] {
        assert!(!failing.passes(), "{failing:?}");
    }
}
