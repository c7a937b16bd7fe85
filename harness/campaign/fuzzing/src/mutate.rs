//! Small random damage to bytes, like the errors of a careless or hostile writer.

use types::Rng;

/// Values at which fields go wrong: maxima of widths, sign changes, counts that are too large by
/// one.
const VALUES: [u64; 16] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_fff0,
    u64::MAX,
];

/// Parts of the headers of archives and compressed files.
pub(crate) const HEADERS: [&[u8]; 12] = [
    b"\x7fELF",
    b"!<arch>\n",
    b"!<thin>\n",
    b"#1/9",
    b"/0",
    b"//",
    b"9999999999`\n",
    b"\x1f\x8b\x08\x00",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"ustar  \0",
    b"77777777777",
];

/// Byte sequences that are meaningful to a parser.
pub(crate) const MAGIC: [&[u8]; 12] = [
    b"\x7fELF",
    b"\xe2\xde",
    b"\xde\xe2",
    b"\xff\xff\xff\xff",
    b"zPLRSB\0",
    b"eh\0",
    b".sframe\0",
    b".eh_frame\0",
    b"\xf4\xff\xff\x6f",
    b"\x50\xe5\x74\x64",
    b"\x0f\x06\x08\x00",
    b"\x16\x0d\x22",
];

/// Texts that are meaningful to a parser, or to a terminal.
pub(crate) const WORDS: [&[u8]; 30] = [
    b"&a ",
    b"*a",
    b"- ",
    b": ",
    b"? ",
    b"!!binary ",
    b"<<: *a",
    b"[[[[[[[[",
    b"{a: {a: {a: ",
    b"|\n  ",
    b"\n---\n",
    b"null",
    b"~",
    b"-1",
    b"1e999",
    b"0x7fffffffffffffff",
    b"18446744073709551616",
    b"\"\\u0000\"",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"\x1b[2J",
    b"\n::error::",
    b"*",
    b"..",
    b"::",
    b"@",
    b"(?:a*)*b",
    b"{input}",
    b"\r\n",
];

/// Maximum size of a mutated input in bytes.
const MOST_BYTES: usize = 1 << 18;

/// Damages an input in place, one to sixteen times, usually more than once; `other` is another
/// input to take parts from.
pub(crate) fn mutate(bytes: &mut Vec<u8>, other: &[u8], words: &[&[u8]], rng: &mut Rng) {
    for _ in 0..1_u32 << rng.below(5).min(rng.below(5)).min(rng.below(5)) {
        once(bytes, other, words, rng);
    }
    bytes.truncate(MOST_BYTES);
}

fn once(bytes: &mut Vec<u8>, other: &[u8], words: &[&[u8]], rng: &mut Rng) {
    match rng.below(20) {
        0 | 1 => {
            if let Some(byte) = at(bytes, rng) {
                *byte ^= 1 << rng.below(8);
            }
        }
        2 => {
            let value = rng.bits().to_le_bytes()[0];
            if let Some(byte) = at(bytes, rng) {
                *byte = value;
            }
        }
        3..=11 => field(bytes, rng),
        12 => bytes.truncate(place(bytes.len(), rng)),
        13 => drop(bytes.drain(range(bytes.len(), rng))),
        14 => {
            // Copies a part of the input to another position.
            let part = bytes.get(range(bytes.len(), rng)).unwrap_or_default().to_vec();
            insert(bytes, &part, rng);
        }
        15 => {
            let part = other.get(range(other.len(), rng)).unwrap_or_default();
            insert(bytes, part, rng);
        }
        16 => {
            let part = other.get(range(other.len(), rng)).unwrap_or_default();
            overwrite(bytes, part, rng);
        }
        17 => {
            // Joins the beginning of one input and the end of another.
            let (head, tail) = (place(bytes.len(), rng), place(other.len(), rng));
            bytes.truncate(head);
            bytes.extend(other.get(tail..).unwrap_or_default());
        }
        18 if !words.is_empty() => insert(bytes, rng.pick(words), rng),
        _ if !words.is_empty() => overwrite(bytes, rng.pick(words), rng),
        _ => {}
    }
}

/// Changes a field of one to eight bytes, in either byte order: sets it to a boundary value or to
/// the file's size, or changes it slightly.
fn field(bytes: &mut [u8], rng: &mut Rng) {
    let width = 1_usize << rng.below(4);
    // Fields are usually aligned.
    let step = if rng.one_in(3) { 1 } else { width };
    let start = place(bytes.len(), rng) / step * step;
    let size = bytes.len() as u64;
    let Some(field) = bytes.get_mut(start..start.saturating_add(width)) else { return };
    let little = rng.one_in(2);
    let old = field.iter().enumerate().fold(0_u64, |value, (index, byte)| {
        let shift = 8 * if little { index } else { width - 1 - index };
        value | u64::from(*byte) << shift
    });
    let value = match rng.below(4) {
        0 => rng.bits(),
        1 => old.wrapping_add(rng.below(17)).wrapping_sub(8),
        2 => size.wrapping_add(rng.below(5)).wrapping_sub(2),
        _ => rng.pick(&VALUES),
    };
    for (index, byte) in field.iter_mut().enumerate() {
        let shift = 8 * if little { index } else { width - 1 - index };
        *byte = (value >> shift) as u8;
    }
}

fn insert(bytes: &mut Vec<u8>, part: &[u8], rng: &mut Rng) {
    let start = place(bytes.len(), rng);
    bytes.splice(start..start, part.iter().copied());
}

fn overwrite(bytes: &mut [u8], part: &[u8], rng: &mut Rng) {
    let start = place(bytes.len(), rng);
    for (byte, new) in bytes.iter_mut().skip(start).zip(part) {
        *byte = *new;
    }
}

fn at<'b>(bytes: &'b mut [u8], rng: &mut Rng) -> Option<&'b mut u8> {
    bytes.get_mut(place(bytes.len(), rng))
}

/// A random offset up to and including `length`.
fn place(length: usize, rng: &mut Rng) -> usize {
    usize::try_from(rng.below(length as u64 + 1)).unwrap_or(length)
}

/// A random range up to `length`, usually short.
fn range(length: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = place(length, rng);
    let most = if rng.one_in(4) { length } else { 64 };
    start..length.min(start + place(most, rng))
}

#[cfg(test)]
mod tests {
    use types::Rng;

    use super::{MAGIC, MOST_BYTES, mutate};

    #[test]
    fn what_comes_of_nothing_stays_small() {
        let mut bytes = Vec::new();
        let mut rng = Rng::new(1);
        let mut longest = 0;
        for _ in 0..10_000 {
            mutate(&mut bytes, &[7; 100], &MAGIC, &mut rng);
            longest = longest.max(bytes.len());
        }
        assert!((100..=MOST_BYTES).contains(&longest), "{longest}");
    }
}
