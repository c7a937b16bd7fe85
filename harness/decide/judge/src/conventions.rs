//! Conventions of language runtimes, by the names of functions: what a runtime's own unwinder knows
//! and unwind tables have no words for. Answers that only such a convention makes wrong are
//! undecided, by its name.

use types::{Field, UndecidedCause};

#[derive(Debug)]
pub(crate) struct Convention {
    why: UndecidedCause,
    names: Names,
    excuses: Excuse,
}

/// Names of the functions that follow a convention.
#[derive(Debug)]
enum Names {
    /// `caml` and the name of a module, which begins with a capital letter; or a function that the
    /// compiler makes for a number of arguments.
    Ocaml,
    /// One of these, and nothing or the name of a calling convention after a period.
    Listed(&'static [&'static str]),
}

/// The wrong answers that a convention excuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excuse {
    /// FP has its value at the entry, where no register or slot holds that any more.
    LostFp,
    /// Another stack than the caller's, or another return address: a CFA that is wrong by less than
    /// [`ONE_STACK`] is not excused.
    OtherCaller,
}

/// Two addresses closer than this are on one stack.
const ONE_STACK: u64 = 64 << 10;

/// The beginning of functions that OCaml makes; a number follows (OCaml 5.4,
/// asmcomp/cmm_helpers.ml: `apply_function_sym`, `curry_function_sym`, `send_function`).
const OCAML_MADE: [&str; 4] = ["caml_apply", "caml_curry", "caml_send", "caml_tuplify"];

const CONVENTIONS: &[Convention] = &[
    // OCaml 5.4, asmcomp/{amd64,arm64,s390x}/proc.ml, `destroyed_at_oper`: a call keeps no
    // register. It uses rbp, x29 and r11 as any other, and its tables never have a rule for one.
    Convention { why: UndecidedCause::OcamlRegisters, names: Names::Ocaml, excuses: Excuse::LostFp },
    // Go 1.27, src/internal/abi/symtab.go, `FuncID`: functions that its unwinder treats by name.
    // They switch stacks, keep the caller's PC in the goroutine, or end the walk.
    Convention {
        why: UndecidedCause::GoStackSwitch,
        names: Names::Listed(&[
            "gogo",
            "runtime.asmcgocall",
            "runtime.cgocallback",
            "runtime.corostart",
            "runtime.goexit",
            "runtime.gogo",
            "runtime.mcall",
            "runtime.morestack",
            "runtime.mstart",
            "runtime.rt0_go",
            "runtime.systemstack",
        ]),
        excuses: Excuse::OtherCaller,
    },
];

impl Convention {
    pub(crate) fn of_function(function: &str) -> Option<&'static Convention> {
        CONVENTIONS.iter().find(|convention| convention.names.contain(function))
    }

    /// The cause that leaves a wrong answer undecided. `has_lost_fp`: the row has FP unchanged, and
    /// no place holds the caller's. `cfa_off_by`: bytes between the CFA and the true one.
    pub(crate) fn excuses(
        &self,
        field: Field,
        has_lost_fp: impl Fn() -> bool,
        cfa_off_by: Option<u64>,
    ) -> Option<UndecidedCause> {
        let excused = match self.excuses {
            Excuse::LostFp => field == Field::Fp && has_lost_fp(),
            Excuse::OtherCaller => match field {
                Field::Ra | Field::Outermost => true,
                Field::Cfa => cfa_off_by.is_none_or(|by| by >= ONE_STACK),
                Field::DeadStack | Field::Signed | Field::Fp | Field::Sp => false,
            },
        };
        excused.then_some(self.why)
    }
}

impl Names {
    fn contain(&self, function: &str) -> bool {
        match self {
            Names::Ocaml => {
                let goes_on = |prefix: &str, by: fn(&char) -> bool| {
                    function.strip_prefix(prefix).and_then(|rest| rest.chars().next()).is_some_and(|c| by(&c))
                };
                goes_on("caml", char::is_ascii_uppercase)
                    || OCAML_MADE.iter().any(|prefix| goes_on(prefix, char::is_ascii_digit))
            }
            Names::Listed(all) => all
                .iter()
                .any(|name| function.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))),
        }
    }
}
