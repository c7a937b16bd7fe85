//! Landing pads of throws: the call-site table of a language-specific data area (LSDA), as GCC and
//! LLVM write it for C++, Rust and others (`.gcc_except_table`; LSB 5.0 core, 10.6.2 has the
//! encodings, the C++ ABI for Itanium, "Exception Handling Tables", the layout). It contains
//! addresses but no rules: nothing about a frame.

use std::ops::Range;

use types::{ByteOrder, PointerEncoding, uleb128};

use crate::FunctionRange;

/// A landing pad of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandingPad {
    /// Addresses of the calls that use the pad.
    pub site: Range<u64>,
    /// Address of the pad, where control continues after a throw.
    pub pad: u64,
}

/// A function with a language-specific data area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lsda {
    /// The function.
    pub function: FunctionRange,
    /// Address of its area.
    pub address: u64,
}

impl Lsda {
    /// Returns the landing pads, by call site. `bytes` begin at the area's address. The list ends
    /// at the first unreadable part: the area may have another, language-specific format. Each call
    /// site subtracts one from `budget`, since many functions may refer to one area.
    pub fn landing_pads(&self, bytes: &[u8], order: ByteOrder, budget: &mut usize) -> Vec<LandingPad> {
        let mut pads = Vec::new();
        // The end of the list cannot be distinguished from an unreadable part.
        let _ended = self.read(bytes, order, budget, &mut pads);
        pads.sort_by_key(|pad| (pad.site.start, pad.site.end));
        pads
    }

    fn read(&self, bytes: &[u8], order: ByteOrder, budget: &mut usize, pads: &mut Vec<LandingPad>) -> Option<()> {
        let mut input = Input { bytes, at: 0, order, address: self.address };
        let start = self.function.start.0;
        let base = match input.byte()? {
            OMITTED => start,
            encoding => input.pointer(encoding)?,
        };
        if input.byte()? != OMITTED {
            input.uleb()?;
        }
        let encoding = input.byte()?;
        let size = usize::try_from(input.uleb()?).ok()?;
        let end = input.at.checked_add(size).filter(|end| *end <= bytes.len())?;
        while input.at < end {
            *budget = budget.checked_sub(1)?;
            let (from, len, pad) = (input.offset(encoding)?, input.offset(encoding)?, input.offset(encoding)?);
            input.uleb()?;
            let from = start.checked_add(from)?;
            let site = from..from.checked_add(len)?;
            if pad != 0 && site.end <= self.function.end.0 {
                pads.push(LandingPad { site, pad: base.wrapping_add(pad) });
            }
        }
        Some(())
    }
}

/// DW_EH_PE_omit.
const OMITTED: u8 = 0xff;

/// Bytes of an area, read sequentially.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    order: ByteOrder,
    address: u64,
}

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at = self.at.saturating_add(1);
        Some(byte)
    }

    fn uleb(&mut self) -> Option<u64> {
        let (value, size) = uleb128(self.bytes.get(self.at..)?)?;
        self.at = self.at.saturating_add(size);
        Some(value)
    }

    /// An offset from a base that the caller knows.
    fn offset(&mut self, encoding: u8) -> Option<u64> {
        self.pointer(encoding & 0x0f)
    }

    /// An address: absolute, or relative to the field (DW_EH_PE_pcrel).
    fn pointer(&mut self, encoding: u8) -> Option<u64> {
        match encoding {
            // DW_EH_PE_uleb128.
            0x01 => return self.uleb(),
            0x20.. => return None,
            _ => {}
        }
        let encoding = PointerEncoding(encoding);
        let value = encoding.value((self.address, self.bytes), self.at, self.order)??;
        self.at = self.at.saturating_add(encoding.size()?);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use types::Pc;

    use super::*;

    #[test]
    fn call_sites_are_read_and_those_without_a_pad_left_out() {
        // As g++ writes it: no base of landing pads, types of sdata4, sites in ULEB128; `.uleb128`
        // of start, length, pad, action.
        let area = [0xff, 0x9b, 0x19, 0x01, 12, 0x10, 0x05, 0x00, 0x00, 0x20, 0x05, 0x80, 0x01, 0x01, 0x30, 0x05, 0x40];
        let lsda = Lsda { function: FunctionRange { start: Pc(0x1000), end: Pc(0x1200), offset: 0 }, address: 0x3000 };
        let pads = lsda.landing_pads(&area, ByteOrder::Little, &mut 100);
        assert_eq!(pads, [LandingPad { site: 0x1020..0x1025, pad: 0x1080 }], "the third has no action: it is cut off");
        assert!(lsda.landing_pads(&[], ByteOrder::Little, &mut 100).is_empty());
        assert!(lsda.landing_pads(&area, ByteOrder::Little, &mut 1).is_empty());
    }

    #[test]
    fn a_base_of_landing_pads_is_relative_to_its_place() {
        // A cold part: the base is pcrel sdata4 at address 0x3001, value 0x1ff - so 0x3200.
        let area = [0x1b, 0xff, 0x01, 0, 0, 0xff, 0x03, 13, 0, 0, 0, 0, 8, 0, 0, 0, 0x10, 0, 0, 0, 0];
        let lsda = Lsda { function: FunctionRange { start: Pc(0x1000), end: Pc(0x1200), offset: 0 }, address: 0x3000 };
        let pads = lsda.landing_pads(&area, ByteOrder::Little, &mut 100);
        assert_eq!(pads, [LandingPad { site: 0x1000..0x1008, pad: 0x3210 }]);
        // The same bytes in the other order are another base, and sites that lie outside.
        assert_ne!(lsda.landing_pads(&area, ByteOrder::Big, &mut 100), pads);
    }
}
