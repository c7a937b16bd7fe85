//! A CFI directive as text (GNU as manual, "CFI directives"). Offsets are in bytes.

use std::fmt;

use super::escape::Escape;
use super::register::Register;

/// A directive inside a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    DefCfa(Register, i64),
    DefCfaOffset(i64),
    AdjustCfaOffset(i64),
    DefCfaRegister(Register),
    Offset(Register, i64),
    RelOffset(Register, i64),
    ValOffset(Register, i64),
    Register(Register, Register),
    Restore(Register),
    Undefined(Register),
    SameValue(Register),
    RememberState,
    RestoreState,
    Escape(Escape),
    SignalFrame,
    NegateRaState,
    WindowSave,
    BKeyFrame,
    ReturnColumn(Register),
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Directive as D;
        write!(f, ".cfi_{}", self.word())?;
        match self {
            D::DefCfa(r, n) | D::Offset(r, n) | D::RelOffset(r, n) | D::ValOffset(r, n) => {
                write!(f, " {}, {n}", r.name)
            }
            D::DefCfaOffset(n) | D::AdjustCfaOffset(n) => write!(f, " {n}"),
            D::Register(r, in_r) => write!(f, " {}, {}", r.name, in_r.name),
            D::DefCfaRegister(r) | D::Restore(r) | D::Undefined(r) | D::SameValue(r) | D::ReturnColumn(r) => {
                write!(f, " {}", r.name)
            }
            D::Escape(escape) => {
                let bytes: Vec<String> = escape.bytes().iter().map(|byte| format!("{byte:#x}")).collect();
                write!(f, " {}", bytes.join(", "))
            }
            _ => Ok(()),
        }
    }
}

impl Directive {
    /// The name without `.cfi_`.
    pub const fn word(&self) -> &'static str {
        match self {
            Directive::DefCfa(..) => "def_cfa",
            Directive::DefCfaOffset(_) => "def_cfa_offset",
            Directive::AdjustCfaOffset(_) => "adjust_cfa_offset",
            Directive::DefCfaRegister(_) => "def_cfa_register",
            Directive::Offset(..) => "offset",
            Directive::RelOffset(..) => "rel_offset",
            Directive::ValOffset(..) => "val_offset",
            Directive::Register(..) => "register",
            Directive::Restore(_) => "restore",
            Directive::Undefined(_) => "undefined",
            Directive::SameValue(_) => "same_value",
            Directive::RememberState => "remember_state",
            Directive::RestoreState => "restore_state",
            Directive::Escape(_) => "escape",
            Directive::SignalFrame => "signal_frame",
            Directive::NegateRaState => "negate_ra_state",
            Directive::WindowSave => "window_save",
            Directive::BKeyFrame => "b_key_frame",
            Directive::ReturnColumn(_) => "return_column",
        }
    }

    /// The name with the roles of its registers and the class of its number.
    pub fn kind(&self) -> String {
        use Directive as D;
        let word = self.word();
        match self {
            D::DefCfa(r, n) | D::Offset(r, n) | D::RelOffset(r, n) | D::ValOffset(r, n) => {
                format!("{word}.{}{}", r.role.word(), class(*n))
            }
            D::DefCfaOffset(n) | D::AdjustCfaOffset(n) => format!("{word}{}", class(*n)),
            D::Register(r, in_r) => format!("{word}.{}.{}", r.role.word(), in_r.role.word()),
            D::DefCfaRegister(r) | D::Restore(r) | D::Undefined(r) | D::SameValue(r) | D::ReturnColumn(r) => {
                format!("{word}.{}", r.role.word())
            }
            D::Escape(escape) => format!("{word}:{}", escape.kind()),
            _ => word.to_owned(),
        }
    }

    /// Simpler directives, or the same with a simpler number: each has a lower rank or
    /// [`plainness`], never a higher one.
    pub(super) fn simpler(self) -> Vec<Directive> {
        use Directive as D;
        let mut simpler = match self {
            D::AdjustCfaOffset(n) => vec![D::DefCfaOffset(n), D::DefCfaOffset(PLAIN[0])],
            D::DefCfa(r, n) => vec![D::DefCfaOffset(n), D::DefCfaRegister(r)],
            D::RelOffset(r, n) => vec![D::Offset(r, n), D::Offset(r, PLAIN[1])],
            D::WindowSave => vec![D::NegateRaState],
            _ => Vec::new(),
        };
        let number = self.clone().number().map(|number| *number);
        simpler.extend(number.into_iter().flat_map(|number| {
            PLAIN.into_iter().filter(move |n| plainness(*n) < plainness(number)).map(move |plain| {
                let mut directive = self;
                if let Some(number) = directive.number() {
                    *number = plain;
                }
                directive
            })
        }));
        simpler
    }

    /// The number, if the directive has one.
    fn number(&mut self) -> Option<&mut i64> {
        use Directive as D;
        match self {
            D::DefCfa(_, n) | D::Offset(_, n) | D::RelOffset(_, n) | D::ValOffset(_, n) => Some(n),
            D::DefCfaOffset(n) | D::AdjustCfaOffset(n) => Some(n),
            _ => None,
        }
    }
}

/// Numbers to try in place of others, the simplest first.
const PLAIN: [i64; 15] = [16, -16, 8, 24, -24, 160, 168, 320, 0, 4, -4, 1024, -1024, 65536, -65536];

/// The rank of a number: lower is simpler.
fn plainness(number: i64) -> u64 {
    PLAIN.iter().position(|n| *n == number).map_or_else(|| 100 + number.unsigned_abs(), |place| place as u64)
}

/// The class of a number: encoders treat each class differently.
fn class(number: i64) -> &'static str {
    match number {
        n if i32::try_from(n).is_err() => "!s32",
        n if n % 8 != 0 => "!align",
        n if i16::try_from(n).is_err() => "!s16",
        0 => "!0",
        _ => "",
    }
}
