//! The report of a reader bug: the section as bytes to paste, the question, the actual and the
//! expected answer.

use std::fmt::Write as _;

use results::ReaderVerdict;
use results::bundle::{ReaderBundle, ReaderOutput};
use types::{Abi, Reg, TableFormat};

use super::words::machine;
use super::{LICENCE, TERMS};
use crate::escape::{fence, line, lines, one_line, prose, shell, wrap};

/// The whole report. Maintainers of a reader know only the section, so there is one text for all
/// trackers.
pub fn report(bundle: &ReaderBundle) -> String {
    let mut text = format!("# {}\n\n", prose(&subject(bundle)));
    if let Some(tell) = &bundle.tell {
        let _ = writeln!(
            text,
            "**This may be a memory safety bug. Report it in private first: {}. Publish neither this text nor the section before \
             it is fixed.**\n",
            line(tell)
        );
    }
    if !bundle.note.is_empty() {
        let _ = writeln!(text, "{}\n", wrap(&bundle.note, 120));
    }
    if let Some(clause) = &bundle.clause {
        let sentence = format!("Required: {} ({})", one_line(&clause.demand), one_line(&clause.section));
        let _ = writeln!(text, "{}\n", wrap(&sentence, 120));
    }
    let bytes = bundle.bytes().unwrap_or_default();
    let _ = writeln!(
        text,
        "## The section\n\n{} bytes of {} for {}, at address {:#x}:\n\n{}",
        bytes.len(),
        bundle.format().text(),
        machine(bundle.abi),
        bundle.address,
        fence("c", &array(&bytes))
    );
    if let Some(index) = &bundle.index {
        let bytes = index.bytes().unwrap_or_default();
        let _ = writeln!(
            text,
            "Its `.eh_frame_hdr`, of {} bytes at address {:#x}: `{}`.\n",
            bytes.len(),
            index.address,
            line(&index.bytes.join(" "))
        );
    }
    let around = match bundle.linked {
        None if bundle.index.is_some() => "`repro.elf` is an ELF file with these two sections alone",
        None => "`repro.elf` is an ELF file with that section alone",
        Some(_) => {
            "`asked.o` is an object with that section and a relocation for each start of a function, `other.o` one whose section is right; \
             GNU as makes them of `asked.s` and `other.s`"
        }
    };
    let _ = writeln!(text, "`repro{}` has them, and {around}.\n", bundle.format().section());
    let _ = writeln!(text, "## Reproduce\n\n{}", fence("", &lines(&command(bundle))));
    if bundle.prints.is_some() {
        let _ = writeln!(text, "`run.sh` does so, and exits with 1 if the bug is there, with 0 if it is not.\n");
    }
    let asked = bundle.pc.map_or_else(|| "The section".to_owned(), |pc| format!("Asked for {pc:#x}"));
    let asked = if bundle.stack.is_empty() { asked } else { with_stack(&asked, &bundle.stack) };
    let (got, want) = (in_words(bundle, &bundle.got), in_words(bundle, &bundle.want));
    let answers = format!("Actual:   {}\nExpected: {}\n", indented(&got), indented(&want));
    let _ = writeln!(text, "{asked}:\n\n{}", fence("", &answers));
    if let Some(prints) = &bundle.prints {
        let _ = writeln!(text, "It prints:\n\n{}", fence("", &lines(&prints.output)));
    }
    let _ = write!(text, "Result: {}. Shown by {}.", result(bundle.format(), bundle.verdict), called(bundle));
    if let (Some(before), Some(after)) = (&bundle.found.before, &bundle.found.after)
        && before != after
    {
        let _ = write!(text, " The section was reduced from {before} to {after}.");
    }
    let _ = writeln!(text, "\n\n{TERMS}");
    text
}

/// The files that ask a library and print its answer, by name; none for another reader, and for
/// questions that its interface does not have.
pub fn program(bundle: &ReaderBundle) -> Vec<(&'static str, String)> {
    let (name, text) = match bundle.reader.as_str() {
        "libsframe" => ("repro.c", include_str!("reader/libsframe.c")),
        "elfutils" => ("repro.c", include_str!("reader/libdw.c")),
        "framehop" => ("repro.rs", include_str!("reader/framehop.txt")),
        "pyelftools" => ("repro.py", include_str!("reader/pyelftools.py")),
        "gimli" => ("repro.rs", include_str!("reader/gimli.txt")),
        "simple-frame" => ("repro.rs", include_str!("reader/simple-frame.txt")),
        _ => return Vec::new(),
    };
    let Some(bytes) = bundle.bytes().filter(|_| bundle.linked.is_none() && bundle.stack.is_empty()) else {
        return Vec::new();
    };
    let (pc, address) = (format!("{:#x}", bundle.pc.unwrap_or(0)), format!("{:#x}", bundle.address));
    let is_c = name == "repro.c";
    let section =
        if is_c { array(&bytes) } else { array(&bytes).replacen(ARRAY, "SECTION: &[u8] = &[", 1).replace("};", "];") };
    let facts = bundle.abi.facts();
    // As registers of a question are numbered (generators::vectors).
    let value = |reg: Reg| format!("STACK + 0x100_0000 * {}", reg.0 + 1);
    let (arch, types, fp_name) = match bundle.abi {
        Abi::Amd64 => ("x86_64", "X86_64", "bp"),
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => ("aarch64", "Aarch64", "fp"),
    };
    let index = bundle.index.as_ref().map(|index| {
        let (bytes, address) = (index.bytes.join(" "), index.address);
        let bytes: Vec<String> = bytes.split(' ').map(|byte| format!("0x{byte}")).collect();
        format!(
            "\n        eh_frame_hdr_svma: Some({address:#x}..{address:#x} + {}),\n        eh_frame_hdr: Some(vec![{}]),",
            bytes.len(),
            bytes.join(", ")
        )
    });
    let parts = [
        ("@ARCH@", arch.to_owned()),
        ("@NAME@", types.to_owned()),
        ("@FPNAME@", fp_name.to_owned()),
        ("@FIRST@", if facts.link_register { value(facts.ra) } else { pc.clone() }),
        ("@FP@", value(facts.fp)),
        ("@INDEX@", index.unwrap_or_default()),
        ("@TITLE@", in_comment(&subject(bundle))),
        ("@WANT@", in_comment(&in_words(bundle, &bundle.want))),
        ("@SECTION@", section),
        ("@LOOK@", bundle.pc.map(|_| LOOK.to_owned()).unwrap_or_default()),
        ("@PC@", pc),
        ("@ADDRESS@", address),
    ];
    let text = parts.iter().fold(text.to_owned(), |text, (name, part)| text.replace(name, part));
    let mut files = vec![(name, text)];
    if name == "repro.rs" {
        let crates = if bundle.reader == "simple-frame" { "simple-frame-rs" } else { &bundle.reader };
        let version = &bundle.version;
        files.push((
            "Cargo.toml",
            format!(
                "[package]\nname = \"repro\"\nedition = \"2021\"\n\n[[bin]]\nname = \"repro\"\npath = \"repro.rs\"\n\n\
             [dependencies]\n{crates} = \"={version}\"\n\n[workspace]\n"
            ),
        ));
    }
    files
}

/// The question about a PC in C.
const LOOK: &str = r#"  sframe_frame_row_entry fre;
  if (sframe_find_fre (ctx, (long long) (@PC@ULL - @ADDRESS@ULL), &fre) != 0)
    puts ("none");
  else
    printf ("%s%+d, by the FRE from %#x on\n",
            sframe_fre_get_base_reg_id (&fre, &err) == SFRAME_BASE_REG_SP ? "sp" : "fp",
            (int) CFA_OFFSET (&fre), (unsigned) fre.fre_start_addr);
"#;

/// The script, if it is known what the reader prints with the bug and without it.
pub fn script(bundle: &ReaderBundle) -> Option<String> {
    let ReaderOutput { bug, right, .. } = bundle.prints.as_ref()?;
    let command = command(bundle);
    let tool = command.split(' ').next().unwrap_or_default();
    let needs = match bundle.reader.as_str() {
        "libsframe" => "${CC:=cc} -o \"$folder/repro\" repro.c -lsframe || exit 77\n".to_owned(),
        "elfutils" => "${CC:=cc} -o \"$folder/repro\" repro.c -ldw -lelf || exit 77\n".to_owned(),
        "pyelftools" => "python3 -c 'import elftools' || exit 77\n".to_owned(),
        "gimli" | "framehop" | "simple-frame" => {
            "export CARGO_TARGET_DIR=\"$folder\"\ncargo build -q || exit 77\n".to_owned()
        }
        _ => format!(
            "# TOOL=PATH: another build of {tool}.\n\
             tool=$(command -v \"${{TOOL:-{tool}}}\") || {{ echo \"missing: ${{TOOL:-{tool}}}\" >&2; exit 77; }}\n\
             printf '#!/bin/sh\\nexec \"%s\" \"$@\"\\n' \"$tool\" >\"$folder/{tool}\"; chmod 755 \"$folder/{tool}\"; PATH=$folder:$PATH\n"
        ),
    };
    let run = if command.starts_with("cc ") { "\"$folder/repro\"" } else { command.trim_end() };
    let print = "printf '%s\\n' \"$printed\"";
    Some(format!(
        "#!/bin/sh\n# {}\n# 1: the bug is there. 0: it is not. 77: a tool is missing. 2: cannot decide.\n\
         cd \"$(dirname \"$0\")\" || exit 2\nfolder=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$folder\"' EXIT\n{needs}\
         printed=$({{ {run}; }} 2>&1)\n{print}\n{print} | grep -Eq {} && exit 0\n{print} | grep -Eq {} && exit 1\nexit 2\n",
        one_line(&subject(bundle)),
        shell(right),
        shell(bug)
    ))
}

/// The command that shows the bug.
fn command(bundle: &ReaderBundle) -> String {
    match program(bundle).first() {
        Some(("repro.c", _)) if bundle.reader == "elfutils" => "cc -o repro repro.c -ldw -lelf && ./repro".to_owned(),
        Some(("repro.c", _)) => "cc -o repro repro.c -lsframe && ./repro".to_owned(),
        Some(("repro.py", _)) => "python3 repro.py".to_owned(),
        Some(_) => "cargo run -q".to_owned(),
        None => bundle.command.clone(),
    }
}

fn in_words(bundle: &ReaderBundle, answer: &str) -> String {
    if let Some(answer) = answer.strip_suffix(", or no row") {
        return format!("{}, or no row", in_words(bundle, answer));
    }
    let abi = bundle.abi;
    let facts = abi.facts();
    let name = |reg: Reg| abi.register_name(reg).unwrap_or_else(|| reg.to_string());
    let third = bundle.register.unwrap_or(facts.fp);
    let sum = |text: &str| match text.strip_prefix("cfa") {
        Some(offset) => format!("CFA{offset}"),
        None => text.replacen("sp", &name(facts.sp), 1).replacen("fp", &name(facts.fp), 1),
    };
    let value = |text: &str| match (text, text.strip_prefix('='), text.strip_prefix('[')) {
        ("same", ..) => "in its register".to_owned(),
        (_, Some(value), _) => sum(value),
        (_, _, Some(slot)) => format!("in the word at {}", sum(slot.trim_end_matches(']'))),
        _ if text.starts_with("cfa") => format!("in the word at {}", sum(text)),
        _ => sum(text),
    };
    match answer.split(' ').collect::<Vec<_>>().as_slice() {
        ["none"] => "nothing for this address".to_owned(),
        ["err"] => "an error".to_owned(),
        ["outer", ..] => "the outermost frame".to_owned(),
        ["chain", callers @ ..] => format!("callers at {}", callers.join(", ")),
        ["caller", pc, sp, fp] => {
            format!("the caller is at {pc}, its {} {sp}, its {} {fp}", name(facts.sp), name(third))
        }
        [cfa, ra, fp, more @ ..] if cfa.contains(['+', '-']) => {
            let cfa = if cfa.starts_with('[') { value(cfa) } else { sum(cfa) };
            let more = more.iter().map(|word| format!(", {word}")).collect::<String>();
            format!("CFA {cfa}, return address {}, {} {}{more}", value(ra), name(third), value(fp))
        }
        _ => answer.to_owned(),
    }
}

/// A text on one line that does not end a comment of C.
fn in_comment(text: &str) -> String {
    one_line(text).replace("*/", "* /")
}

/// The question with the initial registers and stack of a walk, as a run recorded them.
fn with_stack(asked: &str, stack: &[String]) -> String {
    let state = wrap(&line(&stack.join(" ")), 100);
    format!(
        "{asked} and its callers, with these registers, by DWARF number, and words of memory, which `core` has too:\n\n{}\nAnswers",
        fence("", &format!("{state}\n"))
    )
}

/// The licence of all files in the directory.
pub const fn licence() -> &'static str {
    LICENCE
}

/// `readelf 2.47.50: ... (SFrame V2 errata 1, x86-64)`.
pub fn subject(bundle: &ReaderBundle) -> String {
    format!("{}: {} ({}, {})", called(bundle), bundle.title, bundle.format().text(), machine(bundle.abi))
}

/// The reader with its version.
fn called(bundle: &ReaderBundle) -> String {
    let named = || format!("{} {}", bundle.reader, bundle.version);
    line(&bundle.called.clone().unwrap_or_else(named))
}

/// The meaning of a verdict for the single question of a report.
const fn result(format: TableFormat, verdict: ReaderVerdict) -> &'static str {
    match (verdict, format) {
        (ReaderVerdict::Missed, TableFormat::EhFrame) => return "no row found, expected one",
        (ReaderVerdict::WrongRow, TableFormat::EhFrame) => return "a row other than the expected one",
        _ => {}
    }
    match verdict {
        ReaderVerdict::Free | ReaderVerdict::Right => "as expected",
        ReaderVerdict::Refused => "a valid section or function is refused",
        ReaderVerdict::Missed => "no FRE found, expected one",
        ReaderVerdict::WrongRow => "an FRE other than the expected one",
        ReaderVerdict::WrongCaller => "a caller other than the expected one",
        ReaderVerdict::AnsweredMalformed => "an answer from data that cannot be read",
        ReaderVerdict::Broken => "an answer that cannot be parsed",
        ReaderVerdict::OutOfMemory => "it runs out of memory",
        ReaderVerdict::Hang => "it does not return",
        ReaderVerdict::Crash => "it is killed by a signal",
        ReaderVerdict::Sanitiser => "a sanitizer aborts it",
    }
}

/// The first line of [`array`].
const ARRAY: &str = "static const unsigned char section[] = {";

/// Bytes as an array in C; in Rust only the first and the last line differ.
fn array(bytes: &[u8]) -> String {
    let mut text = format!("{ARRAY}\n");
    for row in bytes.chunks(12) {
        let row: Vec<String> = row.iter().map(|byte| format!("0x{byte:02x},")).collect();
        let _ = writeln!(text, "  {}", row.join(" "));
    }
    text.push_str("};\n");
    text
}

fn indented(text: &str) -> String {
    lines(text.trim_end()).replace('\n', "\n          ")
}
