//! `layouts`: bytes of a file's rows in every layout.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::Context as _;
use reports::escape::line;
use serde_json::{Map, Value, json};
use synthesise::Input;
use synthesise::layouts::{Layouts, Size};
use types::{Image, SframeVersion, counted};

use super::{Files, Format};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance layouts /usr/bin/sort
  sframe-conformance layouts --format json libc.so.6 main.o

The rows are those of .eh_frame. Each layout of .sframe is written and read
again, and must have the same rows; so are the variants between v3 and those of
other systems, which are no SFrame. Of other systems' forms the bytes are
counted by their rules, for the functions that they can express.

Exit codes: 0 measured; 3 a file is not ELF64, or has no .eh_frame.";

/// count the bytes of a file's rows in every layout of .sframe and in others
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LayoutsCommand {
    #[command(flatten)]
    files: Files,
    /// print in this format; JSON has a line per file
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: Format,
}

impl LayoutsCommand {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        for file in &self.files.files {
            let name = file.display().to_string();
            let image = super::load(file)?;
            let cfi = image.section(".eh_frame").filter(|section| !section.bytes.is_empty());
            let cfi = cfi.with_context(|| format!("{name}: it has no .eh_frame section"))?;
            let input = Input { abi: image.abi, version: SframeVersion::LATEST, eh_frame: (cfi.address, &cfi.bytes) };
            let hdr = image.section(".eh_frame_hdr").map_or(0, |section| section.size);
            let made = synthesise::layouts(input, hdr).with_context(|| name.clone())?;
            match self.format {
                Format::Text => text(out, &name, &made)?,
                Format::Json => writeln!(out, "{}", record(&name, &image, &made))?,
            }
        }
        Ok(0)
    }
}

fn text(out: &mut dyn Write, name: &str, made: &Layouts) -> std::io::Result<()> {
    let base = made.sizes.first().map_or(0, |size| size.parts.total());
    writeln!(out, "{}", line(name))?;
    let (functions, rows) = (counted(made.functions, "function"), counted(made.rows, "row"));
    writeln!(out, "  {functions}, {rows}; omitted: {}", made.omitted)?;
    writeln!(out, "  {:<24}{:>10}{:>10}{:>10}{:>8}", "layout", "functions", "bytes", "bytes/fn", "ratio")?;
    for Size { layout, functions, parts, .. } in &made.sizes {
        let bytes = parts.total();
        let per = |whole: u64| bytes as f64 / whole.max(1) as f64;
        writeln!(out, "  {layout:<24}{functions:>10}{bytes:>10}{:>10.1}{:>8.3}", per(*functions), per(base))?;
    }
    Ok(())
}

fn record(name: &str, image: &Image, made: &Layouts) -> Value {
    let of = |size: &Size| {
        let parts: Map<String, Value> =
            size.parts.iter().map(|(part, bytes)| (part.name().to_owned(), bytes.into())).collect();
        json!({
            "layout": size.layout,
            "functions": size.functions,
            "without": size.without,
            "bytes": size.parts.total(),
            "parts": parts,
        })
    };
    // A table of each code section, where an assembler writes one.
    let sections: BTreeSet<u64> = made.starts.iter().filter_map(|pc| Some(image.section_at(*pc)?.address)).collect();
    json!({
        "file": name,
        "abi": image.abi,
        "functions": made.functions,
        "omitted": made.omitted,
        "repeated": made.repeated,
        "rows": made.rows,
        "code": made.code,
        "code_sections": sections.len(),
        "own_sframe": image.sframe_sections().map(|section| section.size).sum::<u64>(),
        "layouts": made.sizes.iter().map(of).collect::<Vec<_>>(),
    })
}
