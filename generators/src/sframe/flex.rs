//! Control words of flexible rows (SFrame V3, "Flexible FDE"): the base of a value, and whether the
//! value is loaded from memory.

use types::Reg;

use super::spec::Word;

/// The formula of a value; brackets load from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// register + offset.
    Register(Reg),
    /// [register + offset].
    Load(Reg),
    /// CFA + offset.
    Cfa,
    /// [CFA + offset].
    LoadCfa,
}

/// The control word: bit 0 is set if the base is a register, bit 1 if the sum is an address to load
/// from, bit 2 is zero, the register's number is above.
pub const fn control(what: Control) -> Word {
    Word::Control(match what {
        Control::Register(reg) => (reg.0 as u32) << 3 | 1,
        Control::Load(reg) => (reg.0 as u32) << 3 | 3,
        Control::Cfa => 0,
        Control::LoadCfa => 2,
    })
}
