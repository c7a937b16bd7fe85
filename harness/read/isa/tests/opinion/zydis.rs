//! The second opinion of Zydis on an AMD64 instruction: its operands, implicit ones included, and
//! the access to each.

use isa::flow::Flow;
use zydis::ffi::{DecodedOperand, DecodedOperandKind};
use zydis::{
    AllOperands, BranchType, Decoder, Instruction, InstructionCategory, MachineMode, Mnemonic, OperandAction, Register,
};

use crate::{Opinion, Second};

impl Second for Decoder {
    fn opinion(&self, code: &[u8], pc: u64) -> Option<Opinion> {
        let window = code.get(..code.len().min(15))?;
        let instruction = self.decode_first::<AllOperands>(window).ok()??;
        // SYSENTER leaves all registers to the system.
        let is_left = instruction.mnemonic == Mnemonic::SYSENTER;
        let writes = |register| !is_left && instruction.operands().iter().any(|operand| writes(operand, register));
        Some(Opinion {
            length: instruction.length.into(),
            flow: flow(&instruction, pc),
            writes: [writes(Register::RSP), writes(Register::RBP), false],
            mnemonic: instruction.mnemonic.to_string(),
            text: String::new(),
        })
    }
}

/// Returns true if the operand writes a register or a part of it, always or conditionally.
fn writes(operand: &DecodedOperand, register: Register) -> bool {
    let DecodedOperandKind::Reg(written) = operand.kind else { return false };
    operand.action.intersects(OperandAction::MASK_WRITE) && written.largest_enclosing(MachineMode::LONG_64) == register
}

fn flow(instruction: &Instruction<AllOperands>, pc: u64) -> Flow {
    let target = instruction.operands().first().and_then(|operand| match &operand.kind {
        DecodedOperandKind::Imm(imm) if imm.is_relative => {
            Some(pc.wrapping_add(instruction.length.into()).wrapping_add(imm.value))
        }
        _ => None,
    });
    let is_near = instruction.meta.branch_type != BranchType::FAR;
    match (instruction.meta.category, instruction.mnemonic, target) {
        (InstructionCategory::UNCOND_BR, _, Some(target)) => Flow::Jump(target),
        (InstructionCategory::UNCOND_BR, ..) => Flow::IndirectJump,
        (InstructionCategory::COND_BR, _, Some(target)) => Flow::Branch(target),
        (_, Mnemonic::CALL, Some(target)) => Flow::Call(target),
        (_, Mnemonic::CALL, None) => Flow::IndirectCall,
        (_, Mnemonic::RET, _) if is_near => Flow::Return,
        (InstructionCategory::RET | InstructionCategory::SYSRET, ..) => Flow::Ends,
        (_, Mnemonic::RSM | Mnemonic::INT3 | Mnemonic::INT1 | Mnemonic::HLT, _) => Flow::Ends,
        (_, Mnemonic::UD0 | Mnemonic::UD1 | Mnemonic::UD2, _) => Flow::Ends,
        _ => Flow::Next,
    }
}
