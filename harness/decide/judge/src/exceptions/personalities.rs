//! Personality routines.

use std::collections::BTreeMap;

use spec::RuleId;
use types::{ImageSection, Pc};
use unwind::{CfiUnwinder, Personality, Unwinder as _};

use super::{Found, Subject, Target};

/// What is known of a CIE's personality routine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Routine {
    /// No name: areas are those of the section `.gcc_except_table`.
    #[default]
    Unnamed,
    /// A routine that reads areas in the form of GCC and LLVM.
    Named {
        /// True if types are those of C++.
        types: Types,
    },
    /// A routine of another language.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types {
    /// `std::type_info`.
    Cxx,
    /// Data of another language.
    Other,
}

/// Checks the routines of all CIEs; returns them, by offset of the CIE.
pub(super) fn check(cfi: &CfiUnwinder, found: &mut Found<'_>) -> BTreeMap<u64, Routine> {
    cfi.personalities().iter().map(|one| (one.cie, routine(cfi, one, found))).collect()
}

fn routine(cfi: &CfiUnwinder, one: &Personality, found: &mut Found<'_>) -> Routine {
    let image = found.image;
    let target = Target::new(image, one.pointer);
    let subject = || Subject::entry(".eh_frame".to_owned(), one.cie, None);
    let wrong = |found: &mut Found<'_>, why: &str| {
        let message = format!("the personality pointer of the CIE at {:#x} leads to {target}{why}", one.cie);
        found.add(RuleId::EhFramePersonality, subject(), message);
    };
    let names: Vec<&str> = match target {
        Target::Unknown => return Routine::Unnamed,
        Target::Null if !cfi.lsdas().iter().any(|lsda| lsda.cie == one.cie) => return Routine::Unnamed,
        Target::Null | Target::NoWord(_) => {
            wrong(found, "");
            return Routine::Unnamed;
        }
        Target::Import(import) if import.addend != 0 => {
            wrong(found, ", which is not the start of a routine");
            return Routine::Unnamed;
        }
        Target::Import(import) => vec![import.symbol.as_str()],
        Target::Address(address) => {
            let symbols = image.symbols_at(Pc(address)).filter(|symbol| symbol.function);
            let names: Vec<&str> = symbols.map(|symbol| symbol.name.as_str()).collect();
            if !image.section_at(address).is_some_and(ImageSection::is_code) {
                wrong(found, ", which is not code");
                return Routine::Unnamed;
            }
            let is_plt = image.section_at(address).is_some_and(ImageSection::is_plt);
            let is_inside = cfi.function_at(Pc(address)).is_some_and(|function| function.start.0 != address);
            if is_inside && !is_plt && names.is_empty() {
                wrong(found, &format!(" ({}), which is not the start of a routine", image.place(address)));
                return Routine::Unnamed;
            }
            names
        }
    };
    let routine = names.iter().find_map(|name| Routine::from_name(name));
    if routine.is_none() && !names.is_empty() {
        let message = format!(
            "the personality pointer of the CIE at {:#x} leads to {}, which is not known as a personality routine",
            one.cie,
            names.join(", ")
        );
        match is_data(&names) {
            true => found.add(RuleId::EhFramePersonality, subject(), message),
            false => found.warn(RuleId::EhFramePersonality, subject(), message),
        }
    }
    routine.unwrap_or_default()
}

/// Returns true if names of C++ symbols are those of tables and types: C++ ABI for Itanium, 5.1.4.
fn is_data(names: &[&str]) -> bool {
    names.iter().any(|name| ["_ZTI", "_ZTV", "_ZTS"].iter().any(|prefix| name.starts_with(prefix)))
}

impl Routine {
    /// What a routine is by its name; `None` if it is no known personality routine.
    fn from_name(name: &str) -> Option<Routine> {
        /// C++, C cleanups, Rust, Ada, D, Go by GCC, Objective-C.
        const OF_GCC: [&str; 8] = [
            "__gxx_personality_",
            "__gcc_personality_",
            "rust_eh_personality",
            "__gnat_personality_",
            "__gdc_personality_",
            "_d_eh_personality",
            "__gccgo_personality_",
            "__gnu_objc_personality_",
        ];
        /// Routines whose names do not say so: LuaJIT.
        const OTHERS: [&str; 1] = ["lj_err_unwind_dwarf"];
        if OF_GCC.iter().any(|known| name.contains(known)) {
            let types = if name.contains("__gxx_") { Types::Cxx } else { Types::Other };
            return Some(Routine::Named { types });
        }
        (name.contains("personality") || OTHERS.contains(&name)).then_some(Routine::Other)
    }
}
