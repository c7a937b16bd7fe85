//! The crate's answer for an address, in the form of the protocol.

/// What the ABI decides: DWARF numbers, none for the return address of AMD64, and a caller's SP
/// less the CFA.
pub(crate) struct Target {
    pub(crate) sp: i32,
    pub(crate) fp: i32,
    pub(crate) link: Option<i32>,
    pub(crate) caller_sp: i64,
    pub(crate) is_s390x: bool,
    pub(crate) signs: bool,
}

impl Target {
    pub(crate) fn new(abi: &str) -> Target {
        let plain = Target { sp: 7, fp: 6, link: None, caller_sp: 0, is_s390x: false, signs: false };
        match abi {
            "amd64" => plain,
            "s390x" => Target { sp: 15, fp: 11, link: Some(14), caller_sp: -160, is_s390x: true, ..plain },
            _ => Target { sp: 31, fp: 29, link: Some(30), signs: true, ..plain },
        }
    }

    /// Name of a register; a number below 0 is not a register.
    fn name(&self, number: i32) -> String {
        match number {
            number if number == self.sp => "sp".to_owned(),
            number if number == self.fp => "fp".to_owned(),
            number => format!("r{}", number as u16),
        }
    }
}

/// What an offset is added to.
#[derive(Clone, Copy)]
pub(crate) enum Base {
    Register(i32),
    Cfa,
}

/// Where a value is.
#[derive(Clone, Copy)]
pub(crate) enum Location {
    Same,
    Of { base: Base, offset: i32, loaded: bool },
}

impl Location {
    pub(crate) fn at_cfa(offset: i32) -> Location {
        Location::Of { base: Base::Cfa, offset, loaded: true }
    }

    pub(crate) fn register(number: i32, offset: i32) -> Location {
        Location::Of { base: Base::Register(number), offset, loaded: false }
    }

    fn text(self, target: &Target) -> String {
        match self {
            Location::Same => "same".to_owned(),
            Location::Of { base: Base::Cfa, offset, loaded: true } => format!("cfa{offset:+}"),
            Location::Of { base: Base::Cfa, offset, loaded: false } => format!("=cfa{offset:+}"),
            Location::Of { base: Base::Register(number), offset, loaded: false } => format!("{}{offset:+}", target.name(number)),
            Location::Of { base: Base::Register(number), offset, loaded: true } => format!("[{}{offset:+}]", target.name(number)),
        }
    }
}

/// A row.
pub(crate) struct Row {
    pub(crate) cfa: Location,
    pub(crate) ra: Location,
    pub(crate) fp: Location,
    pub(crate) signed: bool,
    pub(crate) signal: bool,
}

/// What holds at an address.
pub(crate) enum Answer {
    None,
    Outer { signal: bool },
    Row(Row),
}

impl Answer {
    pub(crate) fn line(&self, target: &Target) -> String {
        let word = |holds: bool, word: &'static str| if holds { word } else { "" };
        match self {
            Answer::None => "none".to_owned(),
            Answer::Outer { signal } => format!("outer{}", word(*signal, " signal")),
            Answer::Row(row) => {
                let [cfa, ra, fp] = [row.cfa, row.ra, row.fp].map(|place| place.text(target));
                format!("{cfa} {ra} {fp}{}{}", word(row.signed, " signed-a"), word(row.signal, " signal"))
            }
        }
    }
}
