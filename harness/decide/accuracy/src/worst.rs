//! The functions in which a method fails most often, with their code.

use std::collections::BTreeMap;

use isa::Disassembler;
use isa::flow::Flow;
use results::{MissPlace, MissedFunction, MissedInstruction};
use rustc_hash::FxHashMap;
use types::{Pc, Segment};
use unwind::Unwinder as _;

use crate::parts::{Part, Parts};

/// Maximum number of functions of a method.
const FUNCTIONS: usize = 5;
/// Maximum number of instructions of a function with misses that are listed, and of others before
/// and after each.
const INSTRUCTIONS: usize = 6;
const AROUND: usize = 2;

/// Number of misses of a method at each code address.
#[derive(Default)]
pub(crate) struct Missed {
    counts: FxHashMap<(u64, MissPlace), u64>,
}

impl Missed {
    /// Counts a miss. The address of a call is that of any of its bytes.
    pub(crate) fn add(&mut self, pc: Pc, place: MissPlace) {
        *self.counts.entry((pc.0, place)).or_default() += 1;
    }

    /// The functions with the most misses, the worst first.
    pub(crate) fn worst(self, parts: &Parts<'_>) -> Vec<MissedFunction> {
        let mut functions: BTreeMap<u64, BTreeMap<u64, (MissPlace, u64)>> = BTreeMap::new();
        for ((pc, place), count) in self.counts {
            let start = start(parts, pc);
            functions.entry(start).or_default().entry(pc).or_insert((place, 0)).1 += count;
        }
        let misses = |one: &BTreeMap<u64, (MissPlace, u64)>| one.values().map(|(_, count)| count).sum::<u64>();
        let mut functions: Vec<_> = functions.into_iter().map(|(start, at)| (misses(&at), start, at)).collect();
        functions.sort_by_key(|(misses, start, _)| (std::cmp::Reverse(*misses), *start));
        let named = functions.into_iter().take(FUNCTIONS);
        named.filter_map(|(misses, start, at)| function(parts, misses, start, &at)).collect()
    }
}

/// Start of the function of an address, from its symbol, or else from `.eh_frame`. A procedure
/// linkage table is one function.
fn start(parts: &Parts<'_>, pc: u64) -> u64 {
    let described = || {
        let (_, part) = parts.at(Pc(pc))?;
        let section = part.image.section_at(pc).filter(|section| section.is_plt());
        let range = || part.tables.cfi.as_ref()?.function_at(Pc(pc));
        section.map(|section| section.address).or_else(|| range().map(|range| range.start.0))
    };
    let function = parts.function(Pc(pc)).map(|function| function.start);
    function.or_else(described).or_else(|| call(parts, pc)).unwrap_or(pc)
}

/// Start of the call whose last byte is at an address: the address of a caller is that of its
/// return address, minus 1.
fn call(parts: &Parts<'_>, pc: u64) -> Option<u64> {
    /// Maximum length of a call: `call *disp32(base,index)` with prefixes.
    const LONGEST: u64 = 9;
    let (_, Part { image, .. }) = parts.at(Pc(pc))?;
    let unit = image.abi.facts().instruction_alignment;
    let is_call = |start: &u64| {
        let decoded = parts.bytes(Pc(*start)).and_then(|code| isa::flow::decode(image.abi, code, *start));
        decoded.is_some_and(|insn| {
            start + u64::from(insn.length) == pc + 1 && matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall)
        })
    };
    (pc.saturating_sub(LONGEST - 1)..pc).filter(|start| start % unit == 0).find(is_call)
}

/// A function with the code of its most frequent misses.
fn function(
    parts: &Parts<'_>,
    misses: u64,
    start: u64,
    at: &BTreeMap<u64, (MissPlace, u64)>,
) -> Option<MissedFunction> {
    let (index, Part { image, .. }) = parts.at(Pc(start))?;
    let end = at.last_key_value().map_or(start, |(pc, _)| pc.saturating_add(1));
    let mut code = listed(&Disassembler::new(image), start, end);
    for (pc, (place, count)) in at {
        let upto = code.partition_point(|one| one.address <= *pc);
        if let Some(one) = upto.checked_sub(1).and_then(|nth| code.get_mut(nth)) {
            one.misses += count;
            one.place = Some(*place);
        }
    }
    let mut most: Vec<(u64, usize)> = code.iter().enumerate().map(|(nth, one)| (one.misses, nth)).collect();
    most.sort_by_key(|(misses, nth)| (std::cmp::Reverse(*misses), *nth));
    let kept: Vec<usize> =
        most.into_iter().filter(|(misses, _)| *misses > 0).take(INSTRUCTIONS).map(|(_, nth)| nth).collect();
    let mut nth = 0;
    code.retain(|_| {
        nth += 1;
        kept.iter().any(|kept| kept.abs_diff(nth - 1) <= AROUND)
    });
    for one in &mut code {
        one.address = one.address.wrapping_sub(image.bias);
        one.text = in_file(&one.text, &image.segments, image.bias);
    }
    Some(MissedFunction {
        function: image.place(start),
        file: image.name.clone(),
        own: index == 0,
        address: start.wrapping_sub(image.bias),
        misses,
        code,
    })
}

/// The text of an instruction, whose last operand may be an address in memory or a page of it (ADRP
/// of AArch64), with that in the file.
fn in_file(text: &str, segments: &[Segment], bias: u64) -> String {
    let is_mapped = |address: u64| {
        let page_of = |segment: &Segment| segment.address & !0xfff;
        let has = |segment: &Segment| {
            let end = segment.address.saturating_add(segment.memory_size);
            (page_of(segment)..end).contains(&address)
        };
        segments.iter().any(has)
    };
    let parts =
        text.rsplit_once("0x").and_then(|(before, digits)| Some((before, u64::from_str_radix(digits, 16).ok()?)));
    match parts {
        Some((before, address)) if is_mapped(address) => format!("{before}{:#x}", address.wrapping_sub(bias)),
        Some(_) | None => text.to_owned(),
    }
}

/// The instructions from an address to another, and some after it.
fn listed(disassembler: &Disassembler<'_>, start: u64, end: u64) -> Vec<MissedInstruction> {
    let (mut code, mut pc, mut after) = (Vec::new(), start, 0);
    while after < AROUND {
        let Some(instruction) = disassembler.at(pc) else { break };
        after += usize::from(pc >= end);
        pc = pc.saturating_add(instruction.length.max(1));
        code.push(MissedInstruction { address: instruction.pc, text: instruction.text, misses: 0, place: None });
    }
    code
}

#[cfg(test)]
mod tests {
    use judge::tables::Tables;
    use types::elf::{PF_X, PT_LOAD};
    use types::{Abi, Image, ImageKind, ImageSection};

    use super::*;

    /// Without a symbol a caller is listed by its call, whose last byte is looked up.
    #[test]
    fn a_caller_without_a_function_is_its_call() {
        // add %rax,%rdx; call 0x1010; nop; call *0x10(%rbx); ret
        let code = [0x48, 0x01, 0xc2, 0xe8, 0x08, 0, 0, 0, 0x90, 0xff, 0x53, 0x10, 0xc3];
        let segment = Segment::new(PT_LOAD, PF_X, 0x1000, code.to_vec());
        let section = ImageSection::new(1, ".text", 6, 0x1000, code.to_vec());
        let image = Image {
            sections: vec![section],
            segments: vec![segment],
            ..Image::new("", Abi::Amd64, ImageKind::Dynamic, Pc(0))
        };
        let tables = Tables::new(&image);
        let parts = Parts::new(vec![Part { image: &image, tables: &tables, synthesised: None }]);
        let calls: Vec<(u64, u64)> = (0x1000..0x100d).filter_map(|pc| Some((pc, call(&parts, pc)?))).collect();
        assert_eq!(calls, [(0x1007, 0x1003), (0x100b, 0x1009)]);
    }

    #[test]
    fn targets_are_addresses_in_the_file() {
        let segment = Segment::new(PT_LOAD, 5, 0x1000, vec![0; 16]);
        let in_file = |text| in_file(text, std::slice::from_ref(&segment), 0xf00);
        assert_eq!(in_file("jmp 0x1008"), "jmp 0x108");
        let segment = Segment { address: 0x1c50, ..segment.clone() };
        let of_page = |text| super::in_file(text, std::slice::from_ref(&segment), 0x800);
        assert_eq!(of_page("adrp x16, #0x1000"), "adrp x16, #0x800");
        for other in ["jmp 0x2000", "sub $0x18,%rsp", "ret"] {
            assert_eq!(in_file(other), other);
        }
    }
}
