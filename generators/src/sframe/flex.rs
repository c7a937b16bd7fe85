//! Control words of flexible rows (SFrame V3, "Flexible FDE"): the base of a value and whether it
//! is loaded.

use types::Reg;

use super::spec::Word;

/// How a value follows from its base and offset; brackets load from memory.
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

/// The control word: bit 0 is set where the base is a register, bit 1 where the sum is an address
/// to load from, bit 2 is zero, the register's number is above them.
pub const fn control(what: Control) -> Word {
    Word::Control(match what {
        Control::Register(reg) => (reg.0 as u32) << 3 | 1,
        Control::Load(reg) => (reg.0 as u32) << 3 | 3,
        Control::Cfa => 0,
        Control::LoadCfa => 2,
    })
}
