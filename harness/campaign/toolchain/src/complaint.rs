//! Interprets messages of failing tools: finds the lines about SFrame, and the parts of a message
//! that do not depend on the file.
//!
//! The only place that depends on the wording of assemblers, compilers and linkers.

use types::Abi;

/// Lines of a tool's output about SFrame: an assembler lists functions that it omits, and a linker
/// reports that it cannot merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SframeLines<'a>(Vec<&'a str>);

impl<'a> SframeLines<'a> {
    /// Finds the lines in a text, in order.
    pub fn parse(printed: &'a str) -> SframeLines<'a> {
        SframeLines(printed.lines().filter(|line| line.to_ascii_lowercase().contains("sframe")).collect())
    }

    /// Number of lines: at most one is printed for a function.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns true if SFrame is not mentioned.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn first(&self) -> Option<&'a str> {
        self.0.first().copied()
    }

    /// The first line in which name and number of SP, FP or the return address's register differ:
    /// GNU as prints both.
    pub fn misnamed_register(&self, abi: Abi) -> Option<&'a str> {
        let facts = abi.facts();
        let registers = [("SP", facts.sp), ("FP", facts.fp), ("RA", facts.ra)];
        // "non-default RA register 32" names the column that a function has in place of RA's.
        self.0.iter().copied().filter(|line| !line.contains("non-default")).find(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.windows(3).any(|words| {
                let [name, "reg" | "register", number] = *words else { return false };
                let Ok(number) = number.parse::<u16>() else { return false };
                let expected = registers.iter().find(|(_, reg)| reg.0 == number).map_or(NO_NAME, |(name, _)| name);
                name != expected && (name == NO_NAME || registers.iter().any(|(other, _)| name == *other))
            })
        })
    }

    /// Message of the first line: the text after GNU as's "skipping SFrame FDE; ", else after
    /// "warning: ".
    pub fn message(&self) -> Option<&'a str> {
        let line = self.first()?;
        line.split_once("; ").or_else(|| line.split_once("arning: ")).map(|(_, message)| message)
    }
}

/// Output of a failing tool, as lines or separated by "; ".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Complaint<'a>(pub &'a str);

/// What the C library prints for a name that a program lacks.
const NO_NAME: &str = "(null)";

/// Text by which a tool reports an internal error.
pub(crate) const INTERNAL_ERROR: &str = "Internal error";
const FATAL_ERROR: &str = "Fatal error";
const ASSERTION: &str = "Assertion";
/// What every plain error has, in lower case or with a capital.
pub const PLAIN: &str = "rror";
/// What the first line of a plain error has.
const ERRORS: [&str; 2] = ["Error:", "error:"];

/// Prefix of the complaint for a command that was killed by a signal:
/// [`crate::process::Finished::complaint`].
pub(crate) const ENDED_BY_SIGNAL: &str = "ended by signal";

impl<'a> Complaint<'a> {
    /// The part that stays the same from file to file, for the fingerprint of a failed build: from
    /// the first word of failure to the end of its line, without digits and without the folder in
    /// which the tool was built.
    pub fn shape(self) -> String {
        const MOST: usize = 120;
        let words = [INTERNAL_ERROR, FATAL_ERROR, ASSERTION].into_iter().chain(ERRORS);
        let start = words.filter_map(|word| self.0.find(word)).min().unwrap_or(0);
        let text = self.0.get(start..).unwrap_or(self.0).split("; ").next().unwrap_or_default();
        let words: Vec<String> = text.split(' ').map(without_build_folder).collect();
        words.join(" ").chars().filter(|c| !c.is_ascii_digit()).take(MOST).collect()
    }

    /// Identification of the failure while the file is reduced: the line of an internal error, or
    /// of a signal, else of the first error, else the first line; without digits and file names.
    pub fn fault(self) -> String {
        let lines: Vec<&str> = self.0.lines().flat_map(|line| line.split("; ")).collect();
        let own_words = [INTERNAL_ERROR, ASSERTION, FATAL_ERROR];
        let is_own_fault = |line: &&&str| {
            let line = line.to_ascii_lowercase();
            line.contains("signal") || own_words.iter().any(|word| line.contains(&word.to_ascii_lowercase()))
        };
        let error = || lines.iter().find_map(|line| ERRORS.iter().find_map(|word| from_word(line, word)));
        let line = match lines.iter().find(is_own_fault) {
            Some(line) => own_words.iter().find_map(|word| from_word(line, word)).unwrap_or(line),
            None => error().or(lines.first().copied()).unwrap_or_default(),
        };
        let is_file = |word: &str| word.contains(['/', ':']) || word.ends_with(".o");
        let words = line.split_whitespace().filter(|word| !is_file(word));
        words.map(|word| word.chars().filter(|c| !c.is_ascii_digit()).collect()).collect::<Vec<String>>().join(" ")
    }

    /// The function, or the file, of the failure: from an assertion of the C library, or a Rust
    /// panic.
    pub fn place(self) -> Option<&'a str> {
        self.0.lines().find_map(|line| {
            let asserted = line.split_once(": Assertion ").and_then(|(before, _)| before.rsplit(' ').next());
            let panicked = line.split_once(" panicked at ").and_then(|(_, place)| place.split(':').next());
            asserted.or(panicked)
        })
    }

    /// A word of the message that a script can search for.
    pub fn word(self) -> &'static str {
        let words = [INTERNAL_ERROR, ASSERTION, FATAL_ERROR, "internal error"];
        words.into_iter().find(|word| self.0.contains(word)).unwrap_or(PLAIN)
    }

    /// Words for a script to search for that do not depend on names and places: the beginning of
    /// the error, up to the first quoted or named part. Empty if the signal suffices.
    pub fn phrase(self) -> String {
        if self.0.starts_with(ENDED_BY_SIGNAL) {
            return String::new();
        }
        let error = self.0.lines().find_map(|line| line.split_once("error: ")).map_or("", |(_, rest)| rest);
        let phrase = error.split([':', '"', '\'', '`', '(']).next().unwrap_or_default().trim();
        if phrase.contains(' ') { phrase.to_owned() } else { self.word().to_owned() }
    }
}

/// The name of a C source in an assertion as a build two folders below its source prints it,
/// whatever folder the tool was configured in; other words as they are.
fn without_build_folder(word: &str) -> String {
    let Some((path, rest)) = word.split_once(".c:").filter(|(path, _)| path.starts_with(['/', '.'])) else {
        return word.to_owned();
    };
    let mut parts = path.rsplit('/');
    match (parts.next(), parts.next()) {
        (Some(file), Some(folder)) => format!("../../{folder}/{file}.c:{rest}"),
        _ => word.to_owned(),
    }
}

/// A line from a word on, whose first letter may be small.
fn from_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let at = line.find(word.get(1..)?)?;
    line.get(at.saturating_sub(1)..)
}

/// Replaces each number in a message, decimal or hexadecimal, by `N`, so that the message does not
/// change with the file.
pub fn without_numbers(message: &str) -> String {
    let mut stable = String::new();
    for part in message.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        stable.push_str(if number { "N" } else { word });
        stable.push_str(part.get(word.len()..).unwrap_or(""));
    }
    stable
}

#[cfg(test)]
mod tests {
    use types::Abi;

    use super::{Complaint, SframeLines, without_numbers};

    const CRASH: &str = "gas/x.s: Assembler messages:; x.s:7: Internal error in sframe_xlate_do_restore at ../../gas/gen-sframe.c:1582.; \
                         Please report this bug.";
    const FATAL: &str = "x.s: Assembler messages:; x.s:4: Fatal error: .cfi_x 12 too large; as: leaving";
    const LLVM: &str = "clang: /llvm/lib/MC/MCSFrame.cpp:305: Assertion `Row < 8' failed.; PLEASE submit a bug report";
    const REFUSED: &str = "as -o x.o x.s failed: x.s: Assembler messages:; x.s:3: Error: no such instruction: `foo 12'";
    const SIGNAL: &str = "ended by signal 11: x.s: Assembler messages:; x.s:3: Error: expected 1 operand";
    const LINKER: &str =
        "ld: x.o: in function `f':\nld: error: input SFrame sections with different format versions 2 and 3: y.o";

    #[test]
    fn a_warning_names_the_register_of_its_number() {
        let named = |text: &str| SframeLines::parse(text).misnamed_register(Abi::Amd64).is_none();
        let warning = |name: &str| format!("x.s:4: Warning: no SFrame FDE emitted; .cfi_escape with {name}");
        assert!(
            ["SP reg 7", "FP register 6", "RA reg 16", "(null) reg 3", "op 6", "non-default RA register 3"]
                .map(warning)
                .iter()
                .all(|text| named(text))
        );
        assert!(["SP reg 6", "FP reg 7", "RA register 3", "(null) reg 6"].map(warning).iter().all(|text| !named(text)));
        // Of lines about SFrame alone.
        assert!(named("x.s:4: Warning: SP reg 6"));
        assert!(SframeLines::parse(&warning("FP reg 6")).misnamed_register(Abi::S390x).is_some());
    }

    #[test]
    fn the_shape_of_a_complaint_does_not_depend_on_where_the_tool_was_built() {
        for built in ["../../source/gas", "/home/me/binutils/gas"] {
            assert_eq!(Complaint(&CRASH.replace("../../gas", built)).shape(), Complaint(CRASH).shape());
        }
        assert_ne!(Complaint(&CRASH.replace("gen-sframe.c", "write.c")).shape(), Complaint(CRASH).shape());
    }

    /// The fingerprints of failed builds in the ledger are made of these.
    #[test]
    fn the_shape_of_a_complaint_has_no_numbers() {
        for (complaint, shape) in [
            (CRASH, "Internal error in sframe_xlate_do_restore at ../../gas/gen-sframe.c:."),
            (FATAL, "Fatal error: .cfi_x  too large"),
            (LLVM, "Assertion `Row < ' failed."),
            (REFUSED, "Error: no such instruction: `foo '"),
            (SIGNAL, "Error: expected  operand"),
            (LINKER, "error: input SFrame sections with different format versions  and : y.o"),
            ("it failed and printed nothing", "it failed and printed nothing"),
        ] {
            assert_eq!(Complaint(complaint).shape(), shape);
        }
        assert_eq!(Complaint(&"e".repeat(200)).shape().len(), 120);
    }

    #[test]
    fn a_failure_is_known_by_its_own_fault_wherever_it_stands() {
        for (complaint, fault) in [
            (CRASH, "Internal error in sframe_xlate_do_restore at"),
            (
                "as -o y.o y.s failed: y.s: Assembler messages:; y.s: Internal error in sframe_do at /b/gen.c:9.",
                "Internal error in sframe_do at",
            ),
            (FATAL, "Fatal .cfi_x  too large"),
            (LLVM, "Assertion `Row < ' failed."),
            (REFUSED, "no such `foo '"),
            (LINKER, "input SFrame sections with different format versions  and"),
            (SIGNAL, "ended by signal Assembler"),
            ("cc: internal error: 7 killed", "internal  killed"),
            ("", ""),
        ] {
            assert_eq!(Complaint(complaint).fault(), fault);
        }
    }

    #[test]
    fn a_script_looks_for_words_that_are_printed() {
        for (complaint, word, phrase) in [
            (CRASH, "Internal error", "Internal error"),
            (FATAL, "Fatal error", ".cfi_x 12 too large; as"),
            (LLVM, "Assertion", "Assertion"),
            (REFUSED, "rror", "rror"),
            (SIGNAL, "rror", ""),
            (LINKER, "rror", "input SFrame sections with different format versions 2 and 3"),
        ] {
            assert_eq!((Complaint(complaint).word(), Complaint(complaint).phrase().as_str()), (word, phrase));
        }
    }

    #[test]
    fn lines_about_sframe_are_counted_and_quoted() {
        let printed = "x.s: Assembler messages:\nx.s:9: Warning: skipping SFrame FDE; CFI insn 0x2e (7)\nx.s: Warning: no .sframe\n";
        let about = SframeLines::parse(printed);
        assert_eq!((about.count(), about.message()), (2, Some("CFI insn 0x2e (7)")));
        assert_eq!(about.first(), Some("x.s:9: Warning: skipping SFrame FDE; CFI insn 0x2e (7)"));
        assert_eq!(SframeLines::parse("warning: SFrame is lost").message(), Some("SFrame is lost"));
        assert!(SframeLines::parse("warning: lost").is_empty());
    }

    #[test]
    fn numbers_are_left_out_of_words() {
        assert_eq!(without_numbers("no 7, 0x2e (-12) at f3:9."), "no N, N (-N) at f3:N.");
    }
}
