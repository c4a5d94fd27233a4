//! The date of a change, for the list of mods.

/// Returns the date and time of a number of seconds since 1970, in UTC to the minute: `2026-11-26 18:33`.
pub(super) fn date(seconds: u64) -> String {
    let (mut days, minutes) = (seconds / 86_400, seconds / 60 % 1440);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970_u64;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1_u64;
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02} {:02}:{:02}", days + 1, minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    #[test]
    fn seconds_are_a_date() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (978_307_199, "2000-12-31 23:59"),
            (1_795_718_033, "2026-11-26 18:33"),
            (4_107_542_400, "2100-03-01 00:00"),
        ] {
            assert_eq!(super::date(seconds), date);
        }
    }
}
