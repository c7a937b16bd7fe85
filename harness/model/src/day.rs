//! Days and moments of the calendar, in UTC, from numbers since 1970-01-01 00:00.

/// A day number as `YYYY-MM-DD` (proleptic Gregorian; eras of 400 years, years begun in March).
pub fn date(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Seconds as `YYYY-MM-DD HH:MM:SS`.
pub fn moment(seconds: u64) -> String {
    let of_day = seconds % 86_400;
    let day = date(i64::try_from(seconds / 86_400).unwrap_or(0));
    format!("{day} {:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::{date, moment};

    #[test]
    fn days_since_the_epoch_are_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(59), "1970-03-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_778), "2026-11-21");
    }

    #[test]
    fn seconds_since_the_epoch_are_moments() {
        assert_eq!(moment(20_778 * 86_400 + 3 * 3600 + 4 * 60 + 5), "2026-11-21 03:04:05");
    }
}
