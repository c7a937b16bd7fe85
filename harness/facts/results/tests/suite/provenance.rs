//! Sizes of reduced inputs.

use results::bundle::{Size, Unit};

#[test]
fn sizes_are_read_as_they_are_printed() {
    let size = Size(vec![(1, Unit::Functions), (2, Unit::Rows)]);
    assert_eq!(size.to_string(), "1 function, 2 rows", "one is no plural");
    assert_eq!(size.to_string().parse(), Ok(size));
    for bad in ["", "1", "x lines", "2 lines,", "3 miles"] {
        assert!(bad.parse::<Size>().is_err(), "{bad}");
    }
}
