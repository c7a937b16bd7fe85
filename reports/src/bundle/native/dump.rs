//! Tests of binutils that compare a dump of an object or of a link with a `.d` file.

use std::fmt::Write as _;

use results::bundle::{Astray, Bundle, Check, Column, Command, Dump};
use types::Abi;

use super::{any, options, output};
use crate::escape::one_line;

/// The first lines of a `.d` file: name, sources, options and target.
fn dump_head(bundle: &Bundle, sources: &[String], assembler: &str) -> String {
    let mut text = format!("#name: SFrame: {}\n", one_line(&bundle.title));
    for source in sources {
        let _ = writeln!(text, "#source: {source}");
    }
    if !assembler.is_empty() {
        let _ = writeln!(text, "#as: {assembler}");
    }
    text
}

pub(super) fn target(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "x86_64-*-*",
        Abi::Aarch64 => "aarch64-*-*",
        Abi::Aarch64Be => "aarch64_be-*-*",
        Abi::S390x => "s390x-*-*",
    }
}

/// The test of one source.
pub(super) fn of_gas(bundle: &Bundle) -> Option<String> {
    let [command] = bundle.commands.as_slice() else { return None };
    let source = one_line(&bundle.sources.first()?.name);
    let mut text = dump_head(bundle, &[source], &options(bundle, command));
    text += &compared(bundle)?;
    Some(text)
}

/// The compared part of a dump, and the target.
fn compared(bundle: &Bundle) -> Option<String> {
    let target = target(bundle.abi);
    Some(match &bundle.check {
        // The test only requires that an object is made.
        Check::Failure { .. } => format!("#objdump: -h\n#target: {target}\n\n#...\n.* \\.text .*\n#pass\n"),
        // The test requires that the wrong row is absent: a right table may have another row
        // instead, or omit the function.
        Check::Row { pc, section: None, column, wrong, or, .. } => {
            let line = row(&format!("0*{pc:x}"), *column, &any(wrong, or));
            format!("#objdump: --sframe=.sframe\n#target: {target}\n#failif\n\n#...\n{line}\n#pass\n")
        }
        Check::Row { section: Some(_), column, wrong, or, .. } => {
            // Addresses may move; the function is known by its place in the table, and its size.
            let (index, size) = described(bundle.printed.as_deref()?)?;
            let line = row("[0-9a-f]+", *column, &any(wrong, or));
            format!(
                "#readelf: --sframe\n#target: {target}\n#failif\n\n#...\n *func idx \\[{index}\\]: pc = 0x[0-9a-f]+, size = {size} bytes\n \
                 *STARTPC.*\n{line}\n#pass\n"
            )
        }
        Check::Printed { dump, wrong, or, .. } => {
            let option = match dump {
                Dump::Sframe => "--sframe",
                Dump::Frames => "-wf",
            };
            format!("#readelf: {option}\n#target: {target}\n#failif\n\n#...\n.*{}.*\n#pass\n", any(wrong, or))
        }
        Check::Lacks { line, .. } => format!("#readelf: --sframe\n#target: {target}\n\n#...\n.*{line}.*\n#pass\n"),
        Check::Directive { .. }
        | Check::Relocations { .. }
        | Check::StartsDescend
        | Check::Silence { .. }
        | Check::NoSegment
        | Check::Exit { .. }
        | Check::Rule { .. }
        | Check::File { .. }
        | Check::ByEye => return None,
    })
}

/// Index and size of the function in a part of readelf's output: `func idx [1]: pc = 0x1010, size =
/// 8 bytes`.
fn described(printed: &str) -> Option<(u64, u64)> {
    let line = printed.lines().find_map(|line| line.trim().strip_prefix("func idx ["))?;
    let (index, rest) = line.split_once(']')?;
    let size = rest.split_once("size = ")?.1.split(' ').next()?;
    Some((index.parse().ok()?, size.parse().ok()?))
}

/// A line of a dump: the start and three cells, one of which is a regular expression.
fn row(start: &str, column: Column, cell: &str) -> String {
    let cells = [Column::Cfa, Column::Fp, Column::Ra].map(|other| match other == column {
        true => cell.to_owned(),
        false => "[^ ]+".to_owned(),
    });
    format!(" *{start} +{} *", cells.join(" +"))
}

/// The test of a link: sources in link order. `functions` is the number of functions that have an
/// FDE.
pub(super) fn of_ld(bundle: &Bundle, functions: usize) -> Option<String> {
    let (link, assembled) = bundle.commands.split_last()?;
    if link.variable != "LD" || assembled.is_empty() || assembled.iter().any(|command| command.variable != "AS") {
        return None;
    }
    // The sources in link order.
    let inputs = link.words.iter().filter_map(|word| assembled.iter().find(|command| output(command) == Some(word)));
    let inputs: Vec<&Command> = inputs.collect();
    let own = |command: &&Command| options(bundle, command);
    // Options of a single source are added to the common ones.
    let common = inputs.iter().map(own).reduce(|all, own| shared(&all, &own))?;
    let source = |command: &&Command| {
        let name = command.words.last().map(|name| one_line(name)).unwrap_or_default();
        let more = own(command);
        let more = more.strip_prefix(&common).unwrap_or_default().trim();
        format!("{name} {more}").trim_end().to_owned()
    };
    let sources: Vec<String> = inputs.iter().map(source).collect();
    let mut text = dump_head(bundle, &sources, &common);
    let _ = writeln!(text, "#ld: {}", options(bundle, link));
    text += &match &bundle.check {
        Check::Relocations { fault } => relocations(bundle, *fault, functions),
        _ => compared(bundle)?,
    };
    Some(text)
}

/// Relocations as readelf lists them, in order of offset. Each one's target is a start field's
/// function; in a sorted table the targets ascend.
fn relocations(bundle: &Bundle, fault: Astray, functions: usize) -> String {
    let target = target(bundle.abi);
    let mut text = format!(
        "#readelf: -r -W\n#target: {target}\n\n#...\nRelocation section '\\.rela\\.sframe' .* contains {functions} entries:\n.*\n"
    );
    for nth in 0..functions {
        text += &match fault {
            Astray::Offsets => {
                let mut fields = DESCRIPTORS.map(|size| format!("{:x}", HEADER + nth * size)).to_vec();
                fields.dedup();
                format!("0*(?:{}) .*\n", fields.join("|"))
            }
            Astray::Order => format!("[0-9a-f]+ +[0-9a-f]+ +R_[^ ]+ +[0-9a-f]+ +\\.text \\+ {nth:x}\n"),
        };
    }
    text + "#pass\n"
}

/// Size in bytes of a header without auxiliary header. SFrame V1 to V3, SFrame Header.
const HEADER: usize = 28;

/// Size in bytes of an FDE in V1, V2 and V3; it begins with the start field. SFrame FDE.
const DESCRIPTORS: [usize; 3] = [17, 20, 16];

/// The words that both texts begin with.
fn shared(one: &str, other: &str) -> String {
    let words = one.split(' ').zip(other.split(' ')).take_while(|(one, other)| one == other);
    words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}
