//! Bytes from no producer: no panic, no hang.

use types::{Answer, CodePoint, Pc};
use unwind::{CfiUnwinder, Unwinder};

use crate::frame::Frame;

/// Changes of a section.
pub(crate) enum Damage<'a> {
    /// The section is truncated at every byte, and each byte gets other values.
    EveryByte(&'a [u8]),
    /// The last 200 bytes are noise, 100 times.
    Noise(&'a [u8]),
}

impl<'a> Damage<'a> {
    /// The damage with a name of a section's bytes.
    pub(crate) fn parse(name: &str, bytes: &'a [u8]) -> Damage<'a> {
        match name {
            "every-byte" => Damage::EveryByte(bytes),
            "noise" => Damage::Noise(bytes),
            other => panic!("no damage {other}"),
        }
    }

    /// Reads the section with each damage, and looks up callers.
    pub(crate) fn try_all(&self, frame: &Frame, read: impl Fn(&[u8]) -> CfiUnwinder) {
        match self {
            Damage::EveryByte(bytes) => {
                let whole = read(bytes);
                assert!(look_up(frame, &whole) > 12, "rows are read");
                for length in 0..bytes.len() {
                    let table = read(&bytes[..length]);
                    look_up(frame, &table);
                    assert!(table.functions().len() < whole.functions().len(), "{length}");
                }
                let mut bytes = bytes.to_vec();
                for at in 0..bytes.len() {
                    let right = bytes[at];
                    for value in (0..8).map(|bit| right ^ 1 << bit).chain([0, 0x2c, 0x7f, 0x80, 0xff]) {
                        bytes[at] = value;
                        look_up(frame, &read(&bytes));
                    }
                    bytes[at] = right;
                }
            }
            Damage::Noise(bytes) => {
                let mut rng = types::Rng::new(1);
                let mut bytes = bytes.to_vec();
                let begin = bytes.len() - 200;
                for _ in 0..100 {
                    bytes[begin..].fill_with(|| rng.byte());
                    look_up(frame, &read(&bytes));
                }
            }
        }
    }
}

/// Looks up callers at a few addresses, known and unknown; returns the number of rows found.
fn look_up(frame: &Frame, table: &CfiUnwinder) -> usize {
    let (registers, stack) = (&frame.registers, frame.stack());
    let mut rows = 0;
    for function in table.functions().take(4) {
        for pc in table.boundaries(function.start, function.end).take(64) {
            for at in [CodePoint::Exact(pc), CodePoint::AfterCall(Pc(pc.0.wrapping_add(1)))] {
                let Ok(row) = table.row(at) else { continue };
                rows += 1;
                assert!(table.rules(row, at.lookup()).covers(at.lookup()));
                if let Ok(Answer::Caller(caller)) = table.evaluate(row, at, registers, &stack) {
                    let _ = table.caller_regs(row, at, &caller, registers, &stack);
                }
            }
        }
    }
    for pc in [0, 0x1000, 0x10ff, u64::MAX].map(Pc) {
        let _ = table.caller(CodePoint::Exact(pc), registers, &stack);
        let _ = table.caller(CodePoint::AfterCall(pc), registers, &stack);
    }
    rows
}
