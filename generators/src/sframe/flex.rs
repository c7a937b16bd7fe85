//! Control words of flexible rows (SFrame V3, "Flexible FDE"): what base the value counts from and whether it is loaded.

use model::Reg;

use super::spec::Word;

/// What the control word says of the value.
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

/// The control word: bit 0 says that a register is the base, bit 1 that the sum is an address to load from, bit 2 is zero,
/// the register number stands above.
pub const fn control(what: Control) -> Word {
    Word::Control(match what {
        Control::Register(reg) => (reg.0 as u32) << 3 | 1,
        Control::Load(reg) => (reg.0 as u32) << 3 | 3,
        Control::Cfa => 0,
        Control::LoadCfa => 2,
    })
}
