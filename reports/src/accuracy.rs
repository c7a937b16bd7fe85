//! Text report of the accuracy of each unwinding method.

use std::io::{self, Write};

use results::{Accuracy, MethodAccuracy, ReaderTime, RestoredRegisters, TableCost, UnwindMethod};
use types::counted;

use crate::escape::line;

/// Prints the measurements of a program: the methods, where they are wrong, and the sizes of
/// tables.
pub fn text(out: &mut dyn Write, measured: &Accuracy) -> io::Result<()> {
    let own = measured.methods.first().map_or(0, |method| method.own.samples);
    writeln!(
        out,
        "{} ({}): {} of {}, {} in the program's own code; {}",
        line(&measured.file),
        measured.abi.name(),
        counted(measured.samples, "sample"),
        counted(measured.steps, "executed instruction"),
        own,
        line(&measured.end)
    )?;
    let timed = measured.methods.iter().any(|method| method.nanoseconds_per_frame.is_some());
    let time = if timed { "   ns a frame" } else { "" };
    writeln!(out, "\n  right, in %               own frames      all frames      of all chains, in %")?;
    writeln!(out, "  method                   first   chain   first   chain    skip invent   stop{time}")?;
    for method in &measured.methods {
        let MethodAccuracy { own, all, skips, invents, ends_early, .. } = method;
        let of_all = |count: &u64| share(*count, all.samples);
        write!(
            out,
            "  {:<23} {:>6} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6}",
            title(method.method),
            share(own.first, own.samples),
            share(own.chain, own.samples),
            share(all.first, all.samples),
            share(all.chain, all.samples),
            of_all(skips),
            of_all(invents),
            of_all(ends_early)
        )?;
        match method.nanoseconds_per_frame {
            Some(time) => writeln!(out, " {time:>12.0}")?,
            None => writeln!(out)?,
        }
    }
    if let Some(RestoredRegisters { samples, right }) = measured.registers {
        let share = share(right, samples);
        writeln!(out, "  registers restored right by .eh_frame: in {share} % of {}", counted(samples, "sample"))?;
    }
    misses(out, measured)?;
    readers(out, &measured.readers)?;
    tables(out, &measured.tables)
}

fn misses(out: &mut dyn Write, measured: &Accuracy) -> io::Result<()> {
    let wrong: Vec<&MethodAccuracy> = measured.methods.iter().filter(|method| !method.misses.is_empty()).collect();
    if wrong.is_empty() {
        return writeln!(out, "\n  no wrong chain");
    }
    writeln!(
        out,
        "\n  wrong chains by the place of their first wrong frame: in the program's own code + in libraries"
    )?;
    for method in wrong {
        let places: Vec<String> =
            method.misses.iter().map(|one| format!("{} {}+{}", one.place, one.own, one.library)).collect();
        writeln!(out, "  {:<23} {}", title(method.method), places.join(", "))?;
    }
    Ok(())
}

fn readers(out: &mut dyn Write, readers: &[ReaderTime]) -> io::Result<()> {
    if readers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n  readers of tables: one frame's caller, by row look-up and memory")?;
    writeln!(out, "  reader                 version          section      frames  right, %   ns a frame")?;
    for ReaderTime { reader, version, section, frames, right, nanoseconds_per_frame } in readers {
        let time = nanoseconds_per_frame.map_or_else(|| "-".to_owned(), |time| format!("{time:.0}"));
        let share = share(*right, *frames);
        let (reader, version) = (line(reader), line(version));
        writeln!(out, "  {reader:<22} {version:<16} {section:<10} {frames:>8} {share:>9} {time:>12}")?;
    }
    Ok(())
}

fn tables(out: &mut dyn Write, tables: &[TableCost]) -> io::Result<()> {
    if tables.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n  tables (.eh_frame with its index)      bytes  functions  bytes/fn  % of text  file")?;
    for TableCost { file, section, bytes, functions, text, .. } in tables {
        let each = *bytes as f64 / (*functions).max(1) as f64;
        let share = share(*bytes, *text);
        writeln!(out, "  {section:<34} {bytes:>10} {functions:>10} {each:>9.1} {share:>10}  {}", line(file))?;
    }
    Ok(())
}

/// A share in per cent with one decimal, rounded down, so that only the whole is 100.
pub(crate) fn share(part: u64, of: u64) -> String {
    let Some(tenths) = (u128::from(part) * 1000).checked_div(u128::from(of)) else { return "-".to_owned() };
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Name of a method; one that extends the method above it is indented.
pub(crate) fn title(method: UnwindMethod) -> &'static str {
    match method {
        UnwindMethod::FramePointer => "frame pointer",
        UnwindMethod::FramePointerPatterns => "  with byte patterns",
        UnwindMethod::BackChain => "back chain",
        UnwindMethod::BackChainPatterns => "  with byte patterns",
        UnwindMethod::CodeAnalysis => "code analysis",
        UnwindMethod::Sframe => ".sframe",
        UnwindMethod::SframeOrFramePointer => "  else frame pointer",
        UnwindMethod::Synthesised => ".sframe, synthesised",
        UnwindMethod::EhFrame => ".eh_frame",
    }
}

/// Name of a method by itself.
pub(crate) fn full_title(method: UnwindMethod) -> &'static str {
    match method {
        UnwindMethod::FramePointer => "frame pointer",
        UnwindMethod::FramePointerPatterns => "frame pointer, patterns at the PC",
        UnwindMethod::BackChain => "back chain",
        UnwindMethod::BackChainPatterns => "back chain, patterns at the PC",
        UnwindMethod::CodeAnalysis => "code analysis",
        UnwindMethod::Sframe => ".sframe",
        UnwindMethod::SframeOrFramePointer => ".sframe, else frame pointer",
        UnwindMethod::Synthesised => ".sframe, synthesised",
        UnwindMethod::EhFrame => ".eh_frame",
    }
}
