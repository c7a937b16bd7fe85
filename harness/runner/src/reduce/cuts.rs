//! Which lines of a source go together: functions, blocks, instructions, directives.

use std::collections::BTreeSet;

use model::Abi;

/// A way to cut, the coarsest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A function with what names it.
    Functions,
    /// A `{ }` with what stands before it (C).
    Blocks,
    /// An instruction, or a statement.
    Instructions,
    /// A CFI directive.
    Directives,
    /// Any other line.
    Lines,
}

impl Cut {
    /// The order in which they are tried.
    pub const ORDER: &'static [Cut] = &[Cut::Functions, Cut::Blocks, Cut::Instructions, Cut::Directives, Cut::Lines];
}

/// What a text is written in.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Target: what a comment and a `nop` look like.
    pub abi: Abi,
    /// C, else assembly.
    pub is_c: bool,
}

impl Language {
    /// The sets of lines (indices) that one way of cutting takes away together.
    pub fn sets(self, cut: Cut, lines: &[String]) -> Vec<BTreeSet<usize>> {
        let chosen = |wanted: &dyn Fn(&str) -> bool| {
            let single = |(at, line): (usize, &String)| wanted(line).then(|| BTreeSet::from([at]));
            lines.iter().enumerate().filter_map(single).collect()
        };
        match (cut, self.is_c) {
            (Cut::Functions, false) => functions(lines),
            (Cut::Blocks, true) => blocks(lines),
            (Cut::Functions | Cut::Directives, true) | (Cut::Blocks, false) => Vec::new(),
            (Cut::Instructions, true) => chosen(&|line| line.trim_end().ends_with(';')),
            (Cut::Lines, true) => chosen(&|line| !line.trim_end().ends_with(';')),
            (Cut::Instructions | Cut::Directives | Cut::Lines, false) => chosen(&|line| kind(line) == cut),
        }
    }

    /// The text without comments and empty lines. What looks like a comment and is none shows when it is judged.
    pub fn without_comments(self, lines: &[String]) -> Vec<String> {
        let mark = match (self.is_c, self.abi.is_aarch64()) {
            (true, _) | (_, true) => "//",
            _ => "#",
        };
        let stripped = lines.iter().map(|line| {
            let whole = line.trim_start().starts_with('#') && !self.is_c;
            let code = if whole { "" } else { line.split(mark).next().unwrap_or_default() };
            code.trim_end().to_owned()
        });
        stripped.filter(|line| !line.is_empty()).collect()
    }

    /// Plainer lines to try in place of one: the same without a label, no operation in place of an instruction.
    pub fn plainer(self, line: &str) -> Vec<String> {
        if let (Some((label, rest)), false) = (line.split_once(':'), self.is_c)
            && label.chars().all(|c| c.is_ascii_alphanumeric() || "_.$".contains(c))
            && !rest.trim().is_empty()
        {
            return vec![format!("\t{}", rest.trim())];
        }
        if self.is_c || kind(line) != Cut::Instructions {
            return Vec::new();
        }
        let nop = if self.abi == Abi::S390x { "\tnopr 0" } else { "\tnop" };
        let is_plain = line.trim_start().starts_with("nop");
        if is_plain { Vec::new() } else { vec![nop.to_owned()] }
    }
}

/// Neighbouring sets put together, that many at a time.
pub fn runs(sets: &[BTreeSet<usize>], size: usize) -> Vec<BTreeSet<usize>> {
    sets.chunks(size.max(1)).map(|run| run.iter().flatten().copied().collect()).collect()
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

/// From each `.cfi_startproc` to its `.cfi_endproc`, with the label and symbol directives around it.
fn functions(lines: &[String]) -> Vec<BTreeSet<usize>> {
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
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

/// Each `{ }` by braces, from the line that opens it to the one that closes it, the outermost first. Braces in text and comments
/// mislead it: then the cut is refused by the compiler, and nothing is lost.
fn blocks(lines: &[String]) -> Vec<BTreeSet<usize>> {
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
    use std::collections::BTreeSet;

    use model::Abi;

    use super::{Cut, Language, runs};

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    const ASSEMBLY: Language = Language { abi: Abi::Amd64, is_c: false };
    const C: Language = Language { abi: Abi::Amd64, is_c: true };

    #[test]
    fn a_function_goes_with_its_symbol() {
        let text = lines(".text\n.type f, @function\nf:\n.cfi_startproc\nnop\n.cfi_endproc\n.size f, .-f\n\tret");
        assert_eq!(ASSEMBLY.sets(Cut::Functions, &text), [(1..=6).collect::<BTreeSet<_>>()]);
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

    #[test]
    fn runs_cover_every_set_once() {
        let sets: Vec<BTreeSet<usize>> = (0..5).map(|at| BTreeSet::from([at])).collect();
        assert_eq!(runs(&sets, 2), [BTreeSet::from([0, 1]), BTreeSet::from([2, 3]), BTreeSet::from([4])]);
        assert_eq!(runs(&sets, 0).len(), 5);
        assert!(runs(&[], 3).is_empty());
    }
}
