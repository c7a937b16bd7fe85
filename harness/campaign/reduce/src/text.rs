//! A source text, and its lines that can be removed together: functions, blocks, instructions,
//! directives.

use std::collections::BTreeSet;

use types::Abi;

use results::bundle::{Size, Unit};

use super::parts::{Cut, Parts, Set};

/// A text in assembly or C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub language: Language,
    /// Lines without their ends.
    pub lines: Vec<String>,
}

impl Text {
    /// Splits a text into lines.
    pub fn new(text: &str, language: Language) -> Text {
        Text { language, lines: text.lines().map(str::to_owned).collect() }
    }

    /// Described functions of assembly, by each of their names, and the number of described
    /// functions without a name.
    pub(super) fn described(&self) -> (BTreeSet<&str>, usize) {
        let (mut named, mut nameless, mut labels) = (BTreeSet::new(), 0, Vec::new());
        let mut condition = None;
        for line in &self.lines {
            let code = after_label(line).trim();
            // A label inside a conditional always exists only if the other branch has it too.
            if code.starts_with(".if") {
                condition = Some((labels.len(), None));
            } else if let (Some((before, _)), true) = (condition, code.starts_with(".else")) {
                condition = Some((before, Some(labels.len())));
            } else if let (Some((before, other)), true) = (condition, code.starts_with(".endif")) {
                if other.is_none_or(|other| other <= before || labels.len() <= other) {
                    labels.truncate(before);
                }
                condition = None;
            }
            let label = line.trim().strip_suffix(code).unwrap_or_default().trim().trim_end_matches(':');
            if !label.is_empty() && !label.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
                labels.push(label);
            }
            if code.starts_with(".cfi_startproc") {
                nameless += usize::from(labels.is_empty());
                named.append(&mut labels.drain(..).collect());
            } else if !code.is_empty()
                && (!code.starts_with(['.', '#']) || DATA.iter().any(|word| code.starts_with(word)))
            {
                labels.clear();
            }
        }
        (named, nameless)
    }

    /// Number of empty functions: names or descriptors without contents, that is, functions in
    /// assembly without code or data between their CFI directives, and symbols at the end of their
    /// section's contents, which then label the next bytes of the section.
    fn empty_procedures(&self) -> usize {
        let (mut count, mut opened, mut named) = (0, false, 0);
        for line in self.lines.iter().filter(|_| !self.language.is_c) {
            let code = after_label(line).trim();
            let label = line.trim().strip_suffix(code).unwrap_or_default();
            named += usize::from(!label.is_empty() && !label.starts_with(|c: char| c == '.' || c.is_ascii_digit()));
            if code.starts_with(".cfi_startproc") {
                opened = true;
            } else if code.starts_with(".cfi_endproc") {
                count += usize::from(opened);
                opened = false;
            } else if SECTIONS.iter().any(|word| code.starts_with(word)) {
                count += std::mem::take(&mut named);
            } else if !code.is_empty()
                && (!code.starts_with(['.', '#']) || DATA.iter().any(|word| code.starts_with(word)))
            {
                (opened, named) = (false, 0);
            }
        }
        count + named
    }

    /// The text without comments and empty lines.
    pub fn without_comments(&self) -> Text {
        Text { lines: self.language.without_comments(&self.lines), ..self.clone() }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

impl Parts for Text {
    fn size(&self) -> Size {
        Size(vec![(self.lines.len(), Unit::Lines)])
    }

    fn len(&self) -> usize {
        self.lines.len()
    }

    fn sets(&self, cut: Cut) -> Vec<Set> {
        self.language.sets(cut, &self.lines)
    }

    /// `None` if a function or a symbol would become empty: tools treat these specially, and they
    /// are not a smaller form of one with code.
    fn without(&self, parts: &Set) -> Option<Text> {
        let lines = self.lines.iter().enumerate().filter(|(at, _)| !parts.contains(at));
        let less = Text { lines: lines.map(|(_, line)| line.clone()).collect(), ..self.clone() };
        (less.empty_procedures() <= self.empty_procedures()).then_some(less)
    }

    fn bare(&self) -> Vec<Text> {
        vec![self.without_comments()]
    }

    fn plainer(&self, part: usize) -> Vec<Text> {
        let plainer = self.lines.get(part).map(|line| self.language.plainer(line)).unwrap_or_default();
        let replaced = plainer.into_iter().map(|plain| {
            let mut text = self.clone();
            if let Some(line) = text.lines.get_mut(part) {
                *line = plain;
            }
            text
        });
        replaced.collect()
    }

    fn key(&self) -> String {
        self.to_string()
    }
}

/// Directives of GNU as that switch the section.
const SECTIONS: [&str; 7] = [".section", ".text", ".data", ".bss", ".pushsection", ".popsection", ".previous"];

/// Prefixes of directives that emit bytes.
const DATA: [&str; 20] = [
    ".byte", ".short", ".hword", ".2byte", ".word", ".long", ".int", ".4byte", ".quad", ".xword", ".8byte", ".ascii",
    ".asciz", ".string", ".skip", ".space", ".zero", ".fill", ".inst", ".rept",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Target, which determines the syntax of comments and the `nop`.
    pub abi: Abi,
    /// True for C, false for assembly.
    pub is_c: bool,
}

impl Language {
    /// The sets of lines (indices) that one kind of cut removes together.
    pub fn sets(self, cut: Cut, lines: &[String]) -> Vec<Set> {
        let chosen = |wanted: &dyn Fn(&str) -> bool| {
            let single = |(at, line): (usize, &String)| wanted(line).then(|| Set::from([at]));
            lines.iter().enumerate().filter_map(single).collect()
        };
        match (cut, self.is_c) {
            (Cut::Functions, false) => functions(lines),
            (Cut::Blocks, true) => [conditionals(lines, '#'), blocks(lines)].concat(),
            (Cut::Blocks, false) => conditionals(lines, '.'),
            (Cut::Files | Cut::Options | Cut::Rows | Cut::Bytes, _) | (Cut::Functions | Cut::Directives, true) => {
                Vec::new()
            }
            (Cut::Instructions, true) => chosen(&|line| line.trim_end().ends_with(';')),
            (Cut::Lines, true) => chosen(&|line| !line.trim_end().ends_with(';')),
            (Cut::Instructions | Cut::Directives | Cut::Lines, false) => chosen(&|line| kind(line) == cut),
        }
    }

    /// The text without comments and empty lines. Removing text that only looks like a comment is
    /// detected by judging.
    pub fn without_comments(self, lines: &[String]) -> Vec<String> {
        let mark = if self.is_c { "//" } else { self.abi.facts().line_comment };
        let stripped = lines.iter().map(|line| {
            let whole = line.trim_start().starts_with('#') && !self.is_c;
            let code = if whole { "" } else { line.split(mark).next().unwrap_or_default() };
            code.trim_end().to_owned()
        });
        stripped.filter(|line| !line.is_empty()).collect()
    }

    /// Simpler variants of a line: without a label, or with a no-op instead of an instruction.
    pub fn plainer(self, line: &str) -> Vec<String> {
        let rest = after_label(line).trim();
        if !self.is_c && rest.len() < line.trim().len() && !rest.is_empty() {
            return vec![format!("\t{rest}")];
        }
        if self.is_c || kind(line) != Cut::Instructions {
            return Vec::new();
        }
        let is_plain = line.trim_start().starts_with("nop");
        if is_plain { Vec::new() } else { vec![format!("\t{}", self.abi.facts().nop)] }
    }
}

/// A line of assembly without its label.
fn after_label(line: &str) -> &str {
    let is_label = |word: &str| word.trim().chars().all(|c| c.is_ascii_alphanumeric() || "_.$".contains(c));
    line.split_once(':').filter(|(label, _)| is_label(label)).map_or(line, |(_, rest)| rest)
}

fn kind(line: &str) -> Cut {
    let code = line.trim();
    if code.starts_with(".cfi_") {
        Cut::Directives
    } else if code.is_empty() || code.starts_with(['.', '#', '/']) || code.ends_with(':') {
        Cut::Lines
    } else {
        Cut::Instructions
    }
}

/// Functions: from each `.cfi_startproc` to its `.cfi_endproc`, with the label and symbol
/// directives around it.
fn functions(lines: &[String]) -> Vec<Set> {
    let mut found: Vec<Set> = Vec::new();
    let mut begin = None;
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim();
        if code.starts_with(".cfi_startproc") {
            begin = Some(at);
        } else if code.starts_with(".cfi_endproc")
            && let Some(first) = begin.take()
        {
            let before = lines.iter().take(first).rev().take_while(|line| is_head(line)).count();
            let after = lines.iter().skip(at + 1).take_while(|line| line.trim().starts_with(".size")).count();
            found.push((first - before..=at + after).collect());
        }
    }
    found
}

fn is_head(line: &str) -> bool {
    let code = line.trim();
    code.ends_with(':')
        || [".type", ".globl", ".global", ".local", ".p2align", ".align"].iter().any(|word| code.starts_with(word))
}

/// Conditionals: each `.if` (in C `#if`) to its `.endif`, the innermost first: the second branch
/// with the directives, the first with them, and all of it.
fn conditionals(lines: &[String], mark: char) -> Vec<Set> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim().strip_prefix(mark).unwrap_or_default().trim_start();
        if code.starts_with("if") {
            open.push((at, None));
        } else if code.starts_with("else") {
            if let Some((_, other)) = open.last_mut() {
                *other = other.or(Some(at));
            }
        } else if code.starts_with("endif")
            && let Some((first, other)) = open.pop()
        {
            let other = other.unwrap_or(at);
            found.push((first..=at).collect());
            found.push((first..=other).chain([at]).collect());
            found.push([first].into_iter().chain(other..=at).collect());
        }
    }
    // The search begins with the last.
    found.reverse();
    found
}

/// Blocks: each `{ }`, from the line that opens it to the one that closes it, the outermost first.
/// Braces in strings and comments are miscounted: then the compiler refuses the candidate, and
/// nothing is lost.
fn blocks(lines: &[String]) -> Vec<Set> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        for c in line.chars() {
            match c {
                '{' => open.push(at),
                '}' => found.extend(open.pop().map(|first| (first, at))),
                _ => {}
            }
        }
    }
    found.sort_by_key(|(first, last)| (first.abs_diff(*last), *first));
    found.dedup();
    found.into_iter().map(|(first, last)| (first..=last).collect()).collect()
}

#[cfg(test)]
mod tests {
    use types::Abi;

    use super::{Cut, Language, Parts as _, Set, Text};

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    const ASSEMBLY: Language = Language { abi: Abi::Amd64, is_c: false };
    const C: Language = Language { abi: Abi::Amd64, is_c: true };

    #[test]
    fn a_function_goes_with_its_symbol() {
        let text = lines(".text\n.type f, @function\nf:\n.cfi_startproc\nnop\n.cfi_endproc\n.size f, .-f\n\tret");
        assert_eq!(ASSEMBLY.sets(Cut::Functions, &text), [(1..=6).collect::<Set>()]);
        assert!(
            ASSEMBLY.sets(Cut::Functions, &lines(".cfi_endproc\n.cfi_startproc")).is_empty(),
            "nothing opened is closed"
        );
    }

    #[test]
    fn each_line_is_cut_in_one_way() {
        let text = lines("\t.text\nf:\n\tnop\n\t.cfi_undefined rip\n1:\tret\n# word\n\n");
        let of = |cut| ASSEMBLY.sets(cut, &text).into_iter().flatten().collect::<Vec<usize>>();
        assert_eq!(of(Cut::Instructions), [2, 4]);
        assert_eq!(of(Cut::Directives), [3]);
        assert_eq!(of(Cut::Lines), [0, 1, 5, 6]);
    }

    #[test]
    fn blocks_of_c_nest() {
        let text = lines("int f(void)\n{\n  if (x) {\n    y();\n  }\n  return 1;\n}\n}");
        let sets: Vec<Vec<usize>> =
            C.sets(Cut::Blocks, &text).into_iter().map(|set| set.into_iter().collect()).collect();
        assert_eq!(sets, [vec![2, 3, 4], vec![1, 2, 3, 4, 5, 6]], "the inner one, then the outer one");
        assert!(C.sets(Cut::Functions, &text).is_empty());
    }

    #[test]
    fn conditionals_go_by_their_branches() {
        let text = lines(".if A\n.if B\nx\n.endif\n.else\ny\n.endif\n.endif");
        let sets: Vec<Vec<usize>> =
            ASSEMBLY.sets(Cut::Blocks, &text).into_iter().map(|set| set.into_iter().collect()).collect();
        let outer = [vec![0, 4, 5, 6], vec![0, 1, 2, 3, 4, 6], vec![0, 1, 2, 3, 4, 5, 6]];
        let inner = [vec![1, 3], vec![1, 2, 3], vec![1, 2, 3]];
        assert_eq!(sets, [outer, inner].concat());
        let text = lines("#ifdef A\nx\n#else\ny\n# endif");
        assert_eq!(C.sets(Cut::Blocks, &text)[0], Set::from([0, 2, 3, 4]));
    }

    #[test]
    fn no_function_is_emptied() {
        let text = Text::new("f:\n.cfi_startproc\nnop\n.cfi_endproc\n.cfi_startproc\n.cfi_endproc", ASSEMBLY);
        assert_eq!(text.without(&Set::from([2])), None);
        assert!(text.without(&Set::from([0, 1, 2, 3])).is_some(), "the function as a whole");
        assert!(text.without(&Set::from([0])).is_some(), "the other was empty before");
        let labelled = Text::new(".cfi_startproc\nnop\n1:\t.cfi_restore_state\n.cfi_endproc", ASSEMBLY);
        assert_eq!(labelled.without(&Set::from([1])), None, "a label is no code");
        let named = Text::new("f:\nnop\n.section x\nend:\n.Lend:\n.text\ng:\n.byte 1\n.size g, 1", ASSEMBLY);
        for (line, less) in [(1, false), (7, false), (3, true), (4, true), (2, true), (8, true)] {
            assert_eq!(named.without(&Set::from([line])).is_some(), less, "{line}");
        }
        assert!(named.without(&Set::from([0, 1])).is_some(), "the symbol with what is in it");
    }

    #[test]
    fn comments_are_those_of_the_language() {
        let text = lines("# all\n\tnop # end\n\n\tldr x0, [x1, #16] // end");
        assert_eq!(ASSEMBLY.without_comments(&text)[0], "\tnop");
        let aarch64 = Language { abi: Abi::Aarch64, is_c: false };
        assert_eq!(aarch64.without_comments(&text), ["\tnop # end", "\tldr x0, [x1, #16]"]);
        assert_eq!(C.without_comments(&lines("#include <x>\nint a; // b")), ["#include <x>", "int a;"]);
    }

    #[test]
    fn a_line_gets_plainer_once() {
        assert_eq!(ASSEMBLY.plainer("1:\tret"), ["\tret"]);
        assert_eq!(ASSEMBLY.plainer("\tret"), ["\tnop"]);
        for line in ["\tnop", "f:", "\t.cfi_undefined rip", "\t.set a, b"] {
            assert!(ASSEMBLY.plainer(line).is_empty(), "{line}");
        }
        assert!(C.plainer("label: x();").is_empty());
    }
}
