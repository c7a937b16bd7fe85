//! A section as text: each field with its offset, its bytes, its name and its value; each row with its meaning.
//!
//! What cannot be read is reported in its place, and the rest goes on.

use std::collections::HashMap;
use std::fmt::{self, Write};

use model::{Abi, ByteOrder};

use crate::budget::Budget;
use crate::header::at;
use crate::meaning;
use crate::{Attributes, Entry, FrameRow, FuncDesc, Header, ParseError, Placement, Section};

/// Prints a section that lies where `place` says. Rows that functions claim again and again are printed
/// up to eight times the length of the row area.
///
/// # Errors
/// Only those of the writer.
pub fn dump(bytes: &[u8], place: Placement, out: &mut dyn Write) -> fmt::Result {
    let header = match Header::parse(bytes) {
        Ok(header) => header,
        Err(error) => return writeln!(out, "error: {error}"),
    };
    let mut dump = Dump { bytes, place, out, text: String::new(), meanings: HashMap::new() };
    dump.header(&header)?;
    match Section::parse(bytes) {
        Ok(section) => {
            if header.aux_len > 0 {
                dump.line(at::END, u64::from(header.aux_len), "auxiliary header", "")?;
            }
            let mut budget = Budget::of(&section);
            for entry in section.entries() {
                dump.function(&section, entry, &mut budget)?;
            }
            dump.rest(&section)
        }
        Err(error) => writeln!(dump.out, "error: {error}"),
    }
}

/// Meanings that are kept: what a hostile table says besides is put into words each time.
const MOST_KEPT: usize = 4096;

struct Dump<'a, 'o> {
    bytes: &'a [u8],
    place: Placement,
    out: &'o mut dyn Write,
    /// The line that is made.
    text: String,
    /// What rows of default and flex functions say, by info byte and words: a large table says a few hundred different things.
    meanings: HashMap<(bool, u8, u128), String>,
}

impl Dump<'_, '_> {
    /// `0x001c  e4 0f 00 00  start  …`
    fn line(&mut self, at: u64, length: u64, name: &str, value: impl fmt::Display) -> fmt::Result {
        let mut text = self.begin(at, length, name);
        let before = text.len();
        write!(text, "  {value}")?;
        if text.len() == before.saturating_add(2) {
            text.truncate(before);
        }
        self.end(text)
    }

    /// A line up to the name of what is there.
    fn begin(&mut self, at: u64, length: u64, name: &str) -> String {
        const PLACE: usize = 4;
        const BYTES: usize = 24;
        let mut text = std::mem::take(&mut self.text);
        text.push_str("0x");
        number(&mut text, at, PLACE);
        text.push_str("  ");
        let before = text.len();
        hex(&mut text, self.at(at, length));
        // A byte is three characters wide, and what is left out one.
        let shown = text.len().saturating_sub(before).saturating_sub(if text.ends_with('\u{2026}') { 2 } else { 0 });
        (shown..BYTES.saturating_add(1)).for_each(|_| text.push(' '));
        if shown >= BYTES.saturating_add(1) {
            text.push(' ');
        }
        text.push_str(name);
        text
    }

    fn end(&mut self, mut text: String) -> fmt::Result {
        text.push('\n');
        self.out.write_str(&text)?;
        text.clear();
        self.text = text;
        Ok(())
    }

    fn at(&self, at: u64, length: u64) -> &[u8] {
        let from = usize::try_from(at).unwrap_or(usize::MAX);
        let to = from.saturating_add(usize::try_from(length).unwrap_or(usize::MAX)).min(self.bytes.len());
        self.bytes.get(from..to).unwrap_or_default()
    }

    fn header(&mut self, header: &Header) -> fmt::Result {
        let order = match header.order {
            ByteOrder::Little => "little-endian",
            ByteOrder::Big => "big-endian",
        };
        let flags = [(header.flags.sorted(), "SORTED"), (header.flags.frame_pointer(), "FRAME_POINTER")];
        let flags = flags.into_iter().chain([(header.flags.pcrel(), "PCREL")]).filter(|(set, _)| *set);
        let flags: Vec<_> = flags.map(|(_, name)| name).collect();
        let abi = header.abi().map_or("unknown", Abi::name);
        self.line(at::MAGIC, 2, "magic", order)?;
        self.line(at::VERSION, 1, "version", format_args!("{} ({})", header.format.byte(), header.version()))?;
        self.line(
            at::FLAGS,
            1,
            "flags",
            format_args!("{:#04x} {}", header.flags.0, flags.join(" ")).to_string().trim(),
        )?;
        self.line(at::ABI, 1, "abi_arch", format_args!("{} ({abi})", header.abi_arch))?;
        self.line(at::FIXED_FP, 1, "cfa_fixed_fp_offset", header.fixed_fp)?;
        self.line(at::FIXED_RA, 1, "cfa_fixed_ra_offset", header.fixed_ra)?;
        self.line(at::AUX_LEN, 1, "auxhdr_len", header.aux_len)?;
        self.line(at::NUM_FDES, 4, "num_fdes", header.num_fdes)?;
        self.line(at::NUM_FRES, 4, "num_fres", header.num_fres)?;
        self.line(at::FRE_LEN, 4, "fre_len", format_args!("{:#x}", header.fre_len))?;
        self.line(at::FDEOFF, 4, "fdeoff", format_args!("{:#x} -> {:#x}", header.fdeoff, header.fdes_at()))?;
        self.line(at::FREOFF, 4, "freoff", format_args!("{:#x} -> {:#x}", header.freoff, header.fres_at()))
    }

    fn function(&mut self, section: &Section<'_>, entry: Entry, budget: &mut Budget) -> fmt::Result {
        let header = &section.header;
        let start = self.place.start_of(header, &entry);
        let end = start.and_then(|start| start.checked_add(u64::from(entry.size)));
        match (start, end) {
            (Some(start), Some(end)) => writeln!(self.out, "\nfunction {}: {start:#x}..{end:#x}", entry.index)?,
            _ => writeln!(self.out, "\nfunction {}: outside the address space", entry.index)?,
        }
        let size_at = section.size_at(&entry);
        self.line(entry.offset, size_at.saturating_sub(entry.offset), "start", format_args!("{:+}", entry.start))?;
        self.line(size_at, 4, "size", entry.size)?;
        let blob = header.fres_at().saturating_add(u64::from(entry.fre_off));
        let fre_off_at = section.fre_off_at(&entry);
        self.line(fre_off_at, 4, "start_fre_off", format_args!("{:#x} -> {blob:#x}", entry.fre_off))?;
        match section.function(entry) {
            Ok(function) => {
                self.attributes(section, &function.attributes)?;
                self.rows(section, &function, start, budget)
            }
            Err(error) => writeln!(self.out, "error: {error}"),
        }
    }

    fn attributes(&mut self, section: &Section<'_>, attributes: &Attributes) -> fmt::Result {
        let info = attributes.info;
        self.line(attributes.num_fres_at, section.count_width().into(), "num_fres", attributes.num_fres)?;
        let kind = match info.fre_type() {
            0 => "ADDR1",
            1 => "ADDR2",
            2 => "ADDR4",
            _ => "reserved type",
        };
        let pc = if info.pcmask() { "PCMASK" } else { "PCINC" };
        let key = if info.key_b() { " key B" } else { "" };
        let signal = if section.header.is_signal(info) { " signal" } else { "" };
        self.line(attributes.info_at, 1, "info", format_args!("{:#04x} {kind} {pc}{key}{signal}", info.0))?;
        if section.header.version().has_attribute_block() {
            let kind = match attributes.info2.fde_type() {
                0 => "default",
                1 => "flex",
                _ => "reserved type",
            };
            let value = format_args!("{:#04x} {kind}", attributes.info2.0).to_string();
            self.line(attributes.info_at.saturating_add(1), 1, "info2", value)?;
        }
        if let Some(size) = attributes.rep_size {
            self.line(attributes.rep_size_at, 1, "rep_size", size)?;
        }
        if let Some(padding) = attributes.padding {
            self.line(attributes.rep_size_at.saturating_add(1), 2, "padding", format_args!("{padding:#x}"))?;
        }
        Ok(())
    }

    fn rows(
        &mut self,
        section: &Section<'_>,
        function: &FuncDesc,
        start: Option<u64>,
        budget: &mut Budget,
    ) -> fmt::Result {
        for row in section.rows(function) {
            let row = row.and_then(|row| budget.print(function, row.end.saturating_sub(row.offset)).map(|()| row));
            match row {
                Ok(row) => self.row(section, function, &row, start)?,
                Err(error) => return writeln!(self.out, "error: {error}"),
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        section: &Section<'_>,
        function: &FuncDesc,
        row: &FrameRow<'_>,
        start: Option<u64>,
    ) -> fmt::Result {
        let length = row.end.saturating_sub(row.offset);
        let mut text = self.begin(row.offset, length, "row");
        // Rows of a repeating block have many addresses.
        let pc = match start.and_then(|start| start.checked_add(u64::from(row.start))) {
            Some(pc) if !function.attributes.info.pcmask() => {
                text.push_str("  0x");
                pc
            }
            _ => {
                text.push_str("  +0x");
                u64::from(row.start)
            }
        };
        number(&mut text, pc, 1);
        text.push_str("  ");
        let words = row.packed().map(|words| (function.attributes.info2.flex(), row.info.0, words));
        if let Some(said) = words.and_then(|words| self.meanings.get(&words)) {
            text.push_str(said);
            return self.end(text);
        }
        let meaning = section.header.abi().map(|abi| describe(&section.header, abi, function, row));
        match meaning {
            Some(Ok(said)) => {
                text.push_str(&said);
                if let Some(words) = words.filter(|_| self.meanings.len() < MOST_KEPT) {
                    self.meanings.insert(words, said);
                }
            }
            // Its place is the row's own.
            Some(Err(error)) => write!(text, "error: {error}")?,
            None => text.push_str("no ABI to read it by"),
        }
        self.end(text)
    }

    fn rest(&mut self, section: &Section<'_>) -> fmt::Result {
        let end = section.header.fres_end().max(section.header.fdes_end());
        let rest = section.size().saturating_sub(end);
        if rest > 0 {
            writeln!(self.out)?;
            self.line(end, rest, "after the row area", format_args!("{rest} bytes"))?;
        }
        Ok(())
    }
}

fn describe(header: &Header, abi: Abi, function: &FuncDesc, row: &FrameRow<'_>) -> Result<String, ParseError> {
    let rules = meaning::rules(header, abi, function, row)?;
    let (cfa, ra, fp) = (rules.cfa.describe(abi), rules.ra.describe(abi), rules.fp.describe(abi));
    let signed = if rules.signed { " signed" } else { "" };
    Ok(format!("cfa={cfa} ra={ra} fp={fp}{signed}"))
}

/// Bytes in hex; of many bytes only the first.
fn hex(text: &mut String, bytes: &[u8]) {
    const SHOWN: usize = 32;
    for (index, byte) in bytes.iter().take(SHOWN).enumerate() {
        if index > 0 {
            text.push(' ');
        }
        number(text, u64::from(*byte), 2);
    }
    if bytes.len() > SHOWN {
        text.push_str(" …");
    }
}

/// A number in hex, of at least so many digits. What formats numbers in general takes five times as long, and a dump is made of them.
fn number(text: &mut String, value: u64, least: usize) {
    const BITS: u32 = 4;
    let needed = (u64::BITS.saturating_sub(value.leading_zeros())).div_ceil(BITS) as usize;
    for digit in (0..needed.max(least)).rev() {
        let nibble = value.checked_shr((digit as u32).saturating_mul(BITS)).unwrap_or(0) & 0xf;
        text.push(char::from_digit(nibble as u32, 16).unwrap_or('0'));
    }
}
