//! Prints a section as text: each field with its offset, bytes, name and value; each row with its
//! meaning.
//!
//! An unreadable part is reported at its position, and the dump continues after it.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;
use std::io::{self, Write};

use types::{Abi, ByteOrder};

use crate::budget::Budget;
use crate::header::at;
use crate::lines::Lines;
use crate::meaning;
use crate::recent::Recent;
use crate::{Attributes, FrameRow, FuncDesc, FuncEntry, Header, ParseError, Placement, Section};

/// Prints a section placed at `place`. Rows that several functions claim are printed up to eight
/// times the length of the FRE sub-section in total.
///
/// # Errors
/// Only errors of the writer.
pub fn dump(bytes: &[u8], place: Placement, out: &mut dyn Write) -> io::Result<()> {
    let mut dump = Dump { bytes, place, lines: Lines::new(out), meanings: Recent::new() };
    match Header::parse(bytes) {
        Ok(header) => dump.section(&header)?,
        Err(error) => dump.error(&error)?,
    }
    dump.lines.hand_on()
}

struct Dump<'a, 'o> {
    bytes: &'a [u8],
    place: Placement,
    lines: Lines<'o>,
    meanings: Recent<String>,
}

impl Dump<'_, '_> {
    fn section(&mut self, header: &Header) -> io::Result<()> {
        self.header(header)?;
        let section = match Section::parse(self.bytes) {
            Ok(section) => section,
            Err(error) => return self.error(&error),
        };
        if header.aux_len > 0 {
            self.begin(at::END, u64::from(header.aux_len), "auxiliary header");
            self.lines.end()?;
        }
        let mut budget = Budget::new(&section);
        for entry in section.entries() {
            self.function(&section, entry, &mut budget)?;
        }
        self.rest(&section)
    }

    /// Prints a field: `0x001c  e4 0f 00 00  start  …`
    fn line(&mut self, at: u64, length: u64, name: &str, value: impl fmt::Display) -> io::Result<()> {
        self.begin(at, length, name);
        self.lines.text("  ");
        self.lines.value(value)?;
        self.lines.end()
    }

    /// Begins a line, up to the name of the field.
    #[inline]
    fn begin(&mut self, at: u64, length: u64, name: &str) {
        const PLACE: u32 = 4;
        self.lines.text("0x");
        self.lines.hex(at, PLACE);
        self.lines.text("  ");
        self.lines.bytes(bytes_at(self.bytes, at, length));
        self.lines.text(name);
    }

    fn error(&mut self, error: &ParseError) -> io::Result<()> {
        self.lines.text("error: ");
        self.lines.value(error)?;
        self.lines.end()
    }

    fn header(&mut self, header: &Header) -> io::Result<()> {
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

    fn function(&mut self, section: &Section<'_>, entry: FuncEntry, budget: &mut Budget) -> io::Result<()> {
        let header = &section.header;
        let start = self.place.start_of(header, &entry);
        let end = start.and_then(|start| start.checked_add(u64::from(entry.size)));
        self.lines.text("\nfunction ");
        self.lines.decimal(entry.index);
        match (start, end) {
            (Some(start), Some(end)) => {
                self.lines.text(": 0x");
                self.lines.hex(start, 1);
                self.lines.text("..0x");
                self.lines.hex(end, 1);
            }
            _ => self.lines.text(": outside the address space"),
        }
        self.lines.end()?;
        let size_at = section.size_at(&entry);
        self.begin(entry.offset, size_at.saturating_sub(entry.offset), "start  ");
        self.lines.text(if entry.start < 0 { "" } else { "+" });
        self.lines.decimal(entry.start);
        self.lines.end()?;
        self.number(size_at, 4, "size  ", entry.size)?;
        self.begin(section.fre_off_at(&entry), 4, "start_fre_off  0x");
        self.lines.hex(entry.fre_off.into(), 1);
        self.lines.text(" -> 0x");
        self.lines.hex(header.fres_at().saturating_add(u64::from(entry.fre_off)), 1);
        self.lines.end()?;
        match section.function(entry) {
            Ok(function) => {
                self.attributes(section, &function.attributes)?;
                self.rows(section, &function, start, budget)
            }
            Err(error) => self.error(&error),
        }
    }

    #[inline]
    fn number(&mut self, at: u64, length: u64, name: &str, value: u32) -> io::Result<()> {
        self.begin(at, length, name);
        self.lines.decimal(value);
        self.lines.end()
    }

    fn attributes(&mut self, section: &Section<'_>, attributes: &Attributes) -> io::Result<()> {
        let info = attributes.info;
        self.number(attributes.num_fres_at, section.count_width().into(), "num_fres  ", attributes.num_fres)?;
        self.begin(attributes.info_at, 1, "info  0x");
        self.lines.hex(info.0.into(), 2);
        self.lines.text(match info.fre_type() {
            0 => " ADDR1",
            1 => " ADDR2",
            2 => " ADDR4",
            _ => " reserved type",
        });
        self.lines.text(if info.pcmask() { " PCMASK" } else { " PCINC" });
        self.lines.text(if info.key_b() { " key B" } else { "" });
        self.lines.text(if section.header.is_signal(info) { " signal" } else { "" });
        self.lines.end()?;
        if section.header.version().has_attribute_block() {
            self.begin(attributes.info_at.saturating_add(1), 1, "info2  0x");
            self.lines.hex(attributes.info2.0.into(), 2);
            self.lines.text(match attributes.info2.fde_type() {
                0 => " default",
                1 => " flex",
                _ => " reserved type",
            });
            self.lines.end()?;
        }
        if let Some(size) = attributes.rep_size {
            self.number(attributes.rep_size_at, 1, "rep_size  ", size.into())?;
        }
        if let Some(padding) = attributes.padding {
            self.begin(attributes.rep_size_at.saturating_add(1), 2, "padding  0x");
            self.lines.hex(padding.into(), 1);
            self.lines.end()?;
        }
        Ok(())
    }

    fn rows(
        &mut self,
        section: &Section<'_>,
        function: &FuncDesc,
        start: Option<u64>,
        budget: &mut Budget,
    ) -> io::Result<()> {
        for row in section.rows(function) {
            let row = row.and_then(|row| budget.print(function, row.end.saturating_sub(row.offset)).map(|()| row));
            match row {
                Ok(row) => self.row(section, function, &row, start)?,
                Err(error) => return self.error(&error),
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
    ) -> io::Result<()> {
        self.begin(row.offset, row.end.saturating_sub(row.offset), "row  ");
        // Rows of a repeating block apply at many addresses.
        let pc = start.and_then(|start| start.checked_add(u64::from(row.start)));
        let pc = pc.filter(|_| !function.attributes.info.pcmask());
        self.lines.text(if pc.is_some() { "0x" } else { "+0x" });
        self.lines.hex(pc.unwrap_or(row.start.into()), 1);
        self.lines.text("  ");
        self.saying(section, function, row)?;
        self.lines.end()
    }

    /// Prints the meaning of a row. The text is made once for all rows with the same meaning.
    #[inline]
    fn saying(&mut self, section: &Section<'_>, function: &FuncDesc, row: &FrameRow<'_>) -> io::Result<()> {
        let words = row.packed().map(|words| (function.attributes.info2.flex(), row.info.0, words));
        let place = words.and_then(|words| self.meanings.slot(words));
        if let Some(Some((known, text))) = &place
            && Some(*known) == words
        {
            self.lines.text(text);
            return Ok(());
        }
        match section.header.abi().map(|abi| describe(&section.header, abi, function, row)) {
            Some(Ok(text)) => {
                self.lines.text(&text);
                if let (Some(place), Some(words)) = (place, words) {
                    *place = Some((words, text));
                }
                Ok(())
            }
            // The error's offset is the row's own.
            Some(Err(error)) => {
                self.lines.text("error: ");
                self.lines.value(error)
            }
            None => {
                self.lines.text("the ABI is unknown");
                Ok(())
            }
        }
    }

    fn rest(&mut self, section: &Section<'_>) -> io::Result<()> {
        let end = section.header.fres_end().max(section.header.fdes_end());
        let rest = section.size().saturating_sub(end);
        if rest > 0 {
            self.lines.end()?;
            self.line(end, rest, "after the FRE sub-section", format_args!("{rest} bytes"))?;
        }
        Ok(())
    }
}

#[inline]
fn bytes_at(bytes: &[u8], at: u64, length: u64) -> &[u8] {
    let from = usize::try_from(at).unwrap_or(usize::MAX);
    let to = from.saturating_add(usize::try_from(length).unwrap_or(usize::MAX)).min(bytes.len());
    bytes.get(from..to).unwrap_or_default()
}

fn describe(header: &Header, abi: Abi, function: &FuncDesc, row: &FrameRow<'_>) -> Result<String, ParseError> {
    let rules = meaning::rules(header, abi, function, row)?;
    let (cfa, ra, fp) = (rules.cfa.describe(abi), rules.ra.describe(abi), rules.fp.describe(abi));
    let signed = if rules.signed { " signed" } else { "" };
    Ok(format!("cfa={cfa} ra={ra} fp={fp}{signed}"))
}
