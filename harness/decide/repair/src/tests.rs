//! Functions whose rows are written as text: one line for each instruction.

use types::{Abi, CfaRule, Pc, Reg, ValueRule};

use crate::{Boundary, Budget, Entered, Facts, Function, Given, NoRepair, Part, Row, Spelling, Value, repair};

/// A function in lines of `INSTRUCTION | ROW | ROW...`: the table's row, then the right ones, of
/// which the first is that of the source. A row is `rsp+16 fp=-16 s`; `-` is the same as the
/// table's, no right row: not reached. `!`: directives set the table's row here.
struct Text<'a> {
    abi: Abi,
    lines: Vec<Vec<&'a str>>,
}

impl<'a> Text<'a> {
    fn new(abi: Abi, text: &'a str) -> Text<'a> {
        let lines = text.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        Text { abi, lines }
    }

    fn row(&self, text: &str) -> Row {
        let facts = self.abi.facts();
        let mut row = Row::at_entry(self.abi);
        for word in text.split(' ') {
            let reg = |name: &str| match name {
                "sp" => facts.sp,
                "fp" => facts.fp,
                "ra" => facts.ra,
                other => Reg(other.trim_start_matches('r').parse().expect("a register")),
            };
            row = match (word.split_once('+'), word.split_once('=')) {
                (Some((base, offset)), _) => {
                    row.with_cfa(CfaRule::Register { reg: reg(base), offset: offset.parse().expect("an offset") })
                }
                (_, Some((name, offset))) => row.with_rule(reg(name), ValueRule::AtCfa(offset.parse().expect("n"))),
                _ if word == "s" => {
                    let mut signed = row;
                    signed.set(Part::Signing, Value::Signed(true));
                    signed
                }
                _ => panic!("{word}"),
            };
        }
        row
    }

    fn function(&self) -> Function {
        let mut boundaries: Vec<Boundary> = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let row = self.row(line[1].trim_end_matches(" !"));
            let all = [(Part::Cfa, Spelling::Whole), (Part::Register(self.abi.facts().fp), Spelling::Whole)];
            let given = line[1].ends_with('!').then(|| Given { sets: all.into(), ..Given::default() });
            let right: Vec<Row> = line[2..]
                .iter()
                .filter(|text| !text.is_empty())
                .map(|text| if *text == "-" { row.clone() } else { self.row(text) })
                .collect();
            let mut facts = Facts::default();
            for right in &right {
                for part in [Part::Cfa, Part::Signing, Part::Register(self.abi.facts().fp), Part::Register(Reg(19))] {
                    facts = facts.and(part, right.get(part));
                }
            }
            let ends = |line: &Vec<&str>| ["ret", "jmp"].iter().any(|end| line[0].starts_with(end));
            let by_jump = index > 0 && ends(&self.lines[index - 1]);
            let entered = if by_jump { Entered::ByJump } else { Entered::FromBefore };
            let facts = (!right.is_empty()).then_some(facts);
            let restores = ["ldp", "pop"].iter().any(|load| line[0].starts_with(load));
            boundaries.push(Boundary { pc: Pc(index as u64), entered, row, given, restores, facts });
        }
        let end = Pc(boundaries.len() as u64);
        Function { abi: self.abi, initial: Row::at_entry(self.abi), boundaries, end }
    }

    /// The normal forms of the edits, after which the rows are the source's wherever it was
    /// reached.
    fn repaired(&self) -> Vec<String> {
        let function = self.function();
        let found = repair(&function).unwrap_or_else(|error| panic!("{error}"));
        let is_reached = |line: &&Vec<&str>| line.get(2).is_some_and(|text| !text.is_empty());
        for (row, line) in found.rows.iter().zip(&self.lines).filter(|(_, line)| is_reached(line)) {
            let right = if line[2] == "-" { line[1].trim_end_matches(" !") } else { line[2] };
            assert_eq!(*row, self.row(right), "{line:?}: {:#?}", found.edits);
        }
        let text = |pc: Pc| self.lines[pc.0 as usize][0].to_owned();
        found.edits.iter().map(|edit| edit.normal_form(self.abi, text)).collect()
    }
}

fn forms(text: &str) -> Vec<String> {
    Text::new(Abi::Amd64, text).repaired()
}

/// Each later offset is wrong too: one relative directive is missing.
#[test]
fn a_lost_relative_change_is_one_edit() {
    let found = forms(
        "push R | sp+8 | -
push R | sp+8 | sp+16
call | sp+16 | sp+24
add $N,SP | sp+16 | sp+24
ret | sp+0 | sp+8",
    );
    assert_eq!(found, ["insert .cfi_adjust_cfa_offset N after push R"]);
}

/// Part of a function that is entered with a frame, described as one that is called.
#[test]
fn a_wrong_row_at_the_entry_is_set_there() {
    let found = forms(
        "call | sp+8 | sp+24 fp=-16
jmp | sp+8 | sp+24 fp=-16",
    );
    assert_eq!(found, ["insert .cfi_adjust_cfa_offset N at the entry", "insert .cfi_offset FP, -N at the entry"]);
}

/// Later offsets are right: they are absolute.
#[test]
fn a_lost_absolute_change_is_one_edit() {
    let found = forms(
        "push R | sp+8 | -
push R | sp+8 | sp+16
call | sp+24 | -
ret | sp+8 | -",
    );
    assert_eq!(found, ["insert .cfi_adjust_cfa_offset N after push R"]);
}

#[test]
fn a_late_directive_is_moved_before_the_instruction_it_stands_after() {
    let found = forms(
        "push R | sp+8 | -
mov R,R | sp+8 | sp+16
pop R | sp+16 | -
ret | sp+8 | -",
    );
    assert_eq!(found, ["move .cfi_adjust_cfa_offset N after push R"]);
}

#[test]
fn an_early_directive_is_moved_after_the_instruction_it_describes() {
    let found = forms(
        "mov R,R | sp+8 | -
push R | sp+16 | sp+8
pop R | sp+16 | -
ret | sp+8 | -",
    );
    assert_eq!(found, ["move .cfi_adjust_cfa_offset N after push R"]);
}

/// The place of a new base is after the instruction that makes it hold, though the old base holds
/// there too.
#[test]
fn a_lost_base_is_inserted_where_it_begins_to_hold() {
    let found = forms(
        "push FP | sp+8 | -
mov SP,FP | sp+16 fp=-16 | -
sub $N,SP | sp+16 fp=-16 | fp+16 fp=-16 | sp+16 fp=-16
call | sp+16 fp=-16 | fp+16 fp=-16 | sp+32 fp=-16
leave | sp+16 fp=-16 | fp+16 fp=-16 | sp+32 fp=-16
ret | sp+8 fp=-16 | -",
    );
    assert_eq!(found, ["insert .cfi_def_cfa_register FP after mov SP,FP"]);
}

#[test]
fn a_lost_restore_of_the_state_is_no_edit_of_its_parts() {
    let found = forms(
        "push FP | sp+8 | -
mov SP,FP | sp+16 fp=-16 | -
call | fp+16 fp=-16 | -
jne | fp+16 fp=-16 | -
leave | fp+16 fp=-16 | -
ret | sp+8 | -
call | sp+8 | fp+16 fp=-16
leave | sp+8 | fp+16 fp=-16
ret | sp+8 ! | -",
    );
    assert_eq!(found, ["insert .cfi_restore_state after ret"]);
}

/// What is restored is wrong because what was remembered is: one edit fixes both.
#[test]
fn a_restored_state_is_right_with_the_one_that_was_remembered() {
    let found = forms(
        "push FP | sp+8 | -
mov SP,FP | sp+16 | sp+16 fp=-16
call | fp+16 | fp+16 fp=-16
jne | fp+16 | fp+16 fp=-16
leave | fp+16 | fp+16 fp=-16
ret | sp+8 | sp+8 fp=-16 | sp+8
call | fp+16 | fp+16 fp=-16
leave | fp+16 | fp+16 fp=-16
ret | sp+8 | sp+8 fp=-16 | sp+8",
    );
    assert_eq!(found, ["insert .cfi_offset FP, -N after push FP"]);
}

/// The epilogue's directive is missing, so that nothing shows where the state is restored.
#[test]
fn a_state_that_is_restored_without_a_change_is_no_edit() {
    let found = forms(
        "push FP | sp+8 | -
jne | sp+16 fp=-16 | -
pop FP | sp+16 fp=-16 | -
ret | sp+16 fp=-16 | sp+8 fp=-16
call | sp+16 fp=-16 | -
pop FP | sp+16 fp=-16 | -
ret | sp+8 fp=-16 | -",
    );
    assert_eq!(found, ["insert .cfi_adjust_cfa_offset -N after pop FP"]);
}

#[test]
fn a_late_remember_is_moved() {
    let found = forms(
        "push R | sp+8 | -
push R | sp+16 | -
jne | sp+24 | -
pop R | sp+24 | -
pop R | sp+16 | -
ret | sp+8 | -
call | sp+16 | sp+24
ret | sp+16 | sp+24",
    );
    assert_eq!(found, ["move .cfi_remember_state after jne"]);
}

#[test]
fn a_wrong_operand_is_changed() {
    let found = forms(
        "push FP | sp+8 | -
mov SP,FP | sp+16 fp=-24 | sp+16 fp=-16
pop FP | sp+16 fp=-24 | sp+16 fp=-16
ret | sp+8 | -",
    );
    assert_eq!(found, ["change .cfi_offset FP, -N after push FP"]);
}

/// Registers are restored where their place is given up; saves are described together.
#[test]
fn saves_and_restores_stand_where_compilers_put_them() {
    let found = Text::new(
        Abi::Aarch64,
        "stp FP,RA | sp+0 | -
stp S,S | sp+0 | - | sp+32
mov SP,FP | sp+0 | - | sp+32 | sp+32 r19=-8 | sp+0 r19=-8
call | sp+32 fp=-32 | sp+32 fp=-32 r19=-8 | sp+32 fp=-32
nop | sp+32 fp=-32 | sp+32 fp=-32 r19=-8
ldp | sp+32 fp=-32 | sp+32 fp=-32 r19=-8
ret | sp+0 | -",
    );
    assert_eq!(found.repaired(), ["insert .cfi_offset S, -N after mov SP,FP"]);
}

#[test]
fn signing_is_a_state_of_its_own() {
    let found = Text::new(
        Abi::Aarch64,
        "paciasp | sp+0 | -
stp | sp+0 | sp+0 s
autiasp | sp+0 | sp+0 s
ret | sp+0 s | sp+0",
    );
    assert_eq!(found.repaired(), ["insert .cfi_negate_ra_state after paciasp"]);
}

#[test]
fn without_a_wrong_row_or_with_too_many_there_is_no_repair() {
    let error = |text| repair(&Text::new(Abi::Amd64, text).function()).expect_err("no repair").to_string();
    assert_eq!(error("push R | sp+8 | -\nret | sp+16 | -"), "no row is wrong");
    let many = "a | sp+8 | -
b | sp+8 | sp+16
c | sp+8 | sp+64
d | sp+8 | sp+24
e | sp+8 | sp+128
f | sp+8 | -";
    assert_eq!(error(many), "several repairs: edits at more than 3 places up to 0x4");
    let function = Text::new(Abi::Amd64, "push R | sp+8 | -\ncall | sp+8 | sp+16\nret | sp+8 | sp+16").function();
    let mut budget = Budget::new(2_000);
    assert!(budget.repair(&function).is_ok());
    let repaired = (0..2_000).map(|_| budget.repair(&function)).take_while(Result::is_ok).count();
    assert!(repaired < 2_000, "the budget is that of all functions");
    assert_eq!(budget.repair(&function), Err(NoRepair::Work));
}

/// Each later offset is absolute in the table, though the directives are relative.
#[test]
fn an_early_relative_change_is_moved() {
    let found = forms(
        "push S | sp+0 | sp+8
lea | sp+8 | sp+16
pop S | sp+8 | sp+16
ret | sp+8 | -",
    );
    assert_eq!(found, ["move .cfi_adjust_cfa_offset -N after pop S"]);
}

/// What was not reached is not judged.
#[test]
fn rows_that_were_not_reached_follow_their_directives() {
    let found = forms(
        "push R | sp+8 | -
jne | sp+8 | sp+16
call | sp+8 |
pop R | sp+8 | sp+16
ret | sp+8 | -",
    );
    assert_eq!(found, ["insert .cfi_adjust_cfa_offset N after push R", "insert .cfi_adjust_cfa_offset -N after pop R"]);
}
