//! Packets of the protocol: `$`, data, `#` and a checksum of two hexadecimal digits ("Packets",
//! E.1 Overview).

/// Maximum size in bytes of an answer.
pub(crate) const MOST: usize = 1 << 20;

/// Encodes a packet. The data has no byte that must be escaped: commands are letters, digits and
/// punctuation.
pub(crate) fn encode(data: &str) -> Vec<u8> {
    format!("${data}#{:02x}", checksum(data.as_bytes())).into_bytes()
}

/// The first packet in received bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// The data of a packet, without escapes and runs, and the number of bytes consumed.
    Packet(Vec<u8>, usize),
    /// Part of a packet.
    Partial,
    /// A packet whose checksum is wrong, or whose data is out of bounds.
    Broken,
}

/// Decodes the first packet. Acknowledgements and other bytes before its `$` are skipped.
pub(crate) fn decode(bytes: &[u8]) -> Received {
    let Some(start) = bytes.iter().position(|byte| *byte == b'$') else { return Received::Partial };
    let body = &bytes[start + 1..];
    let Some(length) = body.iter().position(|byte| *byte == b'#') else {
        return if body.len() > MOST { Received::Broken } else { Received::Partial };
    };
    let Some(sum) = body.get(length + 1..length + 3) else { return Received::Partial };
    let data = &body[..length];
    let sum = std::str::from_utf8(sum).ok().and_then(|sum| u8::from_str_radix(sum, 16).ok());
    match expand(data).filter(|_| sum == Some(checksum(data))) {
        Some(data) => Received::Packet(data, start + length + 4),
        None => Received::Broken,
    }
}

fn checksum(data: &[u8]) -> u8 {
    data.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// Expands escapes (`}` and the byte with bit 5 changed) and runs (`*` and a count plus 29).
fn expand(data: &[u8]) -> Option<Vec<u8>> {
    let mut all = Vec::with_capacity(data.len());
    let mut bytes = data.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'}' => all.push(bytes.next()? ^ 0x20),
            b'*' => {
                let (last, more) = (*all.last()?, bytes.next()?.checked_sub(29)?);
                all.extend(std::iter::repeat_n(last, usize::from(more)));
            }
            _ => all.push(byte),
        }
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// The bytes of hexadecimal digits; `None` if a digit is invalid or their number is odd.
pub(crate) fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8));
    if rest.is_empty() { bytes.collect() } else { None }
}

/// Hexadecimal digits of bytes.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Any bytes are a packet, a part of one, or broken; the consumed bytes are in bounds.
        #[test]
        fn any_bytes_are_decoded(bytes in vec(prop_oneof![any::<u8>(), Just(b'$'), Just(b'#'), Just(b'*'), Just(b'}')], 0..300)) {
            let mut summed = bytes.clone();
            summed.retain(|byte| !b"$#".contains(byte));
            let sum = format!("#{:02x}", checksum(&summed));
            for bytes in [bytes, [b"$".as_slice(), &summed, sum.as_bytes()].concat()] {
                if let Received::Packet(data, taken) = decode(&bytes) {
                    prop_assert!(taken <= bytes.len() && data.len() <= 98 * bytes.len());
                }
                let _ = from_hex(&bytes);
            }
        }
    }

    #[test]
    fn data_comes_back() {
        let packet = encode("vCont;s:1");
        assert_eq!(packet, b"$vCont;s:1#23");
        assert_eq!(decode(&packet), Received::Packet(b"vCont;s:1".to_vec(), packet.len()));
    }

    #[test]
    fn runs_and_escapes_are_expanded() {
        // The manual's example of a run: "0* " is "0000". `}` and `\x03` is `#`.
        let data = b"0* }\x03";
        let mut packet = b"+$".to_vec();
        packet.extend(data);
        packet.extend(format!("#{:02x}rest", checksum(data)).bytes());
        assert_eq!(decode(&packet), Received::Packet(b"0000#".to_vec(), packet.len() - 4));
    }

    #[test]
    fn parts_wait_and_lies_are_broken() {
        for part in ["", "+", "$", "$abc", "$abc#", "$abc#2"] {
            assert_eq!(decode(part.as_bytes()), Received::Partial, "{part}");
        }
        // A wrong checksum, no checksum, a run of nothing, an escape of nothing.
        for broken in ["$abc#00", "$abc#zz", "$* #4a", "$}#7d"] {
            assert_eq!(decode(broken.as_bytes()), Received::Broken, "{broken}");
        }
        assert_eq!(decode(&[b"$".as_slice(), &vec![b'a'; MOST + 1]].concat()), Received::Broken);
    }

    #[test]
    fn hexadecimal() {
        assert_eq!(from_hex(b"00fF7a"), Some(vec![0, 0xff, 0x7a]));
        assert_eq!((from_hex(b"0"), from_hex(b"0x"), from_hex(b"")), (None, None, Some(vec![])));
        assert_eq!(to_hex(&[0, 0xff]), "00ff");
    }
}
