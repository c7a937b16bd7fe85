//! Days and moments as text.

use results::{date, day_number, moment};

#[test]
fn days_since_the_epoch_are_dates() {
    assert_eq!(date(0), "1970-01-01");
    assert_eq!(date(59), "1970-03-01");
    assert_eq!(date(11_016), "2000-02-29");
    assert_eq!(date(20_778), "2026-11-21");
}

#[test]
fn dates_are_days_since_the_epoch() {
    // From 0000-01-01 to 9999-12-31.
    for days in (-719_528..2_932_897).step_by(13).chain([2_932_896]) {
        assert_eq!(day_number(&date(days)), Some(days), "{}", date(days));
    }
    let none = ["", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-4-31", "2026-04-31", "2026-1-01"];
    for none in none.into_iter().chain(["2026-01", "26-01-01", "2026-01-01-01", "tomorrow", "+026-01-01"]) {
        assert_eq!(day_number(none), None, "{none}");
    }
    for huge in [i64::MAX, i64::MIN] {
        assert_eq!(day_number(&format!("{huge}-01-01")), None);
        assert_eq!(day_number(&format!("2026-{huge}-01")), None);
        assert_eq!(day_number(&format!("2026-01-{huge}")), None);
    }
}

#[test]
fn seconds_since_the_epoch_are_moments() {
    assert_eq!(moment(20_778 * 86_400 + 3 * 3600 + 4 * 60 + 5), "2026-11-21 03:04:05");
}
