//! All rows of a CFI section, computed once from its entries.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gimli::{BaseAddresses, CallFrameInstruction, CommonInformationEntry, EndianSlice, ReaderOffset, RunTimeEndian};
use gimli::{UnwindOffset, UnwindSection};
use types::ranges::joined;
use types::{Abi, CfaRule, Pc, PointerEncoding, Reg, ValueRule};

use super::augmentation::{self, Flags};
use super::entries::{Entries, Entry, Kind};
use super::error::CfiError;
use super::pointers;
use super::row_error::RowError;
use super::rule_sets::{RuleSet, RuleSetId, RuleSets, RuleSetsBuilder, SavedId, number};
use super::state::{Machine, Scope, State};
use crate::arch::pc_register;
use crate::eval::Rules;
use crate::program::Op;
use crate::programs::Programs;
use crate::symbol::Purpose;
use crate::{FunctionRange, Lsda, Personality, SignalFrame};

/// Start of a row, and the index of its rules. The row ends at the next row of its function, or
/// with the function.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
struct Kept {
    start: u64,
    set: RuleSetId,
}

/// A row: the range that it covers, and its rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) set: &'a RuleSet,
}

/// First row of a function and one past the last; `None` for an FDE with an error after its range.
type RowSpan = (u32, u32);

/// Data that reading a table needs besides the table itself.
struct Work<'b> {
    /// The section as in the file.
    bytes: &'b [u8],
    machine: Machine,
    builder: RuleSetsBuilder,
    /// Error of the current function that the bytes of a row alone show.
    flaw: Option<RowError>,
}

/// All rows of a section.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// By start, then descriptor offset.
    pub(super) functions: Vec<FunctionRange>,
    /// Rows of each function.
    spans: Vec<RowSpan>,
    rows: Vec<Kept>,
    rule_sets: RuleSets,
    pub(super) programs: Programs,
    pub(super) broken: Vec<(usize, CfiError)>,
    pub(super) lsdas: Vec<Lsda>,
    pub(super) personalities: Vec<Personality>,
    pub(super) signal_frames: Vec<SignalFrame>,
    /// Ranges of PCs with arguments on the stack that a throw removes, and their size in bytes.
    pub(super) pushed: Vec<(Range<u64>, u64)>,
    /// Functions with a calling convention of their own, see [`Cie::is_of_own_convention`]:
    /// ascending ranges, adjacent ones merged.
    pub(super) own_convention: Vec<(u64, u64)>,
    /// Those of them whose return address is in another register than the ABI's.
    pub(super) own_column: Vec<(u64, u64)>,
    /// FDEs, by offset, whose instructions advance to the end of their range or past it, with the
    /// last address.
    pub(super) last_advances: BTreeMap<u64, u64>,
}

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;

/// A CIE and the state after its instructions.
struct Cie<'a> {
    parsed: CommonInformationEntry<Bytes<'a>>,
    flags: Flags,
    initial: State,
}

impl Cie<'_> {
    /// The return-address column.
    fn column(&self) -> Reg {
        Reg(self.parsed.return_address_register().0)
    }

    /// Returns true if a CIE, which describes the function entry, shows that the function is not
    /// called by the ABI: the return address is in another register, or the CFA at another distance
    /// from SP, as in `__morestack` of GCC's split stacks, which skips the function that called it.
    fn is_of_own_convention(&self, abi: Abi) -> bool {
        let facts = abi.facts();
        let shifted = matches!(
            self.initial.cfa,
            CfaRule::Register { reg, offset } if reg == facts.sp && offset != facts.cfa_minus_sp_at_entry
        );
        self.has_own_column(abi) || (shifted && !self.flags.signal)
    }

    /// Returns true if the return address is in a general register that is not the ABI's.
    fn has_own_column(&self, abi: Abi) -> bool {
        let facts = abi.facts();
        self.column() != facts.ra && self.column().0 < facts.general_registers
    }
}

impl Table {
    /// Returns true if the section has no entries.
    pub(super) fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.broken.is_empty()
    }

    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// A row by the position of its function and its own position.
    #[inline]
    pub(super) fn row(&self, function: usize, index: usize) -> Option<Row<'_>> {
        let Kept { start, set } = *self.rows.get(index)?;
        let next = index.saturating_add(1);
        let end = match self.spans.get(function)?.1 as usize == next {
            true => self.functions.get(function)?.end.0,
            false => self.rows.get(next)?.start,
        };
        Some(Row { start, end, set: self.rule_sets.get(set)? })
    }

    #[inline]
    pub(super) fn range(&self, function: usize) -> Option<(u64, u64)> {
        self.functions.get(function).map(|range| (range.start.0, range.end.0))
    }

    /// The positions of a function's rows.
    pub(super) fn rows_of(&self, function: usize) -> Range<usize> {
        let (first, end) = self.spans.get(function).copied().unwrap_or_default();
        first as usize..end as usize
    }

    /// Index of the row of a function that covers a PC.
    pub(super) fn find(&self, function: usize, pc: u64) -> Option<u32> {
        let all = self.rows_of(function);
        let before = self.rows.get(all.clone())?.partition_point(|row| row.start <= pc);
        let index = all.start.checked_add(before.checked_sub(1)?)?;
        (pc < self.functions.get(function)?.end.0).then_some(index as u32)
    }

    /// Returns true if two functions have rows at the same addresses, with the same rules.
    pub(super) fn have_same_rows(&self, one: usize, other: usize) -> bool {
        let rows = |function| self.rows.get(self.rows_of(function)).unwrap_or_default();
        let (one, other) = (rows(one), rows(other));
        let is_same = |(a, b): (&Kept, &Kept)| ({ a.start }, { a.set }) == ({ b.start }, { b.set });
        one.len() == other.len() && one.iter().zip(other).all(is_same)
    }

    /// The rules of every register that has one in the row.
    pub(super) fn saved(&self, row: &Row<'_>) -> &[(Reg, ValueRule)] {
        self.rule_sets.saved(row.set.saved)
    }

    /// The registers for which any row has a rule.
    pub(super) fn registers_with_rules(&self) -> BTreeSet<Reg> {
        self.rule_sets.registers()
    }

    /// Makes FP undefined if no entry has a rule for it, as in Go's `.debug_frame`: a register's
    /// default rule is "undefined" (DWARF 5, 6.4.1). That a register without a rule keeps its value
    /// is a convention of producers that write rules for the others.
    pub(super) fn undefine_unused(&mut self, fp: Reg) {
        self.rule_sets.undefine_unused(fp);
    }

    /// Reads all entries. `bytes` is the original section, `section` the copy that gimli reads.
    pub(super) fn read<'a, S>(abi: Abi, bytes: &[u8], section: &S, bases: &BaseAddresses, entries: Entries<'_>) -> Self
    where
        S: UnwindSection<Bytes<'a>>,
        S::Offset: UnwindOffset<usize>,
    {
        let mut table = Table::default();
        let mut cies = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.kind == Kind::Cie) {
            let cie = table.cie(abi, bytes, section, bases, &entry);
            if let Err(error) = &cie {
                table.broken.push((entry.offset, error.clone()));
            }
            cies.insert(entry.offset, cie);
        }
        // Maximum number of rules in all rows together. This is only a limit: a row of many rules
        // costs one byte to repeat with one changed, and no compiler's table reaches four rules per
        // byte.
        let budget = bytes.len().saturating_mul(4).saturating_add(1 << 16);
        let mut work =
            Work { bytes, machine: Machine::new(State::empty()), builder: RuleSetsBuilder::new(budget), flaw: None };
        for entry in entries.iter().filter(|entry| matches!(entry.kind, Kind::Fde { .. })) {
            if let Err(error) = table.fde(abi, section, bases, &entry, &cies, &mut work) {
                table.broken.push((entry.offset, error));
            }
        }
        table.rule_sets = work.builder.finish();
        // A large library has a million rows, and as much spare capacity.
        table.rows.shrink_to_fit();
        table.broken.sort_by_key(|(offset, _)| *offset);
        table.functions.shrink_to_fit();
        table.spans.shrink_to_fit();
        table.sort();
        table
    }

    fn sort(&mut self) {
        self.signal_frames.sort_by_key(|frame| (frame.function.start, frame.function.offset));
        self.own_convention = joined(self.own_convention.drain(..));
        self.own_column = joined(self.own_column.drain(..));
        let key = |range: &FunctionRange| (range.start, range.offset);
        if !self.functions.is_sorted_by_key(key) {
            let mut both: Vec<(FunctionRange, RowSpan)> = self.functions.drain(..).zip(self.spans.drain(..)).collect();
            both.sort_by_key(|(range, _)| key(range));
            both.into_iter().for_each(|(range, span)| {
                self.functions.push(range);
                self.spans.push(span);
            });
        }
    }

    fn cie<'a, S>(
        &mut self,
        abi: Abi,
        bytes: &[u8],
        section: &S,
        bases: &BaseAddresses,
        entry: &Entry,
    ) -> Result<Cie<'a>, CfiError>
    where
        S: UnwindSection<Bytes<'a>>,
        S::Offset: UnwindOffset<usize>,
    {
        augmentation::check(bytes, entry)?;
        let parsed = section.cie_from_offset(bases, S::Offset::from(entry.offset))?;
        // libgcc reads the start of an FDE from that address; gdb rejects it.
        if parsed.fde_address_encoding().is_some_and(|encoding| PointerEncoding(encoding.0).is_indirect()) {
            return Err(CfiError::Invalid("FDE starts that are read from memory (DW_EH_PE_indirect)"));
        }
        let scope = Scope {
            abi,
            section,
            encoding: parsed.encoding(),
            base: bases.eh_frame.section,
            data_alignment: parsed.data_alignment_factor(),
            initial: None,
            pc_register: pc_register(abi),
        };
        let mut machine = Machine::new(State::empty());
        let mut instructions = parsed.instructions(section, bases);
        while let Some(instruction) = instructions.next()? {
            machine.apply(instruction, &scope, &mut self.programs)?;
        }
        let personality = pointers::of_personality(&parsed, bytes, entry, bases);
        self.personalities.extend(personality.map(|pointer| Personality { cie: entry.offset.into_u64(), pointer }));
        Ok(Cie { flags: augmentation::flags(abi, bytes, entry), initial: machine.state, parsed })
    }

    fn fde<'a, S>(
        &mut self,
        abi: Abi,
        section: &S,
        bases: &BaseAddresses,
        entry: &Entry,
        cies: &BTreeMap<usize, Result<Cie<'a>, CfiError>>,
        work: &mut Work<'_>,
    ) -> Result<(), CfiError>
    where
        S: UnwindSection<Bytes<'a>>,
        S::Offset: UnwindOffset<usize>,
    {
        let partial = section.partial_fde_from_offset(bases, S::Offset::from(entry.offset))?;
        let cie_offset: usize = UnwindOffset::into(partial.cie_offset());
        let cie = match cies.get(&cie_offset) {
            Some(Ok(cie)) => cie,
            Some(Err(error)) => {
                let offset = cie_offset.into_u64();
                return Err(CfiError::BrokenCie { offset, error: Box::new(error.clone()) });
            }
            None => return Err(CfiError::NoCie(cie_offset.into_u64())),
        };
        let fde = partial.parse(|_, _, _| Ok(cie.parsed.clone()))?;
        let start = fde.initial_address();
        let end = start.checked_add(fde.len()).ok_or(CfiError::Overflow(start))?;
        let scope = Scope {
            abi,
            section,
            encoding: cie.parsed.encoding(),
            base: bases.eh_frame.section,
            data_alignment: cie.parsed.data_alignment_factor(),
            initial: Some(&cie.initial),
            pc_register: pc_register(abi),
        };

        let range = FunctionRange { start: Pc(start), end: Pc(end), offset: entry.offset.into_u64() };
        let lsda = pointers::of_lsda(&fde, work.bytes, entry, bases);
        if let Some(pointer) = lsda.filter(|pointer| start < end && !pointer.is_null()) {
            self.lsdas.push(Lsda { function: range, cie: cie_offset.into_u64(), pointer });
        }
        if cie.flags.signal && start < end {
            self.signal_frames.push(SignalFrame { function: range, cie: cie_offset.into_u64() });
        }
        if cie.is_of_own_convention(abi) {
            self.own_convention.push((start, end));
        }
        if cie.has_own_column(abi) {
            self.own_column.push((start, end));
        }
        let before = self.rows.len();
        let unsound = self.programs.unsound();
        work.flaw = None;
        let mut run = self.run(&scope, cie, range, fde.instructions(section, bases), work);
        if let Err(error) = &run {
            // Rows before the error are not trusted: the producer's intention is unknown.
            self.rows.truncate(before);
            if error.is_of_other_readers() {
                run = self.unsupported(abi, cie, range, &mut work.builder);
            }
        }
        number(self.functions.len())?;
        let rows = (number(before)?, number(self.rows.len())?);
        self.functions.push(range);
        self.spans.push(rows);
        // The rest of the function is as good as before; that no reader can evaluate this row is an
        // error nevertheless.
        if self.programs.unsound() > unsound {
            return run.and(Err(CfiError::Meaningless("an expression that has no meaning here")));
        }
        match work.flaw {
            Some(RowError::Register) => {
                run.and(Err(CfiError::Invalid("a rule with a register that the ABI does not have")))
            }
            Some(RowError::NowhereHeld) => {
                run.and(Err(CfiError::Invalid("a return address without a rule, which no register holds")))
            }
            // One bug of the CIE, regardless of how many functions share it.
            Some(RowError::Column) if run.is_ok() => {
                if !self.broken.iter().any(|(offset, _)| *offset == cie_offset) {
                    let error = CfiError::Invalid("a return-address column that no call leaves a return address in");
                    self.broken.push((cie_offset, error));
                }
                run
            }
            Some(RowError::Column) | None => run,
        }
    }

    /// Adds one row that cannot be evaluated, for the whole function.
    fn unsupported(
        &mut self,
        abi: Abi,
        cie: &Cie<'_>,
        range: FunctionRange,
        builder: &mut RuleSetsBuilder,
    ) -> Result<(), CfiError> {
        let cfa = self.programs.add(&[Op::Unsupported], Purpose::Cfa, abi).ok_or(CfiError::TooMany("expressions"))?;
        let rules = Rules { cfa: CfaRule::Expression(cfa), ..rules(abi, cie, &State::empty()) };
        let set = builder.add(RuleSet { rules, key: cie.flags.key, saved: SavedId::default() })?;
        if range.start < range.end {
            self.rows.push(Kept { start: range.start.0, set });
        }
        Ok(())
    }

    /// Runs an FDE's instructions and stores the row between each two advances.
    fn run<'a, S>(
        &mut self,
        scope: &Scope<'_, S>,
        cie: &Cie<'a>,
        range: FunctionRange,
        mut instructions: gimli::CallFrameInstructionIter<'_, Bytes<'a>>,
        Work { machine, builder, flaw, .. }: &mut Work<'_>,
    ) -> Result<(), CfiError>
    where
        S: UnwindSection<Bytes<'a>>,
        S::Offset: UnwindOffset<usize>,
    {
        let code_alignment = cie.parsed.code_alignment_factor();
        machine.begin(&cie.initial);
        let mut location = range.start.0;
        let mut saved = SavedId::default();
        loop {
            let mut done = false;
            let next = match instructions.next()? {
                None => {
                    done = true;
                    range.end.0
                }
                Some(CallFrameInstruction::SetLoc { address }) if address < location => {
                    return Err(CfiError::Backwards(address));
                }
                Some(CallFrameInstruction::SetLoc { address }) => address,
                Some(CallFrameInstruction::AdvanceLoc { delta }) => u64::from(delta)
                    .checked_mul(code_alignment)
                    .and_then(|delta| location.checked_add(delta))
                    .ok_or(CfiError::Overflow(location))?,
                Some(instruction) => {
                    machine.apply(instruction, scope, &mut self.programs)?;
                    continue;
                }
            };
            let end = next.min(range.end.0);
            // Of several states at the same PC only the last is a row; a state after the function
            // is not.
            if location < end {
                if machine.touched {
                    *flaw = flaw.or_else(|| RowError::from_registers(scope.abi, &machine.state.rules));
                    saved = builder.add_saved(&machine.state.rules)?;
                    machine.touched = false;
                }
                if machine.pushed > 0 {
                    self.pushed.push((location..end, machine.pushed));
                }
                number(self.rows.len().saturating_add(1))?;
                let rules = rules(scope.abi, cie, &machine.state);
                *flaw = flaw.or_else(|| RowError::new(scope.abi, &rules));
                let set = builder.add(RuleSet { rules, key: cie.flags.key, saved })?;
                self.rows.push(Kept { start: location, set });
            }
            if done {
                return Ok(());
            }
            if next >= range.end.0 {
                self.last_advances.insert(range.offset, next);
            }
            location = next;
        }
    }
}

/// The rules of the columns that every step needs. A column without a rule keeps its value:
/// compilers mean this by omitting it, though DWARF leaves the default to the ABI (DWARF 5, 6.4.1).
/// SP without a rule is the CFA less the ABI's distance.
fn rules(abi: Abi, cie: &Cie<'_>, state: &State) -> Rules {
    let facts = abi.facts();
    let ra_column = cie.column();
    Rules {
        cfa: state.cfa,
        ra: state.rule(ra_column).unwrap_or(ValueRule::SameValue),
        fp: state.rule(facts.fp).unwrap_or(ValueRule::SameValue),
        sp: state.rule(facts.sp),
        ra_column,
        signed_by: state.signing.is_signed().then_some(cie.flags.key),
        signed_with_pc: state.signing.is_with_pc(),
        signal: cie.flags.signal,
    }
}
