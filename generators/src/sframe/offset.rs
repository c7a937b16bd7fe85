//! Offsets of the fields of an encoded section (SFrame V1 to V3, "SFrame Header", "SFrame FDE",
//! "SFrame FRE").

use super::encode::EncodedSection;
use super::field::Field;
use super::layout::HEADER_SIZE;
use super::spec::SectionSpec;

impl EncodedSection {
    /// Offset of a field. Properties that share a byte have the offset of the byte, gaps that of
    /// the header field with their size; a whole function or row has that of its start. `end` is
    /// the end of the rows.
    pub(crate) fn offset(&self, section: &SectionSpec, field: Field<'_>) -> Option<u64> {
        let Some(index) = field.index(section) else { return header(field.name).or_else(|| self.end(field.name)) };
        let layout = section.layout;
        let (function, part) = (section.functions.get(index)?, self.parts.get(index)?);
        let offset = match field.row {
            Some(row) => {
                let (row_at, row) = (part.rows.get(row)?, function.rows.get(row)?);
                let info = row_at + function.starts.bytes();
                match field.name {
                    "" | "start" => *row_at,
                    "info" | "signed" | "width" => info,
                    "words" => info + 1,
                    word => info + 1 + word.strip_prefix('w')?.parse::<usize>().ok()? * row.width.bytes(),
                }
            }
            None => {
                let fde = HEADER_SIZE + section.aux.len() + section.fde_gap.len() + index * layout.fde_size();
                let size = fde + layout.start_size();
                let attributes = layout.has_attributes();
                match field.name {
                    "" | "start" | "address" => fde,
                    "size" => size,
                    "fre_offset" => size + 4,
                    "num_fres" if attributes => part.begin,
                    "num_fres" => size + 8,
                    "info" | "starts" | "key_b" if attributes => part.begin + 2,
                    "info" | "starts" | "key_b" => size + 12,
                    "info2" | "flex" => part.begin + 3,
                    "rep_size" if attributes => part.begin + 4,
                    "rep_size" => size + 13,
                    "padding" => size + 14,
                    _ => return None,
                }
            }
        };
        Some(offset as u64)
    }

    fn end(&self, name: &str) -> Option<u64> {
        matches!(name, "end" | "trailing").then_some(self.end as u64)
    }
}

fn header(name: &str) -> Option<u64> {
    Some(match name {
        "magic" | "big_endian" => 0,
        "version" => 2,
        "flags" | "from_section" => 3,
        "abi" => 4,
        "fixed_fp" => 5,
        "fixed_ra" => 6,
        "aux_len" | "aux" => 7,
        "num_fdes" => 8,
        "num_fres" => 12,
        "fre_len" => 16,
        "fdeoff" | "fde_gap" => 20,
        "freoff" | "fre_gap" => 24,
        _ => return None,
    })
}
