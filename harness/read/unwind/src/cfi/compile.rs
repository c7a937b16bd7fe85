//! Compiles a DWARF expression to the operations that [`crate::program`] runs.

use gimli::{DwOp, Encoding, Expression, Operation, Reader};
use types::Reg;

use crate::program::{Binary, Op, Unary};

/// Returns the operations of an expression. One that is malformed or meaningless in CFI compiles to
/// [`Op::Meaningless`], an unknown one to [`Op::Unsupported`]: a fault only if a row needs it, and
/// no reason to doubt the rest of the table.
///
/// `place` is the address of the first operation.
pub(super) fn compile<R: Reader<Offset = usize>>(
    expression: Expression<R>,
    encoding: Encoding,
    place: Option<u64>,
) -> Vec<Op> {
    let mut ops = Vec::new();
    // Byte offset of each operation, to resolve branches.
    let mut starts = Vec::new();
    // Operation index and byte offset it branches to.
    let mut branches = Vec::new();
    let mut input = expression.clone().operations(encoding);
    loop {
        let start = input.offset_from(&expression);
        let next = match input.next() {
            Ok(next) => next,
            Err(gimli::Error::InvalidExpression(ENCODED_ADDRESS)) => {
                let Some((address, rest)) = place.and_then(|place| encoded_address(&expression, start, place)) else {
                    return vec![Op::Unsupported];
                };
                starts.push(start);
                ops.push(Op::Constant(address));
                input = rest.operations(encoding);
                continue;
            }
            Err(gimli::Error::InvalidExpression(op)) if is_of_a_vendor(op.0) => {
                return vec![Op::Unsupported];
            }
            Err(_) => return vec![Op::Meaningless],
        };
        starts.push(start);
        let Some(operation) = next else {
            break;
        };
        if let Operation::Skip { target } | Operation::Bra { target } = operation {
            branches.push((ops.len(), input.offset_from(&expression).checked_add_signed(isize::from(target))));
        }
        ops.push(op(&operation));
    }
    for (index, target) in branches {
        let target = target.and_then(|target| starts.binary_search(&target).ok()).and_then(|t| u32::try_from(t).ok());
        let Some(op) = ops.get_mut(index) else { continue };
        *op = match (*op, target) {
            (Op::Skip(_), Some(target)) => Op::Skip(target),
            (Op::Branch(_), Some(target)) => Op::Branch(target),
            // The branch target is not the start of an operation.
            _ => Op::Meaningless,
        };
    }
    ops
}

/// `DW_OP_GNU_encoded_addr` (binutils, include/dwarf2.def): an encoding as in `.eh_frame`, and an
/// address in that encoding. GNU as writes it for `.cfi_val_encoded_addr`.
const ENCODED_ADDRESS: DwOp = DwOp(0xf1);

/// Returns the address that the operation at an offset pushes, and the remaining input; `None` for
/// encodings other than `DW_EH_PE_pcrel | DW_EH_PE_sdata4`, the one that compilers of these ABIs
/// use.
fn encoded_address<R: Reader<Offset = usize>>(
    expression: &Expression<R>,
    start: usize,
    place: u64,
) -> Option<(u64, Expression<R>)> {
    const PCREL_SDATA4: u8 = 0x1b;
    let mut rest = expression.0.clone();
    rest.skip(start.checked_add(1)?).ok()?;
    if rest.read_u8().ok()? != PCREL_SDATA4 {
        return None;
    }
    let distance = i64::from(rest.read_i32().ok()?);
    Some((place.wrapping_add(start as u64).wrapping_add(2).wrapping_add_signed(distance), Expression(rest)))
}

/// Returns true if a vendor of tools for these ABIs defines the operation: GNU, LLVM, Intel, Arm,
/// PGI (binutils, include/dwarf2.def; LLVM, Dwarf.def). Others from `DW_OP_lo_user` on belong to HP
/// or WebAssembly, or are unassigned.
const fn is_of_a_vendor(op: u8) -> bool {
    matches!(op, 0xe0 | 0xe8..=0xea | 0xf0..=0xfd)
}

fn op<R: Reader<Offset = usize>>(operation: &Operation<R>) -> Op {
    match *operation {
        Operation::UnsignedConstant { value } | Operation::Address { address: value } => Op::Constant(value),
        Operation::SignedConstant { value } => Op::Constant(value.cast_unsigned()),
        Operation::RegisterOffset { register, offset, base_type } if base_type.0 == 0 => {
            Op::Register { reg: Reg(register.0), offset }
        }
        Operation::Deref { base_type, size: size @ 1..=8, space: false } if base_type.0 == 0 => Op::Load { size },
        Operation::Pick { index } => Op::Pick(index),
        Operation::Drop => Op::Drop,
        Operation::Swap => Op::Swap,
        Operation::Rot => Op::Rotate,
        Operation::Abs => Op::Unary(Unary::Abs),
        Operation::Neg => Op::Unary(Unary::Negate),
        Operation::Not => Op::Unary(Unary::Not),
        Operation::And => Op::Binary(Binary::And),
        Operation::Div => Op::Binary(Binary::Divide),
        Operation::Minus => Op::Binary(Binary::Minus),
        Operation::Mod => Op::Binary(Binary::Modulo),
        Operation::Mul => Op::Binary(Binary::Multiply),
        Operation::Or => Op::Binary(Binary::Or),
        Operation::Plus => Op::Binary(Binary::Plus),
        Operation::PlusConstant { value } => Op::PlusConstant(value),
        Operation::Shl => Op::Binary(Binary::ShiftLeft),
        Operation::Shr => Op::Binary(Binary::ShiftRight),
        Operation::Shra => Op::Binary(Binary::ShiftRightArithmetic),
        Operation::Xor => Op::Binary(Binary::Xor),
        Operation::Eq => Op::Binary(Binary::Equal),
        Operation::Ge => Op::Binary(Binary::GreaterOrEqual),
        Operation::Gt => Op::Binary(Binary::Greater),
        Operation::Le => Op::Binary(Binary::LessOrEqual),
        Operation::Lt => Op::Binary(Binary::Less),
        Operation::Ne => Op::Binary(Binary::NotEqual),
        Operation::Skip { .. } => Op::Skip(0),
        Operation::Bra { .. } => Op::Branch(0),
        Operation::Nop => Op::Nop,
        // DWARF 5, 6.4.2: these lead to `.debug_info`, to an object, or to the CFA itself; 2.6:
        // these are parts of a location, and a rule is an expression. The ABIs have one address
        // space, and WebAssembly has no CFI.
        Operation::AddressIndex { .. }
        | Operation::ConstantIndex { .. }
        | Operation::Call { .. }
        | Operation::TypedLiteral { .. }
        | Operation::Convert { .. }
        | Operation::Reinterpret { .. }
        | Operation::RegisterOffset { .. }
        | Operation::Deref { .. }
        | Operation::FrameOffset { .. }
        | Operation::Piece { .. }
        | Operation::ImplicitValue { .. }
        | Operation::ImplicitPointer { .. }
        | Operation::StackValue
        | Operation::PushObjectAddress
        | Operation::CallFrameCFA
        | Operation::WasmLocal { .. }
        | Operation::WasmGlobal { .. }
        | Operation::WasmStack { .. } => Op::Meaningless,
        _ => Op::Unsupported,
    }
}
