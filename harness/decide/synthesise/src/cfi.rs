//! Reads `.eh_frame` with gimli, as rules for CFA, return address and FP.

use std::borrow::Cow;

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, EndianSlice, FrameDescriptionEntry, Register, RegisterRule,
    RunTimeEndian, UnwindContext, UnwindSection as _, UnwindTableRow, Vendor,
};
use types::Abi;

use crate::abi::facts;
use crate::expression::{self, Terms};
use crate::reason::Reason;

type Bytes<'b> = EndianSlice<'b, RunTimeEndian>;

/// RA_SIGN_STATE (DWARF for the Arm 64-bit Architecture, 4.1).
const RA_SIGN_STATE: Register = Register(34);

/// A function, from its FDE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) start: u64,
    pub(crate) size: u64,
    pub(crate) signal: bool,
    /// True if return addresses are signed with the B key.
    pub(crate) b_key: bool,
    /// Rows, or why there are none.
    pub(crate) rows: Result<Vec<Row>, Reason>,
}

/// Rules from an address on, up to the next row or the end of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) start: u64,
    pub(crate) rules: Rules,
}

/// Rules for the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) cfa: Terms,
    pub(crate) ra: Value,
    pub(crate) fp: Value,
    /// True if the caller's SP is at the ABI's distance from the CFA.
    pub(crate) sp_is_plain: bool,
    pub(crate) signed: bool,
    pub(crate) signed_with_pc: bool,
}

/// Location of a value of the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The register still holds the value.
    Same,
    /// The value cannot be recovered.
    Undefined,
    /// [CFA + n].
    AtCfa(i64),
    /// At the address, or equal to the value, that these terms give.
    Terms(Terms),
    /// Something else.
    Other,
}

/// The functions of a section at an address, in the section's order.
pub(crate) fn functions(abi: Abi, address: u64, bytes: &[u8]) -> Vec<Function> {
    let (readable, b_key) = without_letters(abi, bytes);
    let order = if facts(abi).big_endian { RunTimeEndian::Big } else { RunTimeEndian::Little };
    let mut section = EhFrame::new(&readable, order);
    section.set_address_size(8);
    if matches!(abi, Abi::Aarch64 | Abi::Aarch64Be) {
        section.set_vendor(Vendor::AArch64);
    }
    let bases = BaseAddresses::default().set_eh_frame(address);
    let mut context = UnwindContext::new();
    let mut found = Vec::new();
    let mut entries = section.entries(&bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(fde) = partial.parse(EhFrame::cie_from_offset) else { continue };
        if fde.len() == 0 {
            continue;
        }
        let is_b = b_key.contains(&fde.cie().offset());
        found.push(Function {
            start: fde.initial_address(),
            size: fde.len(),
            // `B` was replaced by `S`.
            signal: fde.is_signal_trampoline() && !is_b,
            b_key: is_b,
            rows: rows(abi, &section, &bases, &mut context, &fde),
        });
    }
    found
}

/// The section with the augmentation letters that gimli rejects replaced by `S`, which has no data
/// either; and the offsets of CIEs with `B` (DWARF for the Arm 64-bit Architecture, 4.2).
fn without_letters(abi: Abi, bytes: &[u8]) -> (Cow<'_, [u8]>, Vec<usize>) {
    let mut readable = Cow::Borrowed(bytes);
    let mut found = Vec::new();
    if !matches!(abi, Abi::Aarch64 | Abi::Aarch64Be) {
        return (readable, found);
    }
    let word = |at: usize| {
        let four: [u8; 4] = bytes.get(at..)?.first_chunk().copied()?;
        Some(if facts(abi).big_endian { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) })
    };
    let mut at = 0_usize;
    while let (Some(length), Some(id)) = (word(at), word(at.saturating_add(4))) {
        // 64-bit lengths, which no producer writes, end the search.
        if length == u32::MAX {
            break;
        }
        let mut letter = at.saturating_add(9);
        while length > 0 && id == 0 && bytes.get(letter).is_some_and(|letter| *letter != 0) {
            if matches!(bytes.get(letter), Some(b'B' | b'G')) {
                if bytes.get(letter) == Some(&b'B') {
                    found.push(at);
                }
                if let Some(place) = readable.to_mut().get_mut(letter) {
                    *place = b'S';
                }
            }
            letter = letter.saturating_add(1);
        }
        at = at.saturating_add(4).saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
    }
    (readable, found)
}

fn rows(
    abi: Abi,
    section: &EhFrame<Bytes<'_>>,
    bases: &BaseAddresses,
    context: &mut UnwindContext<usize>,
    fde: &FrameDescriptionEntry<Bytes<'_>>,
) -> Result<Vec<Row>, Reason> {
    if fde.cie().return_address_register() != Register(facts(abi).ra) {
        return Err(Reason::ReturnColumn);
    }
    let mut table = fde.rows(section, bases, context).map_err(|_| Reason::Unreadable)?;
    let mut rows: Vec<Row> = Vec::new();
    while let Some(row) = table.next_row().map_err(|_| Reason::Unreadable)? {
        if row.end_address() <= row.start_address() {
            continue;
        }
        let rules = rules(abi, section, fde, row);
        for (start, cfa) in expression::by_pc(abi, &rules.cfa, row.start_address()..row.end_address())? {
            let rules = Rules { cfa, ..rules.clone() };
            if rows.last().is_none_or(|last| last.rules != rules) {
                rows.push(Row { start, rules });
            }
        }
    }
    Ok(rows)
}

fn rules(
    abi: Abi,
    section: &EhFrame<Bytes<'_>>,
    fde: &FrameDescriptionEntry<Bytes<'_>>,
    row: &UnwindTableRow<usize>,
) -> Rules {
    let facts = facts(abi);
    let encoding = fde.cie().encoding();
    let value = |register: u16| match row.register(Register(register)) {
        None | Some(RegisterRule::SameValue) => Value::Same,
        Some(RegisterRule::Undefined) => Value::Undefined,
        Some(RegisterRule::Offset(offset)) => Value::AtCfa(offset),
        Some(RegisterRule::Register(register)) if register.0 == facts.ra && facts.fixed_ra != 0 => Value::Other,
        Some(RegisterRule::Register(register)) => Value::Terms(Terms::Register(register.0, 0)),
        Some(RegisterRule::Expression(expression)) => {
            match expression.get(section).ok().map(|bytes| expression::read(bytes, encoding)) {
                // The terms give the address of the value: one more load.
                Some(Terms::Register(register, offset)) => Value::Terms(Terms::Memory(register, offset)),
                _ => Value::Other,
            }
        }
        Some(RegisterRule::ValExpression(expression)) => {
            match expression.get(section).ok().map(|bytes| expression::read(bytes, encoding)) {
                Some(terms @ (Terms::Register(..) | Terms::Memory(..))) => Value::Terms(terms),
                _ => Value::Other,
            }
        }
        Some(_) => Value::Other,
    };
    let cfa = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => Terms::Register(register.0, *offset),
        CfaRule::Expression(expression) => match expression.get(section) {
            Ok(bytes) => expression::read(bytes, encoding),
            Err(_) => Terms::Unknown,
        },
    };
    let sp_is_plain = match row.register(Register(facts.sp)) {
        None => true,
        Some(RegisterRule::ValOffset(offset)) => offset == facts.cfa_minus_sp.wrapping_neg(),
        // Where s390x saves SP as it does other registers: in the register save area, or, in
        // functions without calls, in a floating-point register.
        Some(RegisterRule::Offset(_) | RegisterRule::Register(_)) => facts.cfa_minus_sp != 0,
        Some(_) => false,
    };
    let state = match row.register(RA_SIGN_STATE) {
        Some(RegisterRule::Constant(state)) if matches!(abi, Abi::Aarch64 | Abi::Aarch64Be) => state,
        _ => 0,
    };
    Rules {
        cfa,
        ra: value(facts.ra),
        fp: value(facts.fp),
        sp_is_plain,
        signed: state & 1 != 0,
        signed_with_pc: state & 2 != 0,
    }
}
