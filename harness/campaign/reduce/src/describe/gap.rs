//! Where a compiler's directive is missing or too early in the assembly that it writes.

use isa::{Disassembler, Instruction};
use results::bundle::{Check, DirectiveBug};
use results::{Finding, Values};
use spec::RuleId;
use types::{Abi, Aspect, CfaRule, Image, Location, Pc, Reg, ValueRule};

/// Lines quoted before and after the wrong place.
const AROUND: usize = 3;

/// How a script finds the wrong place in a compiler's assembly, and the lines around it; `None` if
/// no directive after an instruction is missing or early.
pub(super) fn gap(assembly: &str, image: &Image, found: &Finding) -> Option<(Check, String)> {
    let pc = found.evidence.at.or(found.evidence.ranges.first().map(|range| range.0))?;
    let function = image.function_at(Pc(pc))?;
    let name = function.name.to_string();
    let lines = body(assembly, &name);
    let code: Vec<usize> = (0..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| is_code(line))).collect();
    let until = function.address + function.size.max(1);
    let executed = instructions(image, function.address, until);
    let at = executed.iter().position(|one| one.pc == pc)?;
    let is_same = |(line, one): (&usize, &Instruction)| lines.get(*line).is_some_and(|line| is_it(line, &one.text));
    let is_aligned = code.len() == executed.len() || code.iter().zip(&executed).take(at + 1).all(is_same);
    if at == 0 || !is_aligned {
        return None;
    }
    let (before, here) = (*code.get(at - 1)?, *code.get(at)?);
    let after = lines.get(before)?;
    if !changes(image.abi, found.evidence.field, after) {
        return None;
    }
    let pattern = directives(found)?;
    let is_directive = regex::Regex::new(pattern).ok()?;
    let between = lines.get(before + 1..here)?;
    let fault = match between.iter().any(|line| is_directive.is_match(line)) {
        false => DirectiveBug::Absent,
        true if is_early(found, pc) => DirectiveBug::Early,
        true => return None,
    };
    // Every such gap has to be a wrong place, or a right compiler would be accused.
    for (nth, (start, end)) in code.iter().zip(code.iter().skip(1)).enumerate() {
        let has = lines.get(start + 1..*end)?.iter().any(|line| is_directive.is_match(line));
        let looks_wrong = lines.get(*start) == Some(after) && has == (fault == DirectiveBug::Early);
        let wrong = executed
            .get(nth + 1)
            .is_some_and(|one| found.evidence.ranges.iter().any(|(first, last)| (*first..*last).contains(&one.pc)));
        if looks_wrong && !wrong {
            return None;
        }
    }
    let check = Check::Directive {
        function: name,
        after: format!("^{}$", escaped(after)),
        before: None,
        directive: pattern.to_owned(),
        earlier: false,
        fault,
    };
    let quoted = lines.get(before.saturating_sub(AROUND)..(here + 1 + AROUND).min(lines.len()))?;
    Some((check, quoted.join("\n")))
}

/// The lines of a function up to the end of its CFI, with one blank between words and without
/// comments and labels that nothing jumps to by name.
fn body(assembly: &str, name: &str) -> Vec<String> {
    let label = format!("{name}:");
    let inside = assembly.lines().skip_while(|line| !line.starts_with(&label)).skip(1);
    let plain = inside.map(plain).take_while(|line| line != ".cfi_endproc");
    plain.filter(|line| !line.is_empty() && (is_code(line) || line.starts_with(".cfi_"))).collect()
}

/// A line as the script sees it.
fn plain(line: &str) -> String {
    let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = [" # ", " //"].iter().filter_map(|mark| whole.find(mark)).min().unwrap_or(whole.len());
    let text = whole.get(..end).unwrap_or(&whole).trim_end();
    if text.starts_with('#') || text.starts_with("//") { String::new() } else { text.to_owned() }
}

/// Returns true for an instruction.
fn is_code(line: &str) -> bool {
    !line.starts_with('.') && !line.ends_with(':')
}

/// The instructions of a function, without padding.
fn instructions(image: &Image, from: u64, until: u64) -> Vec<Instruction> {
    let disassembler = Disassembler::new(image);
    let mut all = Vec::new();
    let mut at = from;
    while let Some(one) = disassembler.at(at).filter(|_| at < until) {
        at = at.saturating_add(one.length.max(1));
        if !one.text.starts_with("nop") {
            all.push(one);
        }
    }
    all
}

/// Returns true if a line of assembly can be an instruction: its mnemonic, but for a suffix.
fn is_it(line: &str, text: &str) -> bool {
    let word = |text: &str| text.split([' ', '\t']).next().unwrap_or_default().to_owned();
    let (written, read) = (word(line), word(text));
    let alike = |one: &str, other: &str| one.get(..2).is_some() && one.get(..2) == other.get(..2);
    written.starts_with(&read) || read.starts_with(&written) || alike(&written, &read)
}

/// Directives that change the field that is wrong, as an expression of awk. The first alternative,
/// which texts quote, is the one that states the truth.
fn directives(found: &Finding) -> Option<&'static str> {
    let truth = found.evidence.truth.as_ref().and_then(|truth| truth.row.equations());
    let of = |home: Option<Location>| match home {
        None | Some(Location::Rule(ValueRule::SameValue)) => {
            r"^\.cfi_(restore|same_value|offset|rel_offset|register|undefined|escape)"
        }
        Some(Location::Rule(ValueRule::AtCfa(_))) => {
            r"^\.cfi_(offset|rel_offset|restore|same_value|register|undefined|escape)"
        }
        Some(_) => r"^\.cfi_(undefined|register|restore|same_value|offset|rel_offset|escape)",
    };
    match found.evidence.field {
        Aspect::Cfa if base(&found.evidence.truth) == base(&found.evidence.eh_frame) => {
            Some(r"^\.cfi_(def_cfa_offset|def_cfa|adjust_cfa_offset|restore_state|escape)")
        }
        Aspect::Cfa => Some(r"^\.cfi_(def_cfa|adjust_cfa_offset|restore_state|escape)"),
        Aspect::Fp => Some(of(truth.map(|row| row.fp))),
        Aspect::Ra if [RuleId::RowSignedMatchesTruth, RuleId::EhFrameSignedMatchesTruth].contains(&found.rule()) => {
            Some(r"^\.cfi_(negate_ra_state|restore_state)")
        }
        Aspect::Ra => Some(of(truth.map(|row| row.ra))),
        Aspect::Registers => Some(r"^\.cfi_(offset|rel_offset|restore|same_value|register|undefined|escape)"),
        Aspect::Structure | Aspect::Coverage => None,
    }
}

/// The register of a row's CFA.
fn base(values: &Option<Values>) -> Option<Reg> {
    match values.as_ref()?.row.equations()?.cfa {
        CfaRule::Register { reg, .. } => Some(reg),
        CfaRule::Memory { .. } | CfaRule::Expression(_) | CfaRule::Unspecified => None,
    }
}

/// Returns true if an instruction can be what a directive about a field follows: for FP and RA one
/// that names the register. The directive that is missing may else belong elsewhere.
fn changes(abi: Abi, field: Aspect, line: &str) -> bool {
    let names: &[&str] = match (field, abi) {
        (Aspect::Fp, Abi::Amd64) => &["rbp"],
        (Aspect::Fp, Abi::Aarch64 | Abi::Aarch64Be) => &["x29", "w29", "fp"],
        (Aspect::Fp, Abi::S390x) => &["r11"],
        (Aspect::Ra, Abi::Aarch64 | Abi::Aarch64Be) => &["x30", "lr", "aut", "pac", "hint", "ret"],
        (Aspect::Ra, Abi::S390x) => &["r14"],
        (Aspect::Ra, Abi::Amd64) => &[],
        (Aspect::Cfa | Aspect::Registers | Aspect::Structure | Aspect::Coverage, _) => return true,
    };
    names.iter().any(|name| line.contains(name))
}

/// Returns true if the row before the wrong instruction was right for it: what changed the row
/// came too early.
fn is_early(found: &Finding, pc: u64) -> bool {
    let term = |row: &str| {
        let name = format!("{}=", found.evidence.field.name());
        row.split(' ').find(|word| word.starts_with(&name)).map(str::to_owned)
    };
    let window = &found.shown.window;
    let Some(at) = window.iter().position(|line| line.pc == pc) else { return false };
    let (Some(here), Some(before)) = (window.get(at), at.checked_sub(1).and_then(|at| window.get(at))) else {
        return false;
    };
    let truth = term(&here.truth);
    truth.is_some() && truth == term(&before.eh_frame)
}

/// An expression that matches a text alone.
fn escaped(text: &str) -> String {
    let special = |c: char| r"\.^$*+?()[]{}|".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use results::{Blame, Finding, Shape, Values};
    use spec::RuleId;
    use types::{Abi, Aspect, CfaRule, Claim, Equations, Location, Reg, ValueRule};

    use super::{body, changes, directives, escaped, is_code, is_it};

    /// The directive that texts name as the expected one.
    #[test]
    fn the_first_directive_states_the_truth() {
        let row = |reg, fp| {
            let (cfa, ra) = (CfaRule::Register { reg, offset: 160 }, Location::Rule(ValueRule::SameValue));
            let (abi, sp, signed_by) = (Abi::S390x, None, None);
            let row = Equations { abi, cfa, ra, fp, sp, signed_by, signed_with_pc: false, signal: false };
            Some(Values::from_row(Claim::Row(row, None)))
        };
        let same = Location::Rule(ValueRule::SameValue);
        for (field, truth, wrong, expected) in [
            (Aspect::Fp, row(Reg(15), Location::Elsewhere), row(Reg(15), same), "undefined"),
            (Aspect::Fp, row(Reg(15), same), row(Reg(15), Location::Elsewhere), "restore"),
            (Aspect::Fp, row(Reg(15), Location::Rule(ValueRule::AtCfa(-16))), row(Reg(15), same), "offset"),
            (Aspect::Cfa, row(Reg(15), same), row(Reg(15), same), "def_cfa_offset"),
            (Aspect::Cfa, row(Reg(15), same), row(Reg(11), same), "def_cfa"),
        ] {
            let mut found = Finding::new(RuleId::RowFpMatchesTruth, Blame::Compiler, "f", Shape::Rule);
            (found.evidence.field, found.evidence.truth, found.evidence.eh_frame) = (field, truth, wrong);
            let first = format!(r"^\.cfi_({expected}|");
            assert!(directives(&found).is_some_and(|all| all.starts_with(&first)), "{:?}", directives(&found));
        }
    }

    #[test]
    fn a_function_is_its_code_and_directives() {
        let assembly = "test:\n.Lfunc_begin0:\n\t.cfi_startproc\n# %bb.0:\n\tpopq\t%rbp  # a comment\n\t.p2align 4\n.L1:\n\t.cfi_def_cfa %rsp, 8\n\
                        \tretq\n\t.cfi_endproc\nother:\n\tnop\n";
        let lines = body(assembly, "test");
        assert_eq!(lines, [".cfi_startproc", "popq %rbp", ".cfi_def_cfa %rsp, 8", "retq"]);
        assert_eq!(lines.iter().filter(|line| is_code(line)).count(), 2);
    }

    #[test]
    fn a_line_is_an_instruction_by_its_mnemonic() {
        assert!(is_it("popq %rbp", "pop %rbp") && is_it("retq", "ret") && is_it("movl %eax, %edi", "mov %eax,%edi"));
        assert!(!is_it("popq %rbp", "ret") && !is_it("addq $8, %rsp", "lea 0x8(%rsp),%rsp"));
        assert_eq!(escaped("addq $8, (%rsp)"), r"addq \$8, \(%rsp\)");
    }

    /// A directive that is missing after a call belongs elsewhere.
    #[test]
    fn a_register_is_restored_where_it_is_named() {
        assert!(changes(Abi::Amd64, Aspect::Fp, "popq %rbp") && changes(Abi::Amd64, Aspect::Cfa, "popq %rcx"));
        assert!(!changes(Abi::Amd64, Aspect::Fp, "callq f") && !changes(Abi::Amd64, Aspect::Ra, "popq %rbp"));
        assert!(changes(Abi::S390x, Aspect::Ra, "lmg %r14, %r15, 272(%r15)"));
    }
}
