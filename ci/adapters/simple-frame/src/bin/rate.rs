//! How fast the crate simple-frame-rs reads: a yardstick of `ci/ratios`, by the crate's own
//! interface. Called, and printing, as described in `ci/adapters/libsframe-rate.c`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use simple_frame_rs::{SFrameError, SFrameSection};

const PASSES: usize = 3;
const ROUNDS: usize = 10;
const ABSENT: i64 = 1;
const REFUSED: u8 = 1;
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| match word.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    };
    let (path, address, asked) = match words.as_slice() {
        ["decode", path, address] => (path, number(address), Some(None)),
        ["look", path, address, low, size, count] => {
            let asked = number(low).zip(number(size)).zip(number(count));
            (path, number(address), asked.map(Some))
        }
        _ => return ExitCode::from(USAGE),
    };
    let (Ok(bytes), Some(address), Some(asked)) = (std::fs::read(path), address, asked) else {
        return ExitCode::from(USAGE);
    };
    let (mut best, mut sum) = (Duration::MAX, 0);
    let (passes, rounds) = if asked.is_some() { (1, 1) } else { (PASSES, ROUNDS) };
    for _ in 0..passes {
        let mut begun = processor();
        for _ in 0..rounds {
            let Ok(section) = SFrameSection::from(&bytes, address) else { return ExitCode::from(REFUSED) };
            let read = match asked {
                None => decode(&section),
                Some(((low, size), count)) => {
                    // A reader reads a section once and looks up often.
                    begun = processor();
                    look(&section, low, size, count)
                }
            };
            match read {
                Ok(read) => sum = read,
                Err(_) => return ExitCode::from(REFUSED),
            }
        }
        best = best.min(processor().saturating_sub(begun));
    }
    println!("{} {sum:x}", best.as_nanos());
    ExitCode::SUCCESS
}

/// Processor time of this thread if the kernel reports it, else the time that passed.
fn processor() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = statistics.and_then(|text| text.split_ascii_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGUN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

/// A row as one number.
fn digest(start: u32, base_is_sp: bool, cfa: i32, ra: Option<i32>, fp: Option<i32>) -> u64 {
    let value = |offset: Option<i32>| offset.map_or(ABSENT, i64::from) as u64;
    [u64::from(base_is_sp), i64::from(cfa) as u64, value(ra), value(fp)]
        .into_iter()
        .fold(u64::from(start), |sum, next| sum.wrapping_mul(31).wrapping_add(next))
}

macro_rules! row {
    ($section:expr, $row:expr) => {{
        let base_is_sp = $row.info.get_cfa_base_reg_id() == 1;
        let (ra, fp) = ($row.get_ra_offset($section), $row.get_fp_offset($section));
        digest($row.start_address.get(), base_is_sp, $row.get_cfa_offset($section).unwrap_or(0), ra, fp)
    }};
}

macro_rules! functions {
    ($section:expr, $size:ident) => {{
        let mut sum = 0_u64;
        for index in 0..$section.get_fde_count() {
            let Some(function) = $section.get_fde(index)? else { continue };
            let size = u64::from(function.$size);
            sum = sum.wrapping_add(function.get_pc($section).wrapping_mul(31).wrapping_add(size));
            let mut rows = function.iter_fre($section);
            while let Some(row) = rows.next()? {
                sum = sum.wrapping_add(row!($section, row));
            }
        }
        Ok(sum)
    }};
}

fn decode(section: &SFrameSection<'_>) -> Result<u64, SFrameError> {
    use fallible_iterator::FallibleIterator as _;
    match section {
        SFrameSection::V1(section) => functions!(section, func_size),
        SFrameSection::V2(section) => functions!(section, func_size),
        SFrameSection::V3(section) => functions!(section, func_size),
    }
}

macro_rules! find {
    ($section:expr, $pc:expr) => {{
        let found = match $section.find_fde($pc)? {
            Some(function) => function.find_fre($section, $pc)?,
            None => None,
        };
        found.map_or(0, |row| row!($section, row))
    }};
}

fn look(section: &SFrameSection<'_>, low: u64, size: u64, count: u64) -> Result<u64, SFrameError> {
    let (mut sum, mut state) = (0_u64, 1_u64);
    for _ in 0..count {
        // xorshift64*.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let pc = low.wrapping_add((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32).wrapping_mul(size) >> 32);
        sum = sum.wrapping_add(match section {
            SFrameSection::V1(section) => find!(section, pc),
            SFrameSection::V2(section) => find!(section, pc),
            SFrameSection::V3(section) => find!(section, pc),
        });
    }
    Ok(sum)
}
