//! The report of a reader bug: the section as bytes to paste, the question, the actual and the
//! expected answer.

use std::fmt::Write as _;

use results::ReaderVerdict;
use results::bundle::ReaderBundle;
use types::TableFormat;

use super::words::machine;
use super::{LICENCE, TERMS};
use crate::escape::{fence, line, lines, one_line, prose, wrap};

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
    let _ = writeln!(text, "## Reproduce\n\n{}", fence("", &lines(&bundle.command)));
    if program(bundle).is_some() {
        let _ = writeln!(text, "`repro.c` calls them: `cc repro.c -lsframe && ./a.out`.\n");
    }
    let asked = bundle.pc.map_or_else(|| "The section".to_owned(), |pc| format!("Asked for {pc:#x}"));
    let asked = if bundle.stack.is_empty() { asked } else { with_stack(&asked, &bundle.stack) };
    let answers = format!("Actual:   {}\nExpected: {}\n", indented(&bundle.got), indented(&bundle.want));
    let _ = writeln!(text, "{asked}:\n\n{}", fence("", &answers));
    let _ = writeln!(
        text,
        "Answers are `CFA RA FP`, as in `sp+16 cfa-8 same`; `outer` is the outermost frame, `none` that nothing describes the address, \
         `err` that what describes it cannot be read{}.\n",
        if bundle.stack.is_empty() { "" } else { "; `chain` lists where each caller goes on, the innermost first" }
    );
    let _ = write!(text, "Result: {}. Shown by {}.", result(bundle.format(), bundle.verdict), called(bundle));
    if let (Some(before), Some(after)) = (&bundle.found.before, &bundle.found.after)
        && before != after
    {
        let _ = write!(text, " The section was reduced from {before} to {after}.");
    }
    let _ = writeln!(text, "\n\n{TERMS}");
    text
}

/// A program in C that asks libsframe and prints its answer; `None` for another reader, and for
/// questions that its interface does not have.
pub fn program(bundle: &ReaderBundle) -> Option<String> {
    let is_asked = bundle.reader == "libsframe" && bundle.linked.is_none() && bundle.stack.is_empty();
    let bytes = bundle.bytes().filter(|_| is_asked)?;
    let look = bundle
        .pc
        .map(|pc| LOOK.replace("@PC@", &format!("{pc:#x}")).replace("@ADDRESS@", &format!("{:#x}", bundle.address)));
    let parts = [
        ("@TITLE@", in_comment(&subject(bundle))),
        ("@WANT@", in_comment(&bundle.want)),
        ("@SECTION@", array(&bytes)),
        ("@LOOK@", look.unwrap_or_default()),
    ];
    Some(parts.iter().fold(PROGRAM.to_owned(), |text, (name, part)| text.replacen(name, part, 1)))
}

/// The program, with the question in place of `@LOOK@`.
const PROGRAM: &str = r#"/* @TITLE@
   cc repro.c -lsframe; prints the CFA of the row that is found, or "none". Expected: @WANT@ */
#include <stdio.h>
#include <sframe.h>
#include <sframe-api.h>

/* From binutils 2.46 on with the type of the function. */
#ifdef SFRAME_VERSION_3
# define CFA_OFFSET(fre) sframe_fre_get_cfa_offset (ctx, fre, 0, &err)
#else
# define CFA_OFFSET(fre) sframe_fre_get_cfa_offset (ctx, fre, &err)
#endif

_Alignas (8) @SECTION@
int main (void)
{
  int err = 0;
  sframe_decoder_ctx *ctx = sframe_decode ((const char *) section, sizeof section, &err);
  if (ctx == NULL)
    {
      printf ("sframe_decode: %s\n", sframe_errmsg (err));
      return 1;
    }
@LOOK@  sframe_decoder_free (&ctx);
  return 0;
}
"#;

/// The question about a PC.
const LOOK: &str = r#"  sframe_frame_row_entry fre;
  if (sframe_find_fre (ctx, (long long) (@PC@ULL - @ADDRESS@ULL), &fre) != 0)
    puts ("none");
  else
    printf ("%s%+d, by the FRE from %#x on\n",
            sframe_fre_get_base_reg_id (&fre, &err) == SFRAME_BASE_REG_SP ? "sp" : "fp",
            (int) CFA_OFFSET (&fre), (unsigned) fre.fre_start_addr);
"#;

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

/// Bytes as an array in C; in Rust only the first and the last line differ.
fn array(bytes: &[u8]) -> String {
    let mut text = "static const unsigned char section[] = {\n".to_owned();
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
