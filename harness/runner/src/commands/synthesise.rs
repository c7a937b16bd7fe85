//! `synthesise`: writes the `.sframe` equivalent to an `.eh_frame`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use reports::escape::line;
use synthesise::{Input, Omitted, Reason, Synthesised};
use toolchain::input;
use types::elf::PT_LOAD;
use types::{Image, SframeVersion, counted};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance synthesise a.out --out copy
  sframe-conformance synthesise --sframe v2e1 libc.so.6 --out copy

A function that the format cannot express is omitted, and listed with the
reason.

Exit codes: 0 written; 3 it is not a linked ELF64 file with .eh_frame, or the
copy cannot be written.";

/// write the .sframe that follows from .eh_frame into a copy of a file
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Synthesise {
    /// a linked ELF64 file with .eh_frame
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// write the copy here
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: PathBuf,
    /// write this version of SFrame
    #[arg(long, value_enum, value_name = "VERSION", default_value = "v3", help_heading = "Output")]
    sframe: Version,
}

/// A version that can be written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Version {
    // V2 errata 1.
    V2e1,
    // V3.
    V3,
}

impl Version {
    fn version(self) -> SframeVersion {
        match self {
            Version::V2e1 => SframeVersion::V2Errata1,
            Version::V3 => SframeVersion::V3,
        }
    }
}

/// Maximum number of functions listed for a reason.
const NAMED: usize = 5;

impl Synthesise {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let name = self.file.display().to_string();
        ensure!(self.file != self.out, "{name}: --out is the input file");
        let bytes = input::read(&self.file).with_context(|| name.clone())?;
        let image = elf::load(&name, &bytes.clone().into()).with_context(|| name.clone())?;
        let is_linked = image.segments.iter().any(|segment| segment.kind == PT_LOAD);
        ensure!(is_linked, "{name}: not a linked file: it has no loadable segment");
        let cfi = image.section(".eh_frame").filter(|section| !section.bytes.is_empty());
        let cfi = cfi.with_context(|| format!("{name}: it has no .eh_frame section"))?;
        let version = self.sframe.version();
        let input = Input { abi: image.abi, version, eh_frame: (cfi.address, &cfi.bytes) };
        let mut made = Ok(Synthesised::default());
        let copy = elf::with_sframe(&bytes, |address| {
            made = synthesise::section(input, address);
            made.as_ref().map_or_else(|_| Vec::new(), |made| made.bytes.clone())
        });
        let (copy, made) = (copy.with_context(|| name.clone())?, made.with_context(|| name.clone())?);
        std::fs::write(&self.out, copy).with_context(|| self.out.display().to_string())?;
        std::fs::set_permissions(&self.out, std::fs::metadata(&self.file)?.permissions())?;

        let functions = made.functions.saturating_add(made.omitted.len() as u64);
        let rows = counted(made.rows, "row");
        let size = counted(made.bytes.len() as u64, "byte");
        writeln!(out, "{}: {}", line(&self.out.display().to_string()), version.text())?;
        writeln!(out, "  {} of {}, {rows}, {size}", made.functions, counted(functions, "function"))?;
        beside(out, &image)?;
        omitted(out, &made.omitted, &image)?;
        Ok(0)
    }
}

/// Prints the sizes of the file's own tables for comparison.
fn beside(out: &mut dyn Write, image: &Image) -> std::io::Result<()> {
    let size = |name: &str| image.section(name).map_or(0, |section| section.size);
    let sum = size(".eh_frame").saturating_add(size(".eh_frame_hdr"));
    writeln!(out, "  for comparison: .eh_frame and .eh_frame_hdr {}", counted(sum, "byte"))?;
    let own: u64 = image.sframe_sections().map(|section| section.size).sum();
    if own > 0 {
        writeln!(out, "  for comparison: the file's own .sframe {}", counted(own, "byte"))?;
    }
    Ok(())
}

fn omitted(out: &mut dyn Write, omitted: &[Omitted], image: &Image) -> std::io::Result<()> {
    let mut by_reason: BTreeMap<Reason, Vec<&Omitted>> = BTreeMap::new();
    for one in omitted {
        by_reason.entry(one.reason).or_default().push(one);
    }
    for (reason, functions) in by_reason {
        let place = |one: &&Omitted| format!("{} ({:#x})", image.place(one.start), one.start);
        let named: Vec<String> = functions.iter().take(NAMED).map(place).collect();
        let more = if functions.len() > NAMED { ", ..." } else { "" };
        let count = counted(functions.len() as u64, "function");
        writeln!(out, "  omitted: {count}, {reason}: {}{more}", line(&named.join(", ")))?;
    }
    Ok(())
}
