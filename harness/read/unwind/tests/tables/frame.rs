//! A frame to which tables are applied: registers with known values, and a stack whose every word
//! holds its own address.

use std::collections::BTreeSet;

use testing::sources::Built;
use types::{Abi, Answer, Caller, CodePoint, Fault, FrameRegs, Pc, Reg, RegFile as _, Stack};
use unwind::Unwinder;

use crate::number;

/// The stack: every word holds its own address and [`MARK`].
const STACK: u64 = 0x7000_0000;
const SIZE: u64 = 0x1000;
const SP: u64 = STACK + 0x400;
const FP: u64 = STACK + 0x600;
const MARK: u64 = 0xa000_0000_0000_0000;

/// A frame to which tables are applied.
pub(crate) struct Frame {
    abi: Abi,
    pub(crate) registers: FrameRegs,
    stack: Vec<u8>,
    show: BTreeSet<String>,
}

impl Frame {
    pub(crate) fn new(abi: Abi, built: &Built<'_>) -> Frame {
        let words = |key| built.setting(key).unwrap_or_default().split_whitespace();
        let pairs = |key| words(key).map(|pair| pair.split_once('=').expect("NAME=VALUE"));
        let mut registers = FrameRegs::none();
        for number in 0..40 {
            registers.set(Reg(number), Some(0x1000 + u64::from(number)));
        }
        registers.set(abi.facts().sp, Some(SP));
        registers.set(abi.facts().fp, Some(FP));
        for (reg, value) in pairs("registers") {
            registers.set(Reg(reg.parse().expect("a register")), (value != "none").then(|| number(value)));
        }
        let mut stack = Vec::new();
        for address in (STACK..STACK + SIZE).step_by(8) {
            let own = pairs("memory").find(|(place, _)| number(place) == address);
            let word = own.map_or(MARK | address, |(_, value)| number(value));
            stack.extend(abi.facts().order.bytes_of(word));
        }
        Frame { abi, registers, stack, show: words("show").map(str::to_owned).collect() }
    }

    /// The stack as it is while SP is [`SP`].
    pub(crate) fn stack(&self) -> Stack<'_> {
        let facts = self.abi.facts();
        Stack::new(STACK, &self.stack, SP - facts.red_zone, facts.order, &())
    }

    pub(crate) fn lines(&self, table: &impl Unwinder) -> Vec<String> {
        let shows = |word: &str| self.show.contains(word);
        let mut lines = Vec::new();
        if shows("counts") {
            let rows = table.boundaries(Pc(0), Pc(u64::MAX)).count();
            return vec![format!("{} functions, {rows} rows", table.functions().len())];
        }
        if shows("broken") {
            return lines;
        }
        for function in table.functions().filter(|_| shows("functions")) {
            lines.push(format!("function {}..{} at {:#x}", function.start, function.end, function.offset));
        }
        for function in table.functions().filter(|_| shows("lookups")) {
            let [before, last] = [function.start.0.wrapping_sub(1), function.end.0.wrapping_sub(1)].map(Pc);
            let exact = [before, function.start, last, function.end].map(CodePoint::Exact);
            let after = [function.start, function.end].map(CodePoint::AfterCall);
            lines.extend(exact.into_iter().chain(after).map(|at| {
                let place = match at {
                    CodePoint::Exact(pc) => format!("at {pc}"),
                    CodePoint::AfterCall(pc) => format!("after a call, at {pc}"),
                };
                match table.row(at) {
                    Ok(row) => format!("{place}: row from {}", table.rules(row, at.lookup()).start),
                    Err(fault) => format!("{place}: {fault}"),
                }
            }));
        }
        let starts: Vec<Pc> = table.boundaries(Pc(0), Pc(u64::MAX)).collect();
        self.assert_rows(table, &starts);
        for pc in starts {
            lines.push(self.row(table, pc));
            if shows("callers") || shows("registers") {
                lines.extend(self.caller(table, CodePoint::Exact(pc)));
            }
            if shows("after-calls") {
                lines.extend(self.caller(table, CodePoint::AfterCall(Pc(pc.0 + 1))));
            }
        }
        lines
    }

    /// The row at a PC as a line.
    fn row(&self, table: &impl Unwinder, pc: Pc) -> String {
        let (id, row) = match table.row(CodePoint::Exact(pc)) {
            Ok(row) => (row, table.rules(row, pc)),
            Err(fault) => return format!("{pc}: {fault}"),
        };
        assert!(row.covers(pc), "{pc} is in its row");
        let id = if self.show.contains("ids") { format!(" {id:?}") } else { String::new() };
        format!("{}..{} {}{id}", row.start, row.end, row.describe(self.abi))
    }

    /// Asserts that no boundary is inside a row, and that each PC of a function has the rules of
    /// the boundary before it.
    fn assert_rows(&self, table: &impl Unwinder, starts: &[Pc]) {
        for pair in starts.windows(2).take(256) {
            assert_eq!(table.boundaries(Pc(pair[0].0 + 1), pair[1]).count(), 0, "inside a row at {}", pair[0]);
        }
        let rules = |pc: Pc| Some(table.rules(table.row(CodePoint::Exact(pc)).ok()?, pc).describe(self.abi));
        for function in table.functions().take(16) {
            let end = function.end.0.min(function.start.0.saturating_add(0x200));
            for pc in (function.start.0..end).map(Pc) {
                let before = starts[..starts.partition_point(|start| *start <= pc)].last();
                assert!(rules(pc).is_none() || before.and_then(|start| rules(*start)) == rules(pc), "{pc}");
            }
        }
    }

    /// The caller at a code point, and the registers that the table restores, as lines.
    fn caller(&self, table: &impl Unwinder, at: CodePoint) -> Vec<String> {
        let Ok(row) = table.row(at) else { return Vec::new() };
        let answer = table.evaluate(row, at, &self.registers, &self.stack());
        assert_eq!(table.caller(at, &self.registers, &self.stack()), answer);
        let caller = match answer {
            Ok(Answer::Outermost) => return vec!["outermost".to_owned()],
            Err(fault) => return vec![self.fault(fault)],
            Ok(Answer::Caller(caller)) => caller,
        };
        let restored = table.caller_regs(row, at, &caller, &self.registers, &self.stack());
        let facts = self.abi.facts();
        let known = [facts.sp, facts.fp, facts.ra].map(|reg| restored.read(reg));
        assert_eq!(known[..2], [Some(caller.sp), caller.fp.ok().flatten()]);
        assert!(known[2].is_none() || caller.signal, "the return address is the caller's PC");
        let mut lines = vec![self.answer(&caller)];
        if self.show.contains("registers") {
            let values = (0..40).filter_map(|number| Some((number, restored.read(Reg(number))?)));
            let values: Vec<String> = values.map(|(number, value)| format!("r{number}={}", value_of(value))).collect();
            lines.push(format!("restored {}", values.join(" ")));
        }
        lines
    }

    fn answer(&self, caller: &Caller) -> String {
        let Caller { cfa, ra, raw_ra, signed_by, signed_with_pc, fp, sp, signal } = *caller;
        let fp = match fp {
            Ok(Some(fp)) => value_of(fp),
            Ok(None) => "unknown".to_owned(),
            Err(fault) => self.fault(fault),
        };
        let mut line = format!("caller: cfa {} ra {} sp {} fp {fp}", value_of(cfa), value_of(ra), value_of(sp));
        if let Some(key) = signed_by {
            line += &format!(", signed by {key:?}{} as {raw_ra:#x}", if signed_with_pc { " with PC" } else { "" });
        } else {
            assert_eq!((ra, signed_with_pc), (raw_ra, false));
        }
        if signal {
            line += ", signal";
        }
        line
    }

    fn fault(&self, fault: Fault) -> String {
        match fault {
            Fault::UnreadableMemory { address } => format!("fault: reads outside the stack at {}", value_of(address)),
            Fault::DeadMemory { address } => format!("fault: reads dead stack at {}", value_of(address)),
            other => format!("fault: {other}"),
        }
    }
}

/// A value by where it comes from: `sp+8`, `[sp+8]`, `r3`, or the number.
fn value_of(value: u64) -> String {
    let place = |address: u64| match address.wrapping_sub(SP) as i64 {
        0 => "sp".to_owned(),
        offset => format!("sp{offset:+}"),
    };
    let is_near = |address: u64| (STACK - SIZE..=STACK + 2 * SIZE).contains(&address);
    match value {
        0x1000..0x1028 => format!("r{}", value - 0x1000),
        address if is_near(address) => place(address),
        word if word & MARK == MARK && is_near(word & !MARK) => format!("[{}]", place(word & !MARK)),
        other => format!("{other:#x}"),
    }
}
