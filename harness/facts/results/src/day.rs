//! Dates and times in UTC, from numbers since 1970-01-01 00:00.

/// Formats a day number as `YYYY-MM-DD` (proleptic Gregorian; eras of 400 years, years begun in
/// March).
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

/// Parses `YYYY-MM-DD` to a day number; `None` if it is not a day of the calendar.
pub fn day_number(text: &str) -> Option<i64> {
    let [year, month, day] = text.split('-').collect::<Vec<_>>().try_into().ok()?;
    let [year, month, day] = [year, month, day].map(str::parse::<i64>);
    let year = year.ok().filter(|year| (0..=9999).contains(year))?;
    let month = month.ok().filter(|month| (1..=12).contains(month))?;
    let day = day.ok().filter(|day| (1..=31).contains(day))?;
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * months + 2) / 5 + day - 1;
    let (era, year_of_era) = (years.div_euclid(400), years.rem_euclid(400));
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    let days = era * 146_097 + of_era - 719_468;
    // 31 February would be a day of March, and `1` would be printed as `01`.
    (date(days) == text).then_some(days)
}

/// Formats seconds as `YYYY-MM-DD HH:MM:SS`.
pub fn moment(seconds: u64) -> String {
    let of_day = seconds % 86_400;
    let day = date(i64::try_from(seconds / 86_400).unwrap_or(0));
    format!("{day} {:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)
}
